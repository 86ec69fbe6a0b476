//! Mail: emails handed to the operator's mail server by SMTP.
//!
//! An email goes to all its recipients or to none, and is handed over once: nothing here tries again. The end
//! is told as one of four:
//!
//! | seen | told as |
//! |---|---|
//! | the server answers the whole email with 2yz | sent |
//! | the email is none that can be sent; the server says 5yz at any point | [`Refused`](MailError::Refused) |
//! | no name, no connection, no TLS, 4yz at any point, a time-out or a cut before the email itself was begun | [`Unreachable`](MailError::Unreachable) |
//! | a time-out, a cut, or no SMTP from there on | [`Unknown`](MailError::Unknown) |
//!
//! The connection is encrypted, with certificates checked, unless the server is this machine and the address
//! says so. The address is the operator's own, so no [`Guard`](crate::Guard) checks it.

mod message;
mod session;
mod settings;
mod wire;

use std::{error::Error, fmt, pin::Pin, sync::Arc, time::Duration};

use lettre::message::Mailbox;
use tokio::time::Instant;

pub use message::{BYTES_MAX, RECIPIENTS_MAX, SUBJECT_CHARS_MAX};
pub use settings::Settings;

use crate::SetupError;
use settings::Server;

/// An email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    /// Plain addresses, at most [`RECIPIENTS_MAX`].
    pub to: Vec<String>,
    /// A single line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// Together with the text at most [`BYTES_MAX`].
    pub attachments: Vec<Attachment>,
}

/// A file enclosed in an email; it arrives byte by byte as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Attachment {
    pub name: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}

/// Why an email is not known to be sent. No reason contains the password, nor an address of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailError {
    /// It was not sent and will not be: the email is none that can be sent, or the server said no.
    Refused {
        /// What is wrong with the email, or the server's code and words.
        reason: String,
    },
    /// It was not sent, and may be later: nobody was there to take it, or the server said not now.
    Unreachable {
        /// What went wrong, or the server's code and words.
        reason: String,
    },
    /// Nobody knows whether it was sent: the connection was lost after the email was begun.
    Unknown {
        /// What went wrong.
        reason: String,
    },
}

/// An email on its way.
pub type Sending = Pin<Box<dyn Future<Output = Result<(), MailError>> + Send>>;

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

    /// Hands an email to the mail server. It is known to be sent only when this ends without an error.
    #[must_use = "nothing is sent unless it is awaited"]
    pub fn send(&self, email: Email) -> Sending {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            let deadline = Instant::now() + inner.limit;
            let message = message::compose(&inner.from, email)?;
            session::send(&inner.server, &message, deadline, inner.limit).await
        })
    }
}

impl MailError {
    fn refused(reason: impl Into<String>) -> Self {
        Self::Refused { reason: reason.into() }
    }

    fn unreachable(reason: impl Into<String>) -> Self {
        Self::Unreachable { reason: reason.into() }
    }

    fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown { reason: reason.into() }
    }
}

impl fmt::Display for MailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { reason } => write!(f, "the email was refused: {reason}"),
            Self::Unreachable { reason } => write!(f, "the email was not sent: {reason}"),
            Self::Unknown { reason } => {
                write!(f, "the email may or may not have been sent: {reason}")
            }
        }
    }
}

impl Error for MailError {}
