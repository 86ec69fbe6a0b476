//! Numbers as people write them: `$1,234.50`, `1.234,50 MXN`, `19,9`.
//!
//! Which mark is the decimal one is decided for a column as a whole: `1.234` alone may be either.

use kernel::Currency;

use crate::{Cell, Code};

/// The currencies that people write beside numbers.
const WORDS: [(&str, &str); 4] = [("MXN", "MXN"), ("USD", "USD"), ("MN", "MXN"), ("M.N.", "MXN")];

/// The mark before the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// `19.99`
    Point,
    /// `19,99`
    Comma,
}

impl DecimalMark {
    /// Every mark.
    pub const EVERY: &'static [Self] = &[Self::Point, Self::Comma];

    /// Its name: the mark itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Point => ".",
            Self::Comma => ",",
        }
    }

    /// The mark itself.
    #[must_use]
    pub const fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }

    fn of(character: char) -> Option<Self> {
        Self::EVERY.iter().copied().find(|mark| mark.character() == character)
    }
}

/// What one number tells about the marks of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// It has no mark.
    None,
    /// It can only be read so.
    Decides(DecimalMark),
    /// It can be read either way.
    Ambiguous,
}

/// What the numbers of a column tell about their marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    points: u64,
    commas: u64,
    ambiguous: u64,
}

impl Marks {
    /// Looks at a number.
    pub fn look_at(&mut self, cell: Cell<'_>) {
        let (Cell::Text(text) | Cell::Exact(text)) = cell else { return };
        match evidence(&bare(text)) {
            Evidence::None => {}
            Evidence::Decides(DecimalMark::Point) => self.points += 1,
            Evidence::Decides(DecimalMark::Comma) => self.commas += 1,
            Evidence::Ambiguous => self.ambiguous += 1,
        }
    }

    /// The mark of a column whose own numbers tell, or of which none is in doubt; `None` if others must decide. Where they
    /// contradict each other each number is read by itself, and those in doubt are told.
    #[must_use]
    pub const fn decided(self) -> Option<DecimalMark> {
        match (self.points, self.commas) {
            (0, 0) if self.ambiguous > 0 => None,
            (0, 1..) => Some(DecimalMark::Comma),
            _ => Some(DecimalMark::Point),
        }
    }

    /// Whether numbers of both kinds are in it.
    #[must_use]
    pub const fn is_mixed(self) -> bool {
        self.points > 0 && self.commas > 0
    }

    /// Whether its own numbers tell.
    #[must_use]
    pub const fn tells(self) -> bool {
        self.points > 0 || self.commas > 0
    }

    /// The marks of several columns of one table: those that are in doubt follow the others.
    ///
    /// # Errors
    /// The places of the columns that nothing decides about.
    pub fn settle(columns: &[Self]) -> Result<Vec<DecimalMark>, Vec<usize>> {
        let telling = columns.iter().filter(|marks| marks.tells() && !marks.is_mixed());
        let mut told = telling.filter_map(|marks| marks.decided());
        let first = told.next();
        let agreed = first.filter(|first| told.all(|mark| mark == *first));
        let mut open = Vec::new();
        let settled = columns.iter().enumerate().map(|(place, marks)| {
            // Where a column contradicts itself, nothing tells how those of its numbers are meant that are in doubt.
            let is_told = !(marks.is_mixed() && marks.ambiguous > 0);
            let decided = marks.decided().or(agreed).filter(|_| is_told);
            decided.unwrap_or_else(|| {
                open.push(place);
                DecimalMark::Point
            })
        });
        let settled = settled.collect();
        if open.is_empty() { Ok(settled) } else { Err(open) }
    }
}

/// A number without what people write around it.
fn bare(text: &str) -> String {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let upper = without_signs(rest);
    let around = |text: &str, word: &str| {
        let text = text.strip_prefix(word).unwrap_or(text);
        text.strip_suffix(word).unwrap_or(text).to_owned()
    };
    let plain = WORDS.iter().fold(upper, |text, (word, _)| around(&text, word));
    let (more, plain) = match plain.strip_prefix('-') {
        Some(rest) if sign.is_empty() => ("-", rest),
        _ => ("", plain.as_str()),
    };
    format!("{sign}{more}{plain}")
}

fn without_signs(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '$').collect();
    plain.to_ascii_uppercase()
}

