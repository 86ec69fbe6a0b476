//! Pages of leads.

use crm::{Lead, LeadFilter, LeadQuery};
use diesel::prelude::*;
use kernel::{
    AccountId, Page,
    page::{RecordSort, Sorting},
    search::Words,
};

use super::{COUNTER, LeadRow, MERGED};
use crate::{
    counters,
    db::Db,
    listing::{self, List, Matches},
    schema::leads::{self, dsl},
    search::Look,
    searched,
    unreadable::readable,
};

type Filtered = leads::BoxedQuery<'static, <Db as Connection>::Backend>;

struct LeadList<'a> {
    account: AccountId,
    filter: &'a LeadFilter,
    sort: Sorting<RecordSort>,
    /// Whether there is any that has to be left out.
    hides_merged: bool,
}

impl LeadList<'_> {
    fn words(&self) -> Words {
        Words::with_entries(self.filter.search.as_ref(), &self.filter.metadata)
    }

    fn matches(&self) -> Matches {
        let LeadFilter { ids, external_id, status, source, owner, updated_since, .. } = self.filter;
        let is_one = ids.is_some() || external_id.is_some();
        let is_sorted_by_id = self.sort.by == RecordSort::CreatedAt;
        let ranges = updated_since.is_some() && is_sorted_by_id;
        let has_key = source.is_some() || owner.is_some() || status.is_some();
        let unordered = has_key && !is_sorted_by_id;
        match self.words().is_empty() {
            false => Matches::Words,
            true if (ranges || unordered) && !is_one => Matches::Range,
            true => Matches::Key,
        }
    }
}

impl List for LeadList<'_> {
    type Query = Filtered;
    type Row = LeadRow;

    fn every(&self) -> Filtered {
        leads::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    fn matching(&self, db: &Db, look: Look) -> Filtered {
        let filter = self.filter;
        let mut query = self.every();
        let words = self.words();
        if !words.is_empty() {
            query = query.filter(searched::LEADS.finds(db, look, self.account, &words));
        }
        if let Some(ids) = &filter.ids {
            query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
        }
        if let Some(external_id) = &filter.external_id {
            query = query.filter(dsl::external_id.eq(external_id.clone()));
        }
        if let Some(status) = filter.status {
            query = query.filter(dsl::status.eq(status.name()));
        }
        if let Some(source) = &filter.source {
            query = query.filter(dsl::source.eq(source.clone()));
        }
        if let Some(owner) = &filter.owner {
            query = query.filter(dsl::owner_id.eq(owner.clone()));
        }
        if let Some(since) = filter.updated_since {
            query = query.filter(dsl::updated_at.ge(since.micros()));
        }
        if self.hides_merged {
            query = query.filter(dsl::merged_into.is_null());
        }
        query
    }

    listing::asks_each_word!(searched::LEADS);
    listing::bounds_changes!(dsl);

    listing::loads!(LeadRow, dsl);
    listing::sorts_records!(LeadRow, dsl);
}

pub(super) fn page(db: &mut Db, account: AccountId, query: &LeadQuery) -> QueryResult<Page<Lead>> {
    let filter = &query.filter;
    let [size, merged] = counters::values(db, account, [COUNTER, MERGED])?;
    let hides_merged = filter.without_merged && merged > 0;
    let list = LeadList { account, filter, sort: query.sort, hides_merged };
    let every = LeadFilter { without_merged: filter.without_merged, ..LeadFilter::default() };
    let (rows, total) = match (*filter == every, hides_merged) {
        (true, false) => (listing::all(db, &list, &query.page)?, listing::exactly(size)),
        // Few are hidden, as a rule, and how many is known.
        (true, true) => {
            let shown = size.saturating_sub(merged).max(0);
            (listing::matching(db, &list, &query.page)?, listing::exactly(shown))
        }
        (false, _) => listing::find(db, &list, &query.page, size, list.matches())?,
    };
    let read =
        |rows: Vec<LeadRow>| readable("lead", rows.into_iter().map(|row| (row.key(), row.lead())));
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}
