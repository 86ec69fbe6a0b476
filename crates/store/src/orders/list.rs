//! Pages of orders.

use ::orders::{Order, OrderFilter, OrderQuery};
use diesel::prelude::*;
use kernel::{AccountId, Page, PageRequest};

use super::rows::{OrderRow, adjacent_with_items, all_with_items};
use crate::{
    counters,
    db::{Db, on},
    listing::{self, newest_first},
    schema::orders::{self, dsl},
    unreadable::readable,
};

type Filtered = orders::BoxedQuery<'static, <Db as Connection>::Backend>;

pub(super) fn orders_list(
    db: &mut Db,
    account: AccountId,
    query: &OrderQuery,
) -> QueryResult<Page<Order>> {
    if query.filter == OrderFilter::default() {
        let total = counters::value(db, account, super::COUNTER)?;
        let rows = newest(db, account, &query.page)?;
        let read = |rows| readable("order", adjacent_with_items(db, rows)?);
        return listing::page_of(rows, &query.page, total, |row| listing::by_id(&row.id), read);
    }
    let all = || filtered(account, &query.filter);
    let total = all().count().get_result(db)?;
    let rows = newest_first!(db, OrderRow, dsl::id, query.page, all())?;
    let read = |rows| readable("order", all_with_items(db, rows)?);
    listing::page_of(rows, &query.page, total, |row| listing::by_id(&row.id), read)
}

/// The usual page, by queries whose text is always the same, so that each is prepared once.
fn newest(db: &mut Db, account: AccountId, page: &PageRequest) -> QueryResult<Vec<OrderRow>> {
    let all = || orders::table.filter(dsl::account_id.eq(account.to_string()));
    let limit = listing::fetched(page);
    match &page.cursor {
        Some(cursor) => on!(db, |conn| all()
            .filter(dsl::id.lt(&cursor.id))
            .order(dsl::id.desc())
            .limit(limit)
            .select(OrderRow::as_select())
            .load(conn)),
        None => on!(db, |conn| all()
            .order(dsl::id.desc())
            .limit(limit)
            .offset(page.offset())
            .select(OrderRow::as_select())
            .load(conn)),
    }
}

fn filtered(account: AccountId, filter: &OrderFilter) -> Filtered {
    let mut query = orders::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(customer) = filter.customer {
        query = query.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(from) = filter.created_from {
        query = query.filter(dsl::created_at.ge(from.micros()));
    }
    if let Some(to) = filter.created_to {
        query = query.filter(dsl::created_at.lt(to.micros()));
    }
    if let Some(search) = &filter.search {
        let text = search.trim();
        let found = dsl::id
            .eq(text.to_owned())
            .or(dsl::search_text.like(listing::containing(text)).escape('\\'));
        query = match number_in(text) {
            Some(number) => query.filter(dsl::number.eq(number).or(found)),
            None => query.filter(found),
        };
    }
    query
}

/// The number in `ORD-000123`, `ord-123` or `123`.
fn number_in(text: &str) -> Option<i64> {
    let upper = text.to_uppercase();
    let digits = upper.strip_prefix("ORD-").unwrap_or(&upper);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_order_numbers() {
        for (text, number) in [
            ("ORD-000123", Some(123)),
            ("ord-7", Some(7)),
            ("42", Some(42)),
            ("ORD-", None),
            ("ring twice", None),
        ] {
            assert_eq!(number_in(text), number, "{text}");
        }
    }
}
