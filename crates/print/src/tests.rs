use std::sync::LazyLock;

use cfdi::{
    decimal,
    document::{Document, Part},
    local_taxes::LocalTax,
    stamp::Stamp,
    tax::{ItemTax, Tax, TaxRate},
    totals::Totals,
};
use kernel::Amount;
use proptest::prelude::*;

use super::*;
use crate::{
    block::Op,
    flow::{BODY_WIDTH, MARGIN, PAGE_HEIGHT},
    fonts::Face,
};

#[path = "../examples/print/samples.rs"]
mod samples;
#[path = "../examples/print/trades.rs"]
mod trades;

#[path = "../examples/print/withholdings.rs"]
mod withholdings;

mod english;
mod look;
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
fn an_invoice_shows_all_that_it_says() {
    let (document, stamp) = (samples::rich(), samples::stamp());
    let text = text(&sheet(&document, &stamp));
    assert_holds(
        &text,
        &[
            "FACTURA",
            "Serie y folio: A-1024",
            "ESCUELA KEMPER URGATE",
            "RFC: EKU9003173C9",
            "601 General de Ley Personas Morales",
            "Lugar de expedición (C.P.): 06600",
            "30001000000500003416",
            "CÉSAR OSBALDO CRUZ SOLÓRZANO MUÑOZ",
            "CUSC850516316",
            "612 Personas Físicas con Actividades",
            "C.P. 45638",
            "G03 Gastos en general",
            "I Ingreso",
            "03 Transferencia electrónica de fondos",
            "PUE Pago en una sola exhibición",
            "MXN Peso Mexicano",
            "01 No aplica",
            "ECVH1",
            "2026-08-14 12:05:07",
            "50202201",
            "H87",
            "Pieza",
            "(Ejemplar)",
            "02 Sí objeto de impuesto",
            "Traslado 003 IEPS Tasa 26.5 %, base 516.00, importe 136.74",
            "Traslado 002 IVA Exento, base 540.00",
            "Retención 001 ISR Tasa 10 %",
            "ADRIANA JUÁREZ FERNÁNDEZ",
            "RFC JUFA7608212V6",
            "621 Incorporación Fiscal",
            "24 48 3009 4001234",
            "Cuenta predial 0123456789",
            "Subtotal 25,367.53",
            "Descuento 250.00",
            "IVA retenido 1,973.34",
            "TOTAL MXN 25,685.22",
            "VEINTICINCO MIL SEISCIENTOS OCHENTA Y CINCO PESOS 22/100 M.N.",
            "Total de impuestos trasladados 4,391.03",
        ],
    );
}

#[test]
fn the_stamp_is_there_in_full() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let sheet = sheet(&document, &stamp);
    let text = text(&sheet);
    assert_holds(
        &text,
        &[
            &stamp.uuid,
            "2026-08-14 12:07:31",
            "30001000000500003456",
            "SPR190613I52",
            "Este documento es una representación impresa de un CFDI",
            "Página 1 de 1",
        ],
    );
    let together = text.replace(' ', "");
    assert_holds(&together, &[&stamp.issuer_seal, &stamp.seal, &stamp.cadena()]);
    let code = pages(&sheet).concat().into_iter().find_map(|op| match op {
        Op::Qr { area, text } => Some((area, text)),
        _ => None,
    });
    let (area, url) = code.unwrap();
    assert_eq!(url, cfdi::stamp::verification_url(&document, &stamp));
    let centimetres = area.width / 72.0 * 2.54;
    assert!(centimetres >= 2.75 && area.width == area.height, "{centimetres}");
}

#[test]
fn a_payment_receipt_shows_what_was_paid() {
    let (document, stamp) = (samples::payments(5), samples::stamp());
    let text = text(&sheet(&document, &stamp));
    assert_holds(
        &text,
        &[
            "RECIBO DE PAGO",
            "P Pago",
            "CP01 Pagos",
            "PAGO 1 DE 2",
            "2026-08-12 12:00:00",
            "29,000.00 MXN",
            "2026081200451278",
            "002180012345678901",
            "BBA830831LJ2",
            "2F6D91C4-1B7F-4C55-9E0E-6A1D2C3B4A59",
            "Serie y folio A-1005",
            "13,920.00",
            "8,120.00",
            "Traslado 002 IVA Tasa 16 %, base 25,000.00, importe 4,000.00",
            "18.7024",
            "310.12 USD",
            "Equivalencia 18.7024377661",
            "IVA al 16 % 4,800.00",
            "TOTAL DE PAGOS MXN 34,799.99",
            "TREINTA Y CUATRO MIL SETECIENTOS NOVENTA Y NUEVE PESOS",
        ],
    );
}

