//! What callers fill in: a JSON body, a url-encoded form or a query string, by its name in the
//! documentation and its reader.

use std::fmt;

use crate::{Faults, Fields, Read, Sketch};

/// The most faults that one sentence names.
const FAULTS_NAMED_MAX: usize = 20;

/// A body or query: one declaration reads it, however it is encoded, and documents it.
#[derive(Debug)]
pub struct Form<T> {
    /// The name of its schema.
    pub name: &'static str,
    /// What unknown fields are no field of.
    noun: &'static str,
    /// Asks for every field.
    read: Read<T>,
    /// An example of it, as JSON.
    pub example: &'static str,
    /// Whether there may be none, which reads like an empty one.
    pub may_be_absent: bool,
}

/// Why a form has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// What was sent is no body or query of its kind: a sentence.
    Malformed(String),
    /// Its fields are wrong.
    Faulty(Faults),
    /// The reader gave up without a fault, which is a defect of it.
    Unexplained(&'static str),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(sentence) => f.write_str(sentence),
            Self::Faulty(faults) => f.write_str(&sentence(faults)),
            Self::Unexplained(noun) => write!(f, "the reader of {noun} gave up without a fault"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// All faults in one sentence, at most twenty by name.
#[must_use]
pub fn sentence(faults: &[kernel::FieldFault]) -> String {
    let named = faults.iter().take(FAULTS_NAMED_MAX).map(ToString::to_string);
    let mut sentence = named.collect::<Vec<_>>().join("; ");
    if let Some(more @ 1..) = faults.len().checked_sub(FAULTS_NAMED_MAX) {
        sentence.push_str(&format!("; and {more} more"));
    }
    sentence
}

impl<T> Clone for Form<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Form<T> {}

impl<T> Form<T> {
    /// A body.
    pub const fn body(
        name: &'static str,
        noun: &'static str,
        read: Read<T>,
        example: &'static str,
    ) -> Self {
        Self { name, noun, read, example, may_be_absent: false }
    }

    /// The parameters of a list.
    pub const fn query(read: Read<T>) -> Self {
        Self { name: "", noun: "this list", read, example: "", may_be_absent: true }
    }

    /// Which may be left out.
    #[must_use]
    pub const fn or_absent(mut self) -> Self {
        self.may_be_absent = true;
        self
    }

    /// Reads a JSON body.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_body(&self, bytes: &[u8]) -> Result<T, Unreadable> {
        let malformed = |message: String| Unreadable::Malformed(message);
        let text = std::str::from_utf8(bytes)
            .map_err(|_| malformed("the body is not UTF-8 text".to_owned()))?;
        let text = match text.trim_ascii() {
            "" if self.may_be_absent => "{}",
            "" => return Err(malformed("a JSON body is required".to_owned())),
            text => text,
        };
        let fields = Fields::of_json(self.noun, text);
        self.finish(fields.map_err(|problem| malformed(format!("the body {problem}")))?)
    }

    /// Reads a query string.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_query(&self, text: &str) -> Result<T, Unreadable> {
        let malformed = |problem| Unreadable::Malformed(format!("the query {problem}"));
        self.finish(Fields::of_query(self.noun, text).map_err(malformed)?)
    }

    /// Reads a url-encoded body, as browsers send forms.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_urlencoded(&self, bytes: &[u8]) -> Result<T, Unreadable> {
        let malformed = |problem| Unreadable::Malformed(format!("the form {problem}"));
        let text = std::str::from_utf8(bytes)
            .map_err(|_| malformed("must be percent-encoded UTF-8".to_owned()))?;
        self.finish(Fields::of_urlencoded(self.noun, text).map_err(malformed)?)
    }

    /// What its reader asks for.
    pub fn sketch(&self) -> Sketch {
        let mut fields = Fields::sketching(self.noun);
        (self.read)(&mut fields);
        fields.into_sketch()
    }

    fn finish(&self, mut fields: Fields<'_>) -> Result<T, Unreadable> {
        let value = (self.read)(&mut fields);
        fields.finish(value).map_err(|faults| match faults.is_empty() {
            true => Unreadable::Unexplained(self.noun),
            false => Unreadable::Faulty(faults),
        })
    }
}