/// The currency that is written beside a number.
pub(crate) fn currency(cell: Cell<'_>) -> Option<Currency> {
    let (Cell::Text(text) | Cell::Exact(text)) = cell else { return None };
    let plain = without_signs(text);
    let plain = plain.trim_start_matches(['-', '+', '\u{2212}']);
    let is_beside = |(word, _): &&(&str, &str)| plain.starts_with(*word) || plain.ends_with(*word);
    WORDS.iter().find(is_beside).and_then(|(_, code)| Currency::parse(code).ok())
}

fn evidence(bare: &str) -> Evidence {
    let digits = bare.trim_start_matches('-');
    let marks: Vec<(usize, DecimalMark)> = digits
        .char_indices()
        .filter_map(|(at, c)| DecimalMark::of(c).map(|mark| (at, mark)))
        .collect();
    let Some(&(at, last)) = marks.last() else { return Evidence::None };
    if marks.iter().any(|(_, mark)| *mark != last) {
        return Evidence::Decides(last);
    }
    if marks.len() > 1 {
        return Evidence::Decides(last.other());
    }
    let whole = digits.get(..at).unwrap_or_default();
    let behind = digits.len() - at - 1;
    // Thousands have three digits behind, one to three before, and no zero in front.
    let may_be_thousands = behind == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    if may_be_thousands { Evidence::Ambiguous } else { Evidence::Decides(last) }
}

/// A number that by itself is in doubt, written so that it is not, as it is read beside this mark; `None` of any other.
pub(crate) fn undoubted(text: &str, mark: DecimalMark) -> Option<String> {
    let Evidence::Ambiguous = evidence(&bare(text)) else { return None };
    let digits = plain(Cell::Text(text), mark).ok()?;
    let digits = unlike_thousands(&digits).unwrap_or(digits);
    Some(match currency(Cell::Text(text)) {
        Some(currency) => format!("{digits} {currency}"),
        None => digits,
    })
}

/// A number with three decimals, which would be taken for thousands, with a fourth; `None` of any other.
pub(crate) fn unlike_thousands(digits: &str) -> Option<String> {
    let (_, decimals) = digits.split_once('.')?;
    (decimals.len() == 3).then(|| format!("{digits}0"))
}

