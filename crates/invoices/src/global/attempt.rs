//! What follows from an attempt to stamp a global invoice, which nobody waits for.

use cfdi::rules::{self, Finding};
use kernel::{
    Done, Fault, FieldFault, Message, NewEvent, Refused, Timestamp, Written, message,
    reason::Reason,
};
use tasks::why;

use super::Fate;
use crate::{
    Invoice, InvoiceError, LastError, STAMP_COST, Status, events, provider::Rejection,
    stamping::NOT_TAKEN,
};

/// What an attempt to stamp has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempted {
    /// It is known what has become of the invoice.
    Known(Fate),
    /// A rule has refused it, and only somebody's decision changes that.
    Refused(Rejection),
    /// The provider has refused it, which is on record and was told.
    Rejected(Rejection),
    /// Something outside was away: it is worth another attempt.
    Later(Rejection),
}

/// Reads the answer to a request to stamp a global invoice. The codes are those with which the API refuses.
#[must_use]
pub fn attempted(answer: Written<Invoice, InvoiceError>) -> Attempted {
    match answer {
        Ok(Done { value, .. }) => Attempted::Known(fate(value.status)),
        Err(Refused::Rule(error)) => refused(error),
        Err(Refused::NotFound) => Attempted::Known(Fate::Deleted),
        Err(Refused::Invalid(faults)) => {
            Attempted::Refused(said("validation_failed", &listed(&faults)))
        }
        Err(Refused::Fault(fault)) => Attempted::Later(of_fault(&fault)),
        Err(_) => {
            let why = message!("it could not be dealt with yet", "todavía no se ha podido atender");
            Attempted::Later(said("unavailable", &why))
        }
    }
}

fn fate(status: Status) -> Fate {
    match status {
        Status::Draft => Fate::Draft,
        Status::Stamping => Fate::Stamping,
        Status::Stamped => Fate::Stamped,
        Status::Cancelled => Fate::Cancelled,
    }
}

fn refused(error: InvoiceError) -> Attempted {
    let refused = |code, why: Message| Attempted::Refused(said(code, &why));
    match error {
        InvoiceError::NotDraft { status } => Attempted::Known(fate(status)),
        InvoiceError::UnderWay | InvoiceError::OutcomeUnknown { .. } => {
            Attempted::Known(Fate::Stamping)
        }
        InvoiceError::Provider(rejection) => Attempted::Rejected(rejection),
        InvoiceError::ProviderUnavailable { reason } => {
            Attempted::Later(rejection(NOT_TAKEN, reason))
        }
        InvoiceError::InsufficientCredits { available } => refused(
            "insufficient_credits",
            message!(
                "a stamp takes {STAMP_COST} credits and {available} are available",
                "un timbre cuesta {STAMP_COST} créditos y hay {available} disponibles"
            ),
        ),
        InvoiceError::Findings(findings) => Attempted::Refused(first_of(&findings)),
        InvoiceError::NoCertificate => refused(
            "certificate_missing",
            message!(
                "no active certificate can seal it",
                "ningún certificado activo puede sellar el documento"
            ),
        ),
        InvoiceError::NoProvider => refused(
            "provider_missing",
            message!(
                "no certification provider is chosen",
                "no hay un proveedor de certificación elegido"
            ),
        ),
        InvoiceError::NoIssuer => refused(
            "issuer_missing",
            message!("no issuer is configured", "no hay un emisor configurado"),
        ),
        InvoiceError::OrderInvoiced { order, invoice } => refused(
            "order_already_invoiced",
            message!(
                "order {order} is invoiced by {invoice}",
                "el pedido {order} ya está facturado en {invoice}"
            ),
        ),
        _ => refused(
            "conflict",
            message!("it cannot be stamped as it is", "no se puede timbrar como está"),
        ),
    }
}

/// What is said where somebody was faster at an invoice.
#[must_use]
pub fn overtaken(fate: Fate) -> Rejection {
    let english = fate.name();
    let spanish = match fate {
        Fate::Draft => "en borrador",
        Fate::Stamping => "en proceso de timbrado",
        Fate::Stamped => "timbrada",
        Fate::Cancelled => "cancelada",
        Fate::Deleted => "eliminada",
    };
    said("conflict", &message!("the invoice is {english}", "la factura está {spanish}"))
}

/// All findings, under the authority's code of the first, in both languages, to people who have sent no fields: nobody has asked for
/// the draft.
pub(crate) fn first_of(findings: &[Finding]) -> Rejection {
    let code = findings.first().map_or("invoice_invalid", |first| first.code);
    let said = Message::both(|language| {
        let said: Vec<String> = findings.iter().map(|finding| finding.told(language)).collect();
        said.join(" ")
    });
    rejection(code, Reason::DraftFindings.in_both(&said))
}

