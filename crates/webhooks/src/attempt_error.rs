//! Why an attempt had no response, for the endpoint's owner. It names no address: where the inside lies, and what a
//! name resolves to from there, is none of the owner's business.

use std::{fmt, time::Duration};

use kernel::{Message, message, reason::Reason};

use crate::target::UrlFault;

/// Why an attempt had no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptError {
    /// The URL may not be called.
    InvalidUrl {
        /// What is wrong with it.
        fault: UrlFault,
    },
    /// A header of the request cannot be sent.
    InvalidRequestHeader,
    /// The host has no address, or nobody could say.
    HostUnresolved,
    /// One of the host's addresses may not be called.
    HostNotPublic,
    /// The exchange took longer than it may.
    TimedOut {
        /// How long it may take, in milliseconds.
        limit_ms: u64,
    },
    /// The network gave the connection up.
    ConnectionTimedOut,
    /// Nobody listens there.
    ConnectionRefused,
    /// No way leads there.
    HostUnreachable,
    /// No connection was made, for another reason.
    ConnectionFailed,
    /// The connection was closed before the response's head was complete.
    NoResponse,
    /// The connection was closed within the response's body.
    IncompleteResponse,
    /// The response is not HTTP, or its head is too large.
    NotHttp,
    /// The connection was closed within the TLS handshake.
    TlsClosed,
    /// The endpoint has ended the TLS handshake.
    TlsAlert {
        /// Its alert, as RFC 8446 names it.
        alert: String,
    },
    /// There is no TLS version or cipher in common.
    TlsIncompatible,
    /// What answers does not speak TLS.
    NotTls,
    /// The TLS handshake failed for another reason.
    TlsFailed,
    /// The endpoint's certificate is too old.
    CertificateExpired,
    /// The endpoint's certificate begins later.
    CertificateNotYetValid,
    /// Nobody who is trusted has issued the endpoint's certificate.
    CertificateUnknownIssuer,
    /// The endpoint's certificate is for other hosts.
    CertificateWrongHost,
    /// The endpoint's certificate was revoked.
    CertificateRevoked,
    /// The endpoint's certificate is not for servers.
    CertificateWrongPurpose,
    /// The endpoint's certificate proves nothing, for another reason.
    CertificateInvalid,
    /// A defect of the program that sends.
    Internal,
    /// As another release has put it.
    Other {
        /// Its words.
        text: String,
    },
}

impl AttemptError {
    /// Every code.
    pub const CODES: &'static [&'static str] = &[
        "invalid_url",
        "invalid_request_header",
        "host_unresolved",
        "host_not_public",
        "timed_out",
        "connection_timed_out",
        "connection_refused",
        "host_unreachable",
        "connection_failed",
        "no_response",
        "incomplete_response",
        "not_http",
        "tls_closed",
        "tls_alert",
        "tls_incompatible",
        "not_tls",
        "tls_failed",
        "certificate_expired",
        "certificate_not_yet_valid",
        "certificate_unknown_issuer",
        "certificate_wrong_host",
        "certificate_revoked",
        "certificate_wrong_purpose",
        "certificate_invalid",
        "internal",
        "other",
    ];

    /// That of an exchange that took longer than this.
    #[must_use]
    pub fn timed_out(limit: Duration) -> Self {
        Self::TimedOut { limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) }
    }

    /// Its code, one of [`CODES`](Self::CODES).
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InvalidUrl { .. } => "invalid_url",
            Self::InvalidRequestHeader => "invalid_request_header",
            Self::HostUnresolved => "host_unresolved",
            Self::HostNotPublic => "host_not_public",
            Self::TimedOut { .. } => "timed_out",
            Self::ConnectionTimedOut => "connection_timed_out",
            Self::ConnectionRefused => "connection_refused",
            Self::HostUnreachable => "host_unreachable",
            Self::ConnectionFailed => "connection_failed",
            Self::NoResponse => "no_response",
            Self::IncompleteResponse => "incomplete_response",
            Self::NotHttp => "not_http",
            Self::TlsClosed => "tls_closed",
            Self::TlsAlert { .. } => "tls_alert",
            Self::TlsIncompatible => "tls_incompatible",
            Self::NotTls => "not_tls",
            Self::TlsFailed => "tls_failed",
            Self::CertificateExpired => "certificate_expired",
            Self::CertificateNotYetValid => "certificate_not_yet_valid",
            Self::CertificateUnknownIssuer => "certificate_unknown_issuer",
            Self::CertificateWrongHost => "certificate_wrong_host",
            Self::CertificateRevoked => "certificate_revoked",
            Self::CertificateWrongPurpose => "certificate_wrong_purpose",
            Self::CertificateInvalid => "certificate_invalid",
            Self::Internal => "internal",
            Self::Other { .. } => "other",
        }
    }

    /// What the endpoint's owner is told.
    #[must_use]
    pub fn message(&self) -> Message {
        if let Some((reason, detail)) = self.shared() {
            return reason.message(&detail);
        }
        match self {
            Self::InvalidUrl { fault } => fault.of_the_url(),
            Self::InvalidRequestHeader => {
                message!("invalid request header", "un encabezado de la solicitud no es válido")
            }
            Self::HostNotPublic => message!(
                "the host resolves to an address that is not public",
                "el nombre del servidor lleva a una dirección que no es pública"
            ),
            Self::Other { text } => message!("{text}", "{text}"),
            _ => message!("internal error while sending", "error interno al enviar"),
        }
    }

    /// As those keep it who keep a text: a reason of calls of all kinds, or else the English words.
    #[must_use]
    pub fn kept(&self) -> String {
        match self.shared() {
            Some((reason, detail)) if detail.is_empty() => reason.alone(),
            Some((reason, detail)) => reason.kept(detail),
            None => self.to_string(),
        }
    }

    /// What it is among the reasons of calls of all kinds, with what belongs into the sentence.
    fn shared(&self) -> Option<(Reason, String)> {
        let reason = match self {
            Self::TimedOut { limit_ms } => return Some((Reason::TimedOut, told(*limit_ms))),
            Self::TlsAlert { alert } => return Some((Reason::TlsAlert, alert.clone())),
            Self::HostUnresolved => Reason::HostUnresolved,
            Self::ConnectionTimedOut => Reason::ConnectionTimedOut,
            Self::ConnectionRefused => Reason::ConnectionRefused,
            Self::HostUnreachable => Reason::HostUnreachable,
            Self::ConnectionFailed => Reason::ConnectionFailed,
            Self::NoResponse => Reason::NoResponse,
            Self::IncompleteResponse => Reason::IncompleteResponse,
            Self::NotHttp => Reason::NotHttp,
            Self::TlsClosed => Reason::TlsClosed,
            Self::TlsIncompatible => Reason::TlsIncompatible,
            Self::NotTls => Reason::NotTls,
            Self::TlsFailed => Reason::TlsFailed,
            Self::CertificateExpired => Reason::CertificateExpired,
            Self::CertificateNotYetValid => Reason::CertificateNotYetValid,
            Self::CertificateUnknownIssuer => Reason::CertificateUnknownIssuer,
            Self::CertificateWrongHost => Reason::CertificateWrongHost,
            Self::CertificateRevoked => Reason::CertificateRevoked,
            Self::CertificateWrongPurpose => Reason::CertificateWrongPurpose,
            Self::CertificateInvalid => Reason::CertificateInvalid,
            Self::InvalidUrl { .. }
            | Self::InvalidRequestHeader
            | Self::HostNotPublic
            | Self::Internal
            | Self::Other { .. } => return None,
        };
        Some((reason, String::new()))
    }
}

