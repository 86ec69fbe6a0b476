//! How far bulk actions are, and their rows.

use ::bulk::{
    Collected, KEPT_ROWS_MAX, Outcome, Reason, Row, RowId, RowQuery, RowResult, Subject, Tally,
};
use ::tasks::TaskId;
use diesel::prelude::*;
use kernel::{
    AccountId, Message, Page, Timestamp,
    page::{Cursor, Total},
};

use crate::{
    db::{Db, first_locked},
    listing,
    rows::{corrupt, read_name},
    schema::{bulk_action_rows, bulk_actions},
    tx::Tx,
};

/// By which cursors of rows are told from others.
const SORT: &str = "position";
/// As how many rows an action counts at least.
const ROWS_COUNTED_MIN: i64 = 50;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = bulk_actions)]
struct ActionRow {
    account_id: String,
    task_id: String,
    is_collected: i64,
    total: i64,
    done: i64,
    refused: i64,
    skipped: i64,
    expires_at: i64,
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = bulk_action_rows, treat_none_as_default_value = false)]
struct OneRow {
    account_id: String,
    task_id: String,
    position: i64,
    subject: String,
    label: String,
    outcome: Option<String>,
    code: Option<String>,
    english: Option<String>,
    spanish: Option<String>,
    made: Option<String>,
    version: Option<i64>,
}

impl OneRow {
    fn row(self) -> QueryResult<Row> {
        let position = u32::try_from(self.position)
            .map_err(|_| corrupt(format!("the place {}", self.position)))?;
        let result = match self.outcome {
            Some(outcome) => Some(RowResult {
                outcome: read_name(&outcome, Outcome::EVERY, Outcome::name)?,
                reason: reason(self.code, self.english, self.spanish),
                made: self.made,
            }),
            None => None,
        };
        let (subject, label, version) = (self.subject, self.label, self.version);
        Ok(Row { position, subject, label, version, result })
    }
}

