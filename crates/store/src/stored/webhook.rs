//! Subscriptions, deliveries and replays.

use kernel::{Timestamp, id::EventId};
use serde::{Deserialize, Serialize};
use webhooks::{
    AttemptError, Delivery, DeliveryId, DeliveryState, DisabledReason, Replay, ReplayId,
    Subscription, SubscriptionId, Topics, UrlFault, subscription::Disabled,
};

use super::{
    Stored,
    forms::{Form, Maybe, forms, from_json, to_json},
};

/// An answer that tells a secret, as it is kept for repeats: sealed.
pub(crate) struct Kept {
    pub(crate) subscription: Subscription,
    pub(crate) sealed: String,
}

forms!(
    AttemptErrorForm of AttemptError,
    DeliveryForm of Delivery,
    DisabledForm of Disabled,
    IssuedForm of Kept,
    ReplayForm of Replay,
    SubscriptionForm of Subscription,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Subscription")]
pub(super) struct SubscriptionForm {
    id: SubscriptionId,
    url: String,
    events: Topics,
    description: Option<String>,
    #[serde(default, with = "Maybe::<DisabledForm>")]
    disabled: Option<Disabled>,
    consecutive_failures: u32,
    previous_secret_until: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Disabled")]
struct DisabledForm {
    at: Timestamp,
    #[serde(with = "DisabledReasonForm")]
    reason: DisabledReason,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DisabledReason", rename_all = "lowercase")]
enum DisabledReasonForm {
    Manual,
    Failures,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Kept")]
pub(super) struct IssuedForm {
    #[serde(with = "SubscriptionForm")]
    subscription: Subscription,
    sealed: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Delivery")]
pub(super) struct DeliveryForm {
    id: DeliveryId,
    subscription: SubscriptionId,
    event: EventId,
    event_name: String,
    #[serde(with = "DeliveryStateForm")]
    state: DeliveryState,
    attempts: u32,
    next_attempt_at: Option<Timestamp>,
    retry_of: Option<DeliveryId>,
    created_at: Timestamp,
    finished_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DeliveryState", rename_all = "lowercase")]
enum DeliveryStateForm {
    Attempting,
    Delivered,
    Failed,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Replay")]
pub(super) struct ReplayForm {
    id: ReplayId,
    subscription: SubscriptionId,
    since: Timestamp,
    until: Timestamp,
    events: Vec<String>,
    created_at: Timestamp,
}

/// Release 0.1.0 has kept words, of no form at all.
const WORDS: u32 = 1;

impl Stored for AttemptError {
    const KIND: &'static str = "attempt_error";
    const VERSION: u32 = 2;

    fn to_json(&self) -> serde_json::Result<String> {
        to_json::<AttemptErrorForm>(self)
    }

    fn from_json(version: u32, text: &str) -> serde_json::Result<Self> {
        match version {
            WORDS => Ok(Self::Other { text: text.to_owned() }),
            _ => from_json::<AttemptErrorForm>(text),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AttemptError", tag = "code", rename_all = "snake_case")]
enum AttemptErrorForm {
    InvalidUrl {
        #[serde(with = "UrlFaultForm")]
        fault: UrlFault,
    },
    InvalidRequestHeader,
    HostUnresolved,
    HostNotPublic,
    TimedOut {
        limit_ms: u64,
    },
    ConnectionTimedOut,
    ConnectionRefused,
    HostUnreachable,
    ConnectionFailed,
    NoResponse,
    IncompleteResponse,
    NotHttp,
    TlsClosed,
    TlsAlert {
        alert: String,
    },
    TlsIncompatible,
    NotTls,
    TlsFailed,
    CertificateExpired,
    CertificateNotYetValid,
    CertificateUnknownIssuer,
    CertificateWrongHost,
    CertificateRevoked,
    CertificateWrongPurpose,
    CertificateInvalid,
    Internal,
    Other {
        text: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "UrlFault", rename_all = "snake_case")]
enum UrlFaultForm {
    TooLong,
    Blanks,
    Malformed,
    Scheme,
    Credentials,
    Fragment,
    Port,
    NotPublic,
    ThisMachine,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::{from_text, to_text};

    #[test]
    fn an_error_is_kept_under_its_code_and_words_of_old_are_read() {
        for error in [
            AttemptError::InvalidUrl { fault: UrlFault::ThisMachine },
            AttemptError::TimedOut { limit_ms: 5_000 },
            AttemptError::TlsAlert { alert: "UnknownCA".to_owned() },
            AttemptError::NoResponse,
        ] {
            let kept = to_text(&error).unwrap();
            let code = format!(r#"{{"v":2,"code":"{}""#, error.code());
            assert!(kept.starts_with(&code), "{kept}");
            assert_eq!(from_text::<AttemptError>(&kept).unwrap(), error);
        }
        for words in ["connection refused", "the URL must start with https://", ""] {
            let other = AttemptError::Other { text: words.to_owned() };
            assert_eq!(from_text::<AttemptError>(words).unwrap(), other);
        }
    }
}
