//! How many of something there are: whole counts, and quantities of what is sold by weight or length.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Neg, Sub, SubAssign},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::value::RawValue;

use crate::{Amount, Message, message};

/// How many, as a whole number of the smallest unit that is kept: of pieces, or of thousandths of a unit.
pub type Quantity = i64;

/// The largest quantity of one thing that the service keeps or sells: a billion of the smallest unit that is kept of it.
pub const QUANTITY_MAX: Quantity = 1_000_000_000;

/// Thousandths in one unit.
const SCALE: i64 = 1_000;
/// Millionths in a thousandth.
const STEP: i64 = 1_000;

/// With how many decimals quantities of something are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decimals {
    /// None: it is sold by the piece.
    #[default]
    Zero,
    /// Three: it is sold by weight or length.
    Three,
}

impl Decimals {
    /// How many they may be.
    pub const COUNTS: &'static [u8] = &[0, 3];

    /// So many; `None` where there is no such way.
    #[must_use]
    pub const fn of(count: i64) -> Option<Self> {
        match count {
            0 => Some(Self::Zero),
            3 => Some(Self::Three),
            _ => None,
        }
    }

    /// How many they are.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Zero => 0,
            Self::Three => 3,
        }
    }

    /// How many of the smallest unit that is kept make one unit.
    #[must_use]
    pub const fn scale(self) -> i64 {
        match self {
            Self::Zero => 1,
            Self::Three => SCALE,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        matches!(self, Self::Zero)
    }
}

impl Serialize for Decimals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.count())
    }
}

impl<'de> Deserialize<'de> for Decimals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let count = i64::deserialize(deserializer)?;
        Self::of(count).ok_or_else(|| D::Error::custom("no such number of decimals"))
    }
}

/// How many units of something, exact to the thousandth: what people state and are shown, whichever decimals are kept of it.
///
/// Serialised as a JSON number with its shortest exact digits: `3`, `0.35`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Measure(i64);

impl Measure {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// So many whole units.
    #[must_use]
    pub const fn whole(units: i64) -> Self {
        Self(units.saturating_mul(SCALE))
    }

    /// So many thousandths of a unit.
    #[must_use]
    pub const fn from_thousandths(thousandths: i64) -> Self {
        Self(thousandths)
    }

    /// What a quantity is that is kept with these decimals.
    #[must_use]
    pub const fn of(quantity: Quantity, decimals: Decimals) -> Self {
        Self(quantity.saturating_mul(SCALE / decimals.scale()))
    }

    /// Reads a number of units.
    ///
    /// # Errors
    /// A clause that follows the field's name: it has more than three decimals.
    pub fn read(number: Amount) -> Result<Self, Message> {
        match number.micros() % STEP {
            0 => Ok(Self(number.micros() / STEP)),
            _ => Err(message!("must have at most 3 decimals", "debe tener a lo más 3 decimales")),
        }
    }

    /// Its thousandths.
    #[must_use]
    pub const fn thousandths(self) -> i64 {
        self.0
    }

    /// The same as a factor of prices.
    #[must_use]
    pub const fn amount(self) -> Amount {
        Amount::from_micros(self.0.saturating_mul(STEP))
    }

    /// Whether it has no other decimals than these.
    #[must_use]
    pub const fn fits(self, decimals: Decimals) -> bool {
        self.0 % (SCALE / decimals.scale()) == 0
    }

    /// The quantity that is kept of it.
    ///
    /// # Errors
    /// A clause that follows the field's name: it has decimals that are not kept, or is beyond [`QUANTITY_MAX`].
    pub fn kept(self, decimals: Decimals) -> Result<Quantity, Message> {
        if !self.fits(decimals) {
            return Err(not_whole());
        }
        let quantity = self.quantity(decimals);
        match (-QUANTITY_MAX..=QUANTITY_MAX).contains(&quantity) {
            true => Ok(quantity),
            false => Err(message!(
                "must be at most {most}",
                "debe ser a lo más {most}",
                most = Self::of(QUANTITY_MAX, decimals)
            )),
        }
    }

    /// The quantity that is kept of what was [judged](Measure::kept) before, or made of one.
    #[must_use]
    pub const fn quantity(self, decimals: Decimals) -> Quantity {
        self.0 / (SCALE / decimals.scale())
    }

    /// Whether it is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// How far it is from zero.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }
}

/// What is wrong with a part of something that is sold by the piece.
fn not_whole() -> Message {
    message!(
        "must be a whole number: the product is sold by the piece (its quantityDecimals are 0)",
        "debe ser un número entero: el producto se vende por pieza (su quantityDecimals es 0)"
    )
}

impl Add for Measure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Measure {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Measure {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl AddAssign for Measure {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Measure {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Measure {
    fn sum<I: Iterator<Item = Self>>(measures: I) -> Self {
        measures.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::amount::write_decimal(f, i128::from(self.0) * i128::from(STEP))
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % SCALE {
            0 => serializer.serialize_i64(self.0 / SCALE),
            _ => {
                let raw = RawValue::from_string(self.to_string());
                raw.map_err(serde::ser::Error::custom)?.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Amount::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn measure(text: &str) -> Result<Measure, Message> {
        Measure::read(Amount::parse(text).unwrap())
    }

    #[test]
    fn whole_units_are_written_without_decimals_and_others_without_zeros() {
        for (text, json) in [
            ("3", "3"),
            ("3.0", "3"),
            ("0.350", "0.35"),
            ("12.345", "12.345"),
            ("-0.5", "-0.5"),
            ("-2", "-2"),
            ("0", "0"),
        ] {
            let measure = measure(text).unwrap();
            assert_eq!(serde_json::to_string(&measure).unwrap(), json);
            assert_eq!(measure.to_string(), json);
            assert_eq!(serde_json::from_str::<Measure>(json).unwrap(), measure);
        }
        let most = Measure::from_thousandths(i64::MAX);
        assert_eq!(serde_json::to_string(&most).unwrap(), "9223372036854775.807");
        assert!(measure("0.3505").is_err());
        assert!(serde_json::from_str::<Measure>("0.3505").is_err());
    }

    #[test]
    fn what_is_kept_has_the_decimals_that_are_kept() {
        let (pieces, kilograms) = (Decimals::Zero, Decimals::Three);
        for (text, decimals, quantity) in [
            ("2", pieces, Some(2)),
            ("-2", pieces, Some(-2)),
            ("1.5", pieces, None),
            ("0.001", pieces, None),
            ("1000000000", pieces, Some(QUANTITY_MAX)),
            ("1000000001", pieces, None),
            ("2", kilograms, Some(2_000)),
            ("0.35", kilograms, Some(350)),
            ("-0.001", kilograms, Some(-1)),
            ("1000000", kilograms, Some(QUANTITY_MAX)),
            ("1000000.001", kilograms, None),
        ] {
            assert_eq!(measure(text).unwrap().kept(decimals).ok(), quantity, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(quantity in -QUANTITY_MAX..=QUANTITY_MAX, is_whole: bool) {
            let decimals = if is_whole { Decimals::Zero } else { Decimals::Three };
            let measure = Measure::of(quantity, decimals);
            prop_assert_eq!(measure.kept(decimals), Ok(quantity));
            prop_assert_eq!(measure.quantity(decimals), quantity);
            let json = serde_json::to_string(&measure).unwrap();
            prop_assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), measure);
            prop_assert_eq!(json, measure.to_string());
            prop_assert_eq!(Measure::read(measure.amount()), Ok(measure));
        }
    }
}
