//! Failures in a few words for the endpoint's owner. They name no address: where the inside lies, and what a
//! name resolves to from there, is none of the owner's business.

use std::{
    error::Error,
    io::{self, ErrorKind},
    time::Duration,
};

use rustls::CertificateError;

use crate::Refusal;

/// How far an exchange had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Up to the answer's head.
    Head,
    /// Within the answer's body.
    Body,
}

/// The reason of an exchange that took too long.
pub(crate) fn timed_out(limit: Duration) -> String {
    if limit < Duration::from_secs(1) {
        format!("timed out after {} ms", limit.as_millis())
    } else {
        format!("timed out after {} s", limit.as_secs_f64())
    }
}

/// The reason of a failure: that of the first of its causes that is known, from the outside in.
pub(crate) fn failure(error: &reqwest::Error, stage: Stage) -> String {
    let connecting = error.is_connect();
    let mut next: Option<&(dyn Error + 'static)> = error.source();
    while let Some(cause) = next {
        if let Some(reason) = known(cause, connecting) {
            return reason;
        }
        next = cause.source();
    }
    let reason = match stage {
        _ if error.is_timeout() => "the connection timed out",
        _ if connecting => "connection failed",
        Stage::Head => "the connection was closed before a response was received",
        Stage::Body => "the connection was closed before the response was complete",
    };
    reason.to_owned()
}

fn known(cause: &(dyn Error + 'static), connecting: bool) -> Option<String> {
    if let Some(refusal) = cause.downcast_ref::<Refusal>() {
        return Some(refusal.to_string());
    }
    if cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse) {
        // hyper tells the two apart only in a build that can also serve.
        return Some("the response is not HTTP, or its headers are too large".to_owned());
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some(tls(error));
    }
    cause.downcast_ref::<io::Error>().and_then(|error| known_io(error, connecting))
}

fn known_io(error: &io::Error, connecting: bool) -> Option<String> {
    // `source` of an I/O error skips what it wraps and gives the source of that.
    if let Some(inner) = error.get_ref() {
        let inner: &(dyn Error + 'static) = inner;
        if let Some(reason) = known(inner, connecting) {
            return Some(reason);
        }
    }
    let reason = match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused",
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => "host unreachable",
        // TCP knows no end before it is connected.
        ErrorKind::UnexpectedEof if connecting => "TLS handshake failed: the connection was closed",
        _ => return None,
    };
    Some(reason.to_owned())
}

fn tls(error: &rustls::Error) -> String {
    use rustls::Error as E;

    let reason = match error {
        E::InvalidCertificate(error) => certificate(error),
        E::AlertReceived(alert) => {
            return format!("TLS handshake failed: the endpoint sent the alert {alert:?}");
        }
        E::PeerIncompatible(_) => "no version or cipher in common",
        E::InvalidMessage(_) | E::InappropriateMessage { .. } => "the response is not TLS",
        _ => "the handshake could not be completed",
    };
    format!("TLS handshake failed: {reason}")
}

fn certificate(error: &CertificateError) -> &'static str {
    use CertificateError as E;

    match error {
        E::Expired | E::ExpiredContext { .. } => "certificate expired",
        E::NotValidYet | E::NotValidYetContext { .. } => "certificate not valid yet",
        E::UnknownIssuer => "unknown issuer",
        E::NotValidForName | E::NotValidForNameContext { .. } => {
            "certificate not valid for the host name"
        }
        E::Revoked => "certificate revoked",
        E::InvalidPurpose | E::InvalidPurposeContext { .. } => "certificate not meant for servers",
        _ => "certificate not valid",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_out_names_its_limit() {
        assert_eq!(timed_out(Duration::from_secs(5)), "timed out after 5 s");
        assert_eq!(timed_out(Duration::from_millis(300)), "timed out after 300 ms");
        assert_eq!(timed_out(Duration::from_millis(2_500)), "timed out after 2.5 s");
    }

    #[test]
    fn what_an_io_error_wraps_is_found() {
        let wrapped = |error: rustls::Error| io::Error::new(ErrorKind::InvalidData, error);
        let cases = [
            (CertificateError::Expired, "TLS handshake failed: certificate expired"),
            (CertificateError::UnknownIssuer, "TLS handshake failed: unknown issuer"),
            (CertificateError::BadSignature, "TLS handshake failed: certificate not valid"),
        ];
        for (error, reason) in cases {
            let error = wrapped(rustls::Error::InvalidCertificate(error));
            assert_eq!(known(&error, true).unwrap(), reason);
            // As hyper-rustls hands it on.
            assert_eq!(known(&io::Error::other(error), true).unwrap(), reason);
        }
    }

    #[test]
    fn an_early_end_is_a_failed_handshake_only_while_connecting() {
        let end = io::Error::from(ErrorKind::UnexpectedEof);
        assert!(known(&end, true).unwrap().starts_with("TLS handshake failed"));
        assert_eq!(known(&end, false), None);
    }
}
