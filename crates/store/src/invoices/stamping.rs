//! Stamping: sealing and setting aside, then what each answer leaves behind.

use std::{ops::RangeInclusive, sync::Arc};

use ::invoices::{
    Balance, Debts, Invoice, InvoiceError, InvoiceId, Issuer, IssuerId, Status,
    calls::{Begun, ProviderCall, Step},
    credits::demand,
    provider::ProviderKind,
    stamping::{self, Billed, Sealing, StampCall, StrayStamp, Verdict},
};
use ::tasks::kind::STAMP;
use cfdi::csd::Csd;
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};

use super::{
    around, calls, certificates, credits, documents, holders, issuers,
    kept::{Kept, begun, waited},
    known::{self, Named},
    provider::{self, OnRecord},
    relations, rows, settling, steps,
    together::{Made, Numbering, Reservation, Reserving, SealedDraft, submit},
};
use crate::{answers, db::Db, error::Failure, store::Store, tx::Tx, under_way, vault::Vault};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// What sealing needs to know.
pub(super) struct Look {
    invoice: Invoice,
    issuer: Option<Issuer>,
    csd: Option<Arc<Csd>>,
    provider: Option<ProviderKind>,
    /// What is on record of whom the account calls.
    on_record: OnRecord,
    debts: Debts,
    balance: Balance,
    /// What has become of its orders.
    billed: Billed,
    /// The own invoices that it names.
    named: Named,
    /// Whether it can be reserved together with others.
    stands_alone: bool,
}