/// A limit as people read it.
fn told(milliseconds: u64) -> String {
    if milliseconds < 1_000 {
        return format!("{milliseconds} ms");
    }
    format!("{} s", Duration::from_millis(milliseconds).as_secs_f64())
}

/// In English, for logs.
impl fmt::Display for AttemptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for AttemptError {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kernel::{Language, reason};

    use super::*;

    /// One of each.
    fn every() -> Vec<AttemptError> {
        vec![
            AttemptError::InvalidUrl { fault: UrlFault::Scheme },
            AttemptError::InvalidRequestHeader,
            AttemptError::HostUnresolved,
            AttemptError::HostNotPublic,
            AttemptError::TimedOut { limit_ms: 5_000 },
            AttemptError::ConnectionTimedOut,
            AttemptError::ConnectionRefused,
            AttemptError::HostUnreachable,
            AttemptError::ConnectionFailed,
            AttemptError::NoResponse,
            AttemptError::IncompleteResponse,
            AttemptError::NotHttp,
            AttemptError::TlsClosed,
            AttemptError::TlsAlert { alert: "NoApplicationProtocol".to_owned() },
            AttemptError::TlsIncompatible,
            AttemptError::NotTls,
            AttemptError::TlsFailed,
            AttemptError::CertificateExpired,
            AttemptError::CertificateNotYetValid,
            AttemptError::CertificateUnknownIssuer,
            AttemptError::CertificateWrongHost,
            AttemptError::CertificateRevoked,
            AttemptError::CertificateWrongPurpose,
            AttemptError::CertificateInvalid,
            AttemptError::Internal,
            AttemptError::Other { text: "no answer in time".to_owned() },
        ]
    }

    #[test]
    fn each_has_a_code_and_is_told_in_both_languages() {
        let codes: Vec<_> = every().iter().map(AttemptError::code).collect();
        assert_eq!(codes, AttemptError::CODES);
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
        for error in every() {
            let told = error.message();
            let [english, spanish] = Language::EVERY.map(|language| told.in_language(language));
            let is_foreign = matches!(error, AttemptError::Other { .. });
            assert_eq!(english == spanish, is_foreign, "{english}");
            // Where it is known elsewhere too, it has one code.
            let kept = error.kept();
            let known = reason::known(&kept);
            assert!(known.is_none_or(|known| known == told && kept.starts_with(error.code())));
        }
    }

    #[test]
    fn a_limit_is_told_in_the_unit_that_suits_it() {
        for (limit, is) in [(5_000, "5 s"), (300, "300 ms"), (2_500, "2.5 s"), (0, "0 ms")] {
            assert_eq!(told(limit), is);
        }
        let brief = Duration::from_millis(300);
        assert_eq!(AttemptError::timed_out(brief), AttemptError::TimedOut { limit_ms: 300 });
    }
}
