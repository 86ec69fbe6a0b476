//! Pages of deals.

use std::cmp::Ordering;

use ::crm::{Deal, DealFilter, DealQuery, DealSort};
use diesel::prelude::*;
use kernel::{
    AccountId, Page,
    page::{Cursor, Sorting},
};

use super::rows::DealRow;
use crate::{
    db::Db,
    listing::{self, List, Matches, between, number_key},
    schema::deals::{self as table, dsl},
    search::Look,
    unreadable::readable,
};

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, filter: &DealFilter) -> Filtered {
    let mut query = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(ids) = &filter.ids {
        query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
    }
    if let Some(pipeline) = filter.pipeline {
        query = query.filter(dsl::pipeline_id.eq(pipeline.to_string()));
    }
    if let Some(stage) = filter.stage {
        query = query.filter(dsl::stage_id.eq(stage.to_string()));
    }
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(customer) = filter.customer {
        query = query.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(lead) = filter.lead {
        query = query.filter(dsl::lead_id.eq(lead.to_string()));
    }
    if let Some(owner) = &filter.owner {
        query = query.filter(dsl::owner_id.eq(owner.clone()));
    }
    if let Some(since) = filter.updated_since {
        query = query.filter(dsl::updated_at.ge(since.micros()));
    }
    query
}

struct DealList<'a> {
    account: AccountId,
    filter: &'a DealFilter,
    sort: Sorting<DealSort>,
}

impl DealList<'_> {
    fn matches(&self) -> Matches {
        let DealFilter { ids, pipeline, stage, status, customer, lead, owner, updated_since } =
            self.filter;
        let is_one = ids.is_some();
        let has_key = pipeline.is_some()
            || stage.is_some()
            || status.is_some()
            || customer.is_some()
            || lead.is_some()
            || owner.is_some();
        let has_range = match self.sort.by {
            DealSort::CreatedAt => updated_since.is_some(),
            DealSort::UpdatedAt => has_key,
            // The order of one stage.
            DealSort::Rank => false,
        };
        if has_range && !is_one { Matches::Range } else { Matches::Key }
    }

    fn cursor(&self, id: &str, updated_at: i64, rank: Option<&str>) -> Cursor {
        let (name, key) = match self.sort.by {
            DealSort::CreatedAt => ("createdAt", String::new()),
            DealSort::UpdatedAt => ("updatedAt", updated_at.to_string()),
            DealSort::Rank => ("rank", rank.unwrap_or_default().to_owned()),
        };
        listing::place(name, self.sort.ascending, key, id)
    }
}

impl List for DealList<'_> {
    type Query = Filtered;
    type Row = DealRow;

    fn every(&self) -> Filtered {
        table::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    fn matching(&self, _: &Db, _: Look) -> Filtered {
        matching(self.account, self.filter)
    }

    fn between(
        &self,
        query: Filtered,
        behind: Option<&Cursor>,
        until: Option<&Cursor>,
    ) -> Filtered {
        let ascending = self.sort.ascending;
        let rank = |cursor: &Cursor| Some(cursor.key.clone());
        match self.sort.by {
            DealSort::CreatedAt => between!(query, ascending, dsl::id, behind, until),
            DealSort::UpdatedAt => {
                between!(query, ascending, dsl::id, behind, until, dsl::updated_at, number_key)
            }
            // Only within a stage, where every deal has a rank.
            DealSort::Rank => between!(
                query,
                ascending,
                dsl::id,
                behind,
                until,
                dsl::rank.assume_not_null(),
                rank
            ),
        }
    }

    listing::loads!(DealRow, dsl);

    fn places(
        &self,
        db: &mut Db,
        query: Filtered,
        offset: i64,
        limit: i64,
    ) -> QueryResult<Vec<Cursor>> {
        let query = query.offset(offset).limit(limit);
        let columns = (dsl::id, dsl::updated_at, dsl::rank);
        let rows: Vec<(String, i64, Option<String>)> = query.select(columns).load(db)?;
        let cursor = |(id, updated_at, rank): (String, i64, Option<String>)| {
            self.cursor(&id, updated_at, rank.as_deref())
        };
        Ok(rows.into_iter().map(cursor).collect())
    }

    fn compare(&self, one: &Cursor, other: &Cursor) -> Ordering {
        let by_numbers = self.sort.by != DealSort::Rank;
        listing::compared(one, other, self.sort.ascending, by_numbers)
    }

    fn place(&self, row: &DealRow) -> Cursor {
        self.cursor(&row.id, row.updated_at, row.rank.as_deref())
    }
}

pub(super) fn deals(db: &mut Db, account: AccountId, query: &DealQuery) -> QueryResult<Page<Deal>> {
    let list = DealList { account, filter: &query.filter, sort: query.sort };
    let (rows, total) = if query.filter == DealFilter::default() {
        let total = listing::total(&query.page, || list.every().count().get_result(db))?;
        (listing::all(db, &list, &query.page)?, total)
    } else {
        let size = listing::counted_size(db, &list, &query.page, list.matches())?;
        listing::find(db, &list, &query.page, size, list.matches())?
    };
    let read =
        |rows: Vec<DealRow>| readable("deal", rows.into_iter().map(|row| (row.key(), row.deal())));
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}
