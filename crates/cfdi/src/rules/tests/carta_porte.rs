//! Goods on the way.

use kernel::Currency;
use time::{
    Date,
    macros::{date, datetime},
};

use super::{
    Row, assert_valid,
    samples::{amount, credit_note, invoice, text, transfer},
};
use crate::{
    complements::{
        Address, CartaPorte,
        carta_porte::{
            AirTransport, CustomsDocument, Direction, FerriedTruck, Figure, GoodsItem, Guide,
            HealthControl, Insurance, International, Location, LocationKind, Navigation, Portion,
            RailCar, RailTransport, RoadTransport, SeaTransport, Ship, Station, WeightDetails,
            samples::{by_air, by_rail, by_sea, international, national},
        },
    },
    document::Document,
};

mod goods;
mod modes;
mod places;
mod road;

pub(super) const PARTS: [&[Row]; 5] = [ROWS, goods::ROWS, modes::ROWS, places::ROWS, road::ROWS];

const ROWS: &[Row] = &[
    (own, |d| move_to(d, credit_note()), "CFDI40999", "complements.cartaPorte"),
    (own, |d| d.currency = Some(Currency::MXN), "CFDI40999", "currency"),
    (own, |d| d.receiver.cfdi_use = "G03".to_owned(), "CFDI40999", "receiver.cfdiUse"),
    (own, |d| carta(d).id = text("5FB2822E"), "301", "complements.cartaPorte.id"),
    (
        imported,
        |d| border(d).country = "MEX".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.international.country",
    ),
    (
        imported,
        |d| border(d).country = "XYZ".to_owned(),
        "301",
        "complements.cartaPorte.international.country",
    ),
    (
        imported,
        |d| border(d).via = "05".to_owned(),
        "301",
        "complements.cartaPorte.international.via",
    ),
    (
        imported,
        |d| border(d).customs_regimes.clear(),
        "CFDI40999",
        "complements.cartaPorte.international.customsRegimes",
    ),
    (
        imported,
        |d| border(d).customs_regimes = vec!["IMD".to_owned(); 11],
        "301",
        "complements.cartaPorte.international.customsRegimes",
    ),
    (
        imported,
        |d| border(d).customs_regimes[0] = "XXX".to_owned(),
        "301",
        "complements.cartaPorte.international.customsRegimes[0]",
    ),
    (
        imported,
        |d| border(d).direction = Direction::Exit,
        "CFDI40999",
        "complements.cartaPorte.international.customsRegimes[0]",
    ),
    (
        imported,
        |d| border(d).customs_regimes[1] = "EXD".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.international.customsRegimes[1]",
    ),
    (
        imported,
        |d| carta(d).isthmus.as_mut().unwrap().origin = "07".to_owned(),
        "301",
        "complements.cartaPorte.isthmus.origin",
    ),
    (
        imported,
        |d| carta(d).isthmus.as_mut().unwrap().destination.clear(),
        "301",
        "complements.cartaPorte.isthmus.destination",
    ),
];

fn with(mut document: Document, carta: CartaPorte) -> Document {
    document.complements.carta_porte = Some(Box::new(carta));
    document
}

/// The issuer's own goods on the move.
pub(super) fn own() -> Document {
    with(transfer(), national())
}

/// Transport over the border that is sold.
pub(super) fn imported() -> Document {
    with(invoice(), international())
}

/// Gives the complement to another document.
fn move_to(document: &mut Document, other: Document) {
    let complements = std::mem::take(&mut document.complements);
    *document = Document { complements, ..other };
}

fn carta(document: &mut Document) -> &mut CartaPorte {
    document.complements.carta_porte.as_mut().unwrap()
}

fn border(document: &mut Document) -> &mut International {
    carta(document).international.as_mut().unwrap()
}

#[test]
fn journeys_at_home_and_over_the_border_are_valid_in_both_types() {
    for journey in [national(), international(), by_sea(), by_air(), by_rail()] {
        for document in [transfer(), invoice()] {
            assert_valid(&with(document, journey.clone()));
        }
    }
    let mut document = own();
    carta(&mut document).id = None;
    assert_valid(&document);
}
