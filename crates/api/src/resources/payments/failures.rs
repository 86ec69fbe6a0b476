//! What the codes of failures mean, and why there are no papers, for whoever reads them.

use invoices::papers;
use kernel::{Language, Message, reason};
use payments::{Failure, Payment, Refund};

/// Codes that are the same for all providers, in English and Spanish.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("card_declined", "The bank declined the card.", "El banco rechazó la tarjeta."),
    (
        "insufficient_funds",
        "There is not enough money on the card.",
        "La tarjeta no tiene fondos suficientes.",
    ),
    ("expired_card", "The card has expired.", "La tarjeta está vencida."),
    (
        "incorrect_cvc",
        "The security code of the card is wrong.",
        "El código de seguridad de la tarjeta es incorrecto.",
    ),
];

fn told(failure: Failure, language: Language) -> Failure {
    let meaning = MEANINGS.iter().find(|(code, ..)| *code == failure.code);
    let message = match meaning {
        Some(&(_, english, spanish)) => Message::fixed(english, spanish),
        None => reason::told(&failure.message),
    };
    Failure { message: message.in_language(language).to_owned(), ..failure }
}

/// Why there is no receipt or credit note, in a language.
pub(in crate::resources) fn problem_in(
    problem: Option<String>,
    language: Language,
) -> Option<String> {
    problem.map(|kept| papers::told(&kept).in_language(language).to_owned())
}

/// A payment of which is told in a language why it failed, or has no receipt.
pub(in crate::resources) fn payment_in(payment: Payment, language: Language) -> Payment {
    let failure = payment.failure.map(|failure| told(failure, language));
    let receipt_problem = problem_in(payment.receipt_problem, language);
    Payment { failure, receipt_problem, ..payment }
}

/// The same of a refund and its credit note.
pub(in crate::resources) fn refund_in(refund: Refund, language: Language) -> Refund {
    let failure = refund.failure.map(|failure| told(failure, language));
    let credit_note_problem = problem_in(refund.credit_note_problem, language);
    Refund { failure, credit_note_problem, ..refund }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_codes_are_told_in_both_languages_and_others_as_they_come() {
        let failure = |code: &str| Failure {
            code: code.to_owned(),
            message: "As they say".to_owned(),
            is_retryable: true,
        };
        let spanish = told(failure("expired_card"), Language::Spanish);
        assert_eq!(
            (spanish.message.as_str(), spanish.is_retryable),
            ("La tarjeta está vencida.", true)
        );
        assert_eq!(
            told(failure("expired_card"), Language::English).message,
            "The card has expired."
        );
        assert_eq!(told(failure("odd"), Language::Spanish).message, "As they say");
        // What the service has met itself.
        let kept = reason::Reason::ConnectionRefused.alone();
        for language in Language::EVERY {
            let failure = Failure { message: kept.clone(), ..failure("provider_unavailable") };
            let met = reason::told(&kept);
            assert_eq!(told(failure, language).message, met.in_language(language));
        }
    }
}
