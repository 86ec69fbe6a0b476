//! The audit log.

use ::accounts::{Act, Action};
use ::tasks::{AuditEntry, AuditEntryId, Task};
use diesel::prelude::*;
use engine::{Tx, db::Db, rows::read};
use kernel::{AccountId, Actor, Ctx, Timestamp};

use crate::{
    audit,
    schema::audit_entries::{self as table, dsl},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = table)]
struct EntryRow {
    id: String,
    actor: String,
    action: String,
    subject: String,
    note: String,
    created_at: i64,
}

/// Records what somebody did about a task beside the rules, in its transaction.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    task: &Task,
    (actor, action): (&Actor, Action),
    note: &str,
    now: Timestamp,
) -> QueryResult<()> {
    let ctx = Ctx::system(task.account, now).by(actor.clone());
    let note = format!("{} of {}: {note}", task.kind, task.subject);
    audit::record(tx, &ctx, &Act::new(action, &task.id).noted(Some(note)))
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
