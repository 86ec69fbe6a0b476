//! Product and service keys (c_ClaveProdServ).

mod bits;
mod index;
mod search;

use time::Date;
use time::macros::date;

use super::row::row;
use super::table;
pub use search::{QUERY_WORDS_MAX, search};

/// One key a line, by code: code, name, similar words, and what is uncommon about it.
const TEXT: &str = include_str!("../../data/products.tsv");
/// Where every [`BLOCK`]th line begins.
const BLOCKS: &[[u8; 4]] = include_bytes!("../../data/product_blocks.bin").as_chunks().0;
/// The numbers of the lines in the order in which search shows equals.
const RANKS: &[[u8; 2]] = include_bytes!("../../data/product_ranks.bin").as_chunks().0;

/// Lines between two whose places are kept.
const BLOCK: usize = 16;
/// Since when a key is valid that does not say it.
const COMMON_START: Date = date!(2019 - 01 - 07);

/// The key for what no other fits, and for sales to the general public.
pub const NOT_IN_CATALOG: &str = "01010101";

/// A product or service key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// What documents say: eight digits.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Other words for it, between commas; often none.
    pub similar_words: &'static str,
    /// Whether IVA is charged.
    pub iva: Transfer,
    /// Whether IEPS is charged.
    pub ieps: Transfer,
    /// Whether the stimulus of the border regions can be applied.
    pub border_stimulus: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

/// Whether a tax is charged to the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// It may be.
    Optional,
    /// It must be.
    Required,
}

row!(Product);

/// How many keys there are.
#[must_use]
pub const fn count() -> usize {
    RANKS.len()
}

/// The whole catalog, by code.
pub fn all() -> impl Iterator<Item = Product> {
    TEXT.lines().map(read)
}

/// The key with that code.
#[must_use]
pub fn find(code: &str) -> Option<Product> {
    let line = line(count_before(|other| other < code))?;
    Some(read(line)).filter(|product| product.code == code)
}

/// The line of that number, from zero.
fn line(number: usize) -> Option<&'static str> {
    lines_of_block(number / BLOCK)?.nth(number % BLOCK)
}

/// How many codes there are before the first of which `before` is false; it must be true of none after.
fn count_before(before: impl Fn(&str) -> bool) -> usize {
    let code_at =
        |start: &[u8; 4]| lines_from(*start).and_then(|mut lines| lines.next()).map(table::key);
    let blocks = BLOCKS.partition_point(|start| code_at(start).is_some_and(&before));
    let Some(last) = blocks.checked_sub(1) else { return 0 };
    let lines = lines_of_block(last).into_iter().flatten();
    last * BLOCK + lines.take_while(|line| before(table::key(line))).count()
}

fn lines_of_block(block: usize) -> Option<impl Iterator<Item = &'static str>> {
    Some(lines_from(*BLOCKS.get(block)?)?.take(BLOCK))
}

fn lines_from(start: [u8; 4]) -> Option<std::str::Lines<'static>> {
    Some(TEXT.get(usize::try_from(u32::from_le_bytes(start)).ok()?..)?.lines())
}

fn read(line: &'static str) -> Product {
    let [code, name, similar_words, marks] = table::fields(line);
    let mut product = Product {
        code,
        name,
        similar_words,
        iva: Transfer::Optional,
        ieps: Transfer::Optional,
        border_stimulus: true,
        valid_from: COMMON_START,
        valid_until: None,
    };
    for mark in marks.split(' ') {
        match mark.split_once('=').unwrap_or((mark, "")) {
            ("iva", _) => product.iva = Transfer::Required,
            ("ieps", _) => product.ieps = Transfer::Required,
            ("no-border", _) => product.border_stimulus = false,
            ("from", day) => product.valid_from = table::date(day).unwrap_or(COMMON_START),
            ("until", day) => product.valid_until = table::date(day),
            _ => {}
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogs::Row;

    #[test]
    fn keys_are_found_by_their_codes() {
        for (code, name) in [
            ("01010101", "No existe en el catálogo"),
            ("43211503", "Computadores notebook"),
            ("84111506", "Servicios de facturación"),
            ("95141904", "Unidades quirúrgicas"),
        ] {
            assert_eq!(find(code).map(|product| product.name), Some(name));
        }
        for code in ["", "0", "00000000", "4321150", "432115031", "99999999", "abc"] {
            assert_eq!(find(code), None, "{code}");
        }
    }

    #[test]
    fn every_key_is_found() {
        assert_eq!(count(), 52_514);
        assert_eq!(all().count(), count());
        assert!(all().is_sorted_by_key(|product| product.code));
        for product in all().step_by(7) {
            assert_eq!(find(product.code), Some(product));
        }
    }

    #[test]
    fn what_is_uncommon_is_known() {
        let general = find(NOT_IN_CATALOG).unwrap();
        assert_eq!(general.similar_words, "Público en general");
        assert!(!general.border_stimulus);
        let gasoline = find("15101506").unwrap();
        assert_eq!(gasoline.valid_until, Some(date!(2020 - 01 - 15)));
        assert!(!gasoline.in_force(date!(2026 - 01 - 01)));
        assert_eq!(find("15101514").unwrap().valid_from, date!(2020 - 01 - 16));
        assert_eq!(find("80111700").unwrap().iva, Transfer::Required);
        assert_eq!(all().filter(|product| !product.border_stimulus).count(), 343);
        assert_eq!(all().filter(|product| product.iva == Transfer::Required).count(), 4);
        assert!(all().all(|product| product.ieps == Transfer::Optional));
    }
}
