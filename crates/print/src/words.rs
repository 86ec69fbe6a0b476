//! Amounts in words, as invoices state their total: `CIEN PESOS 00/100 M.N.`

mod english;
mod spanish;

use kernel::{Amount, Currency, Language};

/// An amount in words: the whole units, then the fraction in digits, then the currency's code, which in Spanish is
/// `M.N.` for pesos of Mexico. It is rounded half up to the currency's decimals.
#[must_use]
pub fn in_words(amount: Amount, currency: Currency, language: Language) -> String {
    let decimals = currency.decimals();
    let micros = amount.rounded(decimals).micros();
    let (whole, fraction) = (micros.unsigned_abs() / 1_000_000, micros.unsigned_abs() % 1_000_000);
    let code = currency.code();
    let (minus, units, sign) = match language {
        Language::English => ("MINUS", english::units(whole, code), code),
        Language::Spanish => {
            let sign = if code == "MXN" { "M.N." } else { code };
            ("MENOS", spanish::units(whole, code), sign)
        }
    };
    let minus = (micros < 0).then(|| minus.to_owned());
    let fraction = (decimals > 0).then(|| {
        let (parts, width) = (10u64.pow(decimals), decimals as usize);
        format!("{:0width$}/{parts}", fraction / 10u64.pow(6 - decimals))
    });
    let words = [minus, Some(units), fraction, Some(sign.to_owned())];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CODES: &str = "MXN ARS CLP COP CUP DOP UYU USD AUD BZD CAD HKD NZD SGD EUR BOB BRL CHF CNY CRC GTQ HNL \
        JPY KRW KWD NIO PAB PEN PLN PYG VES ZAR CZK DKK GBP INR NOK SEK TRY";

    #[test]
    fn currencies_have_their_noun_in_every_language() {
        for code in CODES.split_whitespace() {
            assert!(!spanish::units(2, code).contains("UNIDAD"), "{code}");
            assert!(!english::units(2, code).contains("UNIT"), "{code}");
        }
    }

    proptest! {
        #[test]
        fn any_amount_has_words(micros in any::<i64>()) {
            let amount = Amount::from_micros(micros / 2);
            for (language, end) in [(Language::Spanish, "/100 M.N."), (Language::English, "/100 MXN")] {
                let text = in_words(amount, Currency::MXN, language);
                prop_assert!(text.ends_with(end));
                prop_assert!(!text.contains("  "));
            }
        }
    }
}
