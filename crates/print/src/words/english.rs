//! Numbers of units of a currency in English, with billions of nine zeros.

/// So many units of the currency of that code: `ONE HUNDRED MEXICAN PESOS`.
pub(super) fn units(whole: u64, code: &str) -> String {
    let (one, many) = noun(code);
    format!("{} {}", cardinal(whole), if whole == 1 { one } else { many })
}

/// A number, upper case: `TWENTY-ONE THOUSAND ONE`.
fn cardinal(number: u64) -> String {
    const GROUPS: [&str; 7] =
        ["", " THOUSAND", " MILLION", " BILLION", " TRILLION", " QUADRILLION", " QUINTILLION"];
    let mut words = Vec::new();
    let mut left = number;
    for group in GROUPS {
        let part = left % 1_000;
        if part > 0 {
            words.push(format!("{}{group}", below_thousand(part)));
        }
        left /= 1_000;
    }
    words.reverse();
    if words.is_empty() { "ZERO".to_owned() } else { words.join(" ") }
}

fn below_thousand(number: u64) -> String {
    let (hundreds, rest) = (number / 100, number % 100);
    match (hundreds, rest) {
        (0, _) => below_hundred(rest),
        (_, 0) => format!("{} HUNDRED", below_hundred(hundreds)),
        _ => format!("{} HUNDRED {}", below_hundred(hundreds), below_hundred(rest)),
    }
}

fn below_hundred(number: u64) -> String {
    const SMALL: [&str; 20] = [
        "ZERO",
        "ONE",
        "TWO",
        "THREE",
        "FOUR",
        "FIVE",
        "SIX",
        "SEVEN",
        "EIGHT",
        "NINE",
        "TEN",
        "ELEVEN",
        "TWELVE",
        "THIRTEEN",
        "FOURTEEN",
        "FIFTEEN",
        "SIXTEEN",
        "SEVENTEEN",
        "EIGHTEEN",
        "NINETEEN",
    ];
    const TENS: [&str; 10] =
        ["", "", "TWENTY", "THIRTY", "FORTY", "FIFTY", "SIXTY", "SEVENTY", "EIGHTY", "NINETY"];
    let name = |names: &[&'static str], place: u64| {
        usize::try_from(place).ok().and_then(|place| names.get(place)).copied().unwrap_or_default()
    };
    match (number, number % 10) {
        (0..20, _) => name(&SMALL, number).to_owned(),
        (_, 0) => name(&TENS, number / 10).to_owned(),
        (_, ones) => format!("{}-{}", name(&TENS, number / 10), name(&SMALL, ones)),
    }
}

