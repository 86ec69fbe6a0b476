//! What has happened to deals, as rows.

use ::crm::{DealId, HistoryEntry, HistoryId, StageId, history::Happening};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Page, PageRequest, Timestamp};

use crate::{
    db::Db,
    listing::{self, newest_first},
    rows::{currency, read, read_name},
    schema::deal_history::{self as table, dsl},
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct EntryRow {
    account_id: String,
    deal_id: String,
    id: String,
    what: String,
    from_stage_id: Option<String>,
    to_stage_id: Option<String>,
    value: i64,
    currency: String,
    owner_id: Option<String>,
    reason: Option<String>,
    happened_at: i64,
}

impl EntryRow {
    fn entry(self) -> QueryResult<HistoryEntry> {
        let stage = |id: Option<String>| id.map(|id| read(&id, StageId::parse)).transpose();
        Ok(HistoryEntry {
            id: read(&self.id, HistoryId::parse)?,
            what: read_name(&self.what, Happening::EVERY, Happening::name)?,
            from: stage(self.from_stage_id)?,
            to: stage(self.to_stage_id)?,
            value: Amount::from_micros(self.value),
            currency: currency(&self.currency)?,
            owner: self.owner_id,
            reason: self.reason,
            at: Timestamp::from_micros(self.happened_at),
        })
    }
}

pub(super) fn add(
    db: &mut Db,
    account: AccountId,
    deal: DealId,
    entry: HistoryEntry,
) -> QueryResult<()> {
    let row = EntryRow {
        account_id: account.to_string(),
        deal_id: deal.to_string(),
        id: entry.id.to_string(),
        what: entry.what.name().to_owned(),
        from_stage_id: entry.from.map(|id| id.to_string()),
        to_stage_id: entry.to.map(|id| id.to_string()),
        value: entry.value.micros(),
        currency: entry.currency.to_string(),
        owner_id: entry.owner,
        reason: entry.reason,
        happened_at: entry.at.micros(),
    };
    diesel::insert_into(table::table).values(&row).execute(db).map(drop)
}

pub(super) fn forget(db: &mut Db, account: AccountId, deal: DealId) -> QueryResult<()> {
    let own = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::deal_id.eq(deal.to_string()));
    diesel::delete(own).execute(db).map(drop)
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    deal: DealId,
    page: &PageRequest,
) -> QueryResult<Page<HistoryEntry>> {
    let all = || {
        table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::deal_id.eq(deal.to_string()))
            .into_boxed()
    };
    let total = listing::total(page, || all().count().get_result(db))?;
    let rows = newest_first!(db, EntryRow, dsl::id, page, all())?;
    let key = |row: &EntryRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, page, total, "history of a deal", key, EntryRow::entry)
}
