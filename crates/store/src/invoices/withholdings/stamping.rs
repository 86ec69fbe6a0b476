//! Stamping: sealing and setting aside, then what each answer leaves behind.

use std::{ops::RangeInclusive, sync::Arc};

use ::invoices::{
    Certified, InvoiceError, Issuer, Status, Validation,
    calls::{Begun, ProviderCall, Step},
    provider::{ProviderKind, Service, ToCancel, ToStamp},
    stamping::{StampCall, StrayStamp, Verdict},
    withholding::{Refusal, Withholding, WithholdingId, stamping},
};
use cfdi::{csd::Csd, seal::Sealed, withholding as document};
use diesel::QueryResult;
use kernel::{AccountId, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};

use super::{documents, rows, settling};
use crate::{
    answers,
    db::Db,
    error::Failure,
    invoices::{
        calls, certificates, credits, issuers,
        kept::{Kept, begun, waited},
        provider,
        settling::open,
    },
    rows::corrupt,
    store::Store,
    tx::Tx,
    vault::Vault,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// What sealing needs to know.
pub(in crate::invoices) struct Look {
    withholding: Withholding,
    issuer: Option<Issuer>,
    csd: Option<Arc<Csd>>,
    provider: Option<ProviderKind>,
}

/// How withholdings are sealed.
impl Kept for Withholding {
    type Look = Look;

    fn look(
        db: &mut Db,
        vault: &Vault,
        account: AccountId,
        id: WithholdingId,
    ) -> QueryResult<Option<Look>> {
        let Some(withholding) = rows::by_id(db, account, id)? else { return Ok(None) };
        let issuer = issuers::one(db, account, Some(withholding.draft.issuer))?;
        let csd = match &issuer {
            Some(issuer) => certificates::active(db, vault, account, &issuer.rfc)?,
            None => None,
        };
        let provider = provider::choice(db, account)?.kind;
        Ok(Some(Look { withholding, issuer, csd, provider }))
    }

    fn seen(look: &Look) -> &Self {
        &look.withholding
    }

    fn versions_alike(
        db: &mut Db,
        account: AccountId,
        id: WithholdingId,
    ) -> QueryResult<RangeInclusive<i64>> {
        rows::versions_alike(db, account, id)
    }

    fn seal_and_reserve(
        store: &Store,
        ctx: &Ctx,
        look: Look,
        until: Timestamp,
    ) -> Written<Begun<Self>, InvoiceError> {
        let draft = sealed(&look, ctx.now)?;
        let (vault, ctx) = (store.engine.vault(), ctx.clone());
        waited(store.engine.command(Some(ctx.account), move |tx| {
            if let Some(done) = answers::kept_answer(tx, &ctx)? {
                return Ok(begun(done));
            }
            let call = reserve(tx, &ctx, &vault, &draft, until)?;
            Ok(Done::now(Begun::Call(Box::new(call))))
        }))
    }

    fn locked(tx: &mut Tx<'_>, account: AccountId, id: WithholdingId) -> Outcome<Self> {
        rows::locked(tx, account, id, None)
    }

    fn step(
        db: &mut Db,
        account: AccountId,
        id: WithholdingId,
        kind: &str,
    ) -> QueryResult<(Step, Option<ProviderKind>)> {
        let missing = || corrupt(format!("the task of {id} without its documents"));
        let papers = documents::by_withholding(db, account, id)?.ok_or_else(missing)?;
        let withholding = rows::by_id(db, account, id)?.ok_or_else(missing)?;
        let stamper = withholding.stamp.as_ref().map(|stamped| stamped.provider);
        if kind == Self::STAMP.name {
            let document = to_stamp(id, papers.sealed_xml);
            return Ok((Step::Stamp { document, seal: papers.seal }, stamper));
        }
        let request = ToCancel {
            service: Service::Withholding,
            uuid: withholding.uuid().ok_or_else(missing)?.to_owned(),
            issuer_rfc: withholding.document.issuer.rfc,
            xml: papers.cancel_request.ok_or_else(missing)?,
        };
        Ok((Step::Cancel { request, expression: None }, stamper))
    }

    fn not_draft(status: Status) -> InvoiceError {
        Refusal::NotDraft { status }.into()
    }
}

fn to_stamp(id: WithholdingId, xml: String) -> ToStamp {
    ToStamp { service: Service::Withholding, key: id.to_string(), xml }
}

/// Everything a draft would be refused for.
pub(super) fn findings(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: WithholdingId,
    now: Timestamp,
) -> QueryResult<Option<Validation>> {
    let look = Withholding::look(db, vault, account, id)?;
    Ok(look.map(|Look { withholding, issuer, csd, .. }| {
        let certificate = csd.as_ref().map(|csd| csd.certificate());
        stamping::findings(&withholding, issuer.as_ref(), certificate, now)
    }))
}

/// A draft that was sealed outside of any transaction.
struct SealedDraft {
    id: WithholdingId,
    /// The version that was sealed.
    version: i64,
    document: document::Withholding,
    /// The number of the certificate.
    number: String,
    sealed: Sealed,
}

fn sealed(look: &Look, now: Timestamp) -> Result<SealedDraft, Refused<InvoiceError>> {
    let rule = |error| Refused::Rule(error);
    let Look { withholding, issuer, csd, provider } = look;
    let issuer = issuer.as_ref().ok_or(rule(InvoiceError::NoIssuer))?;
    let csd = csd.as_ref().ok_or(rule(InvoiceError::NoCertificate))?;
    provider.ok_or(rule(InvoiceError::NoProvider))?;
    let document = stamping::checked(withholding, issuer, csd.certificate(), now)?;
    let sealed = cfdi::seal::seal_withholding(&document, csd).map_err(|error| {
        Refused::Fault(Fault::Internal(format!("a withholding could not be sealed: {error}")))
    })?;
    let number = csd.certificate().number().to_owned();
    Ok(SealedDraft { id: withholding.id, version: withholding.version, document, number, sealed })
}

/// Everything that must be on record before the provider is called, in one transaction.
fn reserve(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    draft: &SealedDraft,
    until: Timestamp,
) -> Outcome<ProviderCall<WithholdingId>> {
    let (account, id) = (ctx.account, draft.id);
    let withholding = rows::locked(tx, account, id, Some(draft.version))?;
    let balance = credits::locked(tx, account)?;
    // With the balance locked, nobody else begins to stamp for this account.
    let twin = documents::sealed_so(tx.db, account, &draft.sealed.seal)?;
    let reserved = stamping::reserve(&withholding, &draft.document, twin, balance, ctx.now)?;
    credits::enter(tx, account, (balance, &reserved.credits), ctx.now)?;
    rows::save(tx, account, &reserved.withholding)?;
    documents::keep_sealed(tx, account, id, &draft.number, &draft.sealed)?;
    issuers::lock(tx, account)?;
    let task = calls::open(tx, (account, id), Withholding::STAMP, ctx.now, until)?;
    let document = to_stamp(id, draft.sealed.xml.clone());
    Ok(calls::stamping(tx.db, vault, id, &task, (document, &draft.sealed.seal))?)
}

/// Records what follows from an answer.
pub(super) fn record(
    tx: &mut Tx<'_>,
    call: &ProviderCall<WithholdingId>,
    verdict: &Verdict,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<Withholding> {
    let (account, id) = (call.callee.account, call.subject);
    let withholding = rows::locked::<InvoiceError>(tx, account, id, None)?;
    let task = calls::locked(tx, account, id)?;
    let seal = documents::seal(tx.db, account, id)?;
    let open = open(task.as_ref(), call.claim);
    let stamping = StampCall { task: open, seal: seal.as_deref(), provider: call.callee.provider };
    let settled = match stamping::settle(&withholding, verdict, stamping, now) {
        Ok(settled) => settled,
        Err(StrayStamp { uuid }) => {
            let status = withholding.status.name();
            tracing::error!(withholding = %id, uuid, status, "a stamp came of what is not being stamped");
            return Ok(withholding);
        }
    };
    settling::record(tx, account, (&withholding, task.as_ref()), &settled, idempotency, now)?;
    Ok(settled.withholding)
}
