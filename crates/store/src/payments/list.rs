//! Lists of payments and refunds, newest first.

use ::payments::{Payment, PaymentFilter, PaymentId, PaymentQuery, Refund, RefundQuery};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use kernel::{AccountId, Page};

use super::{
    refunds::RefundRow,
    rows::{PaymentRow, with_flag},
};
use crate::{
    db::Db,
    listing::{self, newest_first},
    schema::{payments, refunds},
};

type Payments = payments::BoxedQuery<'static, <Db as Connection>::Backend>;
type Refunds = refunds::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, filter: &PaymentFilter) -> Payments {
    use payments::dsl;
    let mut query = payments::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(order) = filter.order {
        query = query.filter(dsl::order_id.eq(order.to_string()));
    }
    if let Some(invoice) = filter.invoice {
        query = query.filter(dsl::invoice_id.eq(invoice.to_string()));
    }
    if let Some(customer) = filter.customer {
        query = query.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(provider) = filter.provider {
        query = query.filter(dsl::provider.eq(provider.name()));
    }
    if let Some(method) = filter.method {
        query = query.filter(dsl::method.eq(method.name()));
    }
    if let Some(link) = filter.link {
        query = query.filter(dsl::link_id.eq(link.to_string()));
    }
    if let Some(flag) = filter.flag {
        // As the index has it: SQLite does not see that from a parameter.
        let flagged = sql::<Bool>("payments.flags <> ''");
        query = query.filter(flagged).filter(dsl::flags.like(with_flag(flag)));
    }
    // Identifiers begin with their moment.
    if let Some(from) = filter.created_from {
        query = query.filter(dsl::id.ge(PaymentId::least_at(from).to_string()));
    }
    if let Some(to) = filter.created_to {
        query = query.filter(dsl::id.lt(PaymentId::least_at(to).to_string()));
    }
    query
}

pub(super) fn payments(
    db: &mut Db,
    account: AccountId,
    query: &PaymentQuery,
) -> QueryResult<Page<Payment>> {
    let all = || matching(account, &query.filter);
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, PaymentRow, payments::dsl::id, query.page, all())?;
    let key = |row: &PaymentRow| (account.to_string(), row.id.clone());
    let shown = |row: PaymentRow| row.payment().map(Payment::among_others);
    listing::newest_page(rows, &query.page, total, "payment", key, shown)
}

pub(super) fn refunds(
    db: &mut Db,
    account: AccountId,
    query: &RefundQuery,
) -> QueryResult<Page<Refund>> {
    use refunds::dsl;
    let filter = &query.filter;
    let all = || -> Refunds {
        let mut query = refunds::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
        if let Some(payment) = filter.payment {
            query = query.filter(dsl::payment_id.eq(payment.to_string()));
        }
        if let Some(order) = filter.order {
            query = query.filter(dsl::order_id.eq(order.to_string()));
        }
        if let Some(status) = filter.status {
            query = query.filter(dsl::status.eq(status.name()));
        }
        query
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, RefundRow, dsl::id, query.page, all())?;
    let key = |row: &RefundRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, &query.page, total, "refund", key, RefundRow::refund)
}
