//! Stamping: sealing and setting aside, then what each answer leaves behind.

use std::sync::Arc;

use ::invoices::{
    Debts, Invoice, InvoiceError, InvoiceId, Issuer, Status,
    calls::{Begun, ProviderCall},
    credits::demand,
    drafting,
    provider::ProviderKind,
    stamping::{self, Sealing, StampCall, StrayStamp, Verdict},
};
use ::tasks::kind::STAMP;
use cfdi::{csd::Csd, document::Document, seal::Sealed};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};

use super::{
    around, calls, certificates, credits, documents, folios, holders, issuers, known, provider,
    relations, rows, settling,
};
use crate::{
    answers,
    db::Db,
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
    tasks,
    tx::Tx,
    vault::Vault,
};

/// How often a draft that changes while it is being sealed is sealed anew.
const TRIES_MAX: usize = 3;

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// What sealing needs to know.
struct Look {
    invoice: Invoice,
    issuer: Option<Issuer>,
    csd: Option<Arc<Csd>>,
    provider: Option<ProviderKind>,
    debts: Debts,
}

fn look(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<Look>> {
    let Some(invoice) = rows::by_id(db, account, id)? else { return Ok(None) };
    let issuer = issuers::one(db, account, invoice.draft.issuer)?;
    let csd = match &issuer {
        Some(issuer) => certificates::active(db, vault, account, &issuer.rfc)?,
        None => None,
    };
    let debts = known::debts(db, account, &invoice.draft)?;
    let provider = provider::choice(db, account)?.kind;
    Ok(Some(Look { invoice, issuer, csd, provider, debts }))
}

fn looked(store: &Store, account: AccountId, id: InvoiceId) -> Result<Option<Look>, Fault> {
    let vault = store.engine.vault();
    let query = move |db: &mut Db| snapshot(db, |db| look(db, &vault, account, id));
    store.engine.read(Cost::Large, query).wait().unwrap_or_else(|| Err(super::gone()))
}

/// Everything a draft would be refused for.
pub(super) fn findings(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
    now: Timestamp,
) -> QueryResult<Option<::invoices::Validation>> {
    let Some(Look { invoice, issuer, csd, debts, .. }) = look(db, vault, account, id)? else {
        return Ok(None);
    };
    let certificate = csd.as_ref().map(|csd| csd.certificate());
    Ok(Some(stamping::findings(&invoice, issuer.as_ref(), certificate, &debts, now)))
}

/// Begins to stamp, or takes over what was begun.
pub(super) fn begin(
    store: &Store,
    ctx: &Ctx,
    id: InvoiceId,
    until: Timestamp,
) -> Written<Begun, InvoiceError> {
    for _ in 0..TRIES_MAX {
        let look = looked(store, ctx.account, id)?.ok_or(Refused::NotFound)?;
        let begun = match look.invoice.status {
            Status::Stamped => return already(store, ctx, look.invoice),
            status @ Status::Cancelled => return unless_repeated(store, ctx, status),
            Status::Stamping => take_over(store, ctx, id, until),
            Status::Draft => seal_and_reserve(store, ctx, look, until),
        };
        match begun {
            Err(Refused::Stale) => {}
            outcome => return outcome,
        }
    }
    Err(Refused::Rule(InvoiceError::UnderWay))
}

pub(super) fn waited<T>(
    pending: kernel::Pending<Written<T, InvoiceError>>,
) -> Written<T, InvoiceError> {
    pending.wait().unwrap_or_else(|| Err(Refused::Fault(super::gone())))
}

/// The invoice as it is, kept as the answer of this request.
pub(super) fn already(store: &Store, ctx: &Ctx, invoice: Invoice) -> Written<Begun, InvoiceError> {
    let write = store.write(ctx.clone(), move |_, _| Ok(invoice.clone()));
    let Done { value, replayed } = waited(write)?;
    Ok(Done { value: Begun::Already(Box::new(value)), replayed })
}

/// Refuses, unless this request has been answered before.
fn unless_repeated(store: &Store, ctx: &Ctx, status: Status) -> Written<Begun, InvoiceError> {
    let refusal = move || Failure::from(Refused::Rule(InvoiceError::NotDraft { status }));
    let write = store.write(ctx.clone(), move |_, _| Err::<Invoice, _>(refusal()));
    let Done { value, replayed } = waited(write)?;
    Ok(Done { value: Begun::Already(Box::new(value)), replayed })
}

fn take_over(
    store: &Store,
    ctx: &Ctx,
    id: InvoiceId,
    until: Timestamp,
) -> Written<Begun, InvoiceError> {
    let (vault, ctx) = (store.engine.vault(), ctx.clone());
    waited(store.engine.command(Some(ctx.account), move |tx| {
        let invoice = rows::locked::<InvoiceError>(tx, ctx.account, id, None)?;
        // Whoever was at it has ended it meanwhile: it is to be looked at anew.
        let task = calls::locked(tx, ctx.account, id)?.ok_or(Refused::Stale)?;
        if invoice.status != Status::Stamping {
            return Err(Refused::Stale.into());
        }
        if task.is_held(ctx.now) {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        let taken = task.clone().claimed(calls::claim(tx, until));
        if !tasks::save_over(tx, &task, &taken)? {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        Ok(Done::now(Begun::Call(Box::new(calls::call(tx.db, &vault, id, &taken)?))))
    }))
}

/// Seals a draft on this thread, since a signature takes its time, and sets the credits aside if the draft
/// is still the same.
fn seal_and_reserve(
    store: &Store,
    ctx: &Ctx,
    look: Look,
    until: Timestamp,
) -> Written<Begun, InvoiceError> {
    let rule = |error| Refused::Rule(error);
    let issuer = look.issuer.as_ref().ok_or(rule(InvoiceError::NoIssuer))?;
    let csd = look.csd.as_ref().ok_or(rule(InvoiceError::NoCertificate))?;
    let provider = look.provider.ok_or(rule(InvoiceError::NoProvider))?;
    let mut invoice = look.invoice.clone();
    if invoice.folio.is_none() {
        // Checked first: a folio is not to be spent on what is refused anyway.
        stamping::checked(&invoice, issuer, csd.certificate(), &look.debts, ctx.now)?;
        invoice = waited(number(store, ctx, &invoice))?.value;
    }
    let document = stamping::checked(&invoice, issuer, csd.certificate(), &look.debts, ctx.now)?;
    let sealed = cfdi::seal::seal(&document, csd).map_err(|error| {
        Refused::Fault(Fault::Internal(format!("a document could not be sealed: {error}")))
    })?;
    let number = csd.certificate().number().to_owned();
    let (vault, ctx) = (store.engine.vault(), ctx.clone());
    let (id, version) = (invoice.id, invoice.version);
    let draft = SealedDraft { id, version, document, debts: look.debts, provider, number, sealed };
    waited(store.engine.command(Some(ctx.account), move |tx| {
        if let Some(done) = answers::kept_answer(tx, &ctx)? {
            let Done { value, replayed } = done;
            return Ok(Done { value: Begun::Already(Box::new(value)), replayed });
        }
        let call = reserve(tx, &ctx, &vault, &draft, until)?;
        Ok(Done::now(Begun::Call(Box::new(call))))
    }))
}

/// Gives a draft the next folio of its series.
fn number(
    store: &Store,
    ctx: &Ctx,
    invoice: &Invoice,
) -> kernel::Pending<Written<Invoice, InvoiceError>> {
    let (ctx, id, version) = (ctx.clone(), invoice.id, invoice.version);
    store.engine.command(Some(ctx.account), move |tx| {
        let invoice = rows::locked(tx, ctx.account, id, Some(version))?;
        if invoice.folio.is_some() {
            return Ok(Done::now(invoice));
        }
        // Nor on what cannot be paid for.
        demand(credits::balance(tx.db, ctx.account)?)?;
        let folio = folios::take(tx, ctx.account, &invoice.draft)?;
        let invoice = drafting::number(&invoice, folio, ctx.now)?;
        rows::save(tx, ctx.account, &invoice)?;
        Ok(Done::now(invoice))
    })
}

/// A draft that was sealed outside of any transaction.
struct SealedDraft {
    id: InvoiceId,
    /// The version that was sealed.
    version: i64,
    document: Document,
    debts: Debts,
    provider: ProviderKind,
    /// The number of the certificate.
    number: String,
    sealed: Sealed,
}

/// Everything that must be on record before the provider is called, in one transaction.
fn reserve(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    draft: &SealedDraft,
    until: Timestamp,
) -> Outcome<ProviderCall> {
    let (account, id) = (ctx.account, draft.id);
    let invoice = rows::locked(tx, account, id, Some(draft.version))?;
    let around = around::load(tx, account, &invoice)?;
    let sources = around::sources(tx, account, &invoice, &around)?;
    let balance = credits::locked(tx, account)?;
    let (document, debts) = (&draft.document, &draft.debts);
    let provider = draft.provider;
    let sealing =
        Sealing { document, debts, sources: &sources, around: &around, balance, provider };
    let reserved = stamping::reserve(&invoice, &sealing, ctx.now)?;
    holders::apply(tx, account, &reserved.orders)?;
    for owing in &reserved.owing {
        rows::save(tx, account, owing)?;
    }
    credits::enter(tx, account, (balance, &reserved.credits), ctx.now)?;
    rows::save(tx, account, &reserved.invoice)?;
    documents::keep_sealed(tx, account, id, &draft.number, &draft.sealed)?;
    relations::record(tx, account, id, &reserved.references)?;
    issuers::lock(tx, account)?;
    let task = calls::open(tx, (account, id), &STAMP, ctx.now, until)?;
    Ok(calls::stamping(tx.db, vault, id, (&task, &draft.sealed))?)
}

/// Records what follows from an answer.
pub(super) fn record(
    tx: &mut Tx<'_>,
    call: &ProviderCall,
    verdict: &Verdict,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Invoice> {
    let account = call.account;
    let invoice = rows::locked::<InvoiceError>(tx, account, call.invoice, None)?;
    let task = calls::locked(tx, account, call.invoice)?;
    let seal = documents::seal(tx.db, account, call.invoice)?;
    let around = around::load(tx, account, &invoice)?;
    let open = settling::open(task.as_ref(), call);
    let stamping = StampCall { task: open, seal: seal.as_deref(), provider: call.provider };
    let settled = match stamping::settle(&invoice, verdict, stamping, &around, now) {
        Ok(settled) => settled,
        Err(StrayStamp { uuid }) => {
            let (id, status) = (invoice.id, invoice.status.name());
            tracing::error!(invoice = %id, uuid, status, "a stamp came of what is not being stamped");
            return Ok(invoice);
        }
    };
    settling::record(tx, account, (&invoice, task.as_ref()), &settled, idempotency, now)?;
    Ok(settled.invoice)
}
