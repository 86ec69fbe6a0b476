//! Lists of invoices.

use ::invoices::{InvoiceFilter, InvoiceId, InvoiceQuery};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use kernel::{
    AccountId, Page,
    page::{RecordSort, Sorting, Total},
    search::Words,
};

use super::{fresh, issuers, named, rows::InvoiceRow};
use crate::{
    db::Db,
    listing::{self, List, Matches},
    schema::{
        invoice_orders,
        invoices::{self, dsl},
    },
    search::Look,
    searched,
    unreadable::readable,
};

pub(super) type Filtered = invoices::BoxedQuery<'static, <Db as Connection>::Backend>;

/// The invoices that were created within the times of a filter. Identifiers begin with their moment.
fn created_within(mut query: Filtered, filter: &InvoiceFilter) -> Filtered {
    if let Some(from) = filter.created_from {
        query = query.filter(dsl::id.ge(InvoiceId::least_at(from).to_string()));
    }
    if let Some(to) = filter.created_to {
        query = query.filter(dsl::id.lt(InvoiceId::least_at(to).to_string()));
    }
    query
}

fn filtered(
    mut query: Filtered,
    account: AccountId,
    filter: &InvoiceFilter,
    of_order: Option<String>,
) -> Filtered {
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(kind) = filter.kind {
        query = query.filter(dsl::kind.eq(kind.code()));
    }
    if let Some(issuer) = filter.issuer {
        let key = issuers::key_of(account, Some(issuer));
        if !key.is_empty() {
            // As the index has it: SQLite does not see that from a parameter.
            query = query.filter(sql::<Bool>("invoices.issuer_id <> ''"));
        }
        query = query.filter(dsl::issuer_id.eq(key));
    }
    if let Some(branch) = filter.branch {
        query = query.filter(dsl::branch_id.eq(branch.to_string()));
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
    if let Some(folio) = filter.folio {
        query = query.filter(dsl::folio.eq(i64::try_from(folio).unwrap_or(i64::MAX)));
    }
    match filter.cancellation {
        None => {}
        Some(None) => query = query.filter(dsl::cancellation_status.is_null()),
        Some(Some(status)) => query = query.filter(dsl::cancellation_status.eq(status.name())),
    }
    if let Some(is_due) = filter.receipt_due {
        // As the index has it.
        let due = if is_due { "invoices.receipt_due = 1" } else { "invoices.receipt_due = 0" };
        query = query.filter(sql::<Bool>(due));
    }
    if let Some(from) = filter.stamped_from {
        query = query.filter(dsl::stamped_at.ge(from.micros()));
    }
    if let Some(to) = filter.stamped_to {
        query = query.filter(dsl::stamped_at.lt(to.micros()));
    }
    if let Some(rfc) = &filter.rfc {
        query = query.filter(dsl::receiver_rfc.eq(rfc.clone()));
    }
    query = created_within(query, filter);
    if let Some(since) = filter.updated_since {
        query = query.filter(dsl::updated_at.ge(since.micros()));
    }
    if let Some(ids) = &filter.ids {
        query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
    }
    query
}

/// The invoices of an account that a filter finds.
pub(super) struct InvoiceList<'a> {
    account: AccountId,
    filter: &'a InvoiceFilter,
    of_order: Option<String>,
    words: Words,
    sort: Sorting<RecordSort>,
}

impl InvoiceList<'_> {
    const fn words(&self) -> &Words {
        &self.words
    }

    fn matches(&self) -> Matches {
        if !self.words.is_empty() {
            return Matches::Words;
        }
        let InvoiceFilter { ids, uuid, folio, updated_since, stamped_from, stamped_to, .. } =
            self.filter;
        let by_key = ids.is_some() || uuid.is_some() || folio.is_some() || self.of_order.is_some();
        let is_by_stamp = stamped_from.is_some() || stamped_to.is_some();
        let ranges = match self.sort.by {
            RecordSort::CreatedAt => updated_since.is_some() || is_by_stamp,
            RecordSort::UpdatedAt => true,
        };
        if ranges && !by_key { Matches::Range } else { Matches::Key }
    }
}

impl List for InvoiceList<'_> {
    type Query = Filtered;
    type Row = InvoiceRow;

    fn every(&self) -> Filtered {
        invoices::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    fn matching(&self, db: &Db, look: Look) -> Filtered {
        let query = filtered(self.every(), self.account, self.filter, self.of_order.clone());
        if self.words.is_empty() {
            return query;
        }
        query.filter(searched::INVOICES.finds(db, look, self.account, &self.words))
    }

    listing::asks_each_word!(searched::INVOICES);
    listing::bounds_times!(dsl, created_within);

    listing::loads!(InvoiceRow, dsl);
    listing::sorts_records!(InvoiceRow, dsl);
}

impl<'a> InvoiceList<'a> {
    /// A list, with what its filter names looked up; `None` if nothing can match.
    pub(super) fn of(
        db: &mut Db,
        account: AccountId,
        filter: &'a InvoiceFilter,
        sort: Sorting<RecordSort>,
    ) -> QueryResult<Option<Self>> {
        let of_order = match filter.order {
            None => None,
            Some(order) => {
                let id: Option<String> = invoice_orders::table
                    .filter(invoice_orders::account_id.eq(account.to_string()))
                    .filter(invoice_orders::order_id.eq(order.to_string()))
                    .select(invoice_orders::invoice_id)
                    .first(db)
                    .optional()?;
                let Some(id) = id else { return Ok(None) };
                Some(id)
            }
        };
        let words = named::with_named(db, account, filter.search.clone().unwrap_or_default())?;
        Ok(Some(Self { account, filter, of_order, words, sort }))
    }
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    query: &InvoiceQuery,
) -> QueryResult<Page<::invoices::Invoice>> {
    let Some(list) = InvoiceList::of(db, account, &query.filter, query.sort)? else {
        return Ok(Page { items: Vec::new(), total: Total::exact(0), next: None });
    };
    let (rows, total) = if query.filter == InvoiceFilter::default() {
        let rows = listing::all(db, &list, &query.page)?;
        let is_first = query.page.cursor.is_none() && query.page.offset() == 0;
        let held = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        // What its first page has all of is counted with it.
        let is_all = is_first && held < listing::fetched(&query.page);
        let total = listing::total(&query.page, || match is_all {
            true => Ok(held),
            false => list.every().count().get_result(db),
        })?;
        (rows, total)
    } else {
        let size = listing::counted_size(db, &list, &query.page, list.matches())?;
        listing::find(db, &list, &query.page, size, list.matches())?
    };
    let read = |rows: Vec<InvoiceRow>| {
        let rows = rows.into_iter().map(|row| (row.key(), row.invoice()));
        fresh::seen(db, account, readable("invoice", rows)?)
    };
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}
