//! The checks that turn sent values into values of the domain.
//!
//! The rules are the domains' own functions; a check adds of what JSON type the value is and how that looks
//! in a schema.

mod containers;
mod numbers;
mod texts;

use crate::{Faults, Given, Schema};

pub use containers::{List, list, metadata, object, objects, several};
pub use numbers::{
    above_zero, above_zero_up_to, flag, number, one_number_of, percentage, some_units, units,
    whole, whole_from,
};
pub use texts::{
    LINE_PATTERN, base64, currency, deliverable_email, email, id, line, moment, one_of, paragraph,
    phone, secret, text,
};

/// Turns one sent value into a value of the domain.
pub trait Check: Sized {
    /// The value of the domain.
    type Value;

    /// Checks what was sent.
    ///
    /// # Errors
    /// What is wrong with it, or inside it.
    fn check(&self, given: &Given<'_>) -> Result<Self::Value, Faults>;

    /// What it accepts.
    fn schema(&self) -> Schema;

    /// With a sentence for the document, where the field of the same name in the answer does not give one.
    fn about(self, text: &'static str) -> About<Self> {
        About { check: self, text }
    }
}

/// See [`Check::about`].
#[derive(Debug)]
pub struct About<C> {
    check: C,
    text: &'static str,
}

impl<C: Check> Check for About<C> {
    type Value = C::Value;

    fn check(&self, given: &Given<'_>) -> Result<C::Value, Faults> {
        self.check.check(given)
    }

    fn schema(&self) -> Schema {
        Schema { about: Some(self.text), ..self.check.schema() }
    }
}
