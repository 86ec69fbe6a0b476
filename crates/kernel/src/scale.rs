//! Labels of scales: article numbers of 13 digits that a shop prints itself, which say what was weighed.
//!
//! GS1 leaves numbers that begin with 02, 04 or 20 to 29 to whoever prints them; how their digits are used is a setting of
//! the scale, so it is one of the account.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{Amount, Measure, Message, gtin, message};

/// The most patterns of one account.
pub const SCALE_CODES_MAX: usize = 10;
/// How long a pattern is, and every label.
pub const SCALE_CODE_CHARS: usize = 13;

/// Millionths in a cent.
const CENT: i64 = 10_000;

/// How a scale writes its labels: fixed digits, the number of the product (`P`), either its weight in thousandths (`W`) or its
/// price in cents (`M`), and the check digit (`C`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScaleCode(String);

/// What a label says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The number of the product, with the zeros in front of it.
    pub product: String,
    /// What was weighed.
    pub weighed: Weighed,
}

/// How a label says what was weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighed {
    /// So much of it.
    Quantity(Measure),
    /// What it costs.
    Amount(Amount),
}

impl Label {
    /// How much of it there is, if that is what it says.
    #[must_use]
    pub const fn quantity(&self) -> Option<Measure> {
        match self.weighed {
            Weighed::Quantity(quantity) => Some(quantity),
            Weighed::Amount(_) => None,
        }
    }
}

impl ScaleCode {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A clause that follows the field's name: it is no pattern.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let is_pattern = || {
            let rest = after(text.strip_suffix('C')?, |letter| letter.is_ascii_digit())?;
            let rest = after(rest, |letter| letter == 'P')?;
            let value = rest.chars().next().filter(|letter| matches!(letter, 'W' | 'M'))?;
            Some(after(rest, |letter| letter == value)?.is_empty())
        };
        match text.len() == SCALE_CODE_CHARS && is_pattern() == Some(true) {
            true => Ok(Self(text.to_owned())),
            false => Err(message!(
                "must have 13 characters such as \"20PPPPPWWWWWC\": fixed digits, P for those of the product, W for those of its \
                 weight in thousandths or M for those of its price in cents, and C for the check digit",
                "debe tener 13 caracteres como \"20PPPPPWWWWWC\": dígitos fijos, P por los del producto, W por los de su peso en \
                 milésimas o M por los de su precio en centavos, y C por el dígito verificador"
            )),
        }
    }

    /// The pattern.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a label of this pattern says; `None` where digits are none, or nothing was weighed.
    #[must_use]
    pub fn read(&self, digits: &str) -> Option<Label> {
        if digits.len() != SCALE_CODE_CHARS || !gtin::is_checked(digits) {
            return None;
        }
        let (mut product, mut value) = (String::new(), 0_i64);
        for (mark, digit) in self.0.bytes().zip(digits.bytes()) {
            match mark {
                b'P' => product.push(char::from(digit)),
                b'W' | b'M' => value = value * 10 + i64::from(digit.saturating_sub(b'0')),
                b'C' => {}
                fixed if fixed == digit => {}
                _ => return None,
            }
        }
        let weighed = match self.0.contains('W') {
            true => Weighed::Quantity(Measure::from_thousandths(value)),
            false => Weighed::Amount(Amount::from_micros(value * CENT)),
        };
        (value > 0).then_some(Label { product, weighed })
    }

    /// Whether some label could be read by both patterns.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let (own, others) = (self.fixed(), other.fixed());
        own.starts_with(others) || others.starts_with(own)
    }

    /// The digits that all its labels begin with.
    fn fixed(&self) -> &str {
        self.0.trim_end_matches(|letter: char| !letter.is_ascii_digit())
    }
}

/// What follows the letters that a text begins with, if it does with any.
fn after(text: &str, is_one: impl Fn(char) -> bool) -> Option<&str> {
    let rest = text.trim_start_matches(is_one);
    (rest.len() < text.len()).then_some(rest)
}

impl fmt::Display for ScaleCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ScaleCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ScaleCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pattern(text: &str) -> ScaleCode {
        ScaleCode::parse(text).unwrap()
    }

    #[test]
    fn patterns_say_where_everything_stands() {
        for good in ["20PPPPPWWWWWC", "2PPPPPPWWWWWC", "21PPPPPMMMMMC", "0234567890PWC"] {
            assert_eq!(pattern(good).as_str(), good);
        }
        for bad in [
            "",
            "20PPPPPWWWWW",
            "PPPPPPPWWWWWC",
            "20WWWWWPPPPPC",
            "20PPPPPWWMMMC",
            "20PPPPPPPPPPC",
            "20WWWWWWWWWWC",
            "20PPPPPWWWWPC",
            "20pppppwwwwwc",
            "20PPPPPWWWWWW",
            "20PPPPPVWWWWC",
            "20PPPPP5WWWWC",
            "20PPPPWWWWWWÑ",
        ] {
            assert!(ScaleCode::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn labels_say_what_was_weighed() {
        let (weight, price) = (pattern("20PPPPPWWWWWC"), pattern("21PPPPPMMMMMC"));
        let of = |weighed| Some(Label { product: "00042".to_owned(), weighed });
        let grams = Measure::from_thousandths(350);
        assert_eq!(weight.read("2000042003500"), of(Weighed::Quantity(grams)));
        let pesos = Amount::parse("66.47").unwrap();
        assert_eq!(price.read("2100042066472"), of(Weighed::Amount(pesos)));
        // Another prefix, a wrong check digit, nothing on the scale, another length.
        for other in ["2100042066472", "2000042003502", "2000042000004", "200004200350", ""] {
            assert_eq!(weight.read(other), None, "{other}");
        }
    }

    #[test]
    fn no_label_fits_two_patterns_that_do_not_meet() {
        let weight = pattern("20PPPPPWWWWWC");
        assert!(weight.meets(&weight) && weight.meets(&pattern("2PPPPPPMMMMMC")));
        assert!(!weight.meets(&pattern("21PPPPPMMMMMC")));
    }

    proptest! {
        #[test]
        fn what_a_scale_prints_is_read(product in 0_u32..100_000, value in 1_i64..100_000) {
            let body = format!("20{product:05}{value:05}");
            let digits: Vec<u32> = body.chars().filter_map(|digit| digit.to_digit(10)).collect();
            let label = format!("{body}{}", gtin::check_digit(&digits));
            let read = pattern("20PPPPPWWWWWC").read(&label);
            let weighed = Weighed::Quantity(Measure::from_thousandths(value));
            prop_assert_eq!(read, Some(Label { product: format!("{product:05}"), weighed }));
        }
    }
}
