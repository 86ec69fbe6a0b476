//! Tasks: what is under way with a provider.

use std::collections::HashMap;

use ::invoices::{
    Invoice, InvoiceId,
    issuer::responsible,
    provider::{Expression, ProviderKind, ToCancel, ToStamp},
    sagas::{Step, Task, TaskClaimId},
};
use diesel::prelude::*;
use kernel::{AccountId, Timestamp};
use ring::digest::{SHA256, digest};

use super::{documents, issuer, rows};
use crate::{
    db::{Db, first_locked},
    rows::{corrupt, read},
    schema::invoice_tasks::{self, dsl},
    tx::Tx,
    vault::Vault,
};

/// The names of steps.
pub(super) const STAMP: &str = "stamp";
pub(super) const CANCEL: &str = "cancel";
pub(super) const FOLLOW: &str = "follow";

/// Longer than any claim. One that ends later was made before the clock was set back, and holds nothing.
const CLAIM_SECONDS_MAX: i64 = 600;
/// The longest pause. What is due later was put off before the clock was set back, and is due.
const PAUSE_SECONDS_MAX: i64 = 7_200;

#[derive(Clone, Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = invoice_tasks, treat_none_as_null = true, treat_none_as_default_value = false)]
pub(super) struct TaskRow {
    pub(super) account_id: String,
    pub(super) invoice_id: String,
    pub(super) step: String,
    pub(super) due_at: i64,
    pub(super) attempts: i64,
    pub(super) is_doubtful: i64,
    pub(super) claim_id: Option<String>,
    pub(super) claimed_until: Option<i64>,
    created_at: i64,
}

impl TaskRow {
    /// A task that begins now, held by whoever begins it.
    pub(super) fn claimed(
        account: AccountId,
        invoice: InvoiceId,
        step: &str,
        claim: TaskClaimId,
        now: Timestamp,
        until: Timestamp,
    ) -> Self {
        Self {
            account_id: account.to_string(),
            invoice_id: invoice.to_string(),
            step: step.to_owned(),
            due_at: now.micros(),
            attempts: 0,
            is_doubtful: 0,
            claim_id: Some(claim.to_string()),
            claimed_until: Some(until.micros()),
            created_at: now.micros(),
        }
    }

    /// Whether somebody holds it at `now`.
    pub(super) fn is_held(&self, now: Timestamp) -> bool {
        let longest = now.plus_seconds(CLAIM_SECONDS_MAX).micros();
        self.claimed_until.is_some_and(|until| until > now.micros() && until <= longest)
    }

    /// The task taken over. Whoever held it before may have called the provider.
    pub(super) fn taken(&self, claim: TaskClaimId, until: Timestamp) -> Self {
        Self {
            is_doubtful: i64::from(self.is_doubtful != 0 || self.claim_id.is_some()),
            claim_id: Some(claim.to_string()),
            claimed_until: Some(until.micros()),
            ..self.clone()
        }
    }

    /// The task given back, due again after a pause.
    pub(super) fn postponed(&self, pause_seconds: i64, now: Timestamp) -> Self {
        Self {
            attempts: self.attempts + 1,
            due_at: now.plus_seconds(pause_seconds).micros(),
            claim_id: None,
            claimed_until: None,
            ..self.clone()
        }
    }

    pub(super) fn tries(&self) -> u32 {
        u32::try_from(self.attempts).unwrap_or(u32::MAX)
    }

    pub(super) fn insert(&self, tx: &mut Tx<'_>) -> QueryResult<()> {
        diesel::insert_into(invoice_tasks::table).values(self).execute(tx.db).map(drop)
    }

    /// Saves it unless somebody else has taken it since it was `seen`; whether it did.
    pub(super) fn save_over(&self, tx: &mut Tx<'_>, seen: &Self) -> QueryResult<bool> {
        let this = dsl::invoice_tasks
            .filter(dsl::account_id.eq(&seen.account_id))
            .filter(dsl::invoice_id.eq(&seen.invoice_id))
            .filter(dsl::due_at.eq(seen.due_at))
            .filter(dsl::attempts.eq(seen.attempts));
        let saved = match &seen.claim_id {
            Some(claim) => {
                diesel::update(this.filter(dsl::claim_id.eq(claim))).set(self).execute(tx.db)?
            }
            None => {
                diesel::update(this.filter(dsl::claim_id.is_null())).set(self).execute(tx.db)?
            }
        };
        Ok(saved > 0)
    }

    pub(super) fn delete(&self, tx: &mut Tx<'_>) -> QueryResult<()> {
        let this = dsl::invoice_tasks
            .filter(dsl::account_id.eq(&self.account_id))
            .filter(dsl::invoice_id.eq(&self.invoice_id));
        diesel::delete(this).execute(tx.db).map(drop)
    }
}