#[test]
fn a_payment_receipt_sums_what_is_withheld_as_the_complement_does() {
    let (mut document, stamp) = (samples::payments(1), samples::stamp());
    let hundred = Amount::from_micros(100_000_000);
    for micros in [100_000, 12_500] {
        let rate = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(micros) };
        let taxes = &mut document.payments[0].documents[0].taxes;
        taxes.push(ItemTax { rate, base: hundred, amount: rate.of(hundred) });
    }
    let text = text(&sheet(&document, &stamp));
    assert_holds(&text, &["Retención 001 ISR Tasa 1.25 %", "Retención 001 ISR, importe 11.25"]);
}

#[test]
fn parts_show_their_key_and_price() {
    let (mut document, stamp) = (samples::rich(), samples::stamp());
    document.items[0].parts = vec![Part {
        sat_product_key: "43211706".to_owned(),
        sku: None,
        quantity: Amount::from_micros(1_500_000),
        unit: Some("Pieza".to_owned()),
        description: "Teclado".to_owned(),
        unit_price: Some(Amount::from_micros(12_345_678)),
        customs: Vec::new(),
    }];
    let text = text(&sheet(&document, &stamp));
    assert_holds(
        &text,
        &["Parte (1.5): Teclado", "43211706", "Valor unitario 12.345678", "18.518517"],
    );
}

#[test]
fn other_documents_show_what_only_they_have() {
    let stamp = samples::stamp();
    let of = |document: &Document| text(&sheet(document, &stamp));
    let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301";
    let credit = ["NOTA DE CRÉDITO", "E Egreso", "01 Nota de crédito", uuid];
    assert_holds(&of(&samples::credit_note()), &credit);
    let global = ["PUBLICO EN GENERAL", "04 Mensual", "08 Agosto", "Año 2026", "T-20260801"];
    assert_holds(&of(&samples::global()), &global);
    let foreign = ["USD Dólar americano", "18.7654", "USA Estados Unidos", "121585958"];
    assert_holds(&of(&samples::foreign()), &foreign);
    let foreign = ["UN MILLÓN DE DÓLARES 00/100 USD", "02 Definitiva", "TOTAL USD 1,000,000.00"];
    assert_holds(&of(&samples::foreign()), &foreign);
    assert_holds(&of(&samples::transfer()), &["TRASLADO", "T Traslado", "XXX", "0.00 y 0.00"]);
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

#[test]
fn logos_are_checked() {
    for (bytes, problem) in [
        (PNG.to_vec(), None),
        (JPEG.to_vec(), None),
        (Vec::new(), Some("PNG or JPEG")),
        (b"GIF89a".to_vec(), Some("PNG or JPEG")),
        (b"\x89PNG\r\n\x1a\nnothing".to_vec(), Some("PNG or JPEG")),
        (PNG[..PNG.len() / 2].to_vec(), Some("complete")),
        (JPEG[..JPEG.len() / 2].to_vec(), Some("complete")),
        (vec![0; LOGO_BYTES_MAX + 1], Some("262144 bytes")),
        (png_of(8, 200), Some("pixels")),
        (png_of(200, 30_000), Some("pixels")),
        (png_of(u32::MAX, u32::MAX), Some("pixels")),
    ] {
        let found = logo_to_keep(bytes.clone()).err();
        match problem {
            None => assert_eq!(found, None),
            Some(words) => {
                assert!(
                    found.as_ref().is_some_and(|text| text.to_string().contains(words)),
                    "{found:?}"
                );
            }
        }
    }
}

/// 35 KiB of file can be 32 MB of pixels, which every invoice would decode again.
#[test]
fn no_more_pixels_are_kept_than_are_printed() {
    let mut large = Vec::new();
    let mut encoder = png::Encoder::new(&mut large, LOGO_SIDE_MAX, LOGO_SIDE_MAX / 2);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let samples = vec![0x80; (LOGO_SIDE_MAX * LOGO_SIDE_MAX / 2 * 8) as usize];
    encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    assert!(large.len() < LOGO_BYTES_MAX, "{}", large.len());
    let kept = logo_to_keep(large).unwrap();
    let info = png::Decoder::new(std::io::Cursor::new(&kept)).read_info().unwrap().info().clone();
    assert_eq!((info.width, info.height, info.bit_depth), (600, 300, png::BitDepth::Eight));
    assert_eq!(logo_to_keep(kept.clone()).unwrap(), kept, "it is scaled once");
}

/// A PNG that says it has that size; its pixels are those of another.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend(&PNG[24..29]);
    let mut bytes = PNG[..12].to_vec();
    bytes.extend(&header);
    bytes.extend(crc(&header).to_be_bytes());
    bytes.extend(&PNG[33..]);
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), bit))
}

