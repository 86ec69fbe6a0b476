use std::io::{Cursor, Write};

use proptest::prelude::*;
use sheets::Options;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::{check, code, shown, table, table_with};

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;
const RELATIONS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const WORKBOOK: &str = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Notas" sheetId="1" state="hidden" r:id="r1"/><sheet name="Productos" sheetId="2" r:id="r2"/></sheets></workbook>"#;
const SHEETS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="r3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#;

/// A workbook with a hidden sheet and a visible one.
fn workbook(strings: &str, rows: &str) -> Vec<u8> {
    let sheet = |rows: &str| {
        format!(
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
        )
    };
    let strings = format!(
        r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{strings}</sst>"#
    );
    let hidden = sheet(r#"<row r="1"><c r="A1" t="inlineStr"><is><t>nota</t></is></c></row>"#);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", RELATIONS),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", SHEETS),
        ("xl/sharedStrings.xml", &strings),
        ("xl/worksheets/sheet1.xml", &hidden),
        ("xl/worksheets/sheet2.xml", &sheet(rows)),
    ] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const STRINGS: &str = "<si><t>sku</t></si><si><t>nombre</t></si><si><t>Caña</t></si>";
const HEADER: &str = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>precio</t></is></c></row>"#;

fn priced(rows: &str) -> Vec<u8> {
    workbook(STRINGS, &format!("{HEADER}{rows}"))
}

#[test]
fn the_first_visible_sheet_is_read() {
    let rows = r#"<row r="3"><c r="A3"><v>750</v></c><c r="B3" t="s"><v>2</v></c><c r="D3"><v>19.989999999999998</v></c></row><row r="4"><c r="D4" t="e"><v>#N/A</v></c></row>"#;
    check(&priced(rows), "sku|nombre||precio", &["3 750|Caña||19.99", "4 |||#N/A"]);
}

#[test]
fn titles_stand_above_the_header() {
    let title = r#"<row r="1"><c r="A1" t="inlineStr"><is><t>Lista de precios</t></is></c></row>"#;
    let header = HEADER.replace("1\"", "4\"");
    let row = r#"<row r="5"><c r="A5"><v>750</v></c><c r="D5"><v>20</v></c></row>"#;
    let file = workbook(STRINGS, &format!("{title}{header}{row}"));
    check(&file, "sku|nombre||precio", &["5 750|||20"]);
}

#[test]
fn another_sheet_is_read_by_its_name() {
    let named = |name: &str| Options { encoding: None, sheet: Some(name.to_owned()) };
    let (names, rows) = table_with(&priced(""), &named("Notas")).unwrap();
    assert_eq!((names.join("|"), rows.len()), ("nota".to_owned(), 0));
    let refusal = table_with(&priced(""), &named("Hoja 1")).unwrap_err();
    assert_eq!(refusal.code(), "no_such_sheet");
    assert!(refusal.message().to_string().contains("Notas, Productos"));
}

#[test]
fn an_empty_sheet_has_no_rows() {
    assert_eq!(code(&workbook(STRINGS, "")), "empty_file");
}

#[test]
fn a_workbook_takes_no_more_memory_than_it_may() {
    let bomb = format!("<si><t>{}</t></si>", " ".repeat(2 << 20));
    assert_eq!(code(&workbook(&bomb, HEADER)), "file_too_large");
    let strings = format!("<si><t>{}</t></si>", "x".repeat(1000)).repeat(70_000);
    assert_eq!(code(&workbook(&strings, HEADER)), "file_too_large");
    // A cell at the far end of a sheet is no rectangle to be filled.
    let far = r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#;
    assert_eq!(code(&priced(far)), "too_many_columns");
    let (_, rows) =
        table(&priced(r#"<row r="1048576"><c r="A1048576"><v>1</v></c></row>"#)).unwrap();
    assert_eq!(rows.iter().map(shown).collect::<Vec<_>>(), ["1048576 1|||"]);
}

/// A workbook says where its sheets lie.
#[test]
fn a_sheet_among_the_pictures_takes_no_more_memory_than_it_may() {
    let sheet = |bytes: usize| {
        let mut file = ZipWriter::new_append(Cursor::new(priced(""))).unwrap();
        file.start_file("xl/media/s.xml", SimpleFileOptions::default()).unwrap();
        file.write_all(b"<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>").unwrap();
        file.write_all(&vec![b'1'; bytes]).unwrap();
        file.finish().unwrap().into_inner()
    };
    assert_eq!(code(&sheet(60 << 20)), "file_too_large");
    // Pictures of a usual size are left alone.
    assert!(table(&sheet(5 << 20)).is_ok());
}

#[test]
fn another_archive_is_refused() {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("word/document.xml", SimpleFileOptions::default()).unwrap();
    let document = archive.finish().unwrap().into_inner();
    assert_eq!(code(&document), "unsupported_file");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damaged_workbooks_never_panic(
        rows in "(<row r=\"[0-9]{0,3}\">|</row>|<c r=\"[A-Z]{0,3}[0-9]{0,8}\" t=\"(s|e|b|n|d|str|x)\">|<v>[0-9.eE-]{0,9}</v>|</c>){0,12}",
        places in prop::collection::vec((0_usize..4_000, any::<u8>()), 0..4),
    ) {
        let mut file = priced(&rows);
        drop(table(&file));
        for (place, byte) in places {
            let length = file.len();
            file[place % length] = byte;
        }
        drop(table(&file));
    }
}
