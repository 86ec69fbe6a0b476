//! A mail server on this machine: takes emails, remembers what was in them, and misbehaves as a test says.
//!
//! ```
//! use testkit::smtp::{Behaviour, FakeSmtp, Step};
//!
//! let smtp = FakeSmtp::start();
//! // The first recipient is unknown, the answer to the second email is lost; then all is well.
//! smtp.script(
//!     [Behaviour::Say(Step::Rcpt, "550 5.1.1 unknown".to_owned()), Behaviour::Close(Step::Email)],
//!     Behaviour::Accept,
//! );
//! // ... a service whose smtp_url is `smtp.url()` sends emails ...
//! assert!(smtp.emails().is_empty());
//! ```

mod mime;
mod serving;

use std::{net::SocketAddr, time::Duration};

use doubles::server::Server;
pub use mime::{Attachment, Email};

use serving::Mailbox;

/// Longer than anything may take that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A point of the talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first line, before anything is asked.
    Greeting,
    /// `EHLO`.
    Ehlo,
    /// `AUTH` with its user and password.
    Auth,
    /// `MAIL FROM`.
    Mail,
    /// `RCPT TO`.
    Rcpt,
    /// The command `DATA`.
    Data,
    /// The email, to its last line. It is taken only if the answer begins with 2 or is lost.
    Email,
}

/// What the server does with a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Takes emails.
    Accept,
    /// Answers a step with this instead.
    Say(Step, String),
    /// Answers nothing from a step on; the connection stays open.
    Hang(Step),
    /// Closes the connection instead of answering a step.
    Close(Step),
}

/// A server of SMTP without TLS; gone when it is dropped. It takes emails from anybody, and a user only with
/// the right password.
pub struct FakeSmtp(Server<Mailbox>);

impl Default for FakeSmtp {
    fn default() -> Self {
        Self::start()
    }
}

impl FakeSmtp {
    /// The only user.
    pub const USER: &str = "ventas@tienda.example";
    /// The user's password.
    pub const PASSWORD: &str = "Contraseña:/@%1";

    /// A server that takes all emails.
    #[must_use]
    pub fn start() -> Self {
        Self(Server::start(Mailbox::default()))
    }

    /// Its address.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.0.addr()
    }

    /// Its address as a setting, without a user.
    #[must_use]
    pub fn url(&self) -> String {
        format!("smtp://{}?tls=none", self.0.addr())
    }

    /// Its address as a setting, with [`USER`](Self::USER) and this password, which is percent-encoded here.
    #[must_use]
    pub fn url_with(&self, password: &str) -> String {
        let encoded = |text: &str| text.bytes().map(|b| format!("%{b:02X}")).collect::<String>();
        format!("smtp://{}:{}@{}?tls=none", encoded(Self::USER), encoded(password), self.0.addr())
    }

    /// From now on connections meet this.
    pub fn always(&self, behaviour: Behaviour) {
        self.script([], behaviour);
    }

    /// The next connections meet one after the other of `first`, all behind them `then`.
    pub fn script(&self, first: impl IntoIterator<Item = Behaviour>, then: Behaviour) {
        self.0.state().script(first.into_iter().collect(), then);
    }

    /// All emails that were taken so far, in the order of their arrival.
    #[must_use]
    pub fn emails(&self) -> Vec<Email> {
        self.0.state().emails.clone()
    }

    /// All emails, once there are so many.
    ///
    /// # Panics
    /// When they do not come.
    #[must_use]
    #[track_caller]
    pub fn wait_for(&self, count: usize) -> Vec<Email> {
        let came = self.0.wait_until(PATIENCE, |mailbox| mailbox.emails.len() >= count);
        let emails = self.emails();
        assert!(came, "{count} emails should have come, {} did: {emails:?}", emails.len());
        emails
    }

    /// All commands so far, without the words of `AUTH`, in the order of their arrival.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        self.0.state().commands.clone()
    }
}
