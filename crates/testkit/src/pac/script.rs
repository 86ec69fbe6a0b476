//! What a provider does with calls.

use std::{collections::VecDeque, time::Duration};

/// What is wanted of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// SW: a token.
    SignIn,
    /// A stamp.
    Stamp,
    /// Finkok: the stamp of a document that has one (`stamped`).
    Stamped,
    /// A cancellation.
    Cancel,
    /// The tax authority: a document's status.
    Status,
}

/// What a provider does with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// Whether it does the work: stamps, cancels. It then remembers it, whatever it replies.
    pub works: bool,
    /// What it replies.
    pub reply: Reply,
}

/// What a provider replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// As documented.
    Documented,
    /// As documented, after a while.
    Slow(Duration),
    /// As documented, but the stamp or the receipt is not shown.
    Hidden,
    /// As documented, but the stamp that is shown is another document's.
    Foreign,
    /// As documented, but the stamp is shown without its document, or the receipt without the authority's code beside it.
    /// Finkok does as documented.
    Alone,
    /// A refusal with this code and message.
    Refuse(String, String),
    /// This status and body.
    Http(u16, String),
    /// This status with one more header, and no body.
    Header(u16, &'static str, String),
    /// Nothing: the connection stays open.
    Hang,
    /// Nothing: the connection is closed.
    Close,
    /// Nothing: the connection is reset.
    Reset,
    /// Half of the documented answer; then the connection is closed.
    Half,
    /// Half of the documented answer; then the connection stays open.
    Stall,
    /// The documented answer with so many bytes of white space before it.
    Padded(usize),
}

impl Behaviour {
    /// Does the work and replies as documented.
    #[must_use]
    pub const fn documented() -> Self {
        Self::then(Reply::Documented)
    }

    /// Does the work and replies this.
    #[must_use]
    pub const fn then(reply: Reply) -> Self {
        Self { works: true, reply }
    }

    /// Replies this and does nothing.
    #[must_use]
    pub const fn instead(reply: Reply) -> Self {
        Self { works: false, reply }
    }

    /// Refuses with this code and message.
    #[must_use]
    pub fn refuse(code: &str, message: &str) -> Self {
        Self::instead(Reply::Refuse(code.to_owned(), message.to_owned()))
    }

    /// Replies with this status, without a body, and does nothing.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::instead(Reply::Http(status, String::new()))
    }
}

/// What is done with the calls of one kind.
#[derive(Default)]
pub(super) struct Script {
    pub(super) first: VecDeque<Behaviour>,
    pub(super) then: Option<Behaviour>,
}

impl Script {
    pub(super) fn next(&mut self) -> Behaviour {
        let next = self.first.pop_front().or_else(|| self.then.clone());
        next.unwrap_or(Behaviour::documented())
    }
}
