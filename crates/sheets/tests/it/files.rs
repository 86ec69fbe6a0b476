use std::io::{Cursor, Write};

use flate2::{Compression, write::GzEncoder};
use sheets::{CellKind, Encoding, Options, SpoolReader, SpoolWriter, Spooled};

use super::{check, code, shown, table, table_with};

#[test]
fn excel_in_spanish() {
    let file = b"clave;nombre;precio\r\nT-1;\"Ca\xF1a; 30 cm\";1.234,50\r\n;;\r\nT-2;Taza \"azul\";19,9\r\n";
    check(file, "clave|nombre|precio", &["2 T-1|Caña; 30 cm|1.234,50", "4 T-2|Taza \"azul\"|19,9"]);
}

#[test]
fn google_sheets_with_line_breaks_and_quotes_in_cells() {
    let file = "SKU,Name\nT-1,\"Taza\n\"\"azul\"\"\"\nT-2,\"a\r\nb\"\n";
    check(file.as_bytes(), "SKU|Name", &["2 T-1|Taza\n\"azul\"", "3 T-2|a\r\nb"]);
}

#[test]
fn every_line_break_ends_a_row_and_empty_rows_count() {
    for end in ["\n", "\r\n", "\r"] {
        let file = ["sku,name", "T-1,a", "", "", "T-2,b"].join(end);
        check(file.as_bytes(), "sku|name", &["2 T-1|a", "5 T-2|b"]);
    }
    check(b"\n\nsku,name\nT-1,a", "sku|name", &["4 T-1|a"]);
}

#[test]
fn rows_are_as_wide_as_the_header() {
    let file = b"sku,name,,\nT-1\nT-2,b,,,,\nT-3,c,d\n";
    check(file, "sku|name", &["2 T-1|", "3 T-2|b", "4 T-3|c|dtoo_many_cells"]);
}

#[test]
fn a_separator_that_is_named_is_obeyed() {
    check(b"sep=|\r\nsku|name\r\nT-1|a,b\r\n", "sku|name", &["2 T-1|a,b"]);
    check(b"\xEF\xBB\xBFsku\tname\nT-1\ta,b;c\n", "sku|name", &["2 T-1|a,b;c"]);
}

#[test]
fn utf_16_and_old_code_pages_are_read() {
    let text = "sku\tname\nT-1\tniño\n";
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    check(&wide, "sku|name", &["2 T-1|niño"]);
    let old = Options { encoding: Some(Encoding::Cp850), sheet: None };
    let (_, rows) = table_with(b"sku,name\nT-1,ni\xA4o\n", &old).unwrap();
    assert_eq!(shown(&rows[0]), "2 T-1|niño");
}

#[test]
fn gzip_is_unpacked() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(b"sku,name\nT-1,a\n").unwrap();
    let whole = gzip.finish().unwrap();
    check(&whole, "sku|name", &["2 T-1|a"]);
    assert_eq!(code(&whole[..whole.len() - 9]), "damaged_file");
    let mut twice = GzEncoder::new(Vec::new(), Compression::default());
    twice.write_all(&whole).unwrap();
    assert_eq!(code(&twice.finish().unwrap()), "unsupported_file");
}

#[test]
fn a_lost_quote_costs_one_row() {
    // To the end of the file.
    let file = b"sku,name\nT-1,a\nT-2,\"b\nT-3,c\n";
    check(file, "sku|name", &["2 T-1|a", "3 T-2,\"bunclosed_quote", "4 T-3|c"]);
    // Or so far that it cannot be a row.
    let many: String = (0..200_000).map(|row| format!("R-{row},c\n")).collect();
    let file = format!("sku,name\nT-2,\"b\n{many}T-3,\"d\"\n");
    let (_, rows) = table(file.as_bytes()).unwrap();
    assert_eq!((rows.len(), shown(&rows[0]).as_str()), (200_002, "2 T-2,\"brow_too_long"));
    assert_eq!((shown(&rows[1]), shown(&rows[200_001])), ("3 R-0|c".into(), "200003 T-3|d".into()));
}

#[test]
fn a_line_of_ten_megabytes_is_one_bad_row() {
    let line = "x".repeat(10_000_000);
    let (_, rows) = table(format!("sku,name\nT-1,{line}\nT-2,b\n").as_bytes()).unwrap();
    let codes: Vec<_> = rows.iter().map(|row| row.problem.map(|problem| problem.code())).collect();
    assert_eq!(codes, [Some("row_too_long"), None]);
    assert_eq!(shown(&rows[1]), "3 T-2|b");
    assert_eq!(code(line.as_bytes()), "row_too_long");
    let (_, rows) =
        table(format!("{{\"sku\":1}}\n{{\"sku\":\"{line}\"}}\n{{\"sku\":2}}").as_bytes()).unwrap();
    let codes: Vec<_> = rows.iter().map(|row| row.problem.map(|problem| problem.code())).collect();
    assert_eq!(codes, [None, Some("row_too_long"), None]);
}

