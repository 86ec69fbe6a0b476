//! The components of pages, each with a template of its own.

mod field;
mod filters;
mod many;
mod progress;
mod views;

use askama::{Template, filters::HtmlSafe};

use crate::{markup::Markup, texts::Say};

pub(crate) use field::{Choice, Elsewhere, Field, FormPart};
pub(crate) use filters::Filters;
pub(crate) use many::Many;
pub(crate) use progress::Progress;
pub(crate) use views::Views;

/// What a state means to who reads it; it is never told by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be.
    Good,
    /// Somebody has to do something.
    Waiting,
    /// It went wrong, or was called off.
    Bad,
    /// Neither.
    Plain,
}

impl Tone {
    /// Its class.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Waiting => "warn",
            Self::Bad => "bad",
            Self::Plain => "plain",
        }
    }
}

/// A state: a dot and a word.
#[derive(Template)]
#[template(path = "parts/pill.html", whitespace = "minimize")]
pub(crate) struct Pill {
    class: &'static str,
    word: String,
}

impl Pill {
    /// A state.
    pub(crate) fn new(tone: Tone, word: impl Into<String>) -> Self {
        Self { class: tone.class(), word: word.into() }
    }

    /// Its word, where there is no room for a dot.
    pub(crate) fn into_word(self) -> String {
        self.word
    }
}

impl HtmlSafe for Pill {}

/// What a page says of a form that is all there is on it: it asks for something, or before something is done.
#[derive(Template)]
#[template(path = "parts/asked.html", whitespace = "minimize")]
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) form: Markup,
}

/// A way to another page.
pub(crate) struct Link {
    pub(crate) label: String,
    pub(crate) href: String,
}

impl Link {
    /// To this place.
    pub(crate) fn new(label: impl Into<String>, href: impl Into<String>) -> Self {
        Self { label: label.into(), href: href.into() }
    }
}

/// A moment, with UTC in its title.
#[derive(Template)]
#[template(path = "parts/moment.html", whitespace = "minimize")]
pub(crate) struct Moment {
    pub(crate) iso: String,
    pub(crate) text: String,
}

impl HtmlSafe for Moment {}

/// A list that has nothing in it: what would be there, and what to do.
#[derive(Template)]
#[template(path = "parts/empty.html", whitespace = "minimize")]
pub(crate) struct Empty {
    pub(crate) text: String,
    pub(crate) action: Option<Link>,
    /// The same by a call of the API.
    pub(crate) curl: Option<String>,
}

impl HtmlSafe for Empty {}

impl Empty {
    /// With nothing to do about it.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), action: None, curl: None }
    }

    /// Nothing that fits what is looked for, with the way to all there is.
    pub(crate) fn unmatched(say: Say, all: impl Into<String>) -> Self {
        Self::new(say.no_matches()).action(say.clear_filters(), all)
    }

    /// With something to do about it.
    pub(crate) fn action(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.action = Some(Link::new(label, href));
        self
    }

    /// With the same by a call of the API.
    pub(crate) fn curl(mut self, command: String) -> Self {
        self.curl = Some(command);
        self
    }
}

/// A text that is there to be copied.
#[derive(Template)]
#[template(path = "parts/copy.html", whitespace = "minimize")]
pub(crate) struct CopyField {
    pub(crate) id: &'static str,
    pub(crate) label: String,
    pub(crate) text: String,
}

impl HtmlSafe for CopyField {}

/// Something that is done at once: a form of a button alone.
#[derive(Template)]
#[template(path = "parts/button.html", whitespace = "minimize")]
pub(crate) struct ButtonForm {
    action: String,
    label: String,
    class: &'static str,
    csrf: String,
    once: String,
    version: Option<i64>,
}

impl HtmlSafe for ButtonForm {}

impl ButtonForm {
    /// Sent to this place, with what every form carries.
    pub(crate) fn new(
        action: String,
        label: impl Into<String>,
        (csrf, once): (String, String),
    ) -> Self {
        Self { action, label: label.into(), class: "plain", csrf, once, version: None }
    }

    /// Which says of what version of a thing it was shown.
    pub(crate) fn version(self, version: i64) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Which looks otherwise.
    pub(crate) fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }
}

/// A figure with its name.
#[derive(Template)]
#[template(path = "parts/stat.html", whitespace = "minimize")]
pub(crate) struct Stat {
    pub(crate) label: String,
    pub(crate) figure: String,
    pub(crate) href: Option<String>,
}

impl HtmlSafe for Stat {}

/// Something that happened.
pub(crate) struct Happening {
    pub(crate) at: Moment,
    pub(crate) title: String,
    /// Where what it happened to is shown, if that is another page.
    pub(crate) href: Option<String>,
    pub(crate) note: Option<String>,
}

/// What has happened, one after the other.
#[derive(Template)]
#[template(path = "parts/timeline.html", whitespace = "minimize")]
pub(crate) struct Timeline {
    pub(crate) entries: Vec<Happening>,
}

impl HtmlSafe for Timeline {}

/// The ways through a list.
#[derive(Template)]
#[template(path = "parts/pager.html", whitespace = "minimize")]
pub(crate) struct Pager {
    pub(crate) total: String,
    pub(crate) first: Option<Link>,
    pub(crate) next: Option<Link>,
}

impl HtmlSafe for Pager {}
