//! The audit log.

use ::tasks::{AuditEntry, AuditEntryId};
use diesel::prelude::*;
use engine::{Tx, db::Db, rows::read};
use kernel::{AccountId, Timestamp};

use crate::schema::audit_entries::{self as table, dsl};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table)]
struct EntryRow {
    account_id: String,
    id: String,
    actor: String,
    action: String,
    subject: String,
    note: String,
    created_at: i64,
}

/// Records what somebody did beside the rules, in its transaction.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    (actor, action): (&str, &str),
    subject: &str,
    note: &str,
    now: Timestamp,
) -> QueryResult<()> {
    let row = EntryRow {
        account_id: account.to_string(),
        id: AuditEntryId::from_u128(tx.ids.next()).to_string(),
        actor: actor.to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        note: note.to_owned(),
        created_at: now.micros(),
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db).map(drop)
}

/// What was done to a subject, oldest first.
pub(super) fn of(db: &mut Db, account: AccountId, subject: &str) -> QueryResult<Vec<AuditEntry>> {
    let rows: Vec<EntryRow> = dsl::audit_entries
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::subject.eq(subject))
        .order(dsl::id)
        .select(EntryRow::as_select())
        .load(db)?;
    let entry = |row: EntryRow| {
        Ok(AuditEntry {
            id: read(&row.id, AuditEntryId::parse)?,
            actor: row.actor,
            action: row.action,
            subject: row.subject,
            note: row.note,
            at: Timestamp::from_micros(row.created_at),
        })
    };
    rows.into_iter().map(entry).collect()
}