fn listed(faults: &[FieldFault]) -> Message {
    Message::both(|language| {
        let said = faults
            .iter()
            .map(|fault| rules::told(&fault.field, fault.problem.in_language(language), language));
        said.collect::<Vec<_>>().join("; ")
    })
}

/// A fault as tasks tell it.
fn of_fault(fault: &Fault) -> Rejection {
    let kept = fault.to_string();
    match why::told(&kept) {
        Some(told) => said("unavailable", &told),
        None => rejection("unavailable", kept),
    }
}

/// What the service says itself, as it is kept.
fn said(code: &str, message: &Message) -> Rejection {
    rejection(code, Reason::OwnWords.in_both(message))
}

fn rejection(code: &str, message: String) -> Rejection {
    Rejection { code: code.to_owned(), message }
}

/// A draft that was refused, and what is told of that: nobody else has.
#[must_use]
pub fn draft_refused(
    before: &Invoice,
    rejection: &Rejection,
    now: Timestamp,
) -> (Invoice, Vec<NewEvent>) {
    let last_error = Some(LastError { at: now, rejection: rejection.clone() });
    let mut after = Invoice { last_error, ..before.clone() };
    after.touch(now);
    let events = vec![events::stamp_failed(&after, rejection)];
    (after, events)
}

#[cfg(test)]
mod tests {
    use kernel::{Language, reason::told};

    use super::*;
    use crate::InvoiceId;

    fn rule(error: InvoiceError) -> Attempted {
        attempted(Err(Refused::Rule(error)))
    }

    fn in_both(rejection: &Rejection) -> [String; 2] {
        let told = told(&rejection.message);
        Language::EVERY.map(|language| told.in_language(language).to_owned())
    }

    #[test]
    fn what_is_under_way_or_gone_is_left_alone() {
        let reason = "no answer within 30 s".to_owned();
        for (attempt, fate) in [
            (rule(InvoiceError::UnderWay), Fate::Stamping),
            (rule(InvoiceError::OutcomeUnknown { reason }), Fate::Stamping),
            (rule(InvoiceError::NotDraft { status: Status::Cancelled }), Fate::Cancelled),
            (attempted(Err(Refused::NotFound)), Fate::Deleted),
        ] {
            assert_eq!(attempt, Attempted::Known(fate));
        }
    }

    #[test]
    fn what_only_somebody_can_change_is_told_once() {
        let order = crate::OrderId::from_u128(1);
        let invoice = InvoiceId::from_u128(2);
        let finding = Finding::new("CFDI40136", "paymentForm", "is 99", "es 99");
        let fault = kernel::FieldFault::new("orderIds", message!("are old", "son viejos"));
        let later = message!("must be later", "debe ser posterior");
        let early = kernel::FieldFault::new("payments[0].paidAt", later);
        for (attempt, code, part) in [
            (rule(InvoiceError::InsufficientCredits { available: 9 }), "insufficient_credits", "9"),
            (rule(InvoiceError::NoCertificate), "certificate_missing", "certificate"),
            (rule(InvoiceError::NoProvider), "provider_missing", "provider"),
            (
                rule(InvoiceError::OrderInvoiced { order, invoice }),
                "order_already_invoiced",
                "inv_",
            ),
            (rule(InvoiceError::Findings(vec![finding])), "CFDI40136", "The payment form is 99."),
            (
                attempted(Err(Refused::Invalid(vec![fault]))),
                "validation_failed",
                "orderIds are old",
            ),
            (
                attempted(Err(Refused::Invalid(vec![early]))),
                "validation_failed",
                "the day of the payment must be later",
            ),
        ] {
            let Attempted::Refused(rejection) = attempt else { panic!("{attempt:?}") };
            assert_eq!(rejection.code, code);
            let [english, spanish] = in_both(&rejection);
            assert!(english.contains(part) && english != spanish, "{english}, {spanish}");
        }
        for fate in Fate::EVERY {
            let [english, spanish] = in_both(&overtaken(*fate));
            assert!(english.ends_with(fate.name()) && english != spanish, "{english}, {spanish}");
        }
    }

    #[test]
    fn what_was_away_is_tried_again() {
        let reason = "connection refused".to_owned();
        let away = rule(InvoiceError::ProviderUnavailable { reason: reason.clone() });
        assert_eq!(away, Attempted::Later(rejection(NOT_TAKEN, reason)));
        let fault = Fault::Unavailable("no database".to_owned());
        for refused in [Refused::Fault(fault), Refused::Busy] {
            let attempt = attempted(Err(refused));
            let Attempted::Later(rejection) = attempt else { panic!("{attempt:?}") };
            let [english, spanish] = in_both(&rejection);
            assert_ne!(english, spanish);
        }
    }
}
