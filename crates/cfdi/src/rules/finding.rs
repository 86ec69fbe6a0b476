//! What is wrong with a document, and where.

use std::fmt;

pub use kernel::Language;

use super::called::called;

/// Why a document cannot be stamped: SAT's code, the field at fault, and the cure in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// SAT's code: of the matrices of errors (`CFDI40147`, `CRP20217`), else of stamping (`301` to `402`).
    pub code: &'static str,
    /// The path of the field in the API: `receiver.taxZip`, `items[2].taxes[0].rate`.
    pub field: String,
    english: String,
    spanish: String,
}

impl Finding {
    /// A finding of whoever knows more than a document can tell. The messages are clauses that follow the
    /// field's name.
    #[must_use]
    pub fn new(code: &'static str, field: &str, english: &str, spanish: &str) -> Self {
        let (english, spanish) = (format!("{field} {english}."), format!("{field} {spanish}."));
        Self { code, field: field.to_owned(), english, spanish }
    }

    /// What is wrong and how to cure it, beginning with the field.
    #[must_use]
    pub fn message(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Spanish => &self.spanish,
        }
    }

    /// The same to who has not sent the fields: it begins with what people call the field, if they do.
    #[must_use]
    pub fn told(&self, language: Language) -> String {
        let message = self.message(language);
        let Some(called) = called(&self.field) else { return message.to_owned() };
        let clause = message.strip_prefix(&self.field).unwrap_or(message);
        let mut called = called.in_language(language).chars();
        let first: String = called.next().into_iter().flat_map(char::to_uppercase).collect();
        format!("{first}{}{clause}", called.as_str())
    }
}

/// The findings so far.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Adds one. The messages are clauses that follow the field's name.
    pub(super) fn add(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        english: fmt::Arguments<'_>,
        spanish: fmt::Arguments<'_>,
    ) {
        let (english, spanish) = (english.to_string(), spanish.to_string());
        self.0.push(Finding::new(code, &at.to_string(), &english, &spanish));
    }

    pub(super) fn into_list(self) -> Vec<Finding> {
        self.0
    }
}

/// A field of a document. It becomes text only when there is something to say of it.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Field(&'static str),
    Index(usize),
}

impl<'a> At<'a> {
    /// A field of the document itself.
    pub(super) const fn top(field: &'static str) -> Self {
        Self { parent: None, step: Step::Field(field) }
    }

    /// A field of this one.
    pub(super) const fn field(&'a self, field: &'static str) -> Self {
        Self { parent: Some(self), step: Step::Field(field) }
    }

    /// An element of this list, from 0.
    pub(super) const fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match (self.parent, self.step) {
            (None, Step::Field(field)) => f.write_str(field),
            (Some(_), Step::Field(field)) => write!(f, ".{field}"),
            (_, Step::Index(index)) => write!(f, "[{index}]"),
        }
    }
}

/// A value as messages quote it: its beginning, on one line.
pub(super) struct Shown<'a>(pub(super) &'a str);

/// How many characters of a value a message quotes.
const SHOWN_CHARS_MAX: usize = 60;

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut rest = self.0.chars();
        for character in rest.by_ref().take(SHOWN_CHARS_MAX) {
            let plain = if character.is_control() { '\u{fffd}' } else { character };
            write!(f, "{plain}")?;
        }
        f.write_str(if rest.next().is_some() { "…\"" } else { "\"" })
    }
}
