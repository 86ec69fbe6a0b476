//! Lists of invoices.

use ::invoices::{InvoiceFilter, InvoiceId, InvoiceQuery};
use diesel::prelude::*;
use kernel::{AccountId, Page};

use super::{fresh, rows::InvoiceRow};
use crate::{
    db::Db,
    listing::{self, newest_first},
    schema::{
        invoice_orders,
        invoices::{self, dsl},
    },
    unreadable::readable,
};

type Filtered = invoices::BoxedQuery<'static, <Db as Connection>::Backend>;

fn filtered(account: AccountId, filter: &InvoiceFilter, of_order: Option<String>) -> Filtered {
    let mut query = invoices::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(kind) = filter.kind {
        query = query.filter(dsl::kind.eq(kind.code()));
    }
    if let Some(customer) = filter.customer {
        query = query.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(id) = of_order {
        query = query.filter(dsl::id.eq(id));
    }
    if let Some(uuid) = &filter.uuid {
        query = query.filter(dsl::uuid.eq(uuid.to_ascii_uppercase()));
    }
    if let Some(series) = &filter.series {
        query = query.filter(dsl::series.eq(series.clone()));
    }
    if let Some(rfc) = &filter.rfc {
        query = query.filter(dsl::receiver_rfc.eq(rfc.clone()));
    }
    // Identifiers begin with their moment.
    if let Some(from) = filter.created_from {
        let least = InvoiceId::from_u128(kernel::id::least_at(from));
        query = query.filter(dsl::id.ge(least.to_string()));
    }
    if let Some(to) = filter.created_to {
        let least = InvoiceId::from_u128(kernel::id::least_at(to));
        query = query.filter(dsl::id.lt(least.to_string()));
    }
    query
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    query: &InvoiceQuery,
) -> QueryResult<Page<::invoices::Invoice>> {
    let of_order = match query.filter.order {
        None => None,
        Some(order) => {
            let id: Option<String> = invoice_orders::table
                .filter(invoice_orders::account_id.eq(account.to_string()))
                .filter(invoice_orders::order_id.eq(order.to_string()))
                .select(invoice_orders::invoice_id)
                .first(db)
                .optional()?;
            let Some(id) = id else { return Ok(Page { items: Vec::new(), total: 0, next: None }) };
            Some(id)
        }
    };
    let matching = || filtered(account, &query.filter, of_order.clone());
    let total = matching().count().get_result(db)?;
    let rows = newest_first!(db, InvoiceRow, dsl::id, query.page, matching())?;
    let read = |rows: Vec<InvoiceRow>| {
        let rows = rows.into_iter().map(|row| (row.key(), row.invoice()));
        fresh::seen(db, account, readable("invoice", rows)?)
    };
    listing::page_of(rows, &query.page, total, |row| listing::by_id(&row.id), read)
}
