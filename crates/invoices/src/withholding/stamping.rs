//! Stamping a withholding: what the rules have against it, what is on record before the first call to a provider, and what
//! follows from each answer. The verdicts on answers are those of [invoices](crate::stamping).

use cfdi::{
    csd::Certificate,
    rules::{check_withholding, check_withholding_certificate},
    stamp::Stamp,
    withholding as document,
};
use kernel::{Refused, Timestamp};

use super::{Refusal, Settled, Withholding, WithholdingId, build, drafting::require_draft, events};
use crate::{
    Balance, Findings, InvoiceError, Issuer, LastError, Stamped, Status, Validation,
    credits::{self, Charged, CreditChange},
    provider::{ProviderKind, Rejection},
    settled::{DocumentChange, OpenTask, TaskChange},
    stamping::{
        ABANDONED, AttachRefusal, SealedDocument, StampCall, StrayStamp, UNKNOWN, Verdict,
        no_certificate, outdated, pause_seconds,
    },
};

/// What is recorded before the first call: all of it together, with the sealed XML and the task.
#[derive(Clone, Debug, PartialEq)]
pub struct Reserved {
    /// The withholding, being stamped.
    pub withholding: Withholding,
    /// The credits set aside.
    pub credits: CreditChange,
}

/// Everything a draft would be refused for at `now`. One that is sealed already has no findings, nor has one of an account
/// without an issuer.
#[must_use]
pub fn findings(
    withholding: &Withholding,
    issuer: Option<&Issuer>,
    certificate: Option<&Certificate>,
    now: Timestamp,
) -> Validation {
    let (Some(issuer), Status::Draft) = (issuer, withholding.status) else {
        return Validation::default();
    };
    // What keeps a draft from being a document was refused when it was made; its issuer may have moved since.
    let (document, faults) = match build(&withholding.draft, issuer, now) {
        Ok(document) => (document, Vec::new()),
        Err(faults) => (withholding.document.clone(), faults),
    };
    let mut findings: Findings = faults.iter().map(outdated).collect();
    findings.extend(check_withholding(&document, now));
    match certificate {
        Some(certificate) => {
            findings.extend(check_withholding_certificate(&document, certificate, now));
        }
        None => findings.push(no_certificate()),
    }
    Validation { findings, warnings: Findings::new() }
}

/// The document of a draft, to be sealed.
///
/// # Errors
/// [`Refused::Invalid`] when it is no document any more; [`Refusal::Findings`] when the rules have something against it.
pub fn checked(
    withholding: &Withholding,
    issuer: &Issuer,
    certificate: &Certificate,
    now: Timestamp,
) -> Result<document::Withholding, Refused<InvoiceError>> {
    let document = build(&withholding.draft, issuer, now).map_err(Refused::Invalid)?;
    let mut findings = check_withholding(&document, now);
    findings.extend(check_withholding_certificate(&document, certificate, now));
    if findings.is_empty() {
        Ok(document)
    } else {
        Err(Refused::Rule(Refusal::Findings(findings).into()))
    }
}

/// Begins to stamp a draft that was sealed as `document`, given which other one has the same seal.
///
/// # Errors
/// [`Refusal::NotDraft`]; [`Refusal::Repeated`], since a provider would answer with the stamp of the other;
/// [`InvoiceError::InsufficientCredits`].
pub fn reserve(
    draft: &Withholding,
    document: &document::Withholding,
    twin: Option<WithholdingId>,
    balance: Balance,
    now: Timestamp,
) -> Result<Reserved, Refused<InvoiceError>> {
    require_draft(draft)?;
    if let Some(id) = twin {
        return Err(Refused::Rule(Refusal::Repeated { id }.into()));
    }
    let credits = credits::reserve(balance, Charged::Withholding(draft.id))?;
    let mut withholding = Withholding {
        status: Status::Stamping,
        document: document.clone(),
        last_error: None,
        ..draft.clone()
    };
    withholding.touch(now);
    Ok(Reserved { withholding, credits })
}