/// One and many units of the currencies that the Spanish words know, too; of any other, its units are counted.
fn noun(code: &str) -> (&'static str, &'static str) {
    match code {
        "MXN" => ("MEXICAN PESO", "MEXICAN PESOS"),
        "ARS" => ("ARGENTINE PESO", "ARGENTINE PESOS"),
        "CLP" => ("CHILEAN PESO", "CHILEAN PESOS"),
        "COP" => ("COLOMBIAN PESO", "COLOMBIAN PESOS"),
        "CUP" => ("CUBAN PESO", "CUBAN PESOS"),
        "DOP" => ("DOMINICAN PESO", "DOMINICAN PESOS"),
        "UYU" => ("URUGUAYAN PESO", "URUGUAYAN PESOS"),
        "USD" => ("US DOLLAR", "US DOLLARS"),
        "AUD" => ("AUSTRALIAN DOLLAR", "AUSTRALIAN DOLLARS"),
        "BZD" => ("BELIZE DOLLAR", "BELIZE DOLLARS"),
        "CAD" => ("CANADIAN DOLLAR", "CANADIAN DOLLARS"),
        "HKD" => ("HONG KONG DOLLAR", "HONG KONG DOLLARS"),
        "NZD" => ("NEW ZEALAND DOLLAR", "NEW ZEALAND DOLLARS"),
        "SGD" => ("SINGAPORE DOLLAR", "SINGAPORE DOLLARS"),
        "EUR" => ("EURO", "EUROS"),
        "BOB" => ("BOLIVIANO", "BOLIVIANOS"),
        "BRL" => ("BRAZILIAN REAL", "BRAZILIAN REAIS"),
        "CHF" => ("SWISS FRANC", "SWISS FRANCS"),
        "CNY" => ("YUAN", "YUAN"),
        "CRC" => ("COSTA RICAN COLON", "COSTA RICAN COLONES"),
        "GTQ" => ("QUETZAL", "QUETZALES"),
        "HNL" => ("LEMPIRA", "LEMPIRAS"),
        "JPY" => ("YEN", "YEN"),
        "KRW" => ("WON", "WON"),
        "KWD" => ("KUWAITI DINAR", "KUWAITI DINARS"),
        "NIO" => ("CORDOBA", "CORDOBAS"),
        "PAB" => ("BALBOA", "BALBOAS"),
        "PEN" => ("SOL", "SOLES"),
        "PLN" => ("ZLOTY", "ZLOTYS"),
        "PYG" => ("GUARANI", "GUARANIES"),
        "VES" => ("BOLIVAR", "BOLIVARES"),
        "ZAR" => ("RAND", "RAND"),
        "CZK" => ("CZECH KORUNA", "CZECH KORUNAS"),
        "DKK" => ("DANISH KRONE", "DANISH KRONER"),
        "GBP" => ("POUND STERLING", "POUNDS STERLING"),
        "INR" => ("INDIAN RUPEE", "INDIAN RUPEES"),
        "NOK" => ("NORWEGIAN KRONE", "NORWEGIAN KRONER"),
        "SEK" => ("SWEDISH KRONA", "SWEDISH KRONOR"),
        "TRY" => ("TURKISH LIRA", "TURKISH LIRAS"),
        _ => ("UNIT", "UNITS"),
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Amount, Currency, Language};

    use super::cardinal;
    use crate::words::in_words;

    fn words(amount: Amount, currency: &str) -> String {
        in_words(amount, Currency::parse(currency).unwrap(), Language::English)
    }

    #[test]
    fn amounts() {
        for (amount, currency, expected) in [
            ("0", "USD", "ZERO US DOLLARS 00/100 USD"),
            ("0.5", "USD", "ZERO US DOLLARS 50/100 USD"),
            ("1", "USD", "ONE US DOLLAR 00/100 USD"),
            ("1.01", "USD", "ONE US DOLLAR 01/100 USD"),
            ("1160.5", "USD", "ONE THOUSAND ONE HUNDRED SIXTY US DOLLARS 50/100 USD"),
            ("9.995", "USD", "TEN US DOLLARS 00/100 USD"),
            ("-3.4", "USD", "MINUS THREE US DOLLARS 40/100 USD"),
            ("100", "MXN", "ONE HUNDRED MEXICAN PESOS 00/100 MXN"),
            ("31.5", "EUR", "THIRTY-ONE EUROS 50/100 EUR"),
            ("1", "GBP", "ONE POUND STERLING 00/100 GBP"),
            ("1500", "JPY", "ONE THOUSAND FIVE HUNDRED YEN JPY"),
            ("1.234", "KWD", "ONE KUWAITI DINAR 234/1000 KWD"),
            ("1", "MUR", "ONE UNIT 00/100 MUR"),
            ("1000000", "USD", "ONE MILLION US DOLLARS 00/100 USD"),
        ] {
            assert_eq!(words(Amount::parse(amount).unwrap(), currency), expected, "{amount}");
        }
        assert_eq!(words(Amount::MAX, "USD"), "ONE TRILLION US DOLLARS 00/100 USD");
        assert_eq!(
            words(Amount::from_micros(Amount::MAX.micros() - 10_000), "MXN"),
            "NINE HUNDRED NINETY-NINE BILLION NINE HUNDRED NINETY-NINE MILLION NINE HUNDRED \
             NINETY-NINE THOUSAND NINE HUNDRED NINETY-NINE MEXICAN PESOS 99/100 MXN"
        );
    }

    #[test]
    fn numbers() {
        for (number, expected) in [
            (10, "TEN"),
            (11, "ELEVEN"),
            (19, "NINETEEN"),
            (20, "TWENTY"),
            (21, "TWENTY-ONE"),
            (40, "FORTY"),
            (99, "NINETY-NINE"),
            (101, "ONE HUNDRED ONE"),
            (110, "ONE HUNDRED TEN"),
            (999, "NINE HUNDRED NINETY-NINE"),
            (1_001, "ONE THOUSAND ONE"),
            (21_000, "TWENTY-ONE THOUSAND"),
            (100_000, "ONE HUNDRED THOUSAND"),
            (1_000_001, "ONE MILLION ONE"),
            (2_000_000_000, "TWO BILLION"),
            (1_000_000_001_000, "ONE TRILLION ONE THOUSAND"),
        ] {
            assert_eq!(cardinal(number), expected);
        }
        assert!(cardinal(u64::MAX).starts_with("EIGHTEEN QUINTILLION FOUR HUNDRED FORTY-SIX"));
    }
}