#[test]
fn a_logo_is_drawn_or_left_out_but_never_in_the_way() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let plain = sheet(&document, &stamp);
    let without = pdf(&plain).unwrap();
    for (logo, drawn) in [
        (PNG, true),
        (JPEG, true),
        (&PNG[..PNG.len() / 2], false),
        (b"\x89PNG\r\n\x1a\nnothing".as_slice(), false),
        (b"", false),
    ] {
        let with = pdf(&Sheet { logo: Some(logo), ..plain }).unwrap();
        assert_eq!(with != without, drawn);
        assert_eq!(
            String::from_utf8_lossy(&with).contains("/Subtype/Image"),
            drawn || has_image(&without)
        );
    }
}

fn has_image(pdf: &[u8]) -> bool {
    String::from_utf8_lossy(pdf).contains("/Subtype/Image")
}

#[test]
fn the_sums_shown_are_those_of_the_document() {
    let (document, stamp) = (samples::invoice(40), samples::stamp());
    let totals = Totals::of(&document);
    let text = text(&sheet(&document, &stamp));
    let total = format!("TOTAL MXN {}", figures::money(totals.total, 2));
    let of_items = decimal::sum(document.items.iter().map(|item| item.amount)).rounded(2);
    assert_holds(&text, &[&total, &format!("Subtotal {}", figures::money(of_items, 2))]);
}

#[test]
fn local_taxes_stand_among_the_sums() {
    let (mut document, stamp) = (samples::invoice(1), samples::stamp());
    let sub_total = Totals::of(&document).sub_total;
    let tax = |name: &str, micros, withheld| {
        LocalTax::on(sub_total, name.to_owned(), Amount::from_micros(micros), withheld, 2)
    };
    document.local_taxes = vec![tax("ISH", 30_000, false), tax("5 al millar", 5_000, true)];
    let text = text(&sheet(&document, &stamp));
    let money = |index: usize| figures::money(document.local_taxes[index].amount, 2);
    let charged = format!("ISH 3 % (local) {}", money(0));
    let withheld = format!("5 al millar 0.5 % (local) retenido {}", money(1));
    let total = format!("TOTAL MXN {}", figures::money(Totals::of(&document).total, 2));
    assert_holds(&text, &[&charged, &withheld, &total]);
}

#[test]
fn complements_stand_below_the_items() {
    let (mut document, stamp) = (samples::invoice(1), samples::stamp());
    document.complements = samples::complements();
    let text = text(&sheet(&document, &stamp));
    let expected = [
        "LEYENDAS FISCALES ISR · 27: Efectos fiscales al pago",
        "Núm. de autorización 600-04-2019-1234",
        "Fecha de autorización 2019-01-31",
        "Tipo de proceso Campaña",
        "Entidad JAL · ámbito local · contabilidad 12345, 67890",
    ];
    assert_holds(&text, &expected);
}

#[test]
fn what_leaves_the_country_is_on_the_sheet() {
    let (document, stamp) = (trades::export(), samples::stamp());
    let spanish = text(&sheet(&document, &stamp));
    let expected = [
        "Clave de pedimento A1",
        "Incoterm FOB",
        "Total en USD 12,000.00",
        "Domicilio del emisor Paseo de la Reforma · núm. 10 · int. B · col. 0347",
        "Mercancía AGU-11",
        "Fracción arancelaria 0804400100",
        "Marca y modelo Hass · 48 · Premium · L-7",
    ];
    assert_holds(&spanish, &expected);
    let english = text(&Sheet { language: Language::English, ..sheet(&document, &stamp) });
    assert_holds(&english, &["Total in USD 12,000.00", "Tariff code 0804400100"]);
}

#[test]
fn what_is_on_the_road_is_on_the_sheet_with_its_code() {
    let (document, stamp) = (trades::journey(), samples::stamp());
    let sheet = sheet(&document, &stamp);
    let expected = [
        "IdCCP CCC2822E-396D-4725-8521-CDC4BDD20CCF",
        "Transporte Internacional · Salida · USA · vía 01 · regímenes EXD",
        "Distancia total (km) 905.5",
        "Origen OR000001 · EKU9003173C9",
        "Material peligroso Sí · 1203 · Z01 · Autotanque",
        "Cantidad transportada 20,000 · OR000001 a DE000001",
        "Vehículo T3S2R4 · ABC1234 · 2024 · 31 t",
        "Figura del transporte 01 · XOCHILT CASAS CHAVEZ · CACX7605101P8",
    ];
    assert_holds(&text(&sheet), &expected);
    let codes = pages(&sheet).into_iter().flatten().filter_map(|op| match op {
        Op::Qr { text, .. } => Some(text),
        _ => None,
    });
    let codes: Vec<String> = codes.collect();
    let url = "https://verificacfdi.facturaelectronica.sat.gob.mx/verificaccp/default.aspx\
               ?IdCCP=CCC2822E-396D-4725-8521-CDC4BDD20CCF&FechaOrig=2026-08-14T08:00:00&FechaTimb=";
    assert!(codes.iter().any(|code| code.starts_with(url)), "{codes:?}");
    let draft = Sheet { stamp: None, ..sheet };
    let has_code = |op: &Op| matches!(op, Op::Qr { .. });
    assert!(!pages(&draft).iter().flatten().any(has_code));
}

