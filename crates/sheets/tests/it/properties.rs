use std::io::{Cursor, Read, Seek, SeekFrom};

use proptest::prelude::*;
use sheets::{CellKind, Extent, Options, Refusal, Row, Sheet, SpoolReader, Spooled};

use super::{is_known, shown, table};

/// A file that is read a few bytes at a time.
struct Dripping(Cursor<Vec<u8>>, usize);

impl Read for Dripping {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

impl Seek for Dripping {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

fn dripping(bytes: Vec<u8>, step: usize) -> Result<Vec<Row>, Refusal> {
    let input = Dripping(Cursor::new(bytes), step);
    let mut sheet = Sheet::open(input, &Options::default(), Extent::Whole, &is_known)?;
    let mut rows = Vec::new();
    sheet.rows(|row| {
        rows.push(row.clone());
        Ok::<_, Refusal>(())
    })?;
    Ok(rows)
}

/// Bytes of which files are made.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![
            "sku", "name", ",", ";", "\t", "\"", "\"\"", "\n", "\r\n", "\r", "{", "}", ":", "é", "a", "1.5",
            "sep=;\n", "\u{feff}", "[", "{\"sku\":\"T\"}\n",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
        1 => Just(b"PK\x03\x04".to_vec()),
        1 => Just(b"\x1F\x8B\x08\0".to_vec()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Text that can stand in a quoted cell.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zñ0-9 ,;\"\t|=]{0,8}",
        Just("two\nlines".to_owned()),
        Just("two\r\nlines".to_owned()),
        Just("\"".to_owned()),
    ]
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in bytes()) {
        drop(table(&bytes));
    }

    #[test]
    fn pieces_do_not_matter(bytes in bytes(), step in 1_usize..7) {
        let whole = table(&bytes).map(|(_, rows)| rows).map_err(|refusal| refusal.code());
        let parts = dripping(bytes, step).map_err(|refusal| refusal.code());
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn what_is_written_by_rfc_4180_is_read(
        rows in prop::collection::vec(prop::collection::vec(cell(), 3), 1..12),
        separator in prop::sample::select(vec![',', ';', '\t', '|']),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let mut file = ["sku", "name", "price"].join(&separator.to_string());
        for row in &rows {
            file += end;
            let quoted: Vec<String> =
                row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            file += &quoted.join(&separator.to_string());
        }
        let (_, found) = table(file.as_bytes()).unwrap();
        let expected: Vec<String> = (2..)
            .zip(&rows)
            .filter(|(_, row)| row.iter().any(|cell| !cell.trim().is_empty()))
            .map(|(number, row)| format!("{number} {}", row.join("|")))
            .collect();
        prop_assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected);
        prop_assert!(found.iter().all(|row| row.cells.iter().all(|cell| cell.kind == CellKind::Text)));
    }

    #[test]
    fn what_is_no_spool_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let bytes = [b"spool\0\0\x01".to_vec(), bytes].concat();
        let mut reader = SpoolReader::at(Cursor::new(bytes), 0).unwrap();
        let mut spooled = Spooled::default();
        while reader.next(&mut spooled).unwrap_or(false) {}
    }
}
