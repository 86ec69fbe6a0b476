//! Why there is no page, and what is shown instead.

use actix_web::http::{
    StatusCode,
    header::{ALLOW, RETRY_AFTER},
};
use askama::Template;
use intake::Unreadable;
use kernel::{Fault, Language, Message};

use crate::{
    answer::Answer,
    layout::{Frame, Sheet, drawn},
    texts::Say,
};

/// Why a request is not answered with what it asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no such page, or it is another account's: nobody learns which.
    Nothing,
    /// The page takes other methods, which are named.
    OtherMethod(&'static str),
    /// Nobody has signed in.
    SignedOut,
    /// The password must be given again.
    Stale,
    /// The member's role does not allow it.
    NotAllowed,
    /// The form was not sent from a page of ours, or from one of another session.
    Forged,
    /// So many seconds too early.
    TooOften(u64),
    /// More than a form takes.
    TooLarge,
    /// Not a form.
    Malformed(Message),
    /// Something that narrows a list, of this name in its address, cannot be read.
    Unread(&'static str),
    /// Of what is to be acted on, nothing is selected.
    NothingSelected,
    /// What it needs cannot be reached. The text is for logs.
    Unavailable(String),
    /// A defect. The text is for logs.
    Internal(String),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unavailable(why) => Self::Unavailable(why),
            Fault::Internal(why) => Self::Internal(why),
        }
    }
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Self {
        match unreadable {
            Unreadable::Malformed(sentence) => Self::Malformed(sentence),
            Unreadable::Faulty(faults) => Self::Malformed(intake::sentence(&faults)),
            Unreadable::Unexplained(_) => Self::Internal(unreadable.to_string()),
        }
    }
}

#[derive(Template)]
#[template(path = "failure.html", whitespace = "minimize")]
struct Told<'a> {
    say: Say,
    text: &'a str,
    /// Where the log says more.
    request_id: Option<&'a str>,
    /// Where one goes on.
    start: &'a str,
}

impl Failure {
    /// The status that it is answered with.
    pub(crate) const fn status(&self) -> StatusCode {
        match self {
            Self::Nothing => StatusCode::NOT_FOUND,
            Self::OtherMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::SignedOut | Self::Stale => StatusCode::SEE_OTHER,
            Self::NotAllowed | Self::Forged => StatusCode::FORBIDDEN,
            Self::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unread(_) => StatusCode::BAD_REQUEST,
            Self::Malformed(_) | Self::NothingSelected => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What the log says of it.
    pub(crate) fn log(&self, request_id: &str) {
        match self {
            Self::Unavailable(why) => tracing::warn!(request_id, why, "a page is unavailable"),
            Self::Internal(why) => tracing::error!(request_id, why, "a page has failed"),
            _ => {}
        }
    }

    /// The page that says so, with the way to a place where one goes on.
    pub(crate) fn page(&self, language: Language, request_id: &str, start: &str) -> Answer {
        let say = Say(language);
        let filled_in = match self {
            Self::TooOften(seconds) => say.too_often_text(&span(*seconds)),
            Self::Unread(name) => say.unread_text(name),
            _ => String::new(),
        };
        let (title, text) = match self {
            Self::Nothing | Self::OtherMethod(_) => (say.nothing_title(), say.nothing_text()),
            Self::SignedOut | Self::Stale => (say.sign_in(), say.sign_in_first()),
            Self::NotAllowed => (say.not_allowed_title(), say.not_allowed_text()),
            Self::Forged => (say.forged_title(), say.forged_text()),
            Self::TooOften(_) => (say.too_often_title(), filled_in.as_str()),
            Self::TooLarge => (say.too_large_title(), say.too_large_text()),
            Self::Malformed(sentence) => (say.malformed_title(), sentence.in_language(language)),
            Self::Unread(_) => (say.malformed_title(), filled_in.as_str()),
            Self::NothingSelected => (say.nothing_selected_title(), say.nothing_selected_text()),
            Self::Unavailable(_) => (say.unavailable_title(), say.unavailable_text()),
            Self::Internal(_) => (say.internal_title(), say.internal_text()),
        };
        let is_logged = matches!(self, Self::Unavailable(_) | Self::Internal(_));
        let request_id = is_logged.then_some(request_id);
        let sheet = Sheet::new(title, &Told { say, text, request_id, start }).status(self.status());
        let answer = drawn(&Frame::bare(say), sheet);
        match self {
            Self::TooOften(seconds) => answer.with(RETRY_AFTER, &seconds.to_string()),
            Self::OtherMethod(allowed) => answer.with(ALLOW, allowed),
            _ => answer,
        }
    }
}

/// So many seconds, as somebody waits them.
fn span(seconds: u64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        _ => format!("{} min", seconds.div_ceil(60)),
    }
}
