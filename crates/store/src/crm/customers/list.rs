//! Pages of customers.

use crm::{Customer, CustomerFilter, CustomerQuery};
use diesel::prelude::*;
use kernel::{
    AccountId, Page,
    page::{RecordSort, Sorting},
    search::Words,
};

use super::{COUNTER, CustomerRow};
use crate::{
    counters,
    db::Db,
    listing::{self, List, Matches},
    schema::customers::{self, dsl},
    search::Look,
    searched,
    unreadable::readable,
};

type Filtered = customers::BoxedQuery<'static, <Db as Connection>::Backend>;

struct CustomerList<'a> {
    account: AccountId,
    filter: &'a CustomerFilter,
    sort: Sorting<RecordSort>,
}

impl CustomerList<'_> {
    fn words(&self) -> Words {
        Words::with_entries(self.filter.search.as_ref(), &self.filter.metadata)
    }

    fn matches(&self) -> Matches {
        let CustomerFilter { ids, external_id, email, phone, rfc, group, updated_since, .. } =
            self.filter;
        let keys = [external_id, email, phone, rfc];
        let by_key = ids.is_some() || keys.into_iter().any(Option::is_some);
        match self.words().is_empty() {
            false => Matches::Words,
            true if (updated_since.is_some() || group.is_some()) && !by_key => Matches::Range,
            true => Matches::Key,
        }
    }
}

impl List for CustomerList<'_> {
    type Query = Filtered;
    type Row = CustomerRow;

    fn every(&self) -> Filtered {
        customers::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    fn matching(&self, db: &Db, look: Look) -> Filtered {
        let filter = self.filter;
        let mut query = self.every();
        let words = self.words();
        if !words.is_empty() {
            query = query.filter(searched::CUSTOMERS.finds(db, look, self.account, &words));
        }
        if let Some(ids) = &filter.ids {
            query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
        }
        if let Some(external_id) = &filter.external_id {
            query = query.filter(dsl::external_id.eq(external_id.clone()));
        }
        if let Some(email) = &filter.email {
            query = query.filter(dsl::email_key.eq(email.to_lowercase()));
        }
        if let Some(phone) = &filter.phone {
            query = query.filter(dsl::phone.eq(phone.clone()));
        }
        if let Some(rfc) = &filter.rfc {
            query = query.filter(dsl::rfc.eq(rfc.clone()));
        }
        if let Some(group) = filter.group {
            query = query.filter(dsl::group_id.eq(group.to_string()));
        }
        if let Some(since) = filter.updated_since {
            query = query.filter(dsl::updated_at.ge(since.micros()));
        }
        query
    }

    listing::asks_each_word!(searched::CUSTOMERS);
    listing::bounds_changes!(dsl);

    listing::loads!(CustomerRow, dsl);
    listing::sorts_records!(CustomerRow, dsl);
}

pub(super) fn page(
    db: &mut Db,
    account: AccountId,
    query: &CustomerQuery,
) -> QueryResult<Page<Customer>> {
    let list = CustomerList { account, filter: &query.filter, sort: query.sort };
    let is_filtered = query.filter != CustomerFilter::default();
    let size = match is_filtered && !listing::needs_size(&query.page, list.matches()) {
        true => 0,
        false => counters::value(db, account, COUNTER)?,
    };
    let (rows, total) = match is_filtered {
        true => listing::find(db, &list, &query.page, size, list.matches())?,
        false => (listing::all(db, &list, &query.page)?, listing::exactly(size)),
    };
    let read = |rows: Vec<CustomerRow>| {
        readable("customer", rows.into_iter().map(|row| (row.key(), row.customer())))
    };
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}