/// Text of any script, of white space, of what cannot be drawn, and of one endless word.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "\\PC{0,60}",
        2 => any::<String>(),
        1 => "[ \\t\\n\\u{a0}\\u{200b}]{0,30}",
        1 => "[A-ZÑ]{200,900}",
    ]
}

fn strange() -> impl Strategy<Value = (Document, Stamp)> {
    let amount = -Amount::MAX.micros() / 1_000..Amount::MAX.micros() / 1_000;
    (prop::collection::vec(any_text(), 30), amount, 0..4usize).prop_map(|(texts, micros, count)| {
        let (mut document, mut stamp) = (samples::rich(), samples::stamp());
        let mut texts = texts.into_iter().cycle();
        let mut next = || texts.next().unwrap_or_default();
        document.items.truncate(count);
        document.payments = samples::payments(count).payments;
        document.related = samples::credit_note().related;
        document.global = samples::global().global;
        for item in &mut document.items {
            item.amount = Amount::from_micros(micros);
            item.unit_price = Amount::from_micros(micros);
            (item.description, item.sat_unit_key, item.unit) = (next(), next(), Some(next()));
            (item.sat_product_key, item.sku, item.tax_object) = (next(), Some(next()), next());
            item.customs = vec![next()];
        }
        for payment in &mut document.payments {
            (payment.payment_form, payment.operation) = (next(), Some(next()));
            for paid in &mut payment.documents {
                (paid.uuid, paid.series, paid.tax_object) = (next(), Some(next()), next());
            }
        }
        (document.series, document.folio, document.export) = (Some(next()), Some(next()), next());
        document.complements = trades::export().complements;
        document.complements.carta_porte = trades::journey().complements.carta_porte;
        if let Some(trade) = &mut document.complements.foreign_trade {
            (trade.remarks, trade.issuer.address.street) = (Some(next()), Some(next()));
            (trade.goods[0].sku, trade.goods[0].details[0].brand) = (next(), next());
        }
        if let Some(carta) = &mut document.complements.carta_porte {
            (carta.locations[0].name, carta.figures[0].name) = (Some(next()), next());
            carta.goods.items[0].description = next();
            carta.road.as_mut().unwrap().permit_number = next();
        }
        (document.issuer.legal_name, document.issuer.rfc) = (next(), next());
        (document.receiver.legal_name, document.receiver.tax_regime) = (next(), next());
        (document.receiver.tax_zip, document.receiver.foreign_tax_id) = (next(), Some(next()));
        (document.payment_terms, document.place_of_issue) = (Some(next()), next());
        (stamp.uuid, stamp.seal, stamp.legend) = (next(), next(), Some(next()));
        (document, stamp)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_printed((document, stamp) in strange(), notes in any_text()) {
        let sheet = Sheet { notes: Some(&notes), ..sheet(&document, &stamp) };
        assert_within_the_page(&pages(&sheet));
        prop_assert!(pdf(&sheet).is_ok());
    }

    #[test]
    fn any_bytes_can_be_given_as_a_logo(
        png in any::<bool>(),
        cut in 0usize..3_000,
        changes in prop::collection::vec((0usize..3_000, any::<u8>()), 0..6),
    ) {
        let mut bytes = if png { PNG.to_vec() } else { JPEG.to_vec() };
        bytes.truncate(cut);
        for (place, byte) in changes {
            if let Some(old) = bytes.get_mut(place) {
                *old = byte;
            }
        }
        let (document, stamp) = (samples::invoice(1), samples::stamp());
        let sheet = Sheet { logo: Some(&bytes), ..sheet(&document, &stamp) };
        prop_assert!(pdf(&sheet).is_ok());
        let _ = logo_to_keep(bytes.clone()).err();
    }
}

#[test]
fn letters_that_no_font_has_keep_their_place() {
    assert!(Face::Regular.width(8.0, "日本語") > 10.0);
}