fn look(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<Look>> {
    let Some(invoice) = rows::by_id(db, account, id)? else { return Ok(None) };
    let issuer_id = invoice.draft.issuer.unwrap_or_else(|| IssuerId::first_of(account));
    let (issuer, csd) = match issuers::with_certificate(db, account, issuer_id)? {
        Some((issuer, texts)) => {
            let csd = texts.map(|texts| certificates::sealing_with(vault, account, &texts));
            (Some(issuer), csd.transpose()?)
        }
        None => (None, None),
    };
    let named = known::named(db, account, &invoice.draft)?;
    let seen = (&named.paid, &named.related);
    let debts = known::debts_beside(db, account, &invoice.draft, seen)?;
    let (on_record, balance) = provider::on_record_with_credits(db, account)?;
    let provider = on_record.choice()?.kind;
    // What is going to be refused is not to be tried together with others.
    let billed = around::billed(db, account, &invoice.draft)?;
    let stands_alone = invoice.draft.stands_alone() && billed.is_sold();
    Ok(Some(Look {
        invoice,
        issuer,
        csd,
        provider,
        on_record,
        debts,
        balance,
        billed,
        named,
        stands_alone,
    }))
}

/// Everything a draft would be refused for.
pub(super) fn findings(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: InvoiceId,
    now: Timestamp,
) -> QueryResult<Option<::invoices::Validation>> {
    let Some(look) = look(db, vault, account, id)? else {
        return Ok(None);
    };
    let Look { invoice, issuer, csd, debts, billed, named, .. } = look;
    let certificate = csd.as_ref().map(|csd| csd.certificate());
    let seen = (&named.paid, &named.related);
    let (sources, is_withheld) = around::sources_seen(db, account, &invoice, billed, seen)?;
    let on = (&sources, is_withheld);
    let issuer = issuer.as_ref();
    Ok(Some(stamping::findings(&invoice, issuer, certificate, &debts, on, now)))
}

/// How invoices are sealed.
impl Kept for Invoice {
    type Look = Look;

    fn look(
        db: &mut Db,
        vault: &Vault,
        account: AccountId,
        id: InvoiceId,
    ) -> QueryResult<Option<Look>> {
        look(db, vault, account, id)
    }

    fn seen(look: &Look) -> &Self {
        &look.invoice
    }

    fn versions_alike(
        db: &mut Db,
        account: AccountId,
        id: InvoiceId,
    ) -> QueryResult<RangeInclusive<i64>> {
        rows::versions_alike(db, account, id)
    }

    fn seal_and_reserve(
        store: &Store,
        ctx: &Ctx,
        look: Look,
        until: Timestamp,
    ) -> Written<Begun<Self>, InvoiceError> {
        seal_and_reserve(store, ctx, look, until)
    }

    fn locked(tx: &mut Tx<'_>, account: AccountId, id: InvoiceId) -> Outcome<Self> {
        rows::locked(tx, account, id, None)
    }

    fn step(
        db: &mut Db,
        account: AccountId,
        id: InvoiceId,
        kind: &str,
    ) -> QueryResult<(Step, Option<ProviderKind>)> {
        steps::step(db, account, id, kind)
    }

    fn not_draft(status: Status) -> InvoiceError {
        InvoiceError::NotDraft { status }
    }
}

fn seal_and_reserve(
    store: &Store,
    ctx: &Ctx,
    look: Look,
    until: Timestamp,
) -> Written<Begun<Invoice>, InvoiceError> {
    let rule = |error| Refused::Rule(error);
    let issuer = look.issuer.as_ref().ok_or(rule(InvoiceError::NoIssuer))?;
    let csd = look.csd.as_ref().ok_or(rule(InvoiceError::NoCertificate))?;
    let provider = look.provider.ok_or(rule(InvoiceError::NoProvider))?;
    let mut invoice = look.invoice;
    // Checked first: a folio is not to be spent on what is refused anyway, nor are others to wait for it.
    let certificate = csd.certificate();
    let mut document = stamping::checked(&invoice, issuer, certificate, &look.debts, ctx.now)?;
    if invoice.folio.is_none() {
        demand(look.balance)?;
        let step = Numbering { ctx: ctx.clone(), seen: invoice };
        invoice = waited(submit(store, ctx.account, step))?.value;
        document = stamping::numbered(document, &invoice);
    }
    let sealed = cfdi::seal::seal(&document, csd).map_err(|error| {
        Refused::Fault(Fault::Internal(format!("a document could not be sealed: {error}")))
    })?;
    let number = certificate.number().to_owned();
    let (id, version) = (invoice.id, invoice.version);
    let draft = SealedDraft { id, version, document, debts: look.debts, provider, number, sealed };
    let vault = store.engine.vault();
    if look.stands_alone {
        let step = Reserving::of((ctx, vault), invoice, draft, look.on_record, until)?;
        let Done { value, replayed } = waited(submit(store, ctx.account, step))?;
        return Ok(match value {
            Reservation::Already(invoice) => begun(Done { value: *invoice, replayed }),
            Reservation::Made(made) => {
                let Made { call, invoice: subject, task } = *made;
                store.under_way.remember(id, under_way::Begun { subject, task }, ctx.now);
                Done { value: Begun::Call(Box::new(call)), replayed }
            }
        });
    }
    let ctx = ctx.clone();
    waited(store.engine.command(Some(ctx.account), move |tx| {
        if let Some(done) = answers::kept_answer(tx, &ctx)? {
            return Ok(begun(done));
        }
        let call = reserve(tx, &ctx, &vault, &draft, until)?;
        Ok(Done::now(Begun::Call(Box::new(call))))
    }))
}

/// Everything that must be on record before the provider is called, in one transaction.
fn reserve(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    draft: &SealedDraft,
    until: Timestamp,
) -> Outcome<ProviderCall<InvoiceId>> {
    let (account, id) = (ctx.account, draft.id);
    let invoice = around::locked_newest_first(tx, account, id, Some(draft.version))?;
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
    let document = steps::document(id, draft.sealed.xml.clone());
    Ok(calls::stamping(tx.db, vault, id, &task, (document, &draft.sealed.seal))?)
}

/// Records what follows from an answer.
pub(super) fn record(
    tx: &mut Tx<'_>,
    call: &ProviderCall<InvoiceId>,
    verdict: &Verdict,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Invoice> {
    let account = call.callee.account;
    let invoice = around::locked_newest_first(tx, account, call.subject, None)?;
    let task = calls::locked(tx, account, call.subject)?;
    let seal = documents::seal(tx.db, account, call.subject)?;
    let around = match verdict {
        Verdict::Back(_) => around::load_giving_back(tx, account, &invoice)?,
        _ => around::load(tx, account, &invoice)?,
    };
    let open = settling::open(task.as_ref(), call.claim);
    let stamping = StampCall { task: open, seal: seal.as_deref(), provider: call.callee.provider };
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
