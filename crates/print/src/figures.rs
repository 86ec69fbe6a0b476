//! Numbers and moments as people read them.

use cfdi::{decimal::digits, document::local_time, tax::Factor, tax::TaxRate};
use kernel::{Amount, Language};

use crate::texts;

/// With thousands apart and at least that many decimals, never fewer than two: `1,234.50`.
pub(crate) fn money(amount: Amount, decimals: u32) -> String {
    grouped(&digits(amount, decimals.max(2)))
}

/// With thousands apart, and decimals only where there are any: `1,000`, `0.5`.
pub(crate) fn plain(amount: Amount) -> String {
    grouped(&digits(amount, 0))
}

/// Commas between the thousands of a number in digits.
pub(crate) fn grouped(digits: &str) -> String {
    let (sign, rest) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let mut text = sign.to_owned();
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// The rate of a tax: `16 %`, `10.6667 %`, `cuota 5.2146`, `exento`.
pub(crate) fn rate(rate: &TaxRate, language: Language) -> String {
    match rate.factor {
        Factor::Exento => texts::RATE_EXEMPT.text(language).to_owned(),
        Factor::Cuota => texts::RATE_OF_QUOTA.with(language, &[&plain(rate.rate)]),
        Factor::Tasa => percent(rate.rate),
    }
}

/// A share in percent: `16 %` of 0.16.
pub(crate) fn percent(share: Amount) -> String {
    let percent = Amount::from_micros(share.micros().saturating_mul(100));
    format!("{} %", plain(percent))
}

/// A moment in its local time: `2026-01-31 12:05:07`.
pub(crate) fn moment(moment: time::PrimitiveDateTime) -> String {
    local_time::to_text(moment).replace('T', " ")
}

#[cfg(test)]
mod tests {
    use cfdi::tax::Tax;

    use super::*;

    #[test]
    fn thousands_are_apart() {
        for (micros, text) in [
            (0, "0.00"),
            (5_000_000, "5.00"),
            (999_990_000, "999.99"),
            (1_000_000_000, "1,000.00"),
            (1_234_567_891_234_567, "1,234,567,891.234567"),
            (-1_500_000_000, "-1,500.00"),
            (-100_000_000, "-100.00"),
        ] {
            assert_eq!(money(Amount::from_micros(micros), 0), text);
        }
        assert_eq!(plain(Amount::from_micros(12_000_500_000)), "12,000.5");
    }

    #[test]
    fn rates_are_told_as_people_say_them() {
        let iva = TaxRate::iva;
        let ieps = TaxRate { tax: Tax::Ieps, factor: Factor::Cuota, ..iva(5_214_600) };
        let spanish = |tax: &TaxRate| rate(tax, Language::Spanish);
        assert_eq!(spanish(&iva(160_000)), "16 %");
        assert_eq!(spanish(&iva(0)), "0 %");
        assert_eq!(spanish(&iva(106_667)), "10.6667 %");
        assert_eq!(spanish(&ieps), "cuota 5.2146");
        assert_eq!(spanish(&TaxRate { factor: Factor::Exento, ..iva(0) }), "exento");
    }
}
