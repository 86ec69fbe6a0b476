//! Recognizing numbers of cards, which must never reach us (PCI DSS: who receives none has little to prove).

/// The most digits of a card's number.
const DIGITS_MAX: usize = 19;

/// Whether a text holds what looks like the number of a card: 13 to 19 digits, perhaps in groups with a space, hyphen, point,
/// slash or underscore between them, that begin as a card does and whose last digit is right (ISO/IEC 7812-1). What stands beside the number,
/// such as a date, hides it no more than other text does. Account numbers for transfers (CLABE) of 18 digits are none.
#[must_use]
pub fn is_in(text: &str) -> bool {
    let mut groups: Vec<Vec<u8>> = Vec::new();
    let mut group = Vec::new();
    let mut gap = false;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => {
                if gap {
                    groups.push(std::mem::take(&mut group));
                }
                group.push(byte - b'0');
                gap = false;
            }
            b' ' | b'-' | b'.' | b'/' | b'_' if !group.is_empty() && !gap => gap = true,
            _ => {
                groups.push(std::mem::take(&mut group));
                if is_in_groups(&groups) {
                    return true;
                }
                groups.clear();
                gap = false;
            }
        }
    }
    groups.push(group);
    is_in_groups(&groups)
}

/// Whether a text that a program has written holds what looks like the number of a card. Its identifiers, words of letters
/// with digits in more than one place, hold none: in one of ten thousand some digits would pass for one.
#[must_use]
pub fn is_in_program_text(text: &str) -> bool {
    let mut rest = text;
    let mut cleaned = String::with_capacity(text.len());
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        cleaned.push_str(before);
        cleaned.push_str(if is_identifier(word) { "x" } else { word });
        rest = after;
    }
    cleaned.push_str(rest);
    is_in(&cleaned)
}

fn is_identifier(word: &str) -> bool {
    let numbers = word.split(|c: char| !c.is_ascii_digit());
    numbers.filter(|number| !number.is_empty()).count() > 1
}

/// Whether some groups that follow each other are a number.
fn is_in_groups(groups: &[Vec<u8>]) -> bool {
    (0..groups.len()).any(|first| {
        let mut digits: Vec<u8> = Vec::new();
        groups.iter().skip(first).any(|group| {
            digits.extend(group);
            digits.len() <= DIGITS_MAX && is_number(&digits)
        })
    })
}

fn is_number(digits: &[u8]) -> bool {
    (13..=DIGITS_MAX).contains(&digits.len())
        && begins_as_card(digits)
        && is_luhn(digits)
        && !is_clabe(digits)
}

/// Whether numbers of this length begin so at Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay, Carnet
/// or Maestro.
fn begins_as_card(digits: &[u8]) -> bool {
    let leading =
        digits.iter().take(4).fold(0_u32, |number, digit| number * 10 + u32::from(*digit));
    match digits.len() {
        13 => matches!(leading, 4_000..=4_999),
        14 => matches!(leading, 3_000..=3_059 | 3_095 | 3_600..=3_699 | 3_800..=3_999),
        15 => matches!(leading, 3_400..=3_499 | 3_700..=3_799),
        16..=19 => matches!(
            leading,
            4_000..=4_999
                | 2_221..=2_720
                | 3_528..=3_589
                | 5_000..=5_899
                | 6_011
                | 6_200..=6_799
        ),
        _ => false,
    }
}

fn is_luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(position, digit)| match (position % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit * 2 - 9,
            (_, digit) => digit * 2,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// An account for transfers in Mexico: 17 digits and one that checks them, with weights 3, 7, 1 (Banxico).
fn is_clabe(digits: &[u8]) -> bool {
    match digits.split_last() {
        Some((check, number)) if digits.len() == 18 => check_of(number) == u32::from(*check),
        _ => false,
    }
}

fn check_of(number: &[u8]) -> u32 {
    let digits = number.iter().zip([3, 7, 1].iter().cycle());
    let sum: u32 = digits.map(|(digit, weight)| u32::from(*digit) * weight % 10).sum();
    (10 - sum % 10) % 10
}

/// The last digit of an account for transfers whose first 17 digits are these.
#[must_use]
pub(crate) fn clabe_check(number: &str) -> u32 {
    let digits = number.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
    check_of(&digits.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_programs_hold_no_cards() {
        let news = r#"{"id":"sbx_01a211e4f4242424242424242eefb94c_1","payment":"pay_01M8A4242424242424242BCDEF"}"#;
        assert!(is_in(news) && !is_in_program_text(news));
        for card in
            [r#"{"number":"4242424242424242"}"#, "card4242424242424242", "4242 4242 4242 4242"]
        {
            assert!(is_in_program_text(card), "{card}");
        }
        for other in ["", "señal 12", "sbx_1", "4242424242424241"] {
            assert!(!is_in_program_text(other), "{other}");
        }
    }

    #[test]
    fn cards_are_recognized_and_nothing_else() {
        for card in [
            "4242424242424242",
            "4242 4242 4242 4242",
            "paid with 5555-5555-5555-4444 today",
            "378282246310005",
            "6011111111111117",
            "4242 4242 4242 4242 12/28",
            "tarjeta 4242.4242.4242.4242",
            "4242/4242/4242/4242 y 4242_4242_4242_4242",
            "4242424242424242 123",
            "12/27 4242424242424242",
            "4242-4242-4242-4242 123 12 28",
            "\"number\":\"4000056655665556\"",
        ] {
            assert!(is_in(card), "{card}");
        }
        for other in [
            "",
            "4242424242424241",
            "ORD-000123",
            "5215512345678",
            "646180110400000007",
            "2026-11-24 12:30:00",
            "4242  4242 4242 4242",
            "pay_01JD3V9QK4W8N2RZ6T5B7C0XEA",
            "1234567890123",
        ] {
            assert!(!is_in(other), "{other}");
        }
    }

    #[test]
    fn accounts_for_transfers_are_no_cards() {
        // Published by Banxico as an example of the check digit.
        let number = "03218000011835971";
        assert_eq!(clabe_check(number), 9);
        assert!(!is_in("032180000118359719"));
    }
}
