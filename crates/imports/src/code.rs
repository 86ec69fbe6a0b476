//! Codes in cells: text that spreadsheets take for numbers.

use catalog::Ean;
use kernel::{spreadsheet::unguarded, text};

use crate::{Cell, Code};

/// A code as it was meant: `="0750"` is how people keep a spreadsheet from taking it for a number.
///
/// # Errors
/// That digits are lost which nobody can bring back.
pub fn code(cell: Cell<'_>) -> Result<String, Code> {
    let text = match cell {
        Cell::Nested(_) => return Err(Code::NestedValue),
        Cell::Exact(text) => return Ok(text.trim().to_owned()),
        Cell::Text(text) | Cell::Number(text) => text.trim(),
    };
    if let Some(kept) = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')) {
        return Ok(kept.trim().to_owned());
    }
    match spelt_out(text) {
        Some(whole) => whole,
        None => Ok(unguarded(text).to_owned()),
    }
}

/// A SKU as it was meant, in the spelling that SKUs are kept in.
///
/// # Errors
/// As of any code.
pub(crate) fn sku(cell: Cell<'_>) -> Result<String, Code> {
    code(cell).map(|code| text::composed(&code))
}

/// Whether a spreadsheet would take a code for a number and write it otherwise, or this crate would take it for one that
/// was.
pub(crate) fn is_damaged_by_excel(code: &str) -> bool {
    spelt_out(code).is_some()
}

/// The digits of a number such as `7.50103131E+12`, if the text is one.
fn spelt_out(text: &str) -> Option<Result<String, Code>> {
    let (mantissa, exponent) = text.split_once(['E', 'e'])?;
    let exponent: usize = exponent.strip_prefix('+')?.parse().ok()?;
    let (first, rest) = match mantissa.split_once(['.', ',']) {
        Some((first, rest)) => (first, rest),
        None => (mantissa, ""),
    };
    let is_number =
        first.len() == 1 && first.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_digit());
    if !is_number {
        return None;
    }
    let is_whole = rest.len() == exponent;
    Some(if is_whole { Ok(format!("{first}{rest}")) } else { Err(Code::CodeDamagedByExcel) })
}

/// A barcode number, and whether zeros had to be put in front of it: spreadsheets drop them. Shopify puts a mark in front,
/// which keeps them from that.
///
/// # Errors
/// What is wrong with it.
pub fn ean(cell: Cell<'_>) -> Result<(Ean, bool), Code> {
    let text = code(cell)?;
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '\'')).collect();
    if let Ok(ean) = Ean::parse(&digits) {
        return Ok((ean, false));
    }
    // The check digit is that of the digits from the right, whatever zeros are in front.
    let lengths = [8, 12, 13, 14].into_iter().filter(|length| *length > digits.len());
    let mut padded = lengths.filter_map(|length| Ean::parse(&format!("{digits:0>length$}")).ok());
    let is_likely = digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    padded.next().filter(|_| is_likely).map(|ean| (ean, true)).ok_or(Code::BadEan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_text() {
        let cases = [
            ("0750", Ok("0750")),
            ("=\"0750\"", Ok("0750")),
            (" T-1 ", Ok("T-1")),
            ("7.50103E+12", Err(Code::CodeDamagedByExcel)),
            ("7,50103E+12", Err(Code::CodeDamagedByExcel)),
            ("7.501031311309E+12", Ok("7501031311309")),
            ("1E5", Ok("1E5")),
            ("12E+3", Ok("12E+3")),
            ("AE+3", Ok("AE+3")),
        ];
        for (text, expected) in cases {
            assert_eq!(code(Cell::Text(text)), expected.map(str::to_owned), "{text}");
        }
        assert_eq!(code(Cell::Nested("[]")), Err(Code::NestedValue));
    }

    #[test]
    fn zeros_that_a_spreadsheet_has_dropped_come_back() {
        let read =
            |text: &str| ean(Cell::Text(text)).map(|(ean, is_padded)| (ean.to_string(), is_padded));
        assert_eq!(read("7501031311309"), Ok(("7501031311309".to_owned(), false)));
        assert_eq!(read("36000291452"), Ok(("036000291452".to_owned(), true)));
        assert_eq!(read("'036000291452"), Ok(("036000291452".to_owned(), false)));
        assert_eq!(read("0-36000-29145-2"), Ok(("036000291452".to_owned(), false)));
        for bad in ["7501031311308", "12345", "abc", "36000291453"] {
            assert_eq!(read(bad), Err(Code::BadEan), "{bad}");
        }
    }
}
