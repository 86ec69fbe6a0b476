use proptest::prelude::*;

use super::{
    strange::{any_text, strange},
    *,
};
use crate::parts::furniture;

fn contact() -> Contact {
    let address = [
        "Av. Insurgentes Sur 1234, piso 5, col. Del Valle",
        "Benito Juárez, 03100 Ciudad de México, México",
    ];
    Contact {
        address: address.map(str::to_owned).to_vec(),
        phone: Some("+52 55 5555 0100".to_owned()),
        email: Some("facturas@escuela-kemper.example".to_owned()),
        website: Some("www.escuela-kemper.example".to_owned()),
    }
}

/// Everything chosen, and long.
fn rich_look() -> Look {
    Look {
        accent: Color::parse("#8A1538").unwrap(),
        logo_place: LogoPlace::Right,
        item_details: ItemDetails::NONE,
        contact: contact(),
        footer: Some("Gracias por su preferencia · Cuenta 012180012345678901".to_owned()),
    }
}

/// Left, top, right and lower edge of what an operation draws, as far as letters reach.
fn edges(op: &Op) -> Option<(f32, f32, f32, f32)> {
    let of =
        |area: &crate::block::Area| (area.x, area.y, area.x + area.width, area.y + area.height);
    match op {
        Op::Text { x, y, face, size, text, .. } => {
            Some((*x, y - 0.72 * size, x + face.width(*size, text), y + 0.2 * size))
        }
        Op::Qr { area, .. } | Op::Logo { area } => Some(of(area)),
        Op::Fill { .. } | Op::Watermark { .. } => None,
    }
}

#[track_caller]
fn assert_nothing_overlaps(pages: &[Vec<Op>]) {
    const TOUCH: f32 = 0.05;
    for page in pages {
        let drawn: Vec<_> = page.iter().filter_map(|op| Some((op, edges(op)?))).collect();
        for (index, (op, one)) in drawn.iter().enumerate() {
            for (other_op, other) in &drawn[index + 1..] {
                let apart = one.2 <= other.0 + TOUCH
                    || other.2 <= one.0 + TOUCH
                    || one.3 <= other.1 + TOUCH
                    || other.3 <= one.1 + TOUCH;
                assert!(apart, "{op:?} and {other_op:?}");
            }
        }
    }
}

#[test]
fn the_default_look_is_the_plain_sheet() {
    let look = Look::default();
    assert_eq!(look.accent.to_string(), "#1F3A5F");
    let palette = Palette::of(look.accent);
    for (tone, color) in [
        (palette::Tone::Accent, look.accent),
        (palette::Tone::Title, look.accent),
        (palette::Tone::OnAccent, Color::WHITE),
    ] {
        assert_eq!(palette.color(tone), color);
    }
    let (document, stamp) = (samples::rich(), samples::stamp());
    let plain = sheet(&document, &stamp);
    let empty = Contact {
        address: vec![String::new(), " ".to_owned()],
        phone: Some(" ".to_owned()),
        email: Some(String::new()),
        website: None,
    };
    let look = Look { contact: empty, footer: Some("\n ".to_owned()), ..look };
    assert_eq!(
        pages(&Sheet { look: &look, ..plain }),
        pages(&plain),
        "what is empty takes no room"
    );
}

#[test]
fn nothing_lies_on_anything_else_wherever_the_logo_is() {
    let stamp = samples::stamp();
    for (name, document) in samples::all() {
        if name == "items_500" {
            continue;
        }
        for logo_place in LogoPlace::EVERY {
            let look = Look { logo_place, ..rich_look() };
            for (language, logo) in [
                (Language::Spanish, None),
                (Language::Spanish, Some((240, 100))),
                (Language::English, Some((90, 100))),
            ] {
                let sandbox = logo.is_some();
                let sheet = Sheet { look: &look, language, sandbox, ..sheet(&document, &stamp) };
                let pages = layout::pages(&sheet, logo);
                assert_within_the_page(&pages);
                assert_nothing_overlaps(&pages);
            }
        }
    }
}

#[test]
fn the_logo_stands_where_it_is_put() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let place = |logo_place, size| {
        let look = Look { logo_place, ..Look::default() };
        let pages = layout::pages(&Sheet { look: &look, ..sheet(&document, &stamp) }, Some(size));
        let area = pages.concat().into_iter().find_map(|op| match op {
            Op::Logo { area } => Some(area),
            _ => None,
        });
        area.unwrap()
    };
    for size in [(300, 100), (100, 100)] {
        let [left, center, right] = LogoPlace::EVERY.map(|logo_place| place(logo_place, size));
        assert_eq!(left.x, MARGIN);
        assert!((center.x + center.width / 2.0 - 306.0).abs() < 0.01);
        assert!((right.x + right.width - MARGIN - BODY_WIDTH).abs() < 0.01);
        assert!(left.width == center.width && left.width == right.width);
    }
}

