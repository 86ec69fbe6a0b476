//! What callers fill in: a JSON body, a url-encoded form or a query string, by its name in the
//! documentation and its reader.

use std::fmt;

use kernel::{FieldFault, Language, Message, message};

use crate::{Faults, Fields, Noun, Read, Sketch, noun, query::not_percent_encoded};

/// The most faults that one sentence names.
const FAULTS_NAMED_MAX: usize = 20;

/// A body or query: one declaration reads it, however it is encoded, and documents it.
#[derive(Debug)]
pub struct Form<T> {
    /// The name of its schema.
    pub name: &'static str,
    /// What unknown fields are no field of.
    noun: Noun,
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
    Malformed(Message),
    /// Its fields are wrong.
    Faulty(Faults),
    /// The reader gave up without a fault, which is a defect of it.
    Unexplained(&'static str),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(sentence) => sentence.fmt(f),
            Self::Faulty(faults) => sentence(faults).fmt(f),
            Self::Unexplained(noun) => write!(f, "the reader of {noun} gave up without a fault"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// All faults in one sentence, at most twenty by name.
#[must_use]
pub fn sentence(faults: &[FieldFault]) -> Message {
    let unnamed = faults.len().saturating_sub(FAULTS_NAMED_MAX);
    Message::both(|language| {
        let named = faults.iter().take(FAULTS_NAMED_MAX).map(|fault| fault.in_language(language));
        let rest = match language {
            _ if unnamed == 0 => None,
            Language::English => Some(format!("and {unnamed} more")),
            Language::Spanish => Some(format!("y {unnamed} más")),
        };
        named.chain(rest).collect::<Vec<_>>().join("; ")
    })
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
        noun: Noun,
        read: Read<T>,
        example: &'static str,
    ) -> Self {
        Self { name, noun, read, example, may_be_absent: false }
    }

    /// The parameters of a query.
    pub const fn query(read: Read<T>) -> Self {
        Self {
            name: "",
            noun: noun("this request", "esta solicitud"),
            read,
            example: "",
            may_be_absent: true,
        }
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
        let text = std::str::from_utf8(bytes).map_err(|_| {
            Unreadable::Malformed(message!(
                "the body is not UTF-8 text",
                "el cuerpo no es texto UTF-8"
            ))
        })?;
        let text = match text.trim_ascii() {
            "" if self.may_be_absent => "{}",
            "" => {
                return Err(Unreadable::Malformed(message!(
                    "a JSON body is required",
                    "se requiere un cuerpo JSON"
                )));
            }
            text => text,
        };
        let fields = Fields::of_json(self.noun, text);
        self.finish(fields.map_err(|problem| malformed(noun("the body", "el cuerpo"), &problem))?)
    }

    /// Reads a query string.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_query(&self, text: &str) -> Result<T, Unreadable> {
        self.read_query_at("", text, |_| ()).map(|(value, ())| value)
    }

    /// The same of a query that was sent to this address, with what `further` asks for.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_query_at<F>(
        &self,
        address: &str,
        text: &str,
        further: impl FnOnce(&mut Fields<'_>) -> F,
    ) -> Result<(T, F), Unreadable> {
        let fields = Fields::of_query(self.noun, text);
        let malformed = |problem| malformed(noun("the query", "la consulta"), &problem);
        self.finish_with(fields.map_err(malformed)?.sent_to(address), further)
    }

    /// Reads a url-encoded body, as browsers send forms.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_urlencoded(&self, bytes: &[u8]) -> Result<T, Unreadable> {
        self.read_form(bytes, Fields::of_urlencoded)
    }

    /// The same of one that somebody has typed into: numbers may have a peso sign, and commas between their thousands.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read_typed(&self, bytes: &[u8]) -> Result<T, Unreadable> {
        self.read_form(bytes, Fields::of_typed)
    }

    fn read_form<'a>(
        &self,
        bytes: &'a [u8],
        parted: impl FnOnce(Noun, &'a str) -> Result<Fields<'a>, Message>,
    ) -> Result<T, Unreadable> {
        let text = std::str::from_utf8(bytes).map_err(|_| not_percent_encoded());
        let fields = text.and_then(|text| parted(self.noun, text));
        self.finish(
            fields.map_err(|problem| malformed(noun("the form", "el formulario"), &problem))?,
        )
    }

    /// Reads the texts of a multipart body.
    ///
    /// # Errors
    /// Whatever is wrong with them.
    pub fn read_texts(&self, texts: Vec<(String, String)>) -> Result<T, Unreadable> {
        self.finish(Fields::of_texts(self.noun, texts))
    }

    /// What its reader asks for.
    pub fn sketch(&self) -> Sketch {
        self.sketch_with(|_| ())
    }

    /// The same with what `further` asks for.
    pub fn sketch_with(&self, further: impl FnOnce(&mut Fields<'_>)) -> Sketch {
        let mut fields = Fields::sketching(self.noun);
        (self.read)(&mut fields);
        further(&mut fields);
        fields.into_sketch()
    }

    fn finish(&self, fields: Fields<'_>) -> Result<T, Unreadable> {
        self.finish_with(fields, |_| ()).map(|(value, ())| value)
    }

    fn finish_with<F>(
        &self,
        mut fields: Fields<'_>,
        further: impl FnOnce(&mut Fields<'_>) -> F,
    ) -> Result<(T, F), Unreadable> {
        let value = (self.read)(&mut fields);
        let further = further(&mut fields);
        fields.finish(value.map(|value| (value, further))).map_err(|faults| {
            match faults.is_empty() {
                true => Unreadable::Unexplained(self.noun.english),
                false => Unreadable::Faulty(faults),
            }
        })
    }
}

/// The `whole` is not of its kind, for the reason that follows its name.
fn malformed(whole: Noun, problem: &Message) -> Unreadable {
    Unreadable::Malformed(Message::both(|language| {
        format!("{} {}", whole.in_language(language), problem.in_language(language))
    }))
}
