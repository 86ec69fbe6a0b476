//! Why a document is not stamped or cancelled, for whoever reads it: providers' own words as they came, everything else in
//! the reader's language.

use invoices::{Cancellation, LastError, provider::Rejection};
use kernel::{Language, reason};

/// What a provider or the service says of a document, in a language.
pub(in crate::resources) fn rejection_in(rejection: Rejection, language: Language) -> Rejection {
    match reason::known(&rejection.message) {
        Some(told) => Rejection { message: told.in_language(language).to_owned(), ..rejection },
        None => rejection,
    }
}

/// Why a document is not stamped, in a language.
pub(in crate::resources) fn error_in(error: LastError, language: Language) -> LastError {
    LastError { rejection: rejection_in(error.rejection, language), ..error }
}

/// A cancellation whose last answer is told in a language.
pub(in crate::resources) fn cancellation_in(
    cancellation: Cancellation,
    language: Language,
) -> Cancellation {
    let answer = cancellation.answer.map(|answer| rejection_in(answer, language));
    Cancellation { answer, ..cancellation }
}

#[cfg(test)]
mod tests {
    use kernel::reason::Reason;

    use super::*;

    #[test]
    fn reasons_are_told_and_words_of_providers_left() {
        let said = |message: &str| Rejection {
            code: "provider_unavailable".to_owned(),
            message: message.to_owned(),
        };
        let kept = Reason::ConnectionRefused.alone();
        for language in Language::EVERY {
            let told = rejection_in(said(&kept), language);
            assert_eq!(told, said(reason::told(&kept).in_language(language)));
            for words in ["", "CFDI40147 - El nombre no coincide", "connection refused"] {
                assert_eq!(rejection_in(said(words), language), said(words));
            }
        }
    }
}
