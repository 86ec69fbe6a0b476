//! Stamping: sealing and setting aside, then what each answer leaves behind.

use std::sync::Arc;

use ::invoices::{
    Debts, Invoice, InvoiceError, InvoiceId, Issuer, LastError, Status, build,
    invoice::Stamped,
    provider::Rejection,
    sagas::{Begun, Task, TaskClaimId},
    stamping::{Verdict, pause_seconds},
};
use cfdi::{csd::Csd, document::PaymentMethod, rules, seal::Sealed};
use diesel::prelude::*;
use kernel::{
    AccountId, Ctx, Done, Fault, FieldFault, Idempotency, Language, Refused, Timestamp, Written,
};

use super::{
    certificates, credits, issuer, known, papers, receipts, relations, rows, tasks, write,
};
use crate::{
    answers,
    db::{Db, on},
    error::Stop,
    lane::Tx,
    readers::{Cost, snapshot},
    schema::invoice_folios as folios,
    store::Store,
    vault::Vault,
};

/// How often a draft that changes while it is being sealed is sealed anew.
const TRIES_MAX: usize = 3;

type Outcome<T> = Result<T, Stop<InvoiceError>>;

/// What sealing needs to know.
struct Look {
    invoice: Invoice,
    issuer: Option<Issuer>,
    csd: Option<Arc<Csd>>,
    debts: Debts,
}

