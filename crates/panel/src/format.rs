//! How money, quantities and moments are written, as people in Mexico do.

use cfdi::catalogs::zones::Zone;
use kernel::{Amount, Currency, Language, Measure, Sum, Timestamp};
use time::{Date, Month};

use crate::parts::Moment;

/// Millionths in one.
const MICROS: u64 = 1_000_000;
const DECIMALS_OF_MICROS: u32 = 6;

/// An amount: `$1,234.50` of pesos, `USD 1,234.50` of any other currency. No decimal that counts is left out.
pub(crate) fn money(amount: Amount, currency: Currency) -> String {
    let digits = decimal(amount, currency.decimals());
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits.as_str()),
    };
    match currency.code() {
        "MXN" => format!("{sign}${digits}"),
        code => format!("{sign}{code} {digits}"),
    }
}

/// A sum of amounts, in the same way as long as it is one of those that an amount can be.
pub(crate) fn total(sum: Sum, currency: Currency) -> String {
    match i64::try_from(sum.micros()) {
        Ok(micros) => money(Amount::from_micros(micros), currency),
        Err(_) => format!("{} {sum}", currency.code()),
    }
}

/// The same rounded to the currency: what goods are worth is a product of quantities and costs.
pub(crate) fn worth(sum: Sum, currency: Currency) -> String {
    match i64::try_from(sum.micros()) {
        Ok(micros) => money(Amount::from_micros(micros).rounded(currency.decimals()), currency),
        Err(_) => total(sum, currency),
    }
}

/// An amount as spreadsheets read it: `-1234.50`, with no less than the decimals of its currency.
pub(crate) fn plain_money(amount: Amount, currency: Currency) -> String {
    written(amount, currency.decimals(), |whole| whole.to_string())
}

/// A number with commas between thousands and at least so many decimals.
fn decimal(amount: Amount, decimals: u32) -> String {
    written(amount, decimals, grouped)
}

/// A number with at least so many decimals, behind its whole part as it is told here.
fn written(amount: Amount, decimals: u32, told: fn(u64) -> String) -> String {
    let micros = amount.micros();
    let (whole, rest) = (micros.unsigned_abs() / MICROS, micros.unsigned_abs() % MICROS);
    let every = format!("{rest:06}");
    let least = usize::try_from(decimals.min(DECIMALS_OF_MICROS)).unwrap_or_default();
    let counting = every.trim_end_matches('0').len().max(least);
    let sign = if micros < 0 { "-" } else { "" };
    let whole = told(whole);
    match every.get(..counting) {
        Some(fraction) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
        _ => format!("{sign}{whole}"),
    }
}

/// A whole number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A whole number that may be less than nothing.
pub(crate) fn signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

/// The size of a file: `812 B`, `64.2 kB`, `1.1 GB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["kB", "MB", "GB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes / 100;
    let mut unit = UNITS[0];
    for greater in UNITS.into_iter().skip(1) {
        if tenths < 10_000 {
            break;
        }
        (tenths, unit) = (tenths / 1_000, greater);
    }
    format!("{}.{} {unit}", grouped(tenths / 10), tenths % 10)
}

/// How many units: `1,250`, `0.375`.
pub(crate) fn quantity(measure: Measure) -> String {
    decimal(measure.amount(), 0)
}

/// A price to the decimals of its currency: what was divided out of a price with taxes has many more that tell nobody
/// anything.
pub(crate) fn unit_price(price: Amount, currency: Currency) -> String {
    money(price.rounded(currency.decimals()), currency)
}

/// A number that is no money: `1,250`, `0.375`.
pub(crate) fn amount(amount: Amount) -> String {
    decimal(amount, 0)
}

