//! What follows from an attempt to stamp a global invoice, which nobody waits for.

use cfdi::rules::Finding;
use kernel::{
    Done, FieldFault, Language, Message, NewEvent, Refused, Timestamp, Written, reason::Reason,
};

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
            Attempted::Refused(rejection("validation_failed", listed(&faults)))
        }
        Err(Refused::Fault(fault)) => Attempted::Later(rejection("unavailable", fault.to_string())),
        Err(_) => {
            Attempted::Later(rejection("unavailable", "it could not be dealt with yet".to_owned()))
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
    let refused = |code, why: String| Attempted::Refused(rejection(code, why));
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
            format!("a stamp takes {STAMP_COST} credits and {available} are available"),
        ),
        InvoiceError::Findings(findings) => Attempted::Refused(first_of(&findings)),
        InvoiceError::NoCertificate => {
            refused("certificate_missing", "no active certificate can seal it".to_owned())
        }
        InvoiceError::NoProvider => {
            refused("provider_missing", "no certification provider is chosen".to_owned())
        }
        InvoiceError::NoIssuer => refused("issuer_missing", "no issuer is configured".to_owned()),
        InvoiceError::OrderInvoiced { order, invoice } => {
            refused("order_already_invoiced", format!("order {order} is invoiced by {invoice}"))
        }
        _ => refused("conflict", "it cannot be stamped as it is".to_owned()),
    }
}

/// All findings, under the authority's code of the first, in both languages.
pub(crate) fn first_of(findings: &[Finding]) -> Rejection {
    let code = findings.first().map_or("invoice_invalid", |first| first.code);
    let said = Message::both(|language| {
        let said: Vec<&str> = findings.iter().map(|finding| finding.message(language)).collect();
        said.join(" ")
    });
    rejection(code, Reason::DraftFindings.in_both(&said))
}

fn listed(faults: &[FieldFault]) -> String {
    let said = |fault: &FieldFault| {
        format!("{} {}", fault.field, fault.problem.in_language(Language::English))
    };
    faults.iter().map(said).collect::<Vec<_>>().join("; ")
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
    use kernel::{Fault, message};

    use super::*;
    use crate::InvoiceId;

    fn rule(error: InvoiceError) -> Attempted {
        attempted(Err(Refused::Rule(error)))
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
        let finding = Finding::new("CFDI40136", "global.year", "is 2024", "es 2024");
        let fault = kernel::FieldFault::new("orderIds", message!("are old", "son viejos"));
        for (attempt, code, part) in [
            (rule(InvoiceError::InsufficientCredits { available: 9 }), "insufficient_credits", "9"),
            (rule(InvoiceError::NoCertificate), "certificate_missing", "certificate"),
            (rule(InvoiceError::NoProvider), "provider_missing", "provider"),
            (
                rule(InvoiceError::OrderInvoiced { order, invoice }),
                "order_already_invoiced",
                "inv_",
            ),
            (rule(InvoiceError::Findings(vec![finding])), "CFDI40136", "global.year is 2024"),
            (
                attempted(Err(Refused::Invalid(vec![fault]))),
                "validation_failed",
                "orderIds are old",
            ),
        ] {
            let Attempted::Refused(rejection) = attempt else { panic!("{attempt:?}") };
            assert_eq!(rejection.code, code);
            assert!(rejection.message.contains(part), "{}", rejection.message);
        }
    }

    #[test]
    fn what_was_away_is_tried_again() {
        let reason = "connection refused".to_owned();
        let away = rule(InvoiceError::ProviderUnavailable { reason: reason.clone() });
        assert_eq!(away, Attempted::Later(rejection(NOT_TAKEN, reason)));
        let fault = Fault::Unavailable("no database".to_owned());
        assert!(matches!(attempted(Err(Refused::Fault(fault))), Attempted::Later(_)));
        assert!(matches!(attempted(Err(Refused::Busy)), Attempted::Later(_)));
    }
}
