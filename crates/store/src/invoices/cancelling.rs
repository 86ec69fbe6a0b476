//! Cancelling: the signed request on record, then what each answer leaves behind.

use std::sync::Arc;

use ::invoices::{
    CancelInvoice, CancelReason, CancelRefusal, Cancellation, CancellationStatus, Invoice,
    InvoiceError, LastError, Status,
    cancel::{self, Around, Sent},
    provider::{CancelOutcome, Rejection, StatusOutcome},
    sagas::{Begun, Step, Task, TaskClaimId},
    stamping::{NOT_TAKEN, pause_seconds, poll_seconds},
};
use cfdi::{
    cancellation::{Folio, Reason, sign},
    catalogs::postal_codes,
    csd::{Csd, rand_core::OsRng},
};
use kernel::{AccountId, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};

use super::{certificates, documents, receipts, relations, rows, stamping, tasks, write};
use crate::{
    answers,
    db::Db,
    error::Stop,
    lane::Tx,
    readers::{Cost, snapshot},
    store::Store,
    vault::Vault,
};

type Outcome<T> = Result<T, Stop<InvoiceError>>;

struct Look {
    invoice: Invoice,
    around: Around,
    csd: Option<Arc<Csd>>,
}

fn look(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    command: &CancelInvoice,
) -> diesel::QueryResult<Option<Look>> {
    let Some(invoice) = rows::by_id(db, account, command.id)? else { return Ok(None) };
    let around = around(db, account, &invoice, command)?;
    let csd = certificates::active(db, vault, account, &invoice.document.issuer.rfc)?;
    Ok(Some(Look { invoice, around, csd }))
}

fn around(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    command: &CancelInvoice,
) -> diesel::QueryResult<Around> {
    let Some(uuid) = invoice.uuid() else { return Ok(Around::default()) };
    let referring = relations::to(db, account, uuid)?;
    let named = command.replacement_uuid.as_deref().unwrap_or_default();
    let is_named = |other: &Invoice| {
        other.status == Status::Stamped
            && other.uuid().is_some_and(|uuid| uuid.eq_ignore_ascii_case(named))
    };
    // One that is being stamped has no fiscal folio yet, and is living all the same.
    let name = |other: &Invoice| other.uuid().map_or_else(|| other.id.to_string(), str::to_owned);
    Ok(Around {
        related: referring.others.iter().map(name).collect(),
        replacement_is_good: referring.replacing.iter().any(is_named),
    })
}

pub(super) fn begin(
    store: &Store,
    ctx: &Ctx,
    command: CancelInvoice,
    until: Timestamp,
) -> Written<Begun, InvoiceError> {
    if let Some(done) = answered_before(store, ctx)? {
        return Ok(done);
    }
    let (vault, account, asked) = (Arc::clone(&store.vault), ctx.account, command.clone());
    let query = move |db: &mut Db| snapshot(db, |db| look(db, &vault, account, &asked));
    let look = store.read(Cost::Large, query).wait().unwrap_or_else(|| Err(super::gone()))?;
    let look = look.ok_or(Refused::NotFound)?;
    let refuse = |refusal| Refused::Rule(InvoiceError::Cancel(refusal));
    let judged = cancel::judge(&look.invoice, &command, &look.around, ctx.now).map_err(refuse)?;
    let Some(cancellation) = judged else {
        return stamping::already(store, ctx, look.invoice);
    };
    let csd = look.csd.as_ref().ok_or_else(|| refuse(CancelRefusal::NoCertificate))?;
    let request = request(&look.invoice, &command, csd, ctx.now)?;
    let (vault, ctx) = (Arc::clone(&store.vault), ctx.clone());
    let (id, version) = (look.invoice.id, look.invoice.version);
    let pending = store.command(Some(ctx.account), move |tx| {
        let mut invoice = rows::locked(tx, ctx.account, id, Some(version))?;
        // What refers to it may have come since it was looked at.
        let around = around(tx.db, ctx.account, &invoice, &command)?;
        cancel::judge(&invoice, &command, &around, ctx.now).map_err(refuse)?;
        invoice.cancellation = Some(cancellation.clone());
        rows::save(tx, ctx.account, &mut invoice, ctx.now)?;
        documents::keep_cancel_request(tx, ctx.account, id, &request)?;
        let claim = TaskClaimId::from_u128(tx.ids.next());
        let row = tasks::TaskRow::claimed(ctx.account, id, tasks::CANCEL, claim, ctx.now, until);
        row.insert(tx)?;
        Ok(Done::now(Begun::Task(Box::new(tasks::task(tx.db, &vault, &row)?))))
    });
    match stamping::waited(pending) {
        // It changed between the look and the lock: whoever changed it is at work on it.
        Err(Refused::Stale) => Err(Refused::Rule(InvoiceError::UnderWay)),
        outcome => outcome,
    }
}

