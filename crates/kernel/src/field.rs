//! What is wrong with one field of a command.

use std::fmt;

use crate::{Language, Message};

/// A field and what is wrong with it, as a clause: `items[0].quantity` + `must be at least 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// The field's path as the caller wrote it; empty where the problem is a sentence of its own.
    pub field: String,
    /// A clause that follows the field's name.
    pub problem: Message,
}

impl FieldFault {
    /// A fault of `field`.
    pub fn new(field: impl Into<String>, problem: Message) -> Self {
        Self { field: field.into(), problem }
    }

    /// The field and what is wrong with it, without a full stop.
    #[must_use]
    pub fn in_language(&self, language: Language) -> String {
        let problem = self.problem.in_language(language);
        if self.field.is_empty() { problem.to_owned() } else { format!("{} {problem}", self.field) }
    }
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => self.problem.fmt(f),
            field => write!(f, "{field} {}", self.problem),
        }
    }
}
