//! Which character stands between the cells.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::COLUMNS_MAX;

/// The characters that spreadsheets put between cells, the likeliest first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows that are looked at.
const ROWS: usize = 20;
/// Cells of a row that are looked at: no table has as many columns.
const CELLS: usize = 4 * COLUMNS_MAX;

/// Rows among which the header is looked for: people write titles and dates above it.
pub(crate) const FIRST_ROWS: usize = 10;

/// Which of the first rows is the header, by how many names of each are known: the first one,
/// unless it has next to none and a later one has several.
pub(crate) fn header_among(known: &[usize]) -> usize {
    let first = known.first().copied().unwrap_or_default();
    let is_better = |known: &usize| first < 2 && *known > first + 1;
    known.iter().take(FIRST_ROWS).position(is_better).unwrap_or_default()
}

/// A reader of cells between these separators.
pub(crate) fn reader(separator: u8) -> Reader {
    ReaderBuilder::new().delimiter(separator).build()
}

/// The separator that a first line such as `sep=;` names, and the bytes of that line.
pub(crate) fn named(head: &str) -> Option<(u8, usize)> {
    let line = head.split(['\r', '\n']).next()?;
    let plain = line.trim_matches('"');
    let name = plain.get(..4).filter(|name| name.eq_ignore_ascii_case("sep="))?;
    let &[separator] = plain.get(name.len()..)?.as_bytes() else { return None };
    let rest = head.get(line.len()..).unwrap_or_default();
    let ending = if rest.starts_with("\r\n") { 2 } else { rest.len().min(1) };
    let is_separator = separator.is_ascii() && !matches!(separator, b'"' | b'\r' | b'\n');
    is_separator.then_some((separator, line.len() + ending))
}

/// The one of the usual separators that makes most sense of a text that begins so: the one with which the header
/// has most names that are known, then the one with which most rows are as wide as that.
pub(crate) fn likeliest(head: &str, is_known: &dyn Fn(&str) -> bool) -> u8 {
    let mut best = (b',', (0, 0, 0));
    for separator in SEPARATORS {
        let rows = rows(head, separator);
        let known = |row: &Vec<String>| row.iter().filter(|name| is_known(name)).count();
        let known: Vec<usize> = rows.iter().map(known).collect();
        let place = header_among(&known);
        let Some((header, known)) = rows.get(place).zip(known.get(place).copied()) else {
            continue;
        };
        let steady = match header.len() {
            1 => 0,
            width => rows.iter().filter(|row| row.len() == width).count(),
        };
        let rank = (known, steady, header.len());
        if rank > best.1 {
            best = (separator, rank);
        }
    }
    best.0
}

/// The first rows of a text that say something; one that is cut off is left out.
fn rows(head: &str, separator: u8) -> Vec<Vec<String>> {
    let mut reader = reader(separator);
    let mut input = head.as_bytes();
    let (mut output, mut ends) = (vec![0; head.len() + 1], vec![0; CELLS]);
    let mut rows = Vec::new();
    while rows.len() < ROWS && !input.is_empty() {
        // There is room for all of the text, so that a row comes in parts only if it has too many cells.
        let (result, read, _, cells) = reader.read_record(input, &mut output, &mut ends);
        input = input.get(read..).unwrap_or_default();
        let is_cut = matches!(result, ReadRecordResult::OutputEndsFull);
        if !is_cut && !matches!(result, ReadRecordResult::Record) {
            break;
        }
        let mut start = 0;
        let row: Vec<String> = ends
            .iter()
            .take(cells)
            .map(|&end| {
                let cell = output.get(start..end).unwrap_or_default();
                start = end;
                String::from_utf8_lossy(cell).into_owned()
            })
            .collect();
        if row.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push(row);
        }
        if is_cut {
            break;
        }
    }
    // A lone header without a line break behind it.
    if rows.is_empty() {
        let cells = head.split(char::from(separator));
        rows.push(cells.map(|cell| cell.trim_matches('"').to_owned()).collect());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known(name: &str) -> bool {
        ["sku", "nombre", "precio", "name, of it"].contains(&name)
    }

    #[test]
    fn the_separator_is_the_one_that_makes_sense() {
        let cases = [
            ("sku,nombre,precio\nT-1,Taza,19.99\n", b','),
            ("sku;nombre;precio\nT-1;Taza;19,99\n", b';'),
            ("sku\tnombre\tprecio\nT-1\tTaza; grande\t19,99\n", b'\t'),
            ("sku|nombre\n", b'|'),
            ("sku;nombre", b';'),
            ("sku\nT-1\n", b','),
            ("\"name, of it\";sku\nTaza;T-1\n", b';'),
            // Nothing known: the steadiest.
            ("a,b;c\n1,5;2\n1,2,3;4\n", b';'),
            ("", b','),
            // A title stands above the header.
            ("Lista, de precios\n\nsku;nombre;precio\nT-1;Taza;19,99\n", b';'),
        ];
        let wide = format!("sku{}\nT-1\n", ";a".repeat(2 * CELLS));
        let cases = cases.into_iter().chain([(wide.as_str(), b';')]);
        for (head, separator) in cases {
            assert_eq!(char::from(likeliest(head, &is_known)), char::from(separator), "{head:?}");
        }
    }

    #[test]
    fn the_header_is_the_first_row_unless_that_has_other_words() {
        for (known, place) in [
            (&[3, 0, 0][..], 0),
            (&[0, 0, 4, 5], 2),
            (&[0, 1], 0),
            (&[1, 2, 3], 2),
            (&[2, 9], 0),
            (&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], 0),
            (&[], 0),
        ] {
            assert_eq!(header_among(known), place, "{known:?}");
        }
    }

    #[test]
    fn a_first_line_names_it() {
        assert_eq!(named("sep=;\r\nsku;nombre"), Some((b';', 7)));
        assert_eq!(named("\"SEP=|\"\nsku|nombre"), Some((b'|', 8)));
        assert_eq!(named("sep=\t\rsku"), Some((b'\t', 6)));
        assert_eq!(named("sep=;"), Some((b';', 5)));
        for other in ["separado;sku", "sep=ñ\n", "sep=\n", "ñep=;", ""] {
            assert_eq!(named(other), None, "{other:?}");
        }
    }
}
