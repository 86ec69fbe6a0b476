//! Checks of numbers and booleans.

use std::ops::RangeInclusive;

use kernel::Amount;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use super::Check;
use crate::input::{Faults, Given, clause};

/// Millionths in one.
const MICROS: i64 = 1_000_000;

/// A decimal number that a function of the domain judges.
pub(crate) struct Number<F> {
    judge: F,
    min: Option<isize>,
}

/// A decimal number that `judge` judges, at least `min`.
pub(crate) fn number<F: Fn(Amount) -> Result<Amount, String>>(
    min: Option<isize>,
    judge: F,
) -> Number<F> {
    Number { judge, min }
}

impl<F: Fn(Amount) -> Result<Amount, String>> Check for Number<F> {
    type Value = Amount;

    fn check(&self, given: &Given<'_>) -> Result<Amount, Faults> {
        let amount = Amount::parse(given.number()?).map_err(clause)?;
        (self.judge)(amount).map_err(clause)
    }

    fn schema(&self) -> Schema {
        let max = isize::try_from(Amount::MAX.micros() / MICROS).ok();
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("At most 6 decimals, kept exactly."))
            .minimum(self.min.or(max.map(|max| -max)))
            .maximum(max)
            .into()
    }
}

/// A whole number.
pub(crate) struct Whole(RangeInclusive<i64>);

/// A whole number in a range; `2`, `2.0` and `2e0` are the same number.
pub(crate) const fn whole(range: RangeInclusive<i64>) -> Whole {
    Whole(range)
}

impl Check for Whole {
    type Value = i64;

    fn check(&self, given: &Given<'_>) -> Result<i64, Faults> {
        let number = Amount::parse(given.number()?).ok();
        let whole = number.map(Amount::micros).filter(|micros| micros % MICROS == 0);
        whole.map(|micros| micros / MICROS).filter(|whole| self.0.contains(whole)).ok_or_else(
            || {
                clause(format!(
                    "must be a whole number from {} to {}",
                    self.0.start(),
                    self.0.end()
                ))
            },
        )
    }

    fn schema(&self) -> Schema {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(isize::try_from(*self.0.start()).ok())
            .maximum(isize::try_from(*self.0.end()).ok())
            .into()
    }
}

/// A boolean.
pub(crate) struct Flag;

/// True or false.
pub(crate) const fn flag() -> Flag {
    Flag
}

impl Check for Flag {
    type Value = bool;

    fn check(&self, given: &Given<'_>) -> Result<bool, Faults> {
        given.boolean()
    }

    fn schema(&self) -> Schema {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}