#[test]
fn details_of_items_are_left_out_but_not_what_the_law_asks_for() {
    let (mut document, stamp) = (samples::rich(), samples::stamp());
    document.items[0].sku = Some("CER-355".to_owned());
    let of = |item_details| {
        let look = Look { item_details, ..Look::default() };
        text(&Sheet { look: &look, ..sheet(&document, &stamp) })
    };
    let all = ItemDetails::default();
    let tax_line = "Traslado 002 IVA Tasa 16 %, base 652.74, importe 104.4384";
    for (details, absent) in [
        (ItemDetails { sku: false, ..all }, "No. ident. CER-355"),
        (ItemDetails { unit_name: false, ..all }, "Pieza"),
        (ItemDetails { product_name: false, ..all }, "Alquiler y arrendamiento de propiedades"),
        (ItemDetails { tax_object_name: false, ..all }, "Sí objeto de impuesto"),
        (ItemDetails { taxes: false, ..all }, tax_line),
    ] {
        assert_holds(&of(all), &[absent]);
        assert!(!of(details).contains(absent), "{absent}");
        assert!(!of(ItemDetails::NONE).contains(absent), "{absent}");
    }
    assert_holds(
        &of(ItemDetails::NONE),
        &[
            "24 H87 50202201 Cerveza clara importada, lata 355 ml",
            "(Ejemplar)",
            "Objeto de impuesto 02",
            "A cuenta de terceros: ADRIANA JUÁREZ FERNÁNDEZ",
            "Número de pedimento 24 48 3009 4001234",
            "Cuenta predial 0123456789",
            "Descuento",
            "250.00",
            "IVA retenido 1,973.34",
            "003 IEPS trasladado Tasa 26.5 %",
        ],
    );
}

#[test]
fn the_contact_stands_with_the_issuer_and_the_footer_on_every_page() {
    let (document, stamp) = (samples::invoice(40), samples::stamp());
    let look = rich_look();
    let sheet = Sheet { look: &look, ..sheet(&document, &stamp) };
    let pages = pages(&sheet);
    assert!(pages.len() > 1);
    let contact = [
        "Av. Insurgentes Sur 1234, piso 5, col. Del Valle",
        "+52 55 5555 0100 · facturas@escuela-kemper.example www.escuela-kemper.example",
    ];
    assert_holds(&lines(&pages[0]).join(" "), &contact);
    for page in &pages {
        assert_holds(&lines(page).join(" "), &["Gracias por su preferencia"]);
    }
    let plain = Look::default();
    let higher = furniture::footer_top(&Sheet { look: &plain, ..sheet }.frame());
    assert!(furniture::footer_top(&sheet.frame()) < higher, "it takes its room from the content");
}

#[test]
fn a_contact_without_end_is_shortened() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let endless = "Calle sin fin ".repeat(400);
    let contact = Contact {
        address: vec![endless.clone(); 50],
        phone: Some(endless.clone()),
        email: Some("a".repeat(5_000)),
        website: Some(endless.clone()),
    };
    for logo_place in LogoPlace::EVERY {
        let footer = Some(endless.clone());
        let look = Look { contact: contact.clone(), logo_place, footer, ..Look::default() };
        let sheet = Sheet { look: &look, ..sheet(&document, &stamp) };
        for logo in [None, Some((300, 100)), Some((100, 100))] {
            let pages = layout::pages(&sheet, logo);
            assert_within_the_page(&pages);
            assert_nothing_overlaps(&pages);
            assert_eq!(pages.len(), 1);
        }
    }
}

fn any_look() -> impl Strategy<Value = Look> {
    let texts = prop::collection::vec(any_text(), 9);
    let flags = prop::collection::vec(any::<bool>(), 5);
    (texts, flags, 0..3usize, any::<[u8; 3]>()).prop_map(|(texts, flags, place, accent)| {
        let [red, green, blue] = accent;
        let contact = Contact {
            address: texts[..5].to_vec(),
            phone: Some(texts[5].clone()),
            email: Some(texts[6].clone()),
            website: Some(texts[7].clone()),
        };
        let item_details = ItemDetails {
            sku: flags[0],
            unit_name: flags[1],
            product_name: flags[2],
            tax_object_name: flags[3],
            taxes: flags[4],
        };
        Look {
            accent: Color(red, green, blue),
            logo_place: LogoPlace::EVERY[place],
            item_details,
            contact,
            footer: Some(texts[8].clone()),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_look_can_be_printed(
        (document, stamp) in strange(),
        look in any_look(),
        english: bool,
        logo in prop::option::of((1..2_000u32, 1..2_000u32)),
    ) {
        let language = if english { Language::English } else { Language::Spanish };
        let sheet = Sheet { look: &look, language, ..sheet(&document, &stamp) };
        let pages = layout::pages(&sheet, logo);
        assert_within_the_page(&pages);
        assert_nothing_overlaps(&pages);
        prop_assert!(pdf(&sheet).is_ok());
    }
}
