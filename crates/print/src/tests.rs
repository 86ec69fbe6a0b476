use std::sync::LazyLock;

use cfdi::{document::Document, stamp::Stamp};

use super::*;
use crate::{
    block::Op,
    flow::{BODY_WIDTH, MARGIN, PAGE_HEIGHT},
};

#[path = "../examples/print/samples.rs"]
mod samples;
#[path = "../examples/print/trades.rs"]
mod trades;

#[path = "../examples/print/withholdings.rs"]
mod withholdings;

mod complements;
mod contents;
mod english;
mod logo;
mod look;
mod strange;
mod withholding;

const PNG: &[u8] = include_bytes!("../fixtures/logo.png");
const JPEG: &[u8] = include_bytes!("../fixtures/logo.jpg");

/// A plain one.
static LOOK: LazyLock<Look> = LazyLock::new(Look::default);

fn sheet<'a>(document: &'a Document, stamp: &'a Stamp) -> Sheet<'a> {
    Sheet {
        document,
        stamp: Some(stamp),
        certificate_number: Some("30001000000500003416"),
        sandbox: false,
        cancelled: false,
        logo: None,
        notes: None,
        look: &LOOK,
        language: Language::Spanish,
    }
}

fn pages(sheet: &Sheet<'_>) -> Vec<Vec<Op>> {
    layout::pages(sheet, None)
}

fn lines(page: &[Op]) -> Vec<&str> {
    page.iter()
        .filter_map(|op| match op {
            Op::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// All text of a sheet, lines joined by a space.
fn text(sheet: &Sheet<'_>) -> String {
    pages(sheet).iter().map(|page| lines(page).join(" ")).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_holds(text: &str, expected: &[&str]) {
    for part in expected {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

/// Nothing lies outside the margins, and no text in the footer's place but the footer.
fn assert_within_the_page(pages: &[Vec<Op>]) {
    const RIGHT: f32 = MARGIN + BODY_WIDTH + 0.1;
    for (x, right, bottom, what) in pages.iter().flatten().filter_map(extent) {
        assert!(x >= MARGIN - 0.1 && right <= RIGHT, "{what} from {x} to {right}");
        assert!(bottom <= PAGE_HEIGHT - 25.0, "{what} down to {bottom}");
    }
}

/// Left, right and lower edge of what an operation draws.
fn extent(op: &Op) -> Option<(f32, f32, f32, &str)> {
    match op {
        Op::Text { x, y, face, size, text, .. } => {
            Some((*x, x + face.width(*size, text), *y, text.as_str()))
        }
        Op::Fill { area, .. } => Some((area.x, area.x + area.width, area.y + area.height, "fill")),
        Op::Qr { area, .. } => Some((area.x, area.x + area.width, area.y + area.height, "code")),
        Op::Logo { area } => Some((area.x, area.x + area.width, area.y + area.height, "logo")),
        Op::Watermark { .. } => None,
    }
}

#[test]
fn every_sample_keeps_within_its_pages() {
    let stamp = samples::stamp();
    for (name, document) in samples::all() {
        let sheet = sheet(&document, &stamp);
        for (logo, marked) in [(None, false), (Some((240, 100)), true), (Some((90, 100)), false)] {
            let sheet = Sheet { sandbox: marked, cancelled: marked, ..sheet };
            let pages = layout::pages(&sheet, logo);
            assert_within_the_page(&pages);
            assert!(pages.len() < 40, "{name}");
        }
    }
}

#[test]
fn pages_grow_with_items_and_each_has_the_head_and_its_number() {
    let stamp = samples::stamp();
    let mut before = 0;
    for count in [1, 40, 100, 500] {
        let document = samples::invoice(count);
        let sheet = sheet(&document, &stamp);
        let pages = pages(&sheet);
        assert!(pages.len() > before, "{count}");
        before = pages.len();
        for (index, page) in pages.iter().enumerate() {
            let number = format!("Página {} de {}", index + 1, pages.len());
            assert!(lines(page).contains(&number.as_str()), "{number}");
            let has_items = lines(page).contains(&"H87");
            assert_eq!(lines(page).contains(&"Clave SAT"), has_items, "{number}");
        }
        let count_of_pages = format!("/Count {before}");
        let bytes = pdf(&sheet).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(&count_of_pages), "{count}");
    }
}

#[test]
fn the_total_stands_with_its_words_and_the_last_item() {
    let stamp = samples::stamp();
    for count in 1..60 {
        let document = samples::invoice(count);
        let pages = pages(&sheet(&document, &stamp));
        let total = lines(&pages.concat()).contains(&"TOTAL MXN");
        assert!(total, "{count}");
        let page = pages.iter().map(|page| lines(page)).find(|page| page.contains(&"TOTAL MXN"));
        let page = page.unwrap().join(" ");
        assert_holds(&page, &["IMPORTE CON LETRA", "/100 M.N.", &format!("SKU-{count:04}")]);
    }
}

#[test]
fn marks_are_on_every_page() {
    let (document, stamp) = (samples::invoice(40), samples::stamp());
    let plain = sheet(&document, &stamp);
    let (cancelled, sandbox) = ("CANCELADO", "SANDBOX – SIN VALOR FISCAL");
    let draft = "BORRADOR – SIN VALIDEZ FISCAL";
    for (sheet, expected) in [
        (plain, vec![]),
        (Sheet { cancelled: true, ..plain }, vec![cancelled]),
        (Sheet { sandbox: true, ..plain }, vec![sandbox, "de prueba (sandbox)"]),
        (Sheet { stamp: None, ..plain }, vec![draft]),
        (Sheet { cancelled: true, sandbox: true, ..plain }, vec![cancelled, sandbox]),
    ] {
        let pages = pages(&sheet);
        assert!(pages.len() > 1);
        for page in &pages {
            let text = lines(page).join(" ");
            assert_holds(&text, &expected);
            let watermarked = page.iter().any(|op| matches!(op, Op::Watermark { .. }));
            assert_eq!(watermarked, !expected.is_empty());
            assert_eq!(text.contains("SIN VAL"), expected.iter().any(|mark| mark.contains("SIN")));
        }
    }
}

#[test]
fn a_draft_claims_nothing_that_only_a_stamp_gives() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let sheet = Sheet { stamp: None, ..sheet(&document, &stamp) };
    let text = text(&sheet);
    assert!(text.contains("Sin timbrar"));
    for absent in ["representación impresa", "Sello digital", "PAC"] {
        assert!(!text.contains(absent), "{absent}");
    }
    assert!(!pages(&sheet).concat().iter().any(|op| matches!(op, Op::Qr { .. })));
}

#[test]
fn notes_keep_their_lines() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let sheet = Sheet { notes: Some("Primera.\n\nSegunda, con ñ."), ..sheet(&document, &stamp) };
    let pages = pages(&sheet);
    let lines = lines(&pages[0]);
    let at = lines.iter().position(|line| *line == "OBSERVACIONES").unwrap();
    assert_eq!(lines[at + 1..at + 3], ["Primera.", "Segunda, con ñ."]);
}

#[test]
fn the_same_sheet_gives_the_same_bytes() {
    let stamp = samples::stamp();
    for (name, document) in samples::all() {
        let sheet = Sheet { logo: Some(PNG), sandbox: true, ..sheet(&document, &stamp) };
        assert_eq!(pdf(&sheet), pdf(&sheet), "{name}");
    }
}