/// The answer to an earlier request with the same key: a repeat asks for nothing anew.
fn answered_before(store: &Store, ctx: &Ctx) -> Result<Option<Done<Begun>>, Refused<InvoiceError>> {
    if ctx.idempotency.is_none() {
        return Ok(None);
    }
    let ctx = ctx.clone();
    let pending = store.command(Some(ctx.account), move |tx| {
        let kept: Option<Done<Invoice>> = answers::kept_answer(tx, &ctx)?;
        Ok(Done::now(kept))
    });
    let kept = stamping::waited(pending)?.value;
    Ok(kept
        .map(|Done { value, replayed }| Done { value: Begun::Already(Box::new(value)), replayed }))
}

/// The request, signed by the issuer.
fn request(
    invoice: &Invoice,
    command: &CancelInvoice,
    csd: &Csd,
    now: Timestamp,
) -> Result<String, Refused<InvoiceError>> {
    let broken = || {
        Refused::Fault(Fault::Internal(format!("no request to cancel {} can be made", invoice.id)))
    };
    let reason = match (command.reason, &command.replacement_uuid) {
        (CancelReason::ErrorsReplaced, Some(by)) => Reason::Replaced { by: by.clone() },
        (CancelReason::ErrorsReplaced, None) => {
            return Err(Refused::Rule(InvoiceError::Cancel(CancelRefusal::BadReplacement)));
        }
        (CancelReason::Errors, _) => Reason::Mistaken,
        (CancelReason::NoSale, _) => Reason::NotCarriedOut,
        (CancelReason::InGlobal, _) => Reason::InGlobalInvoice,
    };
    let zone = postal_codes::find(&invoice.document.place_of_issue).ok_or_else(broken)?.zone();
    let folio = Folio { uuid: invoice.uuid().ok_or_else(broken)?.to_owned(), reason };
    sign(csd, zone.local(now), &[folio], &mut OsRng).map_err(|_| broken())
}

