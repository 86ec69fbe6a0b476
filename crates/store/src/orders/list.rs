//! Pages of orders.

use ::orders::{OrderFilter, OrderId, OrderQuery, OrderStatus, Portion, id_in};
use diesel::prelude::*;
use kernel::{
    AccountId, PageRequest, Timestamp,
    page::{Cursor, RecordSort, Sorting, Total},
    search::Words,
};

use super::states;
use crate::ordering::rows::{Extent, OrderRow, Orders, adjacent_with_items_of, with_items_of};
use crate::{
    counters,
    db::{Db, on},
    listing::{self, COUNTED_MAX, List, Matches},
    rows::read,
    schema::orders::{self, dsl},
    search::Look,
    searched,
    unreadable::readable,
};

pub(super) type Filtered = orders::BoxedQuery<'static, <Db as Connection>::Backend>;

/// How far, in microseconds, the moment with which an identifier begins may be from that of its order, which had to
/// wait for its turn.
pub(crate) const MINTED_WITHIN: i64 = 300_000_000;

pub(super) fn orders_list(
    db: &mut Db,
    account: AccountId,
    query: &OrderQuery,
    extent: Extent,
) -> QueryResult<Portion> {
    let list = OrderList { account, filter: &query.filter, sort: query.sort };
    let is_filtered = query.filter != OrderFilter::default();
    let size = match is_filtered && !listing::needs_size(&query.page, list.matches()) {
        true => 0,
        false => counters::value(db, account, super::COUNTER)?,
    };
    let place = |row: &OrderRow| list.place(row);
    if !is_filtered && query.sort == Sorting::default() {
        let rows = newest(db, account, &query.page)?;
        let read = |rows| adjacent_with_items_of(db, rows, extent);
        return portion_of(rows, &query.page, listing::exactly(size), place, read);
    }
    let (rows, total) = match is_filtered {
        true => listing::find(db, &list, &query.page, size, list.matches())?,
        false => (listing::all(db, &list, &query.page)?, listing::exactly(size)),
    };
    portion_of(rows, &query.page, total, place, |rows| with_items_of(db, rows, extent))
}

/// How many of the orders that a filter finds stand where.
pub(super) fn counts(
    db: &mut Db,
    account: AccountId,
    filter: &OrderFilter,
) -> QueryResult<Vec<(OrderStatus, Total)>> {
    let size = counters::value(db, account, super::COUNTER)?;
    let mut counts = Vec::new();
    for status in OrderStatus::EVERY.iter().copied() {
        if filter.status.is_some_and(|only| only != status) {
            continue;
        }
        let filter = OrderFilter { status: Some(status), ..filter.clone() };
        let list = OrderList { account, filter: &filter, sort: Sorting::default() };
        counts.push((status, listing::total_found(db, &list, size, list.matches())?));
    }
    Ok(counts)
}

/// The numbers of orders, without anything else of them.
pub(super) fn numbers(
    db: &mut Db,
    account: AccountId,
    ids: &[OrderId],
) -> QueryResult<Vec<(OrderId, i64)>> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let rows: Vec<(String, i64)> = orders::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq_any(ids))
        .select((dsl::id, dsl::number))
        .load(db)?;
    rows.into_iter().map(|(id, number)| Ok((read(&id, OrderId::parse)?, number))).collect()
}

/// A page of the rows fetched, as far as `read` reads them.
fn portion_of(
    rows: Vec<OrderRow>,
    page: &PageRequest,
    total: Total,
    place: impl Fn(&OrderRow) -> Cursor,
    read: impl FnOnce(Vec<OrderRow>) -> QueryResult<(Orders, Vec<OrderRow>)>,
) -> QueryResult<Portion> {
    let mut rest = Vec::new();
    let page = listing::page_of(rows, page, total, place, |rows| {
        let (orders, left) = read(rows)?;
        // What is no identifier could not be read anyway.
        rest = left.iter().filter_map(|row| OrderId::parse(&row.id)).collect();
        readable("order", orders)
    })?;
    Ok(Portion { page, rest })
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

/// The least identifier minted this long after a moment. Identifiers are in order in the index of the list.
pub(crate) fn minted(moment: Timestamp, after: i64) -> String {
    let moment = Timestamp::from_micros(moment.micros().saturating_add(after));
    OrderId::least_at(moment).to_string()
}

/// The orders that were created within the times of a filter, found by their identifiers.
fn created_within(mut query: Filtered, filter: &OrderFilter) -> Filtered {
    if let Some(from) = filter.created_from {
        let created = dsl::created_at.ge(from.micros());
        query = query.filter(dsl::id.ge(minted(from, -MINTED_WITHIN))).filter(created);
    }
    if let Some(to) = filter.created_to {
        let created = dsl::created_at.lt(to.micros());
        query = query.filter(dsl::id.lt(minted(to, MINTED_WITHIN))).filter(created);
    }
    query
}

pub(super) struct OrderList<'a> {
    pub(super) account: AccountId,
    pub(super) filter: &'a OrderFilter,
    pub(super) sort: Sorting<RecordSort>,
}