/// JSON with a line for each value, as it was written otherwise; what is no JSON comes out as something of the kind.
pub(crate) fn laid_out(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    let mut rest = json.trim().chars().peekable();
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(char) = rest.next() {
        if is_quoted {
            text.push(char);
            is_quoted = is_escaped || char != '"';
            is_escaped = !is_escaped && char == '\\';
            continue;
        }
        match char {
            '{' | '[' => {
                text.push(char);
                match rest.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => text.push(end),
                    None => {
                        depth += 1;
                        line(&mut text, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(char);
            }
            ',' => {
                text.push(char);
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            char if char.is_whitespace() => {}
            char => {
                is_quoted = char == '"';
                text.push(char);
            }
        }
    }
    text
}

/// A moment on the clocks of a zone: `22 nov 2026, 13:05`, `Nov 22, 2026, 13:05`; with UTC in its title.
pub(crate) fn moment(at: Timestamp, zone: Zone, language: Language) -> Moment {
    let local = zone.local(at);
    let (day, month, year) = (local.day(), local.month(), local.year());
    let (hour, minute) = (local.hour(), local.minute());
    let month = short_month(month, language);
    let text = match language {
        Language::English => format!("{month} {day}, {year}, {hour:02}:{minute:02}"),
        Language::Spanish => format!("{day} {month} {year}, {hour:02}:{minute:02}"),
    };
    Moment { iso: at.to_string(), text }
}

/// A day: `22 nov 2026`, `Nov 22, 2026`.
pub(crate) fn day(day: Date, language: Language) -> String {
    let (month, number, year) = (short_month(day.month(), language), day.day(), day.year());
    match language {
        Language::English => format!("{month} {number}, {year}"),
        Language::Spanish => format!("{number} {month} {year}"),
    }
}

const fn short_month(month: Month, language: Language) -> &'static str {
    match (month, language) {
        (Month::January, Language::English) => "Jan",
        (Month::January, Language::Spanish) => "ene",
        (Month::February, Language::English) => "Feb",
        (Month::February, Language::Spanish) => "feb",
        (Month::March, Language::English) => "Mar",
        (Month::March, Language::Spanish) => "mar",
        (Month::April, Language::English) => "Apr",
        (Month::April, Language::Spanish) => "abr",
        (Month::May, Language::English) => "May",
        (Month::May, Language::Spanish) => "may",
        (Month::June, Language::English) => "Jun",
        (Month::June, Language::Spanish) => "jun",
        (Month::July, Language::English) => "Jul",
        (Month::July, Language::Spanish) => "jul",
        (Month::August, Language::English) => "Aug",
        (Month::August, Language::Spanish) => "ago",
        (Month::September, Language::English) => "Sep",
        (Month::September, Language::Spanish) => "sep",
        (Month::October, Language::English) => "Oct",
        (Month::October, Language::Spanish) => "oct",
        (Month::November, Language::English) => "Nov",
        (Month::November, Language::Spanish) => "nov",
        (Month::December, Language::English) => "Dec",
        (Month::December, Language::Spanish) => "dic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_a_line_for_each_value() {
        for (json, text) in [
            ("{}", "{}"),
            ("[1,2]", "[\n  1,\n  2\n]"),
            (r#"{"a":"{,:\"","b":[]}"#, "{\n  \"a\": \"{,:\\\"\",\n  \"b\": []\n}"),
            (r#"{ "a": {"b": true} }"#, "{\n  \"a\": {\n    \"b\": true\n  }\n}"),
            (r#""\\""#, r#""\\""#),
            ("}}", "\n}\n}"),
        ] {
            assert_eq!(laid_out(json), text, "{json}");
        }
    }

    #[test]
    fn sizes_are_read_at_a_glance() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (64_230, "64.2 kB"),
            (999_999, "999.9 kB"),
            (1_000_000, "1.0 MB"),
            (1 << 30, "1.0 GB"),
            (5_000 << 30, "5,368.7 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn money_is_written_as_in_mexico() {
        for (amount, currency, text) in [
            ("1234.5", "MXN", "$1,234.50"),
            ("0", "MXN", "$0.00"),
            ("-12.3", "MXN", "-$12.30"),
            ("1234567.891", "USD", "USD 1,234,567.891"),
            ("1500", "JPY", "JPY 1,500"),
        ] {
            let amount = Amount::parse(amount).unwrap();
            assert_eq!(money(amount, Currency::parse(currency).unwrap()), text);
        }
    }

    #[test]
    fn numbers_have_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(quantity(Measure::from_thousandths(1_250_500)), "1,250.5");
    }

    #[test]
    fn moments_are_local_with_utc_in_the_title() {
        let at = Timestamp::parse("2026-11-22T19:05:59Z").unwrap();
        let spanish = moment(at, Zone::Central, Language::Spanish);
        assert_eq!(spanish.text, "22 nov 2026, 13:05");
        assert_eq!(spanish.iso, "2026-11-22T19:05:59.000Z");
        assert_eq!(moment(at, Zone::Northwest, Language::English).text, "Nov 22, 2026, 11:05");
        // The border follows the neighbour's clocks.
        let summer = Timestamp::parse("2026-07-01T12:00:00Z").unwrap();
        assert_eq!(
            moment(summer, Zone::CentralBorder, Language::Spanish).text,
            "1 jul 2026, 07:00"
        );
    }
}
