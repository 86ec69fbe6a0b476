//! Why an exchange failed, of what the network, TLS and HTTP say.

use std::{
    error::Error,
    io::{self, ErrorKind},
    time::Duration,
};

use rustls::CertificateError;
use webhooks::AttemptError;

use crate::Refusal;

/// How far an exchange had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Up to the answer's head.
    Head,
    /// Within the answer's body.
    Body,
}

/// The reason of an exchange that took too long, as a text that is kept.
pub(crate) fn timed_out(limit: Duration) -> String {
    AttemptError::timed_out(limit).kept()
}

/// The reason of a failure: that of the first of its causes that is known, from the outside in.
pub(crate) fn failure(error: &reqwest::Error, stage: Stage) -> AttemptError {
    let connecting = error.is_connect();
    let mut next: Option<&(dyn Error + 'static)> = error.source();
    while let Some(cause) = next {
        if let Some(reason) = known(cause, connecting) {
            return reason;
        }
        next = cause.source();
    }
    match stage {
        _ if error.is_timeout() => AttemptError::ConnectionTimedOut,
        _ if connecting => AttemptError::ConnectionFailed,
        Stage::Head => AttemptError::NoResponse,
        Stage::Body => AttemptError::IncompleteResponse,
    }
}

fn known(cause: &(dyn Error + 'static), connecting: bool) -> Option<AttemptError> {
    if let Some(refusal) = cause.downcast_ref::<Refusal>() {
        return Some(refusal.of_attempt());
    }
    if cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse) {
        // hyper tells the two apart only in a build that can also serve.
        return Some(AttemptError::NotHttp);
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some(tls(error));
    }
    cause.downcast_ref::<io::Error>().and_then(|error| known_io(error, connecting))
}

fn known_io(error: &io::Error, connecting: bool) -> Option<AttemptError> {
    // `source` of an I/O error skips what it wraps and gives the source of that.
    if let Some(inner) = error.get_ref() {
        let inner: &(dyn Error + 'static) = inner;
        if let Some(reason) = known(inner, connecting) {
            return Some(reason);
        }
    }
    match error.kind() {
        ErrorKind::ConnectionRefused => Some(AttemptError::ConnectionRefused),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            Some(AttemptError::HostUnreachable)
        }
        // TCP knows no end before it is connected.
        ErrorKind::UnexpectedEof if connecting => Some(AttemptError::TlsClosed),
        _ => None,
    }
}

pub(crate) fn tls(error: &rustls::Error) -> AttemptError {
    use rustls::Error as E;

    match error {
        E::InvalidCertificate(error) => certificate(error),
        E::AlertReceived(alert) => AttemptError::TlsAlert { alert: format!("{alert:?}") },
        E::PeerIncompatible(_) => AttemptError::TlsIncompatible,
        E::InvalidMessage(_) | E::InappropriateMessage { .. } => AttemptError::NotTls,
        _ => AttemptError::TlsFailed,
    }
}

const fn certificate(error: &CertificateError) -> AttemptError {
    use CertificateError as E;

    match error {
        E::Expired | E::ExpiredContext { .. } => AttemptError::CertificateExpired,
        E::NotValidYet | E::NotValidYetContext { .. } => AttemptError::CertificateNotYetValid,
        E::UnknownIssuer => AttemptError::CertificateUnknownIssuer,
        E::NotValidForName | E::NotValidForNameContext { .. } => AttemptError::CertificateWrongHost,
        E::Revoked => AttemptError::CertificateRevoked,
        E::InvalidPurpose | E::InvalidPurposeContext { .. } => {
            AttemptError::CertificateWrongPurpose
        }
        _ => AttemptError::CertificateInvalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_io_error_wraps_is_found() {
        let wrapped = |error: rustls::Error| io::Error::new(ErrorKind::InvalidData, error);
        let cases = [
            (CertificateError::Expired, AttemptError::CertificateExpired),
            (CertificateError::UnknownIssuer, AttemptError::CertificateUnknownIssuer),
            (CertificateError::BadSignature, AttemptError::CertificateInvalid),
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
        assert_eq!(known(&end, true), Some(AttemptError::TlsClosed));
        assert_eq!(known(&end, false), None);
    }
}
