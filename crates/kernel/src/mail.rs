//! Mail, as whoever writes it sees it.

use std::{fmt, pin::Pin};

use crate::reason::told;

/// An email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    /// What its `Message-ID` begins with (RFC 5322 §3.6.4), in letters, digits, `-` and `_`: the same in every attempt to
    /// send it, so that servers recognise a repeat.
    pub id: String,
    /// Plain addresses.
    pub to: Vec<String>,
    /// A single line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// Files that go with it.
    pub attachments: Vec<Attachment>,
}

/// A file enclosed in an email; it arrives byte by byte as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The name under which it is shown and kept.
    pub name: String,
    /// Its media type.
    pub content_type: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why an email is not known to be sent, as [reasons](crate::reason) are kept. None contains a password, nor an address of
/// ours.
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

impl MailError {
    /// Not sent, for good.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused { reason: reason.into() }
    }

    /// Not sent, for now.
    pub fn unreachable(reason: impl Into<String>) -> Self {
        Self::Unreachable { reason: reason.into() }
    }

    /// Perhaps sent.
    pub fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown { reason: reason.into() }
    }
}

impl fmt::Display for MailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { reason } => write!(f, "the email was refused: {}", told(reason)),
            Self::Unreachable { reason } => write!(f, "the email was not sent: {}", told(reason)),
            Self::Unknown { reason } => {
                write!(f, "the email may or may not have been sent: {}", told(reason))
            }
        }
    }
}

impl std::error::Error for MailError {}

/// An email on its way.
pub type Sending = Pin<Box<dyn Future<Output = Result<(), MailError>> + Send>>;

/// Hands emails to a mail server.
pub trait Mailer: Send + Sync {
    /// Hands over an email once, to all its recipients or to none.
    fn send(&self, email: Email) -> Sending;
}
