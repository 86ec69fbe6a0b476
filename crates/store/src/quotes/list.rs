//! Pages of quotes.

use ::quotes::{Quote, QuoteFilter, QuoteId, QuoteQuery, Status};
use diesel::prelude::*;
use kernel::{AccountId, Page};

use super::rows::{QuoteRow, shown, tokens_of};
use crate::{
    db::Db,
    listing::{self, newest_first},
    schema::quotes::{self as table, dsl},
    vault::Vault,
};

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, filter: &QuoteFilter) -> Filtered {
    let mut query = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(ids) = &filter.ids {
        query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
    }
    if let Some(number) = filter.number {
        query = query.filter(dsl::number.eq(number));
    }
    if let Some((status, now)) = filter.status {
        let (name, sent) = (status.name(), Status::Sent.name());
        query = match status {
            Status::Sent => {
                query.filter(dsl::status.eq(name)).filter(dsl::expires_at.gt(now.micros()))
            }
            // What the sweep has not come to yet counts.
            Status::Expired => query.filter(
                dsl::status.eq(name).or(dsl::status.eq(sent).and(dsl::expires_at.le(now.micros()))),
            ),
            _ => query.filter(dsl::status.eq(name)),
        };
    }
    if let Some(customer) = filter.customer {
        query = query.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(deal) = filter.deal {
        query = query.filter(dsl::deal_id.eq(deal.to_string()));
    }
    if let Some(order) = filter.order {
        query = query.filter(dsl::order_id.eq(order.to_string()));
    }
    // Identifiers begin with their moment.
    if let Some(from) = filter.created_from {
        query = query.filter(dsl::id.ge(QuoteId::least_at(from).to_string()));
    }
    if let Some(to) = filter.created_to {
        query = query.filter(dsl::id.lt(QuoteId::least_at(to).to_string()));
    }
    query
}

pub(super) fn quotes(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    query: &QuoteQuery,
) -> QueryResult<Page<Quote>> {
    let all = || matching(account, &query.filter);
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, QuoteRow, dsl::id, query.page, all())?;
    let tokens = tokens_of(db, vault, account, &rows)?;
    let read = |row: QuoteRow| {
        let token = tokens.get(&row.root_id).cloned();
        shown(row, token)
    };
    listing::newest_page(rows, &query.page, total, "quote", QuoteRow::key, read)
}