/// Settles a call to stamp. A worker whose claim has passed to another changes nothing, unless it brings the
/// stamp that all are waiting for.
///
/// # Errors
/// [`StrayStamp`] for a stamp of another document than the one that is kept of the withholding.
pub fn settle(
    withholding: &Withholding,
    verdict: &Verdict,
    call: StampCall<'_>,
    now: Timestamp,
) -> Result<Settled, StrayStamp> {
    if let Verdict::Stamped { stamp, .. } = verdict
        && (withholding.status == Status::Draft || call.seal != Some(stamp.issuer_seal.as_str()))
    {
        return Err(StrayStamp { uuid: stamp.uuid.clone() });
    }
    let (Some(task), Status::Stamping) = (call.task, withholding.status) else {
        return Ok(Settled::unchanged(withholding));
    };
    Ok(match verdict {
        // A stamp is a stamp, whoever brings it.
        Verdict::Stamped { stamp, xml } => {
            let stamp = Stamped { stamp: stamp.clone(), provider: call.provider, at: now };
            stamped(withholding, stamp, xml, now)
        }
        _ if !task.is_held => Settled::unchanged(withholding),
        Verdict::Back(rejection) => back(withholding, rejection, now),
        Verdict::Recover => postponed(Settled::unchanged(withholding), task),
        Verdict::Wait { reason } => {
            let rejection = Rejection { code: UNKNOWN.to_owned(), message: reason.clone() };
            let last_error = Some(LastError { at: now, rejection });
            let mut after = Withholding { last_error, ..withholding.clone() };
            after.touch(now);
            postponed(Settled::unchanged(&after), task)
        }
    })
}

/// Gives up a call to stamp, for a reason: an operator knows that the provider has not stamped the document and never
/// will. The task ends with it, whoever held it.
#[must_use]
pub fn give_up(withholding: &Withholding, reason: &str, now: Timestamp) -> Settled {
    if withholding.status != Status::Stamping {
        return Settled::unchanged(withholding);
    }
    let rejection = Rejection { code: ABANDONED.to_owned(), message: reason.to_owned() };
    back(withholding, &rejection, now)
}

/// Settles a withholding as stamped by the stamp in `xml`, which an operator brings. Only the stamp is taken from there: it
/// confirms the seal, and is kept with the very bytes that were sealed.
///
/// # Errors
/// [`AttachRefusal`]; then nothing may be recorded.
pub fn attach(
    withholding: &Withholding,
    xml: &str,
    sealed: SealedDocument<'_>,
    (task, provider): (OpenTask, ProviderKind),
    now: Timestamp,
) -> Result<Settled, AttachRefusal> {
    if withholding.status != Status::Stamping {
        return Err(AttachRefusal::NotStamping { status: withholding.status });
    }
    let stamp = Stamp::read(xml).map_err(AttachRefusal::NoStamp)?;
    let xml = stamp.attached_to(sealed.xml);
    let call = StampCall { task: Some(task), seal: Some(sealed.seal), provider };
    let settled = settle(withholding, &Verdict::Stamped { stamp, xml }, call, now);
    settled.map_err(|stray| AttachRefusal::AnotherDocument { uuid: stray.uuid })
}

/// The stamp is kept, and what was set aside is spent.
fn stamped(withholding: &Withholding, stamp: Stamped, xml: &str, now: Timestamp) -> Settled {
    let mut after = Withholding {
        status: Status::Stamped,
        stamp: Some(stamp),
        last_error: None,
        ..withholding.clone()
    };
    after.touch(now);
    Settled {
        credits: Some(credits::commit(Charged::Withholding(withholding.id))),
        documents: Some(DocumentChange::Stamped(xml.to_owned())),
        events: vec![events::stamped(&after)],
        task: TaskChange::End,
        is_answer: true,
        ..Settled::unchanged(&after)
    }
}

/// It is a draft again, and what was set aside for it returns.
fn back(withholding: &Withholding, rejection: &Rejection, now: Timestamp) -> Settled {
    let last_error = Some(LastError { at: now, rejection: rejection.clone() });
    let mut after = Withholding { status: Status::Draft, last_error, ..withholding.clone() };
    after.touch(now);
    Settled {
        credits: Some(credits::release(Charged::Withholding(withholding.id))),
        documents: Some(DocumentChange::Forget),
        events: vec![events::stamp_failed(&after, rejection)],
        task: TaskChange::End,
        ..Settled::unchanged(&after)
    }
}

fn postponed(settled: Settled, task: OpenTask) -> Settled {
    let seconds = pause_seconds(task.attempts.saturating_add(1));
    Settled { task: TaskChange::Postpone { seconds, is_doubtful: true }, ..settled }
}
