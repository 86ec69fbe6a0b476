//! Cancelling: the signed request on record, then what each answer leaves behind.

use std::sync::Arc;

use ::invoices::{
    CancelRefusal, Certified, InvoiceError,
    calls::{Begun, ProviderCall},
    provider::CancelOutcome,
    withholding::{CancelWithholding, Withholding, WithholdingId, cancel},
};
use cfdi::{
    cancellation::{Folio, sign_withholdings},
    catalogs::postal_codes,
    csd::{Csd, rand_core::OsRng},
};
use kernel::{AccountId, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};

use super::{documents, rows, settling};
use crate::{
    db::Db,
    error::Failure,
    invoices::{
        calls,
        cancelling::signed_reason,
        certificates,
        kept::{already, answered_before, waited},
        settling::open,
    },
    readers::{Cost, snapshot},
    store::Store,
    tx::Tx,
    vault::Vault,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

struct Look {
    withholding: Withholding,
    replacement: Option<Withholding>,
    csd: Option<Arc<Csd>>,
}

fn look(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    command: &CancelWithholding,
) -> diesel::QueryResult<Option<Look>> {
    let Some(withholding) = rows::by_id(db, account, command.id)? else { return Ok(None) };
    let replacement = replacement(db, account, command)?;
    let csd = certificates::active(db, vault, account, &withholding.document.issuer.rfc)?;
    Ok(Some(Look { withholding, replacement, csd }))
}

fn replacement(
    db: &mut Db,
    account: AccountId,
    command: &CancelWithholding,
) -> diesel::QueryResult<Option<Withholding>> {
    match &command.replacement_uuid {
        Some(uuid) => rows::by_uuid(db, account, uuid),
        None => Ok(None),
    }
}

pub(super) fn begin(
    store: &Store,
    ctx: &Ctx,
    command: CancelWithholding,
    until: Timestamp,
) -> Written<Begun<Withholding>, InvoiceError> {
    if let Some(done) = answered_before(store, ctx)? {
        return Ok(done);
    }
    let (vault, account, wanted) = (store.engine.vault(), ctx.account, command.clone());
    let query = move |db: &mut Db| snapshot(db, |db| look(db, &vault, account, &wanted));
    let look = store.engine.read(Cost::Large, query).wait();
    let look = look.unwrap_or_else(|| Err(crate::invoices::gone()))?.ok_or(Refused::NotFound)?;
    let Look { withholding, replacement, csd } = look;
    if cancel::request(&withholding, &command, replacement.as_ref(), ctx.now)?.is_none() {
        return already(store, ctx, withholding);
    }
    let no_certificate = Refused::Rule(InvoiceError::Cancel(CancelRefusal::NoCertificate));
    let request = signed(&withholding, &command, &*csd.ok_or(no_certificate)?, ctx.now)?;
    let pending = ask(store, ctx, command, (withholding.version, request), until);
    match waited(pending) {
        // It changed between the look and the lock: whoever changed it is at work on it.
        Err(Refused::Stale) => Err(Refused::Rule(InvoiceError::UnderWay)),
        outcome => outcome,
    }
}

/// Records that the cancellation of a withholding is asked for, if it is still at the version that was looked at.
fn ask(
    store: &Store,
    ctx: &Ctx,
    command: CancelWithholding,
    (version, request): (i64, String),
    until: Timestamp,
) -> kernel::Pending<Written<Begun<Withholding>, InvoiceError>> {
    let (vault, ctx) = (store.engine.vault(), ctx.clone());
    store.engine.command(Some(ctx.account), move |tx| {
        let (account, id) = (ctx.account, command.id);
        let withholding = rows::locked(tx, account, id, Some(version))?;
        // What takes its place may have been cancelled since it was looked at.
        let replacement = replacement(tx.db, account, &command)?;
        let requested = cancel::request(&withholding, &command, replacement.as_ref(), ctx.now)?;
        rows::save(tx, account, &requested.ok_or(Refused::Stale)?)?;
        documents::keep_cancel_request(tx, account, id, &request)?;
        let task = calls::open(tx, (account, id), Withholding::CANCEL, ctx.now, until)?;
        Ok(Done::now(Begun::Call(Box::new(calls::call::<Withholding>(tx.db, &vault, id, &task)?))))
    })
}

/// The request, signed by the issuer.
fn signed(
    withholding: &Withholding,
    command: &CancelWithholding,
    csd: &Csd,
    now: Timestamp,
) -> Result<String, Refused<InvoiceError>> {
    let broken = || {
        let id = withholding.id;
        Refused::Fault(Fault::Internal(format!("no request to cancel {id} can be made")))
    };
    let reason = signed_reason(command.reason, command.replacement_uuid.as_deref());
    let place = &withholding.document.place_of_issue;
    let zone = postal_codes::find(place).ok_or_else(broken)?.zone();
    let uuid = withholding.uuid().ok_or_else(broken)?.to_owned();
    let folio = Folio { uuid, reason: reason.ok_or_else(broken)? };
    sign_withholdings(csd, zone.local(now), &[folio], &mut OsRng).map_err(|_| broken())
}

/// Records what a provider answered to a request.
pub(super) fn record(
    tx: &mut Tx<'_>,
    call: &ProviderCall<WithholdingId>,
    outcome: CancelOutcome,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Withholding> {
    let (account, id) = (call.callee.account, call.subject);
    let withholding = rows::locked::<InvoiceError>(tx, account, id, None)?;
    let task = calls::locked(tx, account, id)?;
    let open = open(task.as_ref(), call.claim);
    let settled = cancel::settle(&withholding, outcome, open, call.doubtful, now);
    settling::record(tx, account, (&withholding, task.as_ref()), &settled, idempotency, now)?;
    Ok(settled.withholding)
}