/// The task of an invoice, locked until the end of the transaction: nobody takes it over meanwhile.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<TaskRow>> {
    first_locked!(
        tx.db,
        TaskRow,
        dsl::invoice_tasks
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::invoice_id.eq(id.to_string()))
    )
}

/// The tasks that are due and held by nobody. The table holds only what is under way.
pub(super) fn due(db: &mut Db, now: Timestamp, room: u32) -> QueryResult<Vec<TaskRow>> {
    let last_due = now.plus_seconds(PAUSE_SECONDS_MAX).micros();
    let last_claimed = now.plus_seconds(CLAIM_SECONDS_MAX).micros();
    dsl::invoice_tasks
        .filter(dsl::due_at.le(now.micros()).or(dsl::due_at.gt(last_due)))
        .filter(
            dsl::claimed_until
                .is_null()
                .or(dsl::claimed_until.le(now.micros()))
                .or(dsl::claimed_until.gt(last_claimed)),
        )
        .order(dsl::due_at)
        .limit(i64::from(room))
        .select(TaskRow::as_select())
        .load(db)
}

/// As many of the tasks as there is room for, at most half of them of one account.
pub(super) fn fair(due: Vec<TaskRow>, room: u32) -> Vec<TaskRow> {
    let (room, share) = (room as usize, room.div_ceil(2) as usize);
    let mut by_account: HashMap<String, usize> = HashMap::new();
    let mut fits = |row: &TaskRow| {
        let own = by_account.entry(row.account_id.clone()).or_default();
        *own += 1;
        *own <= share
    };
    due.into_iter().filter(|row| fits(row)).take(room).collect()
}

/// Whether anything of an account is being stamped.
pub(super) fn is_stamping(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    let own = dsl::invoice_tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::step.eq(STAMP));
    Ok(own.count().get_result::<i64>(db)? > 0)
}

/// What a claimed task asks of whom.
pub(super) fn task(db: &mut Db, vault: &Vault, row: &TaskRow) -> QueryResult<Task> {
    let account = read(&row.account_id, AccountId::parse)?;
    let id = read(&row.invoice_id, InvoiceId::parse)?;
    let claim = row.claim_id.as_deref().ok_or_else(|| corrupt("a task that nobody holds"))?;
    let (chosen, credentials, simulate) = issuer::opened(db, vault, account)?;
    let step = step(db, account, id, &row.step)?;
    let (provider, credentials) = responsible((chosen, credentials), stamper(db, account, id)?);
    Ok(Task {
        account,
        invoice: id,
        claim: read(claim, TaskClaimId::parse)?,
        attempts: row.tries(),
        doubtful: row.is_doubtful != 0,
        provider,
        credentials,
        simulate,
        step,
    })
}

/// Who stamped an invoice.
fn stamper(db: &mut Db, account: AccountId, id: InvoiceId) -> QueryResult<Option<ProviderKind>> {
    let invoice = rows::by_id(db, account, id)?;
    Ok(invoice.and_then(|invoice| invoice.stamp).map(|stamped| stamped.provider))
}

fn step(db: &mut Db, account: AccountId, id: InvoiceId, name: &str) -> QueryResult<Step> {
    let missing = || corrupt(format!("the task of {id} without its documents"));
    let documents = documents::by_invoice(db, account, id)?.ok_or_else(missing)?;
    if name == STAMP {
        let key = digest(&SHA256, documents.seal.as_bytes());
        let document = ToStamp { key: hex::encode(key), xml: documents.sealed_xml };
        return Ok(Step::Stamp { document, seal: documents.seal });
    }
    let invoice = rows::by_id(db, account, id)?.ok_or_else(missing)?;
    if name == FOLLOW {
        return expression(&invoice).map(Step::Follow).ok_or_else(missing);
    }
    let uuid = invoice.uuid().ok_or_else(missing)?.to_owned();
    let xml = documents.cancel_request.ok_or_else(missing)?;
    let expression = expression(&invoice).ok_or_else(missing)?;
    let request = ToCancel { issuer_rfc: invoice.document.issuer.rfc, uuid, xml };
    Ok(Step::Cancel { request, expression })
}

/// What a stamped invoice is asked after by.
pub(super) fn expression(invoice: &Invoice) -> Option<Expression> {
    let stamp = &invoice.stamp.as_ref()?.stamp;
    Some(Expression {
        uuid: stamp.uuid.clone(),
        issuer_rfc: invoice.document.issuer.rfc.clone(),
        receiver_rfc: invoice.document.receiver.rfc.clone(),
        total: cfdi::stamp::total_of(&invoice.document),
        seal_end: cfdi::stamp::seal_end(&stamp.issuer_seal).to_owned(),
    })
}
