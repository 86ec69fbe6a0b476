//! What nodes of release 0.1.0 leave behind, some of which may still be running beside this one.
//!
//! It keeps tasks in a table of its own: a row that nobody holds any more is moved to the common table, where it is taken
//! up. And it does not record when an invoice was stamped where lists find it. Both go once no such node is in use.

use ::invoices::{InvoiceId, Stamped};
use ::tasks::{
    NewTask, Payload, Task,
    kind::{CANCEL, FOLLOW, STAMP},
};
use diesel::prelude::*;
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::{AccountId, Timestamp};

use crate::{
    db::{Db, first_locked},
    rows::{corrupt, read},
    schema::{
        invoice_tasks::{self, dsl},
        invoices,
    },
    stored::from_text,
    tasks,
    tx::Tx,
    unreadable::if_readable,
};

/// Moves the tasks of release 0.1.0. A place is an account.
pub(crate) struct MoveTasks;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = invoice_tasks)]
struct Row {
    account_id: String,
    invoice_id: String,
    step: String,
    due_at: i64,
    attempts: i64,
    is_doubtful: i64,
    claim_id: Option<String>,
    claimed_until: Option<i64>,
}

impl Row {
    fn is_held(&self, now: Timestamp) -> bool {
        self.claimed_until.is_some_and(|until| until > now.micros())
    }
}

impl Chore for MoveTasks {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let accounts: Vec<String> = dsl::invoice_tasks
            .filter(dsl::account_id.gt(after))
            .filter(dsl::claimed_until.is_null().or(dsl::claimed_until.le(now.micros())))
            .select(dsl::account_id)
            .distinct()
            .order(dsl::account_id)
            .limit(LOOKED_AT_MAX)
            .load(db)?;
        Ok(Found::of(accounts.into_iter().map(|account| (account, true)).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, now: Timestamp) -> QueryResult<u64> {
        let invoices: Vec<String> = dsl::invoice_tasks
            .filter(dsl::account_id.eq(account))
            .filter(dsl::claimed_until.is_null().or(dsl::claimed_until.le(now.micros())))
            .order(dsl::invoice_id)
            .limit(SLICE_ROWS)
            .select(dsl::invoice_id)
            .load(tx.db)?;
        let mut moved = 0;
        for invoice in invoices {
            moved += u64::from(move_one(tx, account, &invoice, now)?);
        }
        Ok(moved)
    }
}

fn move_one(tx: &mut Tx<'_>, account: &str, invoice: &str, now: Timestamp) -> QueryResult<bool> {
    let row = first_locked!(
        tx.db,
        Row,
        dsl::invoice_tasks.filter(dsl::account_id.eq(account)).filter(dsl::invoice_id.eq(invoice))
    )?;
    let Some(row) = row.filter(|row| !row.is_held(now)) else { return Ok(false) };
    diesel::delete(invoice_tasks::table.find((&row.account_id, &row.invoice_id))).execute(tx.db)?;
    let account = read(&row.account_id, AccountId::parse)?;
    let opened = tasks::open(tx, account, new(&row)?, now)?;
    let after = Task {
        attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        // Whoever held it before may have called the provider.
        is_doubtful: row.is_doubtful != 0 || row.claim_id.is_some(),
        ..opened.clone()
    };
    tasks::save_over(tx, &opened, &after)
}

fn new(row: &Row) -> QueryResult<NewTask> {
    let id = read(&row.invoice_id, InvoiceId::parse)?;
    let kind = match row.step.as_str() {
        "stamp" => &STAMP,
        "cancel" => &CANCEL,
        "follow" => &FOLLOW,
        step => return Err(corrupt(format!("the step {step:?} of an invoice"))),
    };
    Ok(NewTask {
        kind: kind.name,
        subject: id.to_string(),
        exclusive_key: Some(id.to_string()),
        payload: Payload::none(),
        due_at: Timestamp::from_micros(row.due_at),
        claim: None,
    })
}

/// Records when invoices were stamped. A place is an account.
pub(crate) struct TellMoments;

impl Chore for TellMoments {
    fn find(&self, db: &mut Db, after: &str, _: Timestamp) -> QueryResult<Found> {
        let accounts: Vec<String> = invoices::table
            .filter(invoices::account_id.gt(after))
            .filter(invoices::uuid.is_not_null())
            .filter(invoices::stamped_at.is_null())
            .select(invoices::account_id)
            .distinct()
            .order(invoices::account_id)
            .limit(LOOKED_AT_MAX)
            .load(db)?;
        Ok(Found::of(accounts.into_iter().map(|account| (account, true)).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, _: Timestamp) -> QueryResult<u64> {
        let stamped: Vec<(String, Option<String>)> = invoices::table
            .filter(invoices::account_id.eq(account))
            .filter(invoices::uuid.is_not_null())
            .filter(invoices::stamped_at.is_null())
            .order(invoices::id)
            .limit(SLICE_ROWS)
            .select((invoices::id, invoices::stamp))
            .load(tx.db)?;
        let mut told = 0;
        for (id, stamp) in stamped {
            let stamp = stamp.as_deref().map(from_text::<Stamped>).transpose();
            // What cannot be read waits for a release that reads it.
            let stamp = if_readable("stamp", account, &id, stamp)?.flatten();
            let Some(Stamped { at, .. }) = stamp else { continue };
            diesel::update(invoices::table.find((account, &id)))
                .set(invoices::stamped_at.eq(at.micros()))
                .execute(tx.db)?;
            told += 1;
        }
        Ok(told)
    }
}
