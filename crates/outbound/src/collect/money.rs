//! Amounts as providers write them.

use kernel::{Amount, Currency};

/// So many of the currency's smallest unit.
pub(super) fn to_minor(amount: Amount, currency: Currency) -> i64 {
    amount.micros() / unit(currency)
}

/// The amount of so many of the currency's smallest unit.
pub(super) fn from_minor(minor: i64, currency: Currency) -> Option<Amount> {
    minor.checked_mul(unit(currency)).map(Amount::from_micros)
}

fn unit(currency: Currency) -> i64 {
    10_i64.pow(6_u32.saturating_sub(currency.decimals()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_whole_smallest_units() {
        for (text, code, minor) in [
            ("100.5", "MXN", 10_050),
            ("50", "JPY", 50),
            ("0.01", "USD", 1),
            ("1.234", "KWD", 1_234),
        ] {
            let (amount, currency) = (Amount::parse(text).unwrap(), Currency::parse(code).unwrap());
            assert_eq!(to_minor(amount, currency), minor);
            assert_eq!(from_minor(minor, currency), Some(amount));
        }
        assert_eq!(from_minor(i64::MAX, Currency::MXN), None);
    }
}
