//! A talk with the mail server, and which ends of it are certain.

use std::{
    error::Error,
    io::{self, ErrorKind},
    time::Duration,
};

use kernel::{mail::MailError, reason::Reason};
use lettre::{
    Address,
    transport::smtp::{
        self,
        authentication::DEFAULT_MECHANISMS,
        client::AsyncSmtpConnection,
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
        response::Severity,
    },
};
use tokio::{
    net::TcpStream,
    time::{Instant, timeout, timeout_at},
};

use super::{
    message::Composed,
    settings::{Security, Server},
    wire::Wire,
};
use crate::reason::{timed_out, tls};

/// How long one address of the server is tried, at most.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// How long taking leave may take. What was said before counts without it.
const LEAVE_TIME_MAX: Duration = Duration::from_secs(1);

/// The most characters of the server's words that are repeated.
const WORDS_MAX: usize = 300;

/// Hands an email to the server.
pub(super) async fn send(
    server: &Server,
    email: &Composed,
    deadline: Instant,
    limit: Duration,
) -> Result<(), MailError> {
    let late = |_| MailError::unreachable(timed_out(limit));
    let opening = timeout_at(deadline, open(server, email, limit)).await;
    let mut connection = opening.map_err(late)??;
    let announcing = timeout_at(deadline, announce(server, &mut connection, email)).await;
    if let Err(error) = announcing.map_err(late)? {
        leave(connection).await;
        return Err(error);
    }
    let Ok(answer) = timeout_at(deadline, connection.message(&email.bytes)).await else {
        return Err(MailError::unknown(timed_out(limit)));
    };
    match answer {
        Ok(answer) if answer.code().severity == Severity::PositiveCompletion => {
            leave(connection).await;
            Ok(())
        }
        Ok(_) => Err(MailError::unknown(Reason::MailUndocumented.alone())),
        Err(error) if error.status().is_some() => {
            leave(connection).await;
            Err(before(server, &error))
        }
        Err(error) => Err(MailError::unknown(in_words(server, &error))),
    }
}

/// Connects, encrypts and signs in, as the server is set.
async fn open(
    server: &Server,
    email: &Composed,
    limit: Duration,
) -> Result<AsyncSmtpConnection, MailError> {
    // The machine's own name is nobody's business; that of the sender is known to all.
    let name = ClientId::Domain(email.from.domain().to_owned());
    let failed = |error| before(server, &error);
    let address = (server.host.as_str(), server.port);
    let tls = match &server.security {
        Security::StartTls(_) | Security::None => None,
        Security::Tls(tls) => Some(tls.clone()),
    };
    let connect_timeout = CONNECT_TIME_MAX.min(limit / 2);
    let mut connection = if let Security::StartTls(tls) = &server.security {
        let stream = TcpStream::connect(address).await;
        let stream = stream.map_err(|error| MailError::unreachable(known_io(&error)))?;
        let wire = Box::new(Wire::new(stream));
        let opened = AsyncSmtpConnection::connect_with_transport(wire, &name).await;
        let mut connection = opened.map_err(failed)?;
        if !connection.can_starttls() {
            return Err(MailError::unreachable(Reason::MailWithoutTls.alone()));
        }
        connection.starttls(tls.clone(), &name).await.map_err(failed)?;
        connection
    } else {
        let opened =
            AsyncSmtpConnection::connect_tokio1(address, Some(connect_timeout), &name, tls, None)
                .await;
        opened.map_err(failed)?
    };
    if let Some(credentials) = &server.credentials {
        connection.auth(DEFAULT_MECHANISMS, credentials).await.map_err(failed)?;
    }
    Ok(connection)
}

/// Says who writes to whom, up to where the email itself begins.
async fn announce(
    server: &Server,
    connection: &mut AsyncSmtpConnection,
    email: &Composed,
) -> Result<(), MailError> {
    let from = Mail::new(Some(email.from.clone()), Vec::new());
    connection.command(from).await.map_err(|error| before(server, &error))?;
    for to in &email.to {
        let taken = connection.command(Rcpt::new(to.clone(), Vec::new())).await;
        taken.map_err(|error| about(to, before(server, &error)))?;
    }
    let answer = connection.command(Data).await.map_err(|error| before(server, &error))?;
    if answer.has_code(354) {
        Ok(())
    } else {
        Err(MailError::unreachable(Reason::MailUndocumented.alone()))
    }
}

/// Takes leave, as is polite. A server that does not listen any more is left without.
async fn leave(mut connection: AsyncSmtpConnection) {
    drop(timeout(LEAVE_TIME_MAX, connection.abort()).await);
}

/// What an error means before the email was begun, or when the server answered the email itself.
fn before(server: &Server, error: &smtp::Error) -> MailError {
    let reason = in_words(server, error);
    if error.is_permanent() { MailError::refused(reason) } else { MailError::unreachable(reason) }
}

/// Names the recipient that the server speaks of.
fn about(to: &Address, error: MailError) -> MailError {
    let of = |reason: &str| Reason::OfRecipient.kept(format_args!("{to}: {reason}"));
    match error {
        MailError::Refused { reason } => MailError::refused(of(&reason)),
        MailError::Unreachable { reason } => MailError::unreachable(of(&reason)),
        unknown @ MailError::Unknown { .. } => unknown,
    }
}

/// The server's code and words, or a reason that is kept.
fn in_words(server: &Server, error: &smtp::Error) -> String {
    let words = if let Some(code) = error.status() {
        let said = error.source().map(ToString::to_string).unwrap_or_default();
        if server.secrets.iter().any(|secret| said.contains(secret)) {
            return code.to_string();
        }
        format!("{code} {said}")
    } else if error.is_client() {
        // Of lettre itself: the server offers no way to sign in that it knows.
        Reason::MailCannotSignIn.alone()
    } else if error.is_response() {
        Reason::MailBrokeOff.alone()
    } else {
        io_error(error).map_or_else(|| Reason::ConnectionFailed.alone(), known_io)
    };
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    words.trim().chars().take(WORDS_MAX).collect()
}

fn io_error(error: &smtp::Error) -> Option<&io::Error> {
    let mut next: Option<&(dyn Error + 'static)> = error.source();
    while let Some(cause) = next {
        if let Some(error) = cause.downcast_ref() {
            return Some(error);
        }
        next = cause.source();
    }
    None
}

fn known_io(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    if let Some(error) = inner {
        return tls(error).kept();
    }
    let reason = match error.kind() {
        ErrorKind::ConnectionRefused => Reason::ConnectionRefused,
        ErrorKind::TimedOut => Reason::ConnectionTimedOut,
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Reason::HostUnreachable,
        ErrorKind::UnexpectedEof
        | ErrorKind::BrokenPipe
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted => Reason::ConnectionClosed,
        // The system's own words are for the log.
        _ => return Reason::ConnectionFailed.kept(error),
    };
    reason.alone()
}
