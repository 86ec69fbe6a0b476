//! Currencies by their ISO 4217 code.

use std::fmt;

use crate::{Message, message};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Codes in force in ISO 4217, or in SAT's catalog (c_Moneda), that take two decimals.
const TWO_DECIMALS: &str = "ANG BGN BOV CHE CHW CNH COU CUC ESD HRK MRO MXV NIC SLL STD USN UYP VEF ZWL AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR \
IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO \
NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS \
TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW ZWG";
const NO_DECIMALS: &str = "BYR UYI XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XUA BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THREE_DECIMALS: &str = "BHD IQD JOD KWD LYD OMR TND";
const FOUR_DECIMALS: &str = "CLF";

/// A currency in force in ISO 4217, or in SAT's catalog (c_Moneda).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The Mexican peso, the default everywhere.
    pub const MXN: Self = Self(*b"MXN");

    /// Reads an upper-case ISO 4217 code.
    ///
    /// # Errors
    /// A clause that follows the field's name, when the code is not one in force.
    pub fn parse(code: &str) -> Result<Self, Message> {
        // Nearly every amount of a Mexican merchant, and every row read asks.
        if code == "MXN" {
            return Ok(Self::MXN);
        }
        let known = [TWO_DECIMALS, NO_DECIMALS, THREE_DECIMALS, FOUR_DECIMALS];
        match <[u8; 3]>::try_from(code.as_bytes()) {
            Ok(bytes) if known.iter().any(|codes| codes.split_whitespace().any(|c| c == code)) => {
                Ok(Self(bytes))
            }
            _ => Err(message!(
                "must be an ISO 4217 currency code such as \"MXN\"",
                "debe ser un código de moneda ISO 4217 como \"MXN\""
            )),
        }
    }

    /// The code, three upper-case letters.
    #[must_use]
    pub fn code(&self) -> &str {
        // Only ASCII letters can be inside.
        std::str::from_utf8(&self.0).unwrap_or("XXX")
    }

    /// How many decimals a total in it has.
    #[must_use]
    pub fn decimals(self) -> u32 {
        let among = |codes: &str| codes.split_whitespace().any(|code| code == self.code());
        match self {
            Self::MXN => 2,
            _ if among(NO_DECIMALS) => 0,
            _ if among(THREE_DECIMALS) => 3,
            _ if among(FOUR_DECIMALS) => 4,
            _ => 2,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::parse(&code).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_codes_and_decimals() {
        for (code, decimals) in
            [("MXN", 2), ("USD", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("MXV", 2)]
        {
            assert_eq!(Currency::parse(code).map(Currency::decimals), Ok(decimals), "{code}");
        }
        for code in ["", "mxn", "XXX", "ZZZ", "MX", "MXN ", "ñññ"] {
            assert!(Currency::parse(code).is_err(), "{code}");
        }
    }
}
