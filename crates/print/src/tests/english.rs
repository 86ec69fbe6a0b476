use super::*;
use crate::texts;

pub(super) const ENGLISH: Language = Language::English;

/// What samples and catalogs say in the words of a label.
const OF_OTHERS: [&str; 5] = [
    "Nota de crédito de los documentos",
    "Unidad de",
    "Descripción larga",
    "T Traslado",
    "Producto perecedero",
];

/// Parts of a label between its values that other texts hardly have.
pub(super) fn fragments(label: &str) -> impl Iterator<Item = &str> {
    let parts = label.split("{}").map(|part| part.trim_matches([' ', '\u{a0}', ':', '(', ')']));
    parts.filter(|part| part.chars().count() > 3)
}

/// Whether a text has these words, not within others.
pub(super) fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[test]
fn no_label_is_left_in_spanish() {
    let stamp = samples::stamp();
    for (name, document) in samples::all() {
        if name == "items_500" {
            continue;
        }
        let plain = Sheet { language: ENGLISH, ..sheet(&document, &stamp) };
        let look = Look { item_details: ItemDetails::NONE, ..Look::default() };
        for sheet in [
            plain,
            Sheet { stamp: None, sandbox: true, cancelled: true, ..plain },
            Sheet { look: &look, sandbox: true, notes: Some("Thank you."), ..plain },
        ] {
            let text = OF_OTHERS.iter().fold(text(&sheet), |text, own| text.replace(own, ""));
            for label in texts::EVERY {
                let (english, spanish) = (label.text(ENGLISH), label.text(Language::Spanish));
                // The legend that SAT prescribes stands before its translation.
                for words in fragments(spanish).filter(|words| !english.contains(words)) {
                    assert!(!has_words(&text, words), "{name}: {words} is in {text}");
                }
            }
        }
    }
}

/// What is written in a part instead of among the texts would be forgotten in a language.
#[test]
fn parts_have_no_texts_of_their_own() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/parts");
    let mut paths = vec![std::path::PathBuf::from(folder)];
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(std::fs::read_dir(path).unwrap().map(|file| file.unwrap().path()));
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        for literal in lines.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let words = literal.split('{').filter_map(|part| part.rsplit('}').next());
            let has_letters = words.flat_map(str::chars).any(char::is_alphabetic);
            assert!(!has_letters, "{literal} in {}", path.display());
        }
    }
}

#[test]
fn an_invoice_for_abroad_is_in_english() {
    let (document, stamp) = (samples::foreign(), samples::stamp());
    let sheet = Sheet { language: ENGLISH, ..sheet(&document, &stamp) };
    let expected = [
        "INVOICE Series and folio: A-1024",
        "Foreign tax ID 121585958",
        "Tax residence USA Estados Unidos",
        "Transferred 002 IVA Rate 0 %, base 1,000,000.00, amount 0.00",
        "ONE MILLION US DOLLARS 00/100 USD",
        "TOTAL USD 1,000,000.00",
        "Este documento es una representación impresa de un CFDI.",
        "This document is a printed representation of a CFDI (Mexican electronic invoice).",
        "Page 1 of 1",
    ];
    assert_holds(&text(&sheet), &expected);
    let metadata = |sheet: &Sheet<'_>| String::from_utf8_lossy(&pdf(sheet).unwrap()).into_owned();
    let english = metadata(&sheet);
    assert!(english.contains("en-US") && !english.contains("es-MX"));
    let spanish = metadata(&Sheet { language: Language::Spanish, ..sheet });
    assert!(spanish.contains("es-MX") && !spanish.contains("en-US"));
}

#[test]
fn other_documents_are_in_english() {
    let stamp = samples::stamp();
    let of = |document: &Document| {
        text(&Sheet { language: ENGLISH, ..sheet(document, &stamp) }).replace('\u{a0}', " ")
    };
    let receipt = [
        "PAYMENT RECEIPT",
        "PAYMENT COMPLEMENT: PAYMENT 1 OF 2",
        "Payer's account 002180012345678901 · bank BNM840515VB1",
        "VAT (IVA) at 16 % 4,800.00",
        "TOTAL PAID MXN 34,799.99",
        "THIRTY-FOUR THOUSAND SEVEN HUNDRED NINETY-NINE MEXICAN PESOS 99/100 MXN",
    ];
    assert_holds(&of(&samples::payments(5)), &receipt);
    assert_holds(&of(&samples::credit_note()), &["CREDIT NOTE", "RELATED CFDI Relation: 01"]);
    assert_holds(&of(&samples::transfer()), &["GOODS TRANSFER", "0.00 and 0.00"]);
    assert_holds(&of(&samples::global()), &["GLOBAL INVOICE Frequency 04", "Year 2026"]);
    let trade = [
        "TAX LEGENDS ISR · 27: Efectos fiscales al pago",
        "Authorization number 600-04-2019-1234",
        "ELECTORAL COMPLEMENT (INE) Type of process Campaña",
        "State JAL · scope local · accounting 12345, 67890",
    ];
    assert_holds(&of(&samples::of_a_trade()), &trade);
}

#[test]
fn marks_are_in_english() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let plain = Sheet { language: ENGLISH, ..sheet(&document, &stamp) };
    for (sheet, mark, watermark) in [
        (Sheet { cancelled: true, ..plain }, "CANCELLED", "CANCELLED"),
        (Sheet { stamp: None, ..plain }, "DRAFT – NOT VALID FOR TAX PURPOSES", "DRAFT"),
        (Sheet { sandbox: true, ..plain }, "This document is a printed representation", "SANDBOX"),
    ] {
        let drawn = pages(&sheet).concat();
        assert_holds(&lines(&drawn).join(" "), &[mark]);
        let is_mark = |op: &Op| matches!(op, Op::Watermark { text, .. } if *text == watermark);
        assert!(drawn.iter().any(is_mark), "{watermark}");
    }
}