fn reason(
    code: Option<String>,
    english: Option<String>,
    spanish: Option<String>,
) -> Option<Reason> {
    let (english, spanish) = (english.unwrap_or_default(), spanish.unwrap_or_default());
    let message = Message::filled(format_args!("{english}"), format_args!("{spanish}"));
    code.map(|code| Reason { code, message })
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Rows of an account that are kept. An action of few counts as so many itself, which bounds how many are looked at.
pub(super) fn kept(db: &mut Db, account: AccountId) -> QueryResult<i64> {
    let totals: Vec<i64> = bulk_actions::table
        .filter(bulk_actions::account_id.eq(account.to_string()))
        .select(bulk_actions::total)
        .limit(KEPT_ROWS_MAX / ROWS_COUNTED_MIN)
        .load(db)?;
    Ok(totals.into_iter().map(|total| total.max(ROWS_COUNTED_MIN)).sum())
}

pub(super) fn begin(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: TaskId,
    expires_at: Timestamp,
) -> QueryResult<()> {
    let row = ActionRow {
        account_id: account.to_string(),
        task_id: id.to_string(),
        is_collected: 0,
        total: 0,
        done: 0,
        refused: 0,
        skipped: 0,
        expires_at: expires_at.micros(),
    };
    diesel::insert_into(bulk_actions::table).values(&row).execute(tx.db).map(drop)
}

pub(super) fn tally(db: &mut Db, account: AccountId, id: TaskId) -> QueryResult<Option<Tally>> {
    let row: Option<ActionRow> = bulk_actions::table
        .find((account.to_string(), id.to_string()))
        .select(ActionRow::as_select())
        .first(db)
        .optional()?;
    Ok(row.map(|row| Tally {
        is_collected: row.is_collected != 0,
        total: row.total.unsigned_abs(),
        done: row.done.unsigned_abs(),
        refused: row.refused.unsigned_abs(),
        skipped: row.skipped.unsigned_abs(),
    }))
}

/// Saves how far an action is; its rows are kept from now on.
pub(super) fn save(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: TaskId,
    tally: &Tally,
    expires_at: Timestamp,
) -> QueryResult<()> {
    let this = bulk_actions::table.find((account.to_string(), id.to_string()));
    let columns = (
        bulk_actions::is_collected.eq(i64::from(tally.is_collected)),
        bulk_actions::total.eq(whole(tally.total)),
        bulk_actions::done.eq(whole(tally.done)),
        bulk_actions::refused.eq(whole(tally.refused)),
        bulk_actions::skipped.eq(whole(tally.skipped)),
        bulk_actions::expires_at.eq(expires_at.micros()),
    );
    diesel::update(this).set(columns).execute(tx.db).map(drop)
}

/// Takes rows down, over what an earlier attempt has left there and behind.
pub(super) fn take_down(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: TaskId,
    collected: &Collected,
) -> QueryResult<()> {
    let left = bulk_action_rows::table
        .filter(bulk_action_rows::account_id.eq(account.to_string()))
        .filter(bulk_action_rows::task_id.eq(id.to_string()))
        .filter(bulk_action_rows::position.ge(i64::from(collected.from)));
    diesel::delete(left).execute(tx.db)?;
    let row = |(position, subject): (i64, &Subject)| OneRow {
        account_id: account.to_string(),
        task_id: id.to_string(),
        position,
        subject: subject.id.clone(),
        label: subject.label.clone(),
        outcome: None,
        code: None,
        english: None,
        spanish: None,
        made: None,
        version: subject.version,
    };
    let places = i64::from(collected.from)..;
    let rows: Vec<OneRow> = places.zip(&collected.subjects).map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    match &mut *tx.db {
        Db::Sqlite(conn) => {
            for row in &rows {
                diesel::insert_into(bulk_action_rows::table).values(row).execute(conn)?;
            }
        }
        Db::Postgres(conn) => {
            diesel::insert_into(bulk_action_rows::table).values(rows.as_slice()).execute(conn)?;
        }
    }
    Ok(())
}

/// Rows without an outcome, from a place on.
pub(super) fn waiting(
    db: &mut Db,
    account: AccountId,
    id: TaskId,
    from: u32,
    limit: u32,
) -> QueryResult<Vec<Row>> {
    let rows: Vec<OneRow> = bulk_action_rows::table
        .filter(bulk_action_rows::account_id.eq(account.to_string()))
        .filter(bulk_action_rows::task_id.eq(id.to_string()))
        .filter(bulk_action_rows::position.ge(i64::from(from)))
        .filter(bulk_action_rows::outcome.is_null())
        .order(bulk_action_rows::position)
        .limit(i64::from(limit))
        .select(OneRow::as_select())
        .load(db)?;
    rows.into_iter().map(OneRow::row).collect()
}

/// What a row has led to.
#[derive(Queryable, Selectable)]
#[diesel(table_name = bulk_action_rows)]
struct MadeRow {
    made: Option<String>,
}

/// What a row has led to so far, whoever has acted on it; it is locked until the end of the transaction. `None` when there is no
/// such row.
pub(super) fn made(
    tx: &mut Tx<'_>,
    account: AccountId,
    row: RowId,
) -> QueryResult<Option<Option<String>>> {
    let found = first_locked!(
        tx.db,
        MadeRow,
        bulk_action_rows::table
            .filter(bulk_action_rows::account_id.eq(account.to_string()))
            .filter(bulk_action_rows::task_id.eq(row.task.to_string()))
            .filter(bulk_action_rows::position.eq(i64::from(row.position)))
    )?;
    Ok(found.map(|row| row.made))
}

/// Records what a row has led to, in the transaction of that. Its outcome follows.
pub(super) fn mark_made(
    tx: &mut Tx<'_>,
    account: AccountId,
    row: RowId,
    made: &str,
) -> QueryResult<()> {
    let key = (account.to_string(), row.task.to_string(), i64::from(row.position));
    diesel::update(bulk_action_rows::table.find(key))
        .set(bulk_action_rows::made.eq(made))
        .execute(tx.db)
        .map(drop)
}

/// Records what came of a row.
pub(super) fn record(
    tx: &mut Tx<'_>,
    (account, id, position): (AccountId, TaskId, u32),
    result: &RowResult,
) -> QueryResult<()> {
    use kernel::Language::{English, Spanish};
    let key = (account.to_string(), id.to_string(), i64::from(position));
    let reason = result.reason.as_ref();
    let told = |language| reason.map(|reason| reason.message.in_language(language).to_owned());
    let columns = (
        bulk_action_rows::outcome.eq(result.outcome.name()),
        bulk_action_rows::code.eq(reason.map(|reason| reason.code.clone())),
        bulk_action_rows::english.eq(told(English)),
        bulk_action_rows::spanish.eq(told(Spanish)),
        // What it has led to stays, whatever has come of it then.
        result.made.clone().map(|made| bulk_action_rows::made.eq(made)),
    );
    diesel::update(bulk_action_rows::table.find(key)).set(columns).execute(tx.db).map(drop)
}

/// A page of rows in the order of their places.
pub(super) fn page(
    db: &mut Db,
    account: AccountId,
    id: TaskId,
    query: &RowQuery,
) -> QueryResult<Page<Row>> {
    let tally = tally(db, account, id)?.unwrap_or_default();
    let total = query.outcome.map_or(tally.total, |outcome| tally.of(outcome));
    let mut own = bulk_action_rows::table
        .filter(bulk_action_rows::account_id.eq(account.to_string()))
        .filter(bulk_action_rows::task_id.eq(id.to_string()))
        .into_boxed();
    if let Some(outcome) = query.outcome {
        own = own.filter(bulk_action_rows::outcome.eq(outcome.name()));
    }
    let behind = query.page.cursor.as_ref().filter(|cursor| cursor.sort == SORT);
    if let Some(place) = behind.and_then(|cursor| cursor.id.parse::<i64>().ok()) {
        own = own.filter(bulk_action_rows::position.gt(place));
    }
    let rows: Vec<OneRow> = own
        .order(bulk_action_rows::position)
        .limit(listing::fetched(&query.page))
        .select(OneRow::as_select())
        .load(db)?;
    let behind = |row: &OneRow| Cursor {
        sort: SORT.to_owned(),
        key: String::new(),
        id: row.position.to_string(),
    };
    let read =
        |rows: Vec<OneRow>| rows.into_iter().map(OneRow::row).collect::<QueryResult<Vec<Row>>>();
    listing::page_of(rows, &query.page, Total::exact(total), behind, read)
}