/// Records what a provider answered to a request. With the step that follows at once, if one does.
pub(super) fn record_sent(
    tx: &mut Tx<'_>,
    task: &Task,
    outcome: CancelOutcome,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<(Invoice, Option<Task>)> {
    let Some((mut invoice, row, before)) = held(tx, task)? else {
        // A receipt is a receipt, whoever brings it.
        if let CancelOutcome::Received { receipt: Some(receipt), .. } = &outcome {
            documents::keep_late_receipt(tx, task.account, task.invoice, receipt)?;
        }
        return Ok((rows::locked(tx, task.account, task.invoice, None)?, None));
    };
    let account = task.account;
    match cancel::sent(&before, outcome, now) {
        Sent::Received { cancellation, receipt } => {
            invoice.cancellation = Some(cancellation);
            rows::save(tx, account, &mut invoice, now)?;
            if let Some(receipt) = receipt {
                documents::keep_receipt(tx, account, invoice.id, &receipt)?;
            }
            let mut next = row.clone();
            tasks::FOLLOW.clone_into(&mut next.step);
            next.attempts = 0;
            next.is_doubtful = 0;
            next.save_over(tx, &row)?;
            let step = tasks::expression(&invoice).map(Step::Follow);
            let next = step.map(|step| Task { step, attempts: 0, doubtful: false, ..task.clone() });
            if next.is_none() {
                stamping::keep_answer(tx, account, idempotency, &invoice, now)?;
            }
            return Ok((invoice, next));
        }
        Sent::Refused(cancellation) => {
            invoice.cancellation = Some(cancellation);
            rows::save(tx, account, &mut invoice, now)?;
            row.delete(tx)?;
        }
        Sent::NotTaken { reason } if !task.doubtful => {
            // Nobody has refused it: it was not asked for.
            let rejection = Rejection { code: NOT_TAKEN.to_owned(), message: reason };
            invoice.cancellation = None;
            invoice.last_error = Some(LastError { at: now, rejection });
            rows::save(tx, account, &mut invoice, now)?;
            row.delete(tx)?;
        }
        Sent::NotTaken { reason } | Sent::Unknown { reason } => {
            let answer = Some(Rejection { code: "unknown".to_owned(), message: reason });
            invoice.cancellation = Some(Cancellation { answer, ..before });
            rows::save(tx, account, &mut invoice, now)?;
            let mut later = row.postponed(pause_seconds(row.tries() + 1), now);
            later.is_doubtful = 1;
            later.save_over(tx, &row)?;
        }
    }
    Ok((invoice, None))
}

/// Records what the authority says of a document whose cancellation was asked for. How it stands then is the
/// answer of the request that asked for it.
pub(super) fn record_followed(
    tx: &mut Tx<'_>,
    task: &Task,
    outcome: StatusOutcome,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Invoice> {
    let invoice = followed(tx, task, outcome, now)?;
    stamping::keep_answer(tx, task.account, idempotency, &invoice, now)?;
    Ok(invoice)
}

fn followed(
    tx: &mut Tx<'_>,
    task: &Task,
    outcome: StatusOutcome,
    now: Timestamp,
) -> Outcome<Invoice> {
    let Some((mut invoice, row, before)) = held(tx, task)? else {
        return rows::locked(tx, task.account, task.invoice, None);
    };
    let account = task.account;
    let StatusOutcome::Known(fiscal) = outcome else {
        row.postponed(poll_seconds(row.tries() + 1), now).save_over(tx, &row)?;
        return Ok(invoice);
    };
    let after = cancel::followed(&before, fiscal, now);
    let status = after.status;
    if after != before {
        invoice.cancellation = Some(after);
        if status.is_cancelled() {
            invoice.status = Status::Cancelled;
            invoice.balance = None;
        }
        rows::save(tx, account, &mut invoice, now)?;
    }
    if status == CancellationStatus::Requested {
        row.postponed(poll_seconds(row.tries() + 1), now).save_over(tx, &row)?;
        return Ok(invoice);
    }
    row.delete(tx)?;
    if status.is_cancelled() {
        receipts::unpay_cancelled(tx, account, &invoice, now)?;
        write::release_orders(tx, account, invoice.id)?;
    }
    Ok(invoice)
}

/// The invoice, its task and its cancellation, if the task is still held under the same claim.
fn held(tx: &mut Tx<'_>, task: &Task) -> Outcome<Option<(Invoice, tasks::TaskRow, Cancellation)>> {
    let invoice = rows::locked::<InvoiceError>(tx, task.account, task.invoice, None)?;
    let row = tasks::locked(tx, task.account, task.invoice)?;
    let ours = row.filter(|row| row.claim_id.as_deref() == Some(task.claim.to_string().as_str()));
    let cancellation = invoice.cancellation.clone();
    Ok(ours.zip(cancellation).map(|(row, cancellation)| (invoice, row, cancellation)))
}
