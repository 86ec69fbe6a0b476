//! Exact decimal amounts, kept in millionths of the currency unit.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::value::RawValue;

use crate::{Currency, Message};

/// Millionths in one unit.
const SCALE: i64 = 1_000_000;
/// Decimals that an amount can carry.
const DECIMALS: u32 = 6;

/// A decimal number with at most six decimals, exact; never a binary float.
///
/// Serialised as a JSON number with its shortest exact digits: `19.99`, `20`, `0.000001`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount the service accepts: a trillion units, far inside the range of the type so
    /// that sums over the largest order cannot overflow.
    pub const MAX: Self = Self(1_000_000_000_000 * SCALE);

    /// An amount from its millionths.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Its millionths.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads a JSON number (RFC 8259): `19.99`, `-3`, `1.5e3`.
    ///
    /// # Errors
    /// What is wrong, as a clause that follows the field's name: not a number, more than six
    /// decimals, or beyond [`Amount::MAX`].
    pub fn parse(text: &str) -> Result<Self, Message> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
            return Err(NOT_A_NUMBER);
        }
        let digits = || whole.bytes().chain(fraction.bytes());
        // The digit at `position` counts from the left; its power of ten follows from the point.
        let mut micros: i64 = 0;
        let shift = exponent + i64::from(DECIMALS) - fraction.len() as i64;
        let length = digits().count() as i64;
        for (position, digit) in digits().enumerate() {
            let digit = i64::from(digit - b'0');
            if digit == 0 {
                continue;
            }
            let power = length - 1 - position as i64 + shift;
            if power < 0 {
                return Err(TOO_FINE);
            }
            let power = u32::try_from(power).map_err(|_| TOO_LARGE)?;
            let value = 10i64.checked_pow(power).and_then(|unit| unit.checked_mul(digit));
            micros = value.and_then(|value| micros.checked_add(value)).ok_or(TOO_LARGE)?;
        }
        if micros > Self::MAX.0 {
            return Err(TOO_LARGE);
        }
        Ok(Self(if negative { -micros } else { micros }))
    }

    /// The sum, or `None` beyond [`Amount::MAX`].
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self).filter(|sum| sum.0.abs() <= Self::MAX.0)
    }

    /// This amount `times` over, or `None` beyond [`Amount::MAX`].
    #[must_use]
    pub fn times(self, times: i64) -> Option<Self> {
        self.0.checked_mul(times).map(Self).filter(|product| product.0.abs() <= Self::MAX.0)
    }

    /// Rounded to `decimals` (at most six), half away from zero as SAT and commerce round.
    #[must_use]
    pub fn rounded(self, decimals: u32) -> Self {
        let unit = 10i64.pow(DECIMALS.saturating_sub(decimals));
        let half = unit / 2 * self.0.signum();
        Self(self.0.saturating_add(half) / unit * unit)
    }

    /// Whether it needs no more than `decimals` decimals to be written.
    #[must_use]
    pub fn fits(self, decimals: u32) -> bool {
        self.rounded(decimals) == self
    }

    /// Whether it is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
}

const NOT_A_NUMBER: Message = Message::fixed("must be a number", "debe ser un número");
const TOO_FINE: Message =
    Message::fixed("must have at most 6 decimals", "debe tener a lo más 6 decimales");
/// What is said of a number beyond [`Amount::MAX`], where no lesser limit is known.
pub const TOO_LARGE: Message =
    Message::fixed("must be at most 1000000000000", "debe ser a lo más 1000000000000");

fn parse_exponent(text: &str) -> Result<i64, Message> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NOT_A_NUMBER);
    }
    // Beyond four digits the value no longer matters: the number is zero, too long or too large.
    let size = digits.parse::<i64>().unwrap_or(i64::MAX).min(9_999);
    Ok(if text.starts_with('-') { -size } else { size })
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0.into())
    }
}

/// Writes millionths as a decimal number with its shortest exact digits.
pub(crate) fn write_decimal(f: &mut fmt::Formatter<'_>, micros: i128) -> fmt::Result {
    let sign = if micros < 0 { "-" } else { "" };
    let micros = micros.unsigned_abs();
    let units = micros / SCALE as u128;
    // Most are far below 2⁶⁴, and dividing by ten is several times as quick there.
    let mut fraction = (micros % SCALE as u128) as u32;
    f.write_str(sign)?;
    match u64::try_from(units) {
        Ok(units) => write!(f, "{units}")?,
        Err(_) => write!(f, "{units}")?,
    }
    if fraction == 0 {
        return Ok(());
    }
    let mut width = DECIMALS as usize;
    while fraction.is_multiple_of(10) {
        fraction /= 10;
        width -= 1;
    }
    write!(f, ".{fraction:0width$}")
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % SCALE == 0 {
            return serializer.serialize_i64(self.0 / SCALE);
        }
        let raw = RawValue::from_string(self.to_string()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get()).map_err(D::Error::custom)
    }
}

/// An amount in a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Money {
    pub amount: Amount,
    /// Currency of the amount.
    pub currency: Currency,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_json_numbers_exactly() {
        let cases = [
            ("0", 0),
            ("-0", 0),
            ("19.99", 19_990_000),
            ("-3", -3_000_000),
            ("0.000001", 1),
            ("1.5e3", 1_500_000_000),
            ("15E-1", 1_500_000),
            ("1.000000000", 1_000_000),
            ("1000000000000", Amount::MAX.micros()),
            ("0e99999999999999999999", 0),
        ];
        for (text, micros) in cases {
            assert_eq!(Amount::parse(text), Ok(Amount::from_micros(micros)), "{text}");
        }
    }

    #[test]
    fn refuses_what_it_cannot_hold() {
        let cases = [
            "",
            "-",
            ".5",
            "1e",
            "abc",
            "1.0000001",
            "1e400",
            "1e-400",
            "1000000000000.01",
            "--1",
            "1_0",
        ];
        for text in cases {
            assert!(Amount::parse(text).is_err(), "{text}");
        }
        assert!(Amount::parse(&"9".repeat(100_000)).is_err());
    }

    #[test]
    fn rounds_half_away_from_zero() {
        let rounded = |text: &str| Amount::parse(text).unwrap().rounded(2).to_string();
        assert_eq!(rounded("1.005"), "1.01");
        assert_eq!(rounded("1.004999"), "1");
        assert_eq!(rounded("-1.005"), "-1.01");
    }

    proptest! {
        #[test]
        fn survives_json(micros in -Amount::MAX.micros()..=Amount::MAX.micros()) {
            let amount = Amount::from_micros(micros);
            let json = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Amount>(&json).unwrap(), amount);
            prop_assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
        }
    }
}
