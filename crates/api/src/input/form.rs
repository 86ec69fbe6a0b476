//! A body or query that an endpoint takes: its name in the document and its reader.

use super::{Fields, Read, Sketch};
use crate::error::{ApiError, Code};

/// A body or query that an endpoint takes.
#[derive(Debug)]
pub(crate) struct Form<T> {
    /// The name of its schema.
    pub(crate) name: &'static str,
    /// What unknown fields are no field of.
    noun: &'static str,
    /// Asks for every field.
    read: Read<T>,
    /// An example of it, as JSON.
    pub(crate) example: &'static str,
    /// Whether there may be none, which reads like an empty one.
    pub(crate) may_be_absent: bool,
    /// Fields whose faults have a code of their own.
    codes: &'static [(&'static str, Code)],
}

impl<T> Clone for Form<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Form<T> {}

impl<T> Form<T> {
    /// A body.
    pub(crate) const fn body(
        name: &'static str,
        noun: &'static str,
        read: Read<T>,
        example: &'static str,
    ) -> Self {
        Self { name, noun, read, example, may_be_absent: false, codes: &[] }
    }

    /// The parameters of a list.
    pub(crate) const fn query(read: Read<T>) -> Self {
        Self { name: "", noun: "this list", read, example: "", may_be_absent: true, codes: &[] }
    }

    /// Which may be left out.
    pub(crate) const fn or_absent(mut self) -> Self {
        self.may_be_absent = true;
        self
    }

    /// With a code of their own for faults of these fields.
    pub(crate) const fn coded(mut self, codes: &'static [(&'static str, Code)]) -> Self {
        self.codes = codes;
        self
    }

    /// Reads a body.
    pub(crate) fn read_body(&self, bytes: &[u8]) -> Result<T, ApiError> {
        let malformed = |message| ApiError::new(Code::MalformedRequest, message);
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
    pub(crate) fn read_query(&self, text: &str) -> Result<T, ApiError> {
        let malformed =
            |problem| ApiError::new(Code::ValidationFailed, format!("the query {problem}"));
        self.finish(Fields::of_query(self.noun, text).map_err(malformed)?)
    }

    /// What its reader asks for.
    pub(crate) fn sketch(&self) -> Sketch {
        let mut fields = Fields::sketching(self.noun);
        (self.read)(&mut fields);
        fields.into_sketch()
    }

    fn finish(&self, mut fields: Fields<'_>) -> Result<T, ApiError> {
        let value = (self.read)(&mut fields);
        fields.finish(value).map_err(|faults| match faults.as_slice() {
            [] => {
                ApiError::internal(format!("the reader of {} gave up without a fault", self.noun))
            }
            faults => {
                let named = |(field, _): &&(&str, Code)| faults.iter().any(|f| f.field == *field);
                let own = self.codes.iter().find(named).map(|(_, code)| *code);
                let error = ApiError::of_faults(faults);
                ApiError { code: own.unwrap_or(error.code), ..error }
            }
        })
    }
}
