//! What is wrong with one field of a command.

use std::fmt;

/// A field and what is wrong with it, as a clause: `items[0].quantity` + `must be at least 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// The field's path as the caller wrote it.
    pub field: String,
    /// A clause that follows the field's name.
    pub problem: String,
}

impl FieldFault {
    /// A fault of `field`.
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.problem)
    }
}