fn look(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<Look>> {
    let Some(invoice) = rows::by_id(db, account, id)? else { return Ok(None) };
    let issuer = issuer::by_account(db, account)?;
    let csd = match &issuer {
        Some(issuer) => certificates::active(db, vault, account, &issuer.rfc)?,
        None => None,
    };
    let debts = known::debts(db, account, &invoice.draft)?;
    Ok(Some(Look { invoice, issuer, csd, debts }))
}

fn looked(store: &Store, account: AccountId, id: InvoiceId) -> Result<Option<Look>, Fault> {
    let vault = Arc::clone(&store.vault);
    let query = move |db: &mut Db| snapshot(db, |db| look(db, &vault, account, id));
    store.read(Cost::Large, query).wait().unwrap_or_else(|| Err(super::gone()))
}

/// Everything a draft would be refused for.
pub(super) fn findings(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
    now: Timestamp,
) -> QueryResult<Option<::invoices::Findings>> {
    let Some(look) = look(db, vault, account, id)? else { return Ok(None) };
    let (Some(issuer), Status::Draft) = (&look.issuer, look.invoice.status) else {
        return Ok(Some(Vec::new()));
    };
    let invoice = &look.invoice;
    let built = build(&invoice.draft, issuer, invoice.folio, &look.debts, now);
    // What keeps a draft from being a document was refused when it was made; what is owed may have changed
    // since. Then the document as it was is judged for the rest.
    let (document, faults) = match built {
        Ok(document) => (document, Vec::new()),
        Err(faults) => (invoice.document.clone(), faults),
    };
    let mut findings: Vec<rules::Finding> = faults.iter().map(stale).collect();
    findings.extend(rules::check(&document, now));
    match &look.csd {
        Some(csd) => findings.extend(rules::check_certificate(&document, csd.certificate(), now)),
        None => findings.push(no_certificate()),
    }
    Ok(Some(findings))
}

/// What has changed around a draft since it was made.
fn stale(fault: &FieldFault) -> rules::Finding {
    let problem = |language| fault.problem.in_language(language);
    let (english, spanish) = (problem(Language::English), problem(Language::Spanish));
    rules::Finding::new("301", &fault.field, english, spanish)
}

/// Nothing of the issuer's could seal.
fn no_certificate() -> rules::Finding {
    rules::Finding::new(
        "306",
        "certificate",
        "must be one of the issuer's RFC: add a CSD with POST /invoices/cfdi/issuer/certificates, or activate one",
        "debe ser uno del RFC del emisor: agregue un CSD con POST /invoices/cfdi/issuer/certificates, o active uno",
    )
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
            Status::Stamped | Status::Cancelled => return already(store, ctx, look.invoice),
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

fn take_over(
    store: &Store,
    ctx: &Ctx,
    id: InvoiceId,
    until: Timestamp,
) -> Written<Begun, InvoiceError> {
    let (vault, ctx) = (Arc::clone(&store.vault), ctx.clone());
    waited(store.command(Some(ctx.account), move |tx| {
        let invoice = rows::locked::<InvoiceError>(tx, ctx.account, id, None)?;
        // Whoever was at it has ended it meanwhile: it is to be looked at anew.
        let row = tasks::locked(tx, ctx.account, id)?.ok_or(Refused::Stale)?;
        if invoice.status != Status::Stamping {
            return Err(Refused::Stale.into());
        }
        if row.is_held(ctx.now) {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        let taken = row.taken(TaskClaimId::from_u128(tx.ids.next()), until);
        if !taken.save_over(tx, &row)? {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        Ok(Done::now(Begun::Task(Box::new(tasks::task(tx.db, &vault, &taken)?))))
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
    let mut invoice = look.invoice.clone();
    if invoice.folio.is_none() {
        // Judged first: a folio is not to be spent on what is refused anyway.
        judged(&invoice, issuer, csd, &look.debts, ctx.now)?;
        invoice = waited(number(store, ctx, &invoice))?.value;
    }
    invoice.document = judged(&invoice, issuer, csd, &look.debts, ctx.now)?;
    let sealed = cfdi::seal::seal(&invoice.document, csd).map_err(|error| {
        Refused::Fault(Fault::Internal(format!("a document could not be sealed: {error}")))
    })?;
    let number = csd.certificate().number().to_owned();
    let (vault, ctx, debts) = (Arc::clone(&store.vault), ctx.clone(), look.debts);
    waited(store.command(Some(ctx.account), move |tx| {
        if let Some(done) = answers::kept_answer(tx, &ctx)? {
            let Done { value, replayed } = done;
            return Ok(Done { value: Begun::Already(Box::new(value)), replayed });
        }
        let task = reserve(tx, &ctx, &vault, &invoice, &debts, (&number, &sealed), until)?;
        Ok(Done::now(Begun::Task(Box::new(task))))
    }))
}

/// The document of a draft, if the rules have nothing against it.
fn judged(
    invoice: &Invoice,
    issuer: &Issuer,
    csd: &Csd,
    debts: &Debts,
    now: Timestamp,
) -> Result<cfdi::document::Document, Refused<InvoiceError>> {
    let document =
        build(&invoice.draft, issuer, invoice.folio, debts, now).map_err(Refused::Invalid)?;
    let mut findings = rules::check(&document, now);
    findings.extend(rules::check_certificate(&document, csd.certificate(), now));
    if findings.is_empty() {
        Ok(document)
    } else {
        Err(Refused::Rule(InvoiceError::Findings(findings)))
    }
}

/// Gives a draft the next folio of its series.
fn number(
    store: &Store,
    ctx: &Ctx,
    invoice: &Invoice,
) -> kernel::Pending<Written<Invoice, InvoiceError>> {
    let (ctx, id, version) = (ctx.clone(), invoice.id, invoice.version);
    store.command(Some(ctx.account), move |tx| {
        let mut invoice = rows::locked(tx, ctx.account, id, Some(version))?;
        if invoice.folio.is_none() {
            // Nor on what cannot be paid for.
            credits::demand(tx.db, ctx.account)?;
            let folio = next_folio(tx, ctx.account, &invoice.draft.series)?;
            invoice.folio = u64::try_from(folio).ok();
            rows::save(tx, ctx.account, &mut invoice, ctx.now)?;
        }
        Ok(Done::now(invoice))
    })
}

fn next_folio(tx: &mut Tx<'_>, account: AccountId, series: &str) -> QueryResult<i64> {
    let first =
        (folios::account_id.eq(account.to_string()), folios::series.eq(series), folios::last.eq(1));
    on!(tx.db, |conn| diesel::insert_into(folios::table)
        .values(first)
        .on_conflict((folios::account_id, folios::series))
        .do_update()
        .set(folios::last.eq(folios::last + 1))
        .returning(folios::last)
        .get_result(conn))
}

/// Everything that must be on record before the provider is called, in one transaction.
fn reserve(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    sealed_invoice: &Invoice,
    debts: &Debts,
    (certificate_number, sealed): (&str, &Sealed),
    until: Timestamp,
) -> Outcome<Task> {
    let account = ctx.account;
    let version = Some(sealed_invoice.version);
    let mut invoice = rows::locked(tx, account, sealed_invoice.id, version)?;
    // The invoice that it was to take the place of may have given its orders up to another since.
    write::take_orders(tx, account, invoice.id, &invoice.draft)?;
    write::keep_orders(tx, account, &invoice)?;
    write::check_sources(tx, account, &invoice)?;
    receipts::pay(tx, account, sealed_invoice, debts, ctx.now)?;
    credits::reserve(tx, account, invoice.id, ctx.now)?;
    invoice.document = sealed_invoice.document.clone();
    invoice.status = Status::Stamping;
    invoice.last_error = None;
    rows::save(tx, account, &mut invoice, ctx.now)?;
    papers::forget(tx, account, invoice.id)?;
    papers::keep_sealed(tx, account, invoice.id, certificate_number, sealed)?;
    relations::note(tx, account, &invoice)?;
    issuer::lock(tx, account)?;
    let claim = TaskClaimId::from_u128(tx.ids.next());
    let row = tasks::TaskRow::claimed(account, invoice.id, tasks::STAMP, claim, ctx.now, until);
    row.insert(tx)?;
    Ok(tasks::task(tx.db, vault, &row)?)
}

/// Records what follows from an answer.
pub(super) fn record(
    tx: &mut Tx<'_>,
    task: &Task,
    verdict: &Verdict,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Invoice> {
    let account = task.account;
    let mut invoice = rows::locked::<InvoiceError>(tx, account, task.invoice, None)?;
    let row = tasks::locked(tx, account, task.invoice)?;
    if let Verdict::Stamped { stamp, .. } = verdict
        && !is_awaited(tx, account, &invoice, &stamp.issuer_seal)?
    {
        let (id, uuid, status) = (invoice.id, &stamp.uuid, invoice.status.name());
        tracing::error!(invoice = %id, uuid, status, "a stamp came of what is not being stamped");
        return Ok(invoice);
    }
    let (Some(row), Status::Stamping) = (row, invoice.status) else { return Ok(invoice) };
    let is_ours = row.claim_id.as_deref() == Some(task.claim.to_string().as_str());
    match verdict {
        // A stamp is a stamp, whoever brings it.
        Verdict::Stamped { stamp, xml } => {
            invoice.status = Status::Stamped;
            invoice.stamp =
                Some(Stamped { stamp: stamp.clone(), provider: task.provider, at: now });
            let in_parts = invoice.document.payment_method == Some(PaymentMethod::Ppd);
            invoice.balance = in_parts.then(|| invoice.totals().total);
            invoice.last_error = None;
            rows::save(tx, account, &mut invoice, now)?;
            papers::keep_stamped(tx, account, invoice.id, xml)?;
            credits::commit(tx, account, invoice.id, now)?;
            row.delete(tx)?;
            keep_answer(tx, account, idempotency, &invoice, now)?;
        }
        _ if !is_ours => {}
        Verdict::Back(rejection) => {
            invoice.status = Status::Draft;
            invoice.last_error = Some(LastError { at: now, rejection: rejection.clone() });
            rows::save(tx, account, &mut invoice, now)?;
            receipts::unpay(tx, account, &invoice, now)?;
            write::return_orders(tx, account, &invoice)?;
            credits::release(tx, account, invoice.id, now)?;
            papers::forget(tx, account, invoice.id)?;
            relations::forget(tx, account, invoice.id)?;
            row.delete(tx)?;
        }
        Verdict::Recover | Verdict::Wait { .. } => {
            let mut later = row.postponed(pause_seconds(row.tries() + 1), now);
            later.is_doubtful = 1;
            later.save_over(tx, &row)?;
            if let Verdict::Wait { reason } = verdict {
                let rejection = Rejection { code: "unknown".to_owned(), message: reason.clone() };
                invoice.last_error = Some(LastError { at: now, rejection });
                rows::save(tx, account, &mut invoice, now)?;
            }
        }
    }
    Ok(invoice)
}

/// Whether a stamp of this seal is the invoice's, by now or before.
fn is_awaited(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    seal: &str,
) -> QueryResult<bool> {
    let papers = papers::by_invoice(tx.db, account, invoice.id)?;
    Ok(invoice.status != Status::Draft && papers.is_some_and(|papers| papers.seal == seal))
}

/// Keeps the invoice as the answer of the request that began the saga, unless another request has used its
/// key meanwhile: what is done stays done.
pub(super) fn keep_answer(
    tx: &mut Tx<'_>,
    account: AccountId,
    idempotency: Option<&Idempotency>,
    invoice: &Invoice,
    now: Timestamp,
) -> Outcome<()> {
    let ctx = Ctx { account, now, idempotency: idempotency.cloned() };
    match answers::once(tx, &ctx, |_| Ok::<_, Stop<InvoiceError>>(invoice.clone())) {
        Ok(_) | Err(Stop::Refused(Refused::KeyReused)) => Ok(()),
        Err(stop) => Err(stop),
    }
}