/// A number in plain digits with a decimal point, as amounts are read from.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn plain(cell: Cell<'_>, mark: DecimalMark) -> Result<String, Code> {
    let text = match cell {
        Cell::Number(text) => return Ok(text.to_owned()),
        Cell::Nested(_) => return Err(Code::NestedValue),
        Cell::Text(text) | Cell::Exact(text) => text,
    };
    let bare = bare(text);
    // One that can only be read one way is read that way, whatever its column is.
    let mark = match evidence(&bare) {
        Evidence::Decides(own) => own,
        Evidence::None | Evidence::Ambiguous => mark,
    };
    let (sign, digits) = match bare.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", bare.as_str()),
    };
    let (whole, fraction) = digits.rsplit_once(mark.character()).unwrap_or((digits, ""));
    let groups: Vec<&str> = whole.split(mark.other().character()).collect();
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_grouped = groups.len() == 1
        || groups.first().is_some_and(|first| (1..=3).contains(&first.len()))
            && groups.iter().skip(1).all(|group| group.len() == 3);
    let whole = groups.concat();
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    if !is_grouped || !has_digits || !is_digits(&whole) || !is_digits(fraction) {
        return Err(Code::BadNumber);
    }
    let whole = if whole.is_empty() { "0" } else { &whole };
    Ok(match fraction {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use DecimalMark::{Comma, Point};

    #[test]
    fn numbers_in_doubt_are_written_so_that_they_are_not() {
        let cases = [
            ("1.500", Comma, Some("1500")),
            ("1.500", Point, Some("1.5000")),
            ("$ 12,345 MXN", Point, Some("12345 MXN")),
            ("USD 1,500", Comma, Some("1.5000 USD")),
            ("-1,500", Comma, Some("-1.5000")),
            ("19,90", Comma, None),
            ("1.234,50", Comma, None),
            ("1500", Comma, None),
            ("gratis", Comma, None),
        ];
        for (text, mark, written) in cases {
            assert_eq!(undoubted(text, mark).as_deref(), written, "{text}");
        }
    }

    #[test]
    fn currencies_stand_beside_numbers() {
        let cases = [
            ("$1,234.50 MXN", Some("MXN")),
            ("m.n. 5", Some("MXN")),
            ("- USD 5", Some("USD")),
            ("5usd", Some("USD")),
            ("$5", None),
            ("EUR 5", None),
        ];
        for (text, expected) in cases {
            let found = currency(Cell::Text(text)).map(|currency| currency.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        assert!(currency(Cell::Number("5")).is_none());
    }

    fn marks(numbers: &[&str]) -> Marks {
        let mut marks = Marks::default();
        numbers.iter().for_each(|number| marks.look_at(Cell::Text(number)));
        marks
    }

    #[test]
    fn columns_tell_their_mark() {
        let cases: &[(&[&str], Option<DecimalMark>)] = &[
            (&["12.50", "1.234"], Some(Point)),
            (&["1.234,5"], Some(Comma)),
            (&["$1,234.50 MXN", "1,234"], Some(Point)),
            (&["1.234.567"], Some(Comma)),
            (&["1 234,5", "1\u{202F}234"], Some(Comma)),
            (&["19,9"], Some(Comma)),
            (&["0.125"], Some(Point)),
            (&["1234.567"], Some(Point)),
            (&["1.234"], None),
            (&["12", "", "free"], Some(Point)),
            (&[], Some(Point)),
        ];
        for (numbers, mark) in cases {
            assert_eq!(marks(numbers).decided(), *mark, "{numbers:?}");
        }
    }

    #[test]
    fn columns_in_doubt_follow_the_others() {
        let (point, comma) = (marks(&["1.5"]), marks(&["1,5"]));
        let (doubt, none) = (marks(&["1.234"]), marks(&["7"]));
        assert_eq!(Marks::settle(&[doubt, comma]), Ok(vec![Comma, Comma]));
        assert_eq!(Marks::settle(&[point, doubt, none]), Ok(vec![Point; 3]));
        assert_eq!(Marks::settle(&[point, comma, doubt]), Err(vec![2]));
        assert_eq!(Marks::settle(&[none, doubt]), Err(vec![1]));
        // A column that contradicts itself tells nothing of what is in doubt.
        let (mixed, clear) = (marks(&["19,90", "5.50", "1.234"]), marks(&["19,90", "5.50"]));
        assert_eq!(Marks::settle(&[mixed, comma]), Err(vec![0]));
        assert!(Marks::settle(&[clear]).is_ok());
    }

    #[test]
    fn numbers_are_read_by_the_mark_of_their_column() {
        let cases = [
            ("1.234", Point, Ok("1.234")),
            ("1.234", Comma, Ok("1234")),
            ("$ 1,234.50", Point, Ok("1234.50")),
            ("MXN 1.234,50", Comma, Ok("1234.50")),
            ("1,234.50 mxn", Comma, Ok("1234.50")),
            ("-3", Point, Ok("-3")),
            ("-$3.5", Point, Ok("-3.5")),
            ("$-3.5", Point, Ok("-3.5")),
            ("\u{2212}3", Point, Ok("-3")),
            (".5", Point, Ok("0.5")),
            ("5.", Point, Ok("5")),
            ("12,34,567", Point, Err(Code::BadNumber)),
            ("1..2", Point, Err(Code::BadNumber)),
            ("free", Point, Err(Code::BadNumber)),
            ("12%", Point, Err(Code::BadNumber)),
            ("--3", Point, Err(Code::BadNumber)),
            (".", Point, Err(Code::BadNumber)),
            ("٣", Point, Err(Code::BadNumber)),
        ];
        for (text, mark, expected) in cases {
            let expected = expected.map(str::to_owned);
            assert_eq!(plain(Cell::Text(text), mark), expected, "{text:?} {mark:?}");
        }
        assert_eq!(plain(Cell::Number("1e3"), Comma), Ok("1e3".to_owned()));
    }

    proptest! {
        #[test]
        fn what_is_written_in_either_way_is_read_alike(cents in 0_u64..100_000_000_000, comma in any::<bool>()) {
            let mark = if comma { Comma } else { Point };
            let (whole, fraction) = ((cents / 100).to_string(), cents % 100);
            let grouped: String = whole
                .chars()
                .enumerate()
                .flat_map(|(at, digit)| {
                    let is_behind = at > 0 && (whole.len() - at).is_multiple_of(3);
                    is_behind.then_some(mark.other().character()).into_iter().chain([digit])
                })
                .collect();
            let text = format!("${grouped}{}{fraction:02}", mark.character());
            prop_assert_eq!(marks(&[&text]).decided(), Some(mark));
            prop_assert_eq!(plain(Cell::Text(&text), mark), Ok(format!("{whole}.{fraction:02}")));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let mut marks = Marks::default();
            marks.look_at(Cell::Text(&text));
            for mark in DecimalMark::EVERY {
                if let Ok(number) = plain(Cell::Text(&text), *mark) {
                    prop_assert!(kernel::Amount::parse(&number).is_ok() || number.len() > 6, "{}", number);
                }
            }
        }
    }
}
