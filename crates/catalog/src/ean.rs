//! Article numbers under bar codes (GTIN).

use std::fmt;

use kernel::{Message, gtin::check_digit, message};
use serde::{Deserialize, Serialize};

/// A GTIN of 8, 12, 13 or 14 digits with a right check digit (GS1 General Specifications, §7.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ean(String);

impl Ean {
    /// Reads the digits.
    ///
    /// # Errors
    /// A clause that follows the field's name: wrong length, or a wrong check digit and the right one.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
        let Some((check, body)) = digits.as_ref().and_then(|digits| digits.split_last()) else {
            return Err(WRONG_FORM);
        };
        if ![8, 12, 13, 14].contains(&(body.len() + 1)) {
            return Err(WRONG_FORM);
        }
        let right = check_digit(body);
        if *check != right {
            return Err(message!(
                "has the check digit {check} where {right} is right",
                "tiene el dígito verificador {check} y debe ser {right}"
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Ean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const WRONG_FORM: Message = Message::fixed(
    "must be an EAN, UPC or GTIN of 8, 12, 13 or 14 digits",
    "debe ser un EAN, UPC o GTIN de 8, 12, 13 o 14 dígitos",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validates_check_digits() {
        for good in ["7501031311309", "96385074", "036000291452", "10614141000415"] {
            assert!(Ean::parse(good).is_ok(), "{good}");
        }
        for bad in ["", "7501031311308", "123", "75010313113o9", "٧٥٠١٠٣١٣١١٣٠٩", "7501031311309 "]
        {
            assert!(Ean::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(
            Ean::parse("7501031311308").unwrap_err().to_string(),
            "has the check digit 8 where 9 is right"
        );
    }
}
