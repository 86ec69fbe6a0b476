//! Pages of deals.

use ::crm::{Deal, DealFilter, DealQuery, DealSort};
use diesel::prelude::*;
use kernel::{
    AccountId, Page,
    page::{Cursor, Sorting},
};

use super::rows::DealRow;
use crate::{
    db::Db,
    listing::{self, between, number_key},
    schema::deals::{self as table, dsl},
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

fn in_order(query: Filtered, sort: Sorting<DealSort>, behind: Option<&Cursor>) -> Filtered {
    let rank = |cursor: &Cursor| Some(cursor.key.clone());
    match sort.by {
        DealSort::CreatedAt => between!(query, sort.ascending, dsl::id, behind, None),
        DealSort::UpdatedAt => {
            between!(query, sort.ascending, dsl::id, behind, None, dsl::updated_at, number_key)
        }
        // Only within a stage, where every deal has a rank.
        DealSort::Rank => between!(
            query,
            sort.ascending,
            dsl::id,
            behind,
            None,
            dsl::rank.assume_not_null(),
            rank
        ),
    }
}

fn place(row: &DealRow, sort: Sorting<DealSort>) -> Cursor {
    let (name, key) = match sort.by {
        DealSort::CreatedAt => ("createdAt", String::new()),
        DealSort::UpdatedAt => ("updatedAt", row.updated_at.to_string()),
        DealSort::Rank => ("rank", row.rank.clone().unwrap_or_default()),
    };
    listing::place(name, sort.ascending, key, &row.id)
}

pub(super) fn deals(db: &mut Db, account: AccountId, query: &DealQuery) -> QueryResult<Page<Deal>> {
    let total: i64 = matching(account, &query.filter).count().get_result(db)?;
    let page = &query.page;
    let rows: Vec<DealRow> =
        in_order(matching(account, &query.filter), query.sort, page.cursor.as_ref())
            .offset(page.offset())
            .limit(listing::fetched(page))
            .select(DealRow::as_select())
            .load(db)?;
    let read =
        |rows: Vec<DealRow>| readable("deal", rows.into_iter().map(|row| (row.key(), row.deal())));
    listing::page_of(rows, page, listing::exactly(total), |row| place(row, query.sort), read)
}
