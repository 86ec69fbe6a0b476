//! The checks that turn sent values into values of the domain.
//!
//! The rules are the domains' own functions; a check adds of what JSON type the value is and how that looks
//! in a schema.

mod containers;
mod numbers;
mod texts;

use utoipa::openapi::schema::Schema;

use super::{Faults, Given, sketch};

pub(crate) use containers::{List, list, metadata, object, objects};
pub(crate) use numbers::{flag, number, whole, whole_from};
pub(crate) use texts::{
    base64, currency, email, id, line, moment, one_of, paragraph, phone, secret, text,
};

/// Turns one sent value into a value of the domain.
pub(crate) trait Check: Sized {
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
pub(crate) struct About<C> {
    check: C,
    text: &'static str,
}

impl<C: Check> Check for About<C> {
    type Value = C::Value;

    fn check(&self, given: &Given<'_>) -> Result<C::Value, Faults> {
        self.check.check(given)
    }

    fn schema(&self) -> Schema {
        let mut schema = self.check.schema();
        if let Some(description) = sketch::description_mut(&mut schema) {
            *description = Some(self.text.to_owned());
        }
        schema
    }
}
