//! Units of measure (c_ClaveUnidad).

use std::cmp::Reverse;

use time::Date;

use super::fold::{fold, words};
use super::row::{Found, START, row};
use super::table;

const UNITS: &str = include_str!("../../data/units.tsv");
/// Symbols and explanations of the units that commerce uses.
const NOTES: &str = include_str!("../../data/unit_notes.tsv");

/// A unit of measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// How it is written beside a number, where it is usual.
    pub symbol: Option<&'static str>,
    /// When it is the right one, where the name does not say.
    pub description: Option<&'static str>,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(Unit);

/// The whole catalog, by code.
pub fn all() -> impl Iterator<Item = Unit> {
    let mut notes = NOTES.lines().peekable();
    // Both tables are sorted by code.
    UNITS.lines().map(move |line| {
        let note = notes.next_if(|note| table::key(note) == table::key(line));
        read(line, note.unwrap_or_default())
    })
}

/// The unit with that code.
#[must_use]
pub fn find(code: &str) -> Option<Unit> {
    Some(read(table::find(UNITS, code)?, table::find(NOTES, code).unwrap_or_default()))
}

/// The units that match every word of `query`, whole or by its beginning, without regard to accents and
/// case: `limit` of them after the first `offset`.
///
/// A unit whose code or symbol is the query comes first, then those whose names have the words, those
/// whose names begin so, and those whose descriptions match; in each group shorter names first.
#[must_use]
pub fn search(query: &str, offset: usize, limit: usize) -> Found<Unit> {
    let query = fold(query);
    let mut matches: Vec<_> = all()
        .filter_map(|unit| {
            Some((Reverse(quality(&unit, &query)?), unit.name.chars().count(), unit))
        })
        .collect();
    // The catalog is sorted by code, and equals stay as they are.
    matches.sort_by_key(|(quality, length, _)| (*quality, *length));
    let total = matches.len();
    let items = matches.into_iter().skip(offset).take(limit).map(|(_, _, unit)| unit).collect();
    Found { total, items }
}

/// How well a unit matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Quality {
    Described,
    BegunInName,
    Named,
    IsCode,
}

fn quality(unit: &Unit, query: &str) -> Option<Quality> {
    let (code, name) = (fold(unit.code), fold(unit.name));
    let symbol = unit.symbol.map(fold).unwrap_or_default();
    let description = unit.description.map(fold).unwrap_or_default();
    let begun = |text: &str, word: &str| words(text).any(|own| own.starts_with(word));
    let anywhere = [&name, &code, &symbol, &description];
    if !words(query).all(|word| anywhere.iter().any(|text| begun(text, word))) {
        return None;
    }
    let is = |text: &str| text.trim() == query.trim() && !text.is_empty();
    Some(if is(&code) || is(&symbol) {
        Quality::IsCode
    } else if words(query).all(|word| words(&name).any(|own| own == word)) {
        Quality::Named
    } else if words(query).all(|word| begun(&name, word)) {
        Quality::BegunInName
    } else {
        Quality::Described
    })
}

fn read(line: &'static str, note: &'static str) -> Unit {
    let [code, name] = table::fields(line);
    let [_, symbol, description] = table::fields(note);
    let (symbol, description) = (table::some(symbol), table::some(description));
    Unit { code, name, symbol, description, valid_from: START, valid_until: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn first(query: &str) -> Vec<&'static str> {
        search(query, 0, 3).items.iter().map(|unit| unit.code).collect()
    }

    #[test]
    fn units_are_found_by_their_codes() {
        assert_eq!(all().count(), 2_418);
        assert!(all().is_sorted_by_key(|unit| unit.code));
        assert_eq!(find("H87").unwrap().name, "Pieza");
        assert_eq!(find("KGM").unwrap().symbol, Some("kg"));
        assert_eq!(find("E48").unwrap().name, "Unidad de servicio");
        assert!(find("h87").is_none() && find("").is_none());
    }

    #[test]
    fn notes_are_of_units_of_the_catalog() {
        let noted = all().filter(|unit| unit.symbol.is_some() || unit.description.is_some());
        assert_eq!(noted.count(), NOTES.lines().count());
        assert!(NOTES.lines().is_sorted());
    }

    #[test]
    fn units_are_found_by_words() {
        assert_eq!(first("h87"), ["H87"]);
        assert_eq!(first("pieza")[0], "H87");
        assert_eq!(first("KILOGRAMO")[0], "KGM");
        assert_eq!(first("metro cubico")[0], "MTQ");
        assert_eq!(first("m2")[0], "MTK");
        assert_eq!(first("m")[0], "MTR");
        assert_eq!(search("servicio unidad", 0, 9).items[0].code, "E48");
        assert_eq!(search("pieza xyz", 0, 9).total, 0);
    }

    #[test]
    fn pages_follow_each_other() {
        let all = search("metro", 0, 1_000);
        assert!(all.total > 100 && all.items.len() == all.total);
        let page = search("metro", 7, 5);
        assert_eq!((page.total, &page.items[..]), (all.total, &all.items[7..12]));
        assert_eq!(search("", 0, 5).total, 2_418);
        assert!(search("metro", 5_000, 5).items.is_empty());
    }
}
