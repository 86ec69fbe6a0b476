//! Cancelling: the signed request on record, then what each answer leaves behind.

use std::sync::Arc;

use ::invoices::{
    CancelInvoice, CancelReason, CancelRefusal, Invoice, InvoiceError, InvoiceId,
    calls::{Begun, ProviderCall, Step},
    cancel,
    provider::{CancelOutcome, StatusOutcome},
    references::Referrer,
    settled::TaskChange,
};
use ::tasks::kind::CANCEL;
use cfdi::{
    cancellation::{Folio, Reason, sign},
    catalogs::postal_codes,
    csd::{Csd, rand_core::OsRng},
};
use kernel::{AccountId, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};

use super::{
    around, calls, certificates, documents,
    kept::{already, answered_before, waited},
    relations, rows, settling,
    steps::expression,
};
use crate::{
    db::Db,
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
    tx::Tx,
    vault::Vault,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

struct Look {
    invoice: Invoice,
    referrers: Vec<Referrer>,
    csd: Option<Arc<Csd>>,
}

fn look(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
) -> diesel::QueryResult<Option<Look>> {
    let Some(invoice) = rows::by_id(db, account, id)? else { return Ok(None) };
    let referrers = referrers(db, account, &invoice)?;
    let csd = certificates::active(db, vault, account, &invoice.document.issuer.rfc)?;
    Ok(Some(Look { invoice, referrers, csd }))
}

fn referrers(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
) -> diesel::QueryResult<Vec<Referrer>> {
    match invoice.uuid() {
        Some(uuid) => relations::with_successors(db, account, uuid),
        None => Ok(Vec::new()),
    }
}

/// The invoice whose cancellation could be asked for; `None` when it was asked for before.
pub(crate) fn judge(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    command: &CancelInvoice,
) -> Outcome<Option<Invoice>> {
    let refuse = |refusal| Refused::Rule(InvoiceError::Cancel(refusal));
    let look = look(tx.db, vault, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let requested = cancel::request(&look.invoice, command, &look.referrers, ctx.now);
    if requested.map_err(refuse)?.is_none() {
        return Ok(None);
    }
    let no_replacement = || refuse(CancelRefusal::BadReplacement);
    signed_reason(command.reason, command.replacement_uuid.as_deref())
        .ok_or_else(no_replacement)?;
    look.csd.ok_or_else(|| refuse(CancelRefusal::NoCertificate))?;
    Ok(Some(look.invoice))
}

pub(super) fn begin(
    store: &Store,
    ctx: &Ctx,
    command: CancelInvoice,
    until: Timestamp,
) -> Written<Begun<Invoice>, InvoiceError> {
    if let Some(done) = answered_before(store, ctx)? {
        return Ok(done);
    }
    let (vault, account, id) = (store.engine.vault(), ctx.account, command.id);
    let query = move |db: &mut Db| snapshot(db, |db| look(db, &vault, account, id));
    let look =
        store.engine.read(Cost::Large, query).wait().unwrap_or_else(|| Err(super::gone()))?;
    let look = look.ok_or(Refused::NotFound)?;
    let refuse = |refusal| Refused::Rule(InvoiceError::Cancel(refusal));
    let requested = cancel::request(&look.invoice, &command, &look.referrers, ctx.now);
    if requested.map_err(refuse)?.is_none() {
        return already(store, ctx, look.invoice);
    }
    let csd = look.csd.as_ref().ok_or_else(|| refuse(CancelRefusal::NoCertificate))?;
    let request = request(&look.invoice, &command, csd, ctx.now)?;
    let (vault, ctx) = (store.engine.vault(), ctx.clone());
    let version = look.invoice.version;
    let pending = store.engine.command(Some(ctx.account), move |tx| {
        let invoice = rows::locked(tx, ctx.account, id, Some(version))?;
        // What refers to it may have come since it was looked at.
        let referrers = referrers(tx.db, ctx.account, &invoice)?;
        let requested = cancel::request(&invoice, &command, &referrers, ctx.now).map_err(refuse)?;
        rows::save(tx, ctx.account, &requested.ok_or(Refused::Stale)?)?;
        documents::keep_cancel_request(tx, ctx.account, id, &request)?;
        let task = calls::open(tx, (ctx.account, id), &CANCEL, ctx.now, until)?;
        Ok(Done::now(Begun::Call(Box::new(calls::call::<Invoice>(tx.db, &vault, id, &task)?))))
    });
    match waited(pending) {
        // It changed between the look and the lock: whoever changed it is at work on it.
        Err(Refused::Stale) => Err(Refused::Rule(InvoiceError::UnderWay)),
        outcome => outcome,
    }
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
    let no_replacement = || Refused::Rule(InvoiceError::Cancel(CancelRefusal::BadReplacement));
    let reason = signed_reason(command.reason, command.replacement_uuid.as_deref());
    let reason = reason.ok_or_else(no_replacement)?;
    let zone = postal_codes::find(&invoice.document.place_of_issue).ok_or_else(broken)?.zone();
    let folio = Folio { uuid: invoice.uuid().ok_or_else(broken)?.to_owned(), reason };
    sign(csd, zone.local(now), &[folio], &mut OsRng).map_err(|_| broken())
}

/// The reason as a request states it; none without the replacement that it needs.
pub(super) fn signed_reason(reason: CancelReason, replacement: Option<&str>) -> Option<Reason> {
    Some(match (reason, replacement) {
        (CancelReason::ErrorsReplaced, by) => Reason::Replaced { by: by?.to_owned() },
        (CancelReason::Errors, _) => Reason::Mistaken,
        (CancelReason::NoSale, _) => Reason::NotCarriedOut,
        (CancelReason::InGlobal, _) => Reason::InGlobalInvoice,
    })
}

/// Records what a provider answered to a request. With the step that follows at once, if one does.
pub(super) fn record_sent(
    tx: &mut Tx<'_>,
    call: &ProviderCall<InvoiceId>,
    outcome: CancelOutcome,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<(Invoice, Option<ProviderCall<InvoiceId>>)> {
    let account = call.callee.account;
    let invoice = rows::locked::<InvoiceError>(tx, account, call.subject, None)?;
    let task = calls::locked(tx, account, call.subject)?;
    let open = settling::open(task.as_ref(), call.claim);
    let settled = cancel::settle(&invoice, outcome, open, call.doubtful, now);
    settling::record(tx, account, (&invoice, task.as_ref()), &settled, idempotency, now)?;
    let follows = (settled.task == TaskChange::Follow).then(|| expression(&settled.invoice));
    let next = follows.flatten().map(|expression| ProviderCall {
        step: Step::Follow(expression),
        attempts: 0,
        doubtful: false,
        ..call.clone()
    });
    Ok((settled.invoice, next))
}

/// Records what the authority says of a document whose cancellation was asked for.
pub(super) fn record_followed(
    tx: &mut Tx<'_>,
    call: &ProviderCall<InvoiceId>,
    outcome: StatusOutcome,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Invoice> {
    let account = call.callee.account;
    let invoice = around::locked_newest_first(tx, account, call.subject, None)?;
    let task = calls::locked(tx, account, call.subject)?;
    let around = around::load_giving_back(tx, account, &invoice)?;
    let referrers = referrers(tx.db, account, &invoice)?;
    let open = settling::open(task.as_ref(), call.claim);
    let settled = cancel::settle_followed(&invoice, outcome, open, &around, &referrers, now);
    settling::record(tx, account, (&invoice, task.as_ref()), &settled, idempotency, now)?;
    Ok(settled.invoice)
}