#[test]
fn json_lines_have_the_columns_of_all_their_objects() {
    let file = r#"{"sku": "T-1", "price": 19.90, "active": true}

{"sku": null, "tags": ["a"], "price": "1,5"}
{"sku": "T-3", "sku": "T-4"}
[1]
{"tags": {}}"#;
    let (names, rows) = table(file.as_bytes()).unwrap();
    assert_eq!(names, ["sku", "price", "active", "tags"]);
    assert_eq!(
        rows.iter().map(shown).collect::<Vec<_>>(),
        [
            "1 T-1|19.90|true|",
            "3 |1,5||[\"a\"]",
            "4 {\"sku\": \"T-3\", \"sku\": \"T-4\"}not_json",
            "5 [1]not_json",
            "6 |||{}",
        ]
    );
    let kinds: Vec<_> = rows[0].cells.iter().map(|cell| cell.kind).collect();
    assert_eq!(kinds, [CellKind::Exact, CellKind::Number, CellKind::Text, CellKind::Text]);
    assert_eq!(rows[1].cells.get(3).unwrap().kind, CellKind::Nested);
}

#[test]
fn a_byte_order_mark_alone_is_no_row() {
    check("sku,name\nT-1,a\n\u{feff}".as_bytes(), "sku|name", &["2 T-1|a"]);
    assert_eq!(code("\u{feff}\u{feff}\n\u{feff}".as_bytes()), "empty_file");
}

/// Files are read in pieces of 64 KiB.
#[test]
fn a_row_of_many_cells_goes_on_behind_the_end_of_a_piece() {
    let header: Vec<String> = (0..70).map(|column| format!("c{column}")).collect();
    let header = format!("{}\n", header.join(","));
    for shift in 0..6 {
        let first = "x".repeat(64 * 1024 - header.len() - 130 + shift);
        let file = format!("{header}{first}{}\n", ",1".repeat(69));
        let (_, rows) = table(file.as_bytes()).unwrap();
        assert_eq!(rows.len(), 1, "{shift}");
        assert_eq!((rows[0].cells.len(), rows[0].problem), (70, None), "{shift}");
    }
}

#[test]
fn the_names_of_objects_are_bounded_together() {
    let line = |name: &str| format!("{{\"sku\": 1, \"{}\": 2}}\n", name.repeat(400_000));
    assert!(table([line("a"), line("b")].concat().as_bytes()).is_ok());
    assert_eq!(code([line("a"), line("b"), line("c")].concat().as_bytes()), "row_too_long");
}

#[test]
fn other_files_are_refused() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "empty_file"),
        (b"\n\n \n", "empty_file"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "unsupported_file"),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "unsupported_file"),
        (b"%PDF-1.7", "unsupported_file"),
        (b"<html><body>", "unsupported_file"),
        (b"[{\"sku\": 1}]", "unsupported_file"),
        (b"PK\x03\x04 no archive", "damaged_file"),
        (b"\x1F\x8B no gzip", "damaged_file"),
        (b"sku,ni\x81o", "unknown_encoding"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(code(bytes), *expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn a_spool_gives_back_what_was_put_in_from_any_place_on() {
    let file = b"sku,name\nT-1,a\nT-2,b,c\n\nT-3,\"d\ne\"\n";
    let (_, rows) = table(file).unwrap();
    let mut spool = SpoolWriter::begin(Vec::new()).unwrap();
    for (note, row) in (0..).zip(&rows) {
        spool.add(row, note).unwrap();
    }
    let bytes = spool.end().unwrap();
    let mut reader = SpoolReader::at(Cursor::new(&bytes), 0).unwrap();
    let mut spooled = Spooled::default();
    let mut places = Vec::new();
    for (note, row) in (0..).zip(&rows) {
        places.push(reader.position());
        assert!(reader.next(&mut spooled).unwrap());
        assert_eq!((&spooled.row, spooled.note), (row, note));
    }
    assert!(!reader.next(&mut spooled).unwrap());
    assert_eq!(reader.position(), bytes.len() as u64);
    for (place, row) in places.iter().zip(&rows) {
        let mut reader = SpoolReader::at(Cursor::new(&bytes), *place).unwrap();
        assert!(reader.next(&mut spooled).unwrap());
        assert_eq!(&spooled.row, row);
    }
    assert!(SpoolReader::at(Cursor::new(b"something else"), 0).is_err());
}
