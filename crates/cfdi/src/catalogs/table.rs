//! Tables embedded as text: one row a line, fields between tabs, sorted by the first field.

use time::{Date, Month};

/// The line whose first field is `key`.
pub(super) fn find(table: &'static str, key: &str) -> Option<&'static str> {
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let start = line_start(table, low + (high - low) / 2)?;
        let line = table.get(start..)?.lines().next()?;
        match self::key(line).cmp(key) {
            std::cmp::Ordering::Equal => return Some(line),
            std::cmp::Ordering::Less => low = start + line.len() + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// The fields of a line; those that are not there are empty.
pub(super) fn fields<const FIELDS: usize>(line: &str) -> [&str; FIELDS] {
    let mut fields = line.split('\t');
    std::array::from_fn(|_| fields.next().unwrap_or_default())
}

/// The date that is written `YYYY-MM-DD`.
pub(super) fn date(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()
}

/// `text`, or nothing when it is empty.
pub(super) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The first field of a line.
pub(super) fn key(line: &str) -> &str {
    line.split('\t').next().unwrap_or(line)
}

/// Where the line begins that the byte at `place` is in.
fn line_start(table: &str, place: usize) -> Option<usize> {
    let before = table.as_bytes().get(..place)?;
    Some(before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found_by_its_key() {
        let table = "A\tá\nAB\tñandú\tx\nC\n";
        for (key, line) in [
            ("A", Some("A\tá")),
            ("AB", Some("AB\tñandú\tx")),
            ("C", Some("C")),
            ("", None),
            ("B", None),
            ("D", None),
            ("A\tá", None),
        ] {
            assert_eq!(find(table, key), line, "{key}");
        }
        assert_eq!(find("", "A"), None);
        assert_eq!(fields::<3>("AB\tñandú"), ["AB", "ñandú", ""]);
    }

    #[test]
    fn dates_are_read() {
        assert_eq!(date("2020-12-29"), Some(time::macros::date!(2020 - 12 - 29)));
        assert_eq!(date("2020-13-29"), None);
        assert_eq!(date(""), None);
    }
}
