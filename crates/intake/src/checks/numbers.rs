//! Checks of numbers and booleans.

use std::ops::RangeInclusive;

use kernel::{Amount, Measure, Message, amount::TOO_LARGE, message};

use super::Check;
use crate::{Faults, Given, Schema, clause, sketch::ValueKind};

/// Millionths in one.
const MICROS: i64 = 1_000_000;
/// The largest number that is read.
const LARGEST: i64 = Amount::MAX.micros() / MICROS;

/// A decimal number that a function of the domain judges.
pub struct Number<F> {
    judge: F,
    min: Option<i64>,
    is_above_min: bool,
    max: i64,
}

/// A decimal number that `judge` judges, at least `min`.
pub fn number<F: Fn(Amount) -> Result<Amount, Message>>(min: Option<i64>, judge: F) -> Number<F> {
    Number { judge, min, is_above_min: false, max: LARGEST }
}

/// A decimal number above zero and at most `max` that `judge` judges.
pub fn above_zero_up_to<F: Fn(Amount) -> Result<Amount, Message>>(max: i64, judge: F) -> Number<F> {
    Number { judge, min: Some(0), is_above_min: true, max }
}

/// A decimal number above zero.
pub fn above_zero() -> impl Check<Value = Amount> {
    let judge = |amount| {
        if amount > Amount::ZERO {
            return Ok(amount);
        }
        Err(message!("must be more than 0", "debe ser mayor que 0"))
    };
    Number { judge, min: Some(0), is_above_min: true, max: LARGEST }
}

/// A percentage above zero and at most a hundred, with at most so many decimals.
pub fn percentage(decimals: u32) -> impl Check<Value = Amount> {
    let judge = move |percent: Amount| {
        let hundred = Amount::from_micros(100 * MICROS);
        match () {
            () if percent <= Amount::ZERO || percent > hundred => Err(message!(
                "must be more than 0 and at most 100",
                "debe ser mayor que 0 y a lo más 100"
            )),
            () if !percent.fits(decimals) => Err(message!(
                "must have at most {decimals} decimals",
                "debe tener a lo más {decimals} decimales"
            )),
            () => Ok(percent),
        }
    };
    Number { judge, min: Some(0), is_above_min: true, max: 100 }
}

impl<F: Fn(Amount) -> Result<Amount, Message>> Check for Number<F> {
    type Value = Amount;

    fn check(&self, given: &Given<'_>) -> Result<Amount, Faults> {
        let amount = match Amount::parse(&given.number()?) {
            // The lesser limit is the one to tell.
            Err(problem) if problem == TOO_LARGE && self.max < LARGEST => Amount::MAX,
            amount => amount.map_err(clause)?,
        };
        (self.judge)(amount).map_err(clause)
    }

    fn schema(&self) -> Schema {
        let range = self.min.unwrap_or(-LARGEST)..=self.max;
        ValueKind::Number { range, is_above_min: self.is_above_min }.into()
    }
}

/// A whole number.
#[derive(Debug)]
pub struct Whole(RangeInclusive<i64>);

/// A whole number in a range; `2`, `2.0` and `2e0` are the same number.
pub const fn whole(range: RangeInclusive<i64>) -> Whole {
    Whole(range)
}

/// A whole number of at least `min`.
pub const fn whole_from(min: i64) -> Whole {
    Whole(min..=LARGEST)
}

impl Whole {
    fn read(&self, digits: &str) -> Option<i64> {
        let micros = Amount::parse(digits).ok()?.micros();
        let whole = micros / MICROS;
        (micros % MICROS == 0 && self.0.contains(&whole)).then_some(whole)
    }
}

impl Check for Whole {
    type Value = i64;

    fn check(&self, given: &Given<'_>) -> Result<i64, Faults> {
        self.read(&given.number()?).ok_or_else(|| {
            clause(match (self.0.start(), self.0.end()) {
                (min, &LARGEST) => message!(
                    "must be a whole number of at least {min}",
                    "debe ser un número entero de al menos {min}"
                ),
                (min, max) => message!(
                    "must be a whole number from {min} to {max}",
                    "debe ser un número entero de {min} a {max}"
                ),
            })
        })
    }

    fn schema(&self) -> Schema {
        ValueKind::Whole(self.0.clone()).into()
    }
}

/// A quantity of something that may be sold by weight or length.
#[derive(Debug)]
pub struct Units {
    range: RangeInclusive<i64>,
    is_above_min: bool,
}

/// A quantity in a range of units, with at most three decimals. Which of them there may be, the rules judge that know what it
/// is of.
#[must_use]
pub const fn units(range: RangeInclusive<i64>) -> Units {
    Units { range, is_above_min: false }
}

/// The same above zero, up to so many units.
#[must_use]
pub const fn some_units(most: i64) -> Units {
    Units { range: 0..=most, is_above_min: true }
}

impl Check for Units {
    type Value = Measure;

    fn check(&self, given: &Given<'_>) -> Result<Measure, Faults> {
        let measure = match Amount::parse(&given.number()?) {
            // The lesser limit is the one to tell.
            Err(problem) if problem == TOO_LARGE => None,
            number => Some(number.and_then(Measure::read).map_err(clause)?),
        };
        let (least, most) = (*self.range.start(), *self.range.end());
        let is_low = |measure: &Measure| match self.is_above_min {
            true => *measure <= Measure::whole(least),
            false => *measure < Measure::whole(least),
        };
        let within = measure.filter(|it| !is_low(it) && *it <= Measure::whole(most));
        within.ok_or_else(|| {
            clause(match self.is_above_min {
                true => message!(
                    "must be more than {least} and at most {most}",
                    "debe ser mayor que {least} y a lo más {most}"
                ),
                false => {
                    message!("must be from {least} to {most}", "debe ser de {least} a {most}")
                }
            })
        })
    }

    fn schema(&self) -> Schema {
        let (range, is_above_min) = (self.range.clone(), self.is_above_min);
        ValueKind::Number { range, is_above_min }.into()
    }
}

/// One of a few whole numbers.
pub struct OneNumber(&'static [u8]);

/// One of these whole numbers, the smallest first.
pub const fn one_number_of(values: &'static [u8]) -> OneNumber {
    OneNumber(values)
}

impl Check for OneNumber {
    type Value = u8;

    fn check(&self, given: &Given<'_>) -> Result<u8, Faults> {
        let read = Whole(0..=LARGEST).read(&given.number()?);
        let value =
            read.and_then(|number| self.0.iter().find(|value| i64::from(**value) == number));
        value.copied().ok_or_else(|| {
            let names: Vec<String> = self.0.iter().map(u8::to_string).collect();
            let names = names.join(", ");
            clause(message!("must be one of {names}", "debe ser uno de {names}"))
        })
    }

    fn schema(&self) -> Schema {
        ValueKind::OneNumber(self.0).into()
    }
}

/// A boolean.
#[derive(Debug)]
pub struct Flag;

/// True or false.
pub const fn flag() -> Flag {
    Flag
}

impl Check for Flag {
    type Value = bool;

    fn check(&self, given: &Given<'_>) -> Result<bool, Faults> {
        given.boolean()
    }

    fn schema(&self) -> Schema {
        ValueKind::Flag.into()
    }
}
