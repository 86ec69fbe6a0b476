//! Lists of withholdings.

use ::invoices::withholding::{Withholding, WithholdingFilter, WithholdingId, WithholdingQuery};
use diesel::prelude::*;
use kernel::{
    AccountId, Page,
    page::{RecordSort, Sorting},
};

use super::rows::{WithholdingRow, all_as_now};
use crate::{
    db::Db,
    listing::{self, List, Matches},
    schema::withholdings::{self, dsl},
    search::Look,
    unreadable::readable,
};

type Filtered = withholdings::BoxedQuery<'static, <Db as Connection>::Backend>;

fn filtered(mut query: Filtered, filter: &WithholdingFilter) -> Filtered {
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(code) = &filter.code {
        query = query.filter(dsl::code.eq(code.clone()));
    }
    if let Some(year) = filter.year {
        query = query.filter(dsl::year.eq(i64::from(year)));
    }
    if let Some(issuer) = filter.issuer {
        query = query.filter(dsl::issuer_id.eq(issuer.to_string()));
    }
    if let Some(customer) = filter.customer {
        query = query.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(uuid) = &filter.uuid {
        query = query.filter(dsl::uuid.eq(uuid.to_ascii_uppercase()));
    }
    if let Some(rfc) = &filter.rfc {
        query = query.filter(dsl::receiver_rfc.eq(rfc.clone()));
    }
    // Identifiers begin with their moment.
    if let Some(from) = filter.created_from {
        query = query.filter(dsl::id.ge(WithholdingId::least_at(from).to_string()));
    }
    if let Some(to) = filter.created_to {
        query = query.filter(dsl::id.lt(WithholdingId::least_at(to).to_string()));
    }
    if let Some(since) = filter.updated_since {
        query = query.filter(dsl::updated_at.ge(since.micros()));
    }
    if let Some(ids) = &filter.ids {
        query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
    }
    query
}

struct WithholdingList<'a> {
    account: AccountId,
    filter: &'a WithholdingFilter,
    sort: Sorting<RecordSort>,
}

impl WithholdingList<'_> {
    fn matches(&self) -> Matches {
        let WithholdingFilter { ids, uuid, updated_since, .. } = self.filter;
        let by_key = ids.is_some() || uuid.is_some();
        let ranges = match self.sort.by {
            RecordSort::CreatedAt => updated_since.is_some(),
            RecordSort::UpdatedAt => true,
        };
        if ranges && !by_key { Matches::Range } else { Matches::Key }
    }
}

impl List for WithholdingList<'_> {
    type Query = Filtered;
    type Row = WithholdingRow;

    fn every(&self) -> Filtered {
        withholdings::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    fn matching(&self, _: &Db, _: Look) -> Filtered {
        filtered(self.every(), self.filter)
    }

    listing::loads!(WithholdingRow, dsl);
    listing::sorts_records!(WithholdingRow, dsl);
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    query: &WithholdingQuery,
) -> QueryResult<Page<Withholding>> {
    let list = WithholdingList { account, filter: &query.filter, sort: query.sort };
    let (rows, total) = if query.filter == WithholdingFilter::default() {
        let total = listing::total(&query.page, || list.every().count().get_result(db))?;
        (listing::all(db, &list, &query.page)?, total)
    } else {
        let size = listing::counted_size(db, &list, &query.page, list.matches())?;
        listing::find(db, &list, &query.page, size, list.matches())?
    };
    let read = |rows: Vec<WithholdingRow>| {
        let rows = rows.into_iter().map(|row| (row.key(), row.withholding()));
        all_as_now(db, account, readable("withholding", rows)?)
    };
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}
