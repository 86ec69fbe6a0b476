//! Mail: emails handed to the operator's mail server by SMTP.
//!
//! An email goes to all its recipients or to none, and is handed over once: nothing here tries again. The end
//! is told as one of four:
//!
//! | seen | told as |
//! |---|---|
//! | the server answers the whole email with 2yz | sent |
//! | the email is none that can be sent; the server says 5yz at any point | [`Refused`](kernel::mail::MailError::Refused) |
//! | no name, no connection, no TLS, 4yz at any point, a time-out or a cut before the email itself was begun | [`Unreachable`](kernel::mail::MailError::Unreachable) |
//! | a time-out, a cut, or no SMTP from there on | [`Unknown`](kernel::mail::MailError::Unknown) |
//!
//! The connection is encrypted, with certificates checked, unless the server is this machine and the address
//! says so. The address is the operator's own, so no [`Guard`](crate::Guard) checks it.

mod message;
mod session;
mod settings;
mod wire;

use std::{sync::Arc, time::Duration};

use kernel::mail::{Email, Sending};
use lettre::message::Mailbox;
use tokio::time::Instant;

pub use message::{BYTES_MAX, RECIPIENTS_MAX, SUBJECT_CHARS_MAX};
pub use settings::Settings;

use crate::SetupError;
use settings::Server;

/// Hands emails to the mail server, each over a connection of its own; cheap to clone.
///
/// Its futures must be polled within a Tokio runtime that has I/O and time enabled.
#[derive(Clone)]
pub struct Mailer(Arc<Inner>);

struct Inner {
    server: Server,
    from: Mailbox,
    limit: Duration,
}

impl Mailer {
    /// Mail by the server of `settings`, which is not called yet.
    ///
    /// # Errors
    /// When the server's or the sender's address or the certificate authorities cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, SetupError> {
        let server = Server::new(&settings.smtp_url, settings.ca_file.as_deref())?;
        let from = message::sender(&settings.from)?;
        Ok(Self(Arc::new(Inner { server, from, limit: settings.timeout })))
    }
}

impl kernel::mail::Mailer for Mailer {
    fn send(&self, email: Email) -> Sending {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            let deadline = Instant::now() + inner.limit;
            let message = message::compose(&inner.from, email)?;
            session::send(&inner.server, &message, deadline, inner.limit).await
        })
    }
}
