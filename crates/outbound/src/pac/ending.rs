//! How calls end without an answer that counts, and the words of answers that do.

use invoices::provider::{CancelOutcome, Recovery, Rejection, StampOutcome, StatusOutcome};
use kernel::reason::Reason;

/// The most characters of a provider's message within a reason.
const MESSAGE_CHARS_MAX: usize = 200;

/// Why a call gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It was certainly not looked at.
    NotTaken(String),
    /// It may have been.
    Unknown(String),
}

impl Failure {
    pub(super) fn not_taken(reason: Reason) -> Self {
        Self::NotTaken(reason.alone())
    }

    pub(super) fn unknown(reason: Reason) -> Self {
        Self::Unknown(reason.alone())
    }

    /// The provider says itself that it does not know us. Its words are not repeated: they may hold what we sent.
    pub(super) fn credentials() -> Self {
        Self::not_taken(Reason::CredentialsRejected)
    }

    /// An answer that is not what the provider documents.
    pub(super) fn nonsense() -> Self {
        Self::unknown(Reason::UndocumentedResponse)
    }

    pub(super) fn into_reason(self) -> String {
        match self {
            Self::NotTaken(reason) | Self::Unknown(reason) => reason,
        }
    }
}

impl From<Failure> for StampOutcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotTaken(reason) => Self::NotTaken { reason },
            Failure::Unknown(reason) => Self::Unknown { reason },
        }
    }
}

impl From<Failure> for Recovery {
    /// That this call was not taken says nothing of the earlier one.
    fn from(failure: Failure) -> Self {
        Self::Unknown { reason: failure.into_reason() }
    }
}

impl From<Failure> for CancelOutcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotTaken(reason) => Self::NotTaken { reason },
            Failure::Unknown(reason) => Self::Unknown { reason },
        }
    }
}

impl From<Failure> for StatusOutcome {
    fn from(failure: Failure) -> Self {
        Self::Unknown { reason: failure.into_reason() }
    }
}

/// What an outcome of a repetition says of the first call. `settles` tells whether a refusal of that code
/// means that the document was never stamped.
pub(super) fn recovered(repeated: StampOutcome, settles: impl Fn(&str) -> bool) -> Recovery {
    match repeated {
        StampOutcome::Stamped { xml } => Recovery::Stamped { xml },
        StampOutcome::AlreadyStamped => {
            Recovery::Unknown { reason: Reason::StampNotReturned.alone() }
        }
        StampOutcome::Rejected(rejection) if settles(&rejection.code) => Recovery::NotStamped,
        StampOutcome::Rejected(rejection) => {
            Recovery::Unknown { reason: Reason::RetryRejected.kept(words(&rejection)) }
        }
        StampOutcome::NotTaken { reason } | StampOutcome::Unknown { reason } => {
            Recovery::Unknown { reason }
        }
    }
}

/// A refusal in a few words.
pub(super) fn words(rejection: &Rejection) -> String {
    let message: String = rejection.message.chars().take(MESSAGE_CHARS_MAX).collect();
    if rejection.code.is_empty() || message.starts_with(&rejection.code) {
        message
    } else {
        format!("{} {message}", rejection.code)
    }
}

/// Whether the authority has a request to cancel, by its code: now or since before, of an invoice (201, 202) or of a
/// withholding (1201, 1202).
pub(super) fn is_received(code: &str) -> bool {
    matches!(code, "201" | "202" | "1201" | "1202")
}

/// The code that a message begins with: `CFDI40147 - …`, `307. …`.
pub(super) fn leading_code(message: &str) -> Option<&str> {
    let message = message.trim_start();
    let end = message.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(message.len());
    message.get(..end).filter(|code| is_code(code))
}

/// Whether a word is a code: capitals and digits, of a code's length, with a digit at its end. Those of the matrix of
/// withholdings begin with `Reten`.
pub(super) fn is_code(word: &str) -> bool {
    let rest = word.strip_prefix("Reten").unwrap_or(word);
    (3..=12).contains(&word.len())
        && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && rest.bytes().next_back().is_some_and(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_its_code() {
        for (message, code) in [
            ("307. El comprobante contiene un timbre previo.", Some("307")),
            ("CFDI40147 - El campo…", Some("CFDI40147")),
            (" 401 - El rango de la fecha", Some("401")),
            ("CACFDI33 - Problemas con el xml.", Some("CACFDI33")),
            ("CRP20101", Some("CRP20101")),
            ("Reten20107 - El complemento…", Some("Reten20107")),
            ("Reten", None),
            ("Retenciones20", None),
            ("El comprobante", None),
            ("XML mal formado", None),
            ("12 errores", None),
            ("Ñ301", None),
            ("", None),
        ] {
            assert_eq!(leading_code(message), code, "{message}");
        }
    }

    #[test]
    fn a_reason_names_the_code_once_and_is_short() {
        let rejection = |code: &str, message: &str| Rejection {
            code: code.to_owned(),
            message: message.to_owned(),
        };
        assert_eq!(words(&rejection("604", "Hubo un error")), "604 Hubo un error");
        assert_eq!(words(&rejection("604", "604 - Hubo")), "604 - Hubo");
        assert_eq!(words(&rejection("", &"ñ".repeat(900))).chars().count(), MESSAGE_CHARS_MAX);
    }
}