impl OrderList<'_> {
    fn words(&self) -> Words {
        Words::with_entries(self.filter.search.as_ref(), &self.filter.metadata)
    }

    fn matches(&self) -> Matches {
        let OrderFilter {
            ids,
            external_id,
            status,
            customer,
            created_from,
            created_to,
            updated_since,
            ..
        } = self.filter;
        let is_one = ids.is_some() || external_id.is_some();
        let has_key = status.is_some() || customer.is_some();
        let has_range = match self.sort.by {
            RecordSort::CreatedAt => updated_since.is_some(),
            RecordSort::UpdatedAt => created_from.is_some() || created_to.is_some() || has_key,
        };
        // Of their states there may be many or few, as of words.
        let has_state = self.filter.fulfillment.is_some()
            || self.filter.payment.is_some()
            || self.filter.invoiced.is_some()
            || self.filter.to_invoice
            || self.filter.paid_from.is_some();
        match self.words().is_empty() && (is_one || !has_state) {
            false => Matches::Words,
            true if is_one => Matches::Key,
            true if has_range => Matches::Range,
            true => Matches::Key,
        }
    }
}

impl List for OrderList<'_> {
    type Query = Filtered;
    type Row = OrderRow;

    fn every(&self) -> Filtered {
        orders::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    /// Of many, by their numbers, where they are in order: counting the orders of a year takes long.
    fn range_size(&self, db: &mut Db) -> QueryResult<i64> {
        if self.sort.by == RecordSort::UpdatedAt {
            return listing::counted_range(db, self);
        }
        let counted = self.count(db, self.range(), COUNTED_MAX + 1)?;
        if counted <= COUNTED_MAX {
            return Ok(counted);
        }
        // One that waited for approval is numbered later than those around it.
        let middle = |mut numbers: Vec<i64>| {
            numbers.sort_unstable();
            numbers.get(numbers.len() / 2).copied().unwrap_or_default()
        };
        let few = || self.range().limit(3).select(dsl::number);
        let first = middle(few().order(dsl::id.asc()).load(db)?);
        let last = middle(few().order(dsl::id.desc()).load(db)?);
        Ok(counted.max((last - first).abs() + 1))
    }

    fn matching(&self, db: &Db, look: Look) -> Filtered {
        let filter = self.filter;
        let mut query = self.every();
        let words = self.words();
        if let Some(id) = id_in(&words) {
            query = query.filter(dsl::id.eq(id.to_string()));
        } else if !words.is_empty() {
            query = query.filter(searched::ORDERS.finds(db, look, self.account, &words));
        }
        if let Some(ids) = &filter.ids {
            query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
        }
        if let Some(external_id) = &filter.external_id {
            query = query.filter(dsl::external_id.eq(external_id.clone()));
        }
        if let Some(customer) = filter.customer {
            query = query.filter(dsl::customer_id.eq(customer.to_string()));
        }
        query = match (filter.status, filter.customer) {
            (Some(status), None) => query.filter(dsl::status.eq(status.name())),
            // A customer has fewer orders than a status: the index of those is kept out of it.
            (Some(status), Some(_)) => query.filter(dsl::status.concat("").eq(status.name())),
            (None, _) => query,
        };
        if let Some(status) = filter.fulfillment {
            query = states::fulfilled(query, look, status);
        }
        if let Some(status) = filter.payment {
            query = states::paid(query, look, self.account, status);
        }
        if let Some(is_invoiced) = filter.invoiced {
            query = states::invoiced(query, look, self.account, is_invoiced);
        }
        if filter.to_invoice {
            query = states::to_invoice(query, look, self.account);
        }
        if let Some(from) = filter.paid_from {
            query = states::paid_from(query, look, self.account, from);
        }
        query = created_within(query, filter);
        if let Some(since) = filter.updated_since {
            query = query.filter(dsl::updated_at.ge(since.micros()));
        }
        query
    }

    listing::asks_each_word!(searched::ORDERS);
    listing::bounds_times!(dsl, created_within);

    listing::loads!(OrderRow, dsl);
    listing::sorts_records!(OrderRow, dsl);
}
