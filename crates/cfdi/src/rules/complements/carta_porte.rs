//! Goods on the way (schema, catalogs and standard of the complement Carta Porte 3.1).
//!
//! What the schema says has the code 301, what the standard says of several fields together `CFDI40999`. Not judged is
//! what only SAT's registries and lists know that are not embedded: whether RFCs are registered, which neighborhoods
//! there are, and which product keys may or must be stated to be hazardous.

mod air;
mod common;
mod customs;
mod figures;
mod foreign;
mod goods;
mod health;
mod lists;
mod places;
mod rail;
mod road;
mod sea;
mod stations;

use crate::{
    catalogs::{
        carta_porte::{customs_regimes, isthmus_poles, transport_modes},
        countries,
    },
    complements::{
        CartaPorte,
        carta_porte::{Direction, International, Isthmus},
    },
    document::DocumentType,
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        listed, text,
    },
};

/// How many regimes of customs one document may name (`maxOccurs`).
const REGIMES_MAX: usize = 10;
/// What a document of goods on the move is used for.
const WITHOUT_EFFECTS: &str = "S01";

pub(super) fn check(case: &Case<'_>, carta: &CartaPorte, at: &At<'_>, found: &mut Findings) {
    document(case, at, found);
    id(carta.id.as_deref(), &at.field("id"), found);
    if let Some(international) = &carta.international {
        self::international(case, international, &at.field("international"), found);
    }
    if let Some(isthmus) = &carta.isthmus {
        self::isthmus(case, isthmus, &at.field("isthmus"), found);
    }
    places::check(case, carta, &at.field("locations"), found);
    goods::check(case, carta, &at.field("goods"), found);
    modes(case, carta, at, found);
    figures::check(case, carta, &at.field("figures"), found);
}

/// One means of transport.
fn modes(case: &Case<'_>, carta: &CartaPorte, at: &At<'_>, found: &mut Findings) {
    if carta.mode().is_none() {
        found.add(
            "CFDI40999",
            &at.field("road"),
            format_args!("must be the only one of road, sea, air and rail, or one of the others"),
            format_args!("debe ser el único de road, sea, air y rail, o bien uno de los otros"),
        );
    }
    if let Some(road) = &carta.road {
        road::check(case, carta, road, &at.field("road"), found);
    }
    if let Some(sea) = &carta.sea {
        sea::check(case, sea, &at.field("sea"), found);
    }
    if let Some(air) = &carta.air {
        air::check(case, air, &at.field("air"), found);
    }
    if let Some(rail) = &carta.rail {
        rail::check(case, rail, &at.field("rail"), found);
    }
}

/// A sale of transport, or goods on the move, which have no value.
fn document(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    match case.document.kind {
        DocumentType::Income => {}
        DocumentType::Transfer => transfer(case, found),
        kind => {
            let kind = kind.code();
            found.add(
                "CFDI40999",
                at,
                format_args!(
                    "must be left out, because the document is of type {kind}: only types I \
                     (transport sold) and T (own transport) have it",
                ),
                format_args!(
                    "debe omitirse, porque el comprobante es de tipo {kind}: solo lo llevan los \
                     tipos I (servicio de transporte) y T (traslado propio)",
                ),
            );
        }
    }
}

fn transfer(case: &Case<'_>, found: &mut Findings) {
    if let Some(currency) = case.document.currency {
        found.add(
            "CFDI40999",
            &At::top("currency"),
            format_args!(
                "is {currency}, but must be left out (XXX) for type T with a waybill (Carta Porte)",
            ),
            format_args!(
                "es {currency}, pero debe omitirse (XXX) en el tipo T con complemento Carta Porte",
            ),
        );
    }
    let cfdi_use = case.document.receiver.cfdi_use.as_str();
    if cfdi_use != WITHOUT_EFFECTS {
        let value = Shown(cfdi_use);
        found.add(
            "CFDI40999",
            &At::top("receiver").field("cfdiUse"),
            format_args!(
                "is {value}, but must be {WITHOUT_EFFECTS} (without tax effects) for type T with a \
                 waybill (Carta Porte)",
            ),
            format_args!(
                "es {value}, pero debe ser {WITHOUT_EFFECTS} (sin efectos fiscales) en el tipo T \
                 con complemento Carta Porte",
            ),
        );
    }
}

/// A UUID, once there is one.
fn id(id: Option<&str>, at: &At<'_>, found: &mut Findings) {
    if let Some(id) = id.filter(|id| !text::is_uuid(id)) {
        let value = Shown(id);
        found.add(
            "301",
            at,
            format_args!("is {value}, which is not a UUID: leave it out to have one made"),
            format_args!("es {value}, que no es un UUID: omitirlo para que se genere uno"),
        );
    }
}

fn international(
    case: &Case<'_>,
    international: &International,
    at: &At<'_>,
    found: &mut Findings,
) {
    let International { direction, country, via, customs_regimes } = international;
    if country == countries::MEXICO {
        found.add(
            "CFDI40999",
            &at.field("country"),
            format_args!("is MEX: set the country abroad that the goods come from or go to"),
            format_args!("es MEX: indicar el país extranjero de origen o destino"),
        );
    } else {
        let row = (country.as_str(), countries::find(country));
        let error = ("301", &at.field("country"));
        listed::check(row, &listed::COUNTRIES, case.day(), error, found);
    }
    let row = (via.as_str(), transport_modes::find(via));
    listed::check(row, &lists::TRANSPORT_MODES, case.day(), ("301", &at.field("via")), found);
    regimes(case, (customs_regimes, *direction), &at.field("customsRegimes"), found);
}

/// At least one, at most ten, and each for the direction.
fn regimes(
    case: &Case<'_>,
    (regimes, direction): (&[String], Direction),
    at: &At<'_>,
    found: &mut Findings,
) {
    if regimes.is_empty() {
        common::missing(
            ("CFDI40999", at),
            "name the customs regimes of the goods, codes of c_RegimenAduanero",
            "indicar los regímenes aduaneros de las mercancías, claves de c_RegimenAduanero",
            found,
        );
    }
    common::at_most(regimes.len(), REGIMES_MAX, at, found);
    for (index, code) in regimes.iter().enumerate().take(REGIMES_MAX) {
        let at = at.index(index);
        let row = (code.as_str(), customs_regimes::find(code));
        let error = ("301", &at);
        let row = listed::check(row, &lists::CUSTOMS_REGIMES, case.day(), error, found);
        let fits = |regime: &customs_regimes::CustomsRegime| match direction {
            Direction::Entry => regime.entry,
            Direction::Exit => regime.exit,
        };
        if row.is_some_and(|regime| !fits(regime)) {
            let (name, spanish) = (direction.name(), direction.spanish());
            found.add(
                "CFDI40999",
                &at,
                format_args!("is {code}, which is not for direction {name}: choose another"),
                format_args!("es {code}, que no corresponde a {spanish}: elegir otro régimen"),
            );
        }
    }
}

fn isthmus(case: &Case<'_>, isthmus: &Isthmus, at: &At<'_>, found: &mut Findings) {
    for (field, code) in [("origin", &isthmus.origin), ("destination", &isthmus.destination)] {
        let row = (code.as_str(), isthmus_poles::find(code));
        listed::check(row, &lists::ISTHMUS_POLES, case.day(), ("301", &at.field(field)), found);
    }
}
