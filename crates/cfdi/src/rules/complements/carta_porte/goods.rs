//! What is transported.

use std::collections::HashSet;

use kernel::Amount;

use super::{common, customs, health, lists, places};
use crate::{
    catalogs::{
        carta_porte::{self, hazardous_materials, packagings, weight_units},
        currencies, units,
    },
    complements::{
        CartaPorte,
        carta_porte::{
            Goods, GoodsItem, GoodsValue, Guide, LocationKind, Mode, Portion, WeightDetails,
        },
    },
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        items, limits, listed, text, totals,
    },
};

/// The least quantity.
const QUANTITY_MIN: Amount = Amount::from_micros(1);
/// How many characters the number of a waybill has.
const GUIDE_CHARS: (usize, usize) = (10, 30);

/// The kinds and codes of the locations: goods go between them, and both can be many.
struct Ends<'a>(HashSet<(&'static str, &'a str)>);

pub(super) fn check(case: &Case<'_>, carta: &CartaPorte, at: &At<'_>, found: &mut Findings) {
    let goods = &carta.goods;
    let lines = at.field("items");
    if goods.items.is_empty() {
        found.add(
            "301",
            &lines,
            format_args!("is empty: add the goods that are transported"),
            format_args!("está vacío: agregar las mercancías que se transportan"),
        );
    }
    if items::is_too_many(goods.items.len(), &lines, found) {
        return;
    }
    weight(case, goods, at, found);
    charge(carta, &at.field("appraisalCharge"), found);
    let ends =
        carta.locations.iter().filter_map(|end| Some((end.kind.name(), end.code.as_deref()?)));
    let ends = Ends(ends.collect());
    for (index, each) in goods.items.iter().enumerate() {
        let at = lines.index(index);
        item(case, each, &at, found);
        by_mode(case, (each, carta.mode()), &at, found);
        customs::check(case, carta, each, &at, found);
        guides(&each.guides, &at.field("guides"), found);
        portions(&ends, &each.portions, &at.field("portions"), found);
    }
}

/// A unit of the catalog; a weight where it is not the sum of the goods' weights.
fn weight(case: &Case<'_>, goods: &Goods, at: &At<'_>, found: &mut Findings) {
    let unit = weight_units::find(&goods.weight_unit);
    let row = (goods.weight_unit.as_str(), unit.as_ref());
    let error = ("301", &at.field("weightUnit"));
    listed::check(row, &lists::WEIGHT_UNITS, case.day(), error, found);
    let at = at.field("grossWeight");
    match goods.gross_weight {
        Some(weight) => common::weight(weight, &at, found),
        None if goods.weight_unit != weight_units::KILOGRAM => common::missing(
            ("CFDI40999", &at),
            "set the gross weight in weightUnit, or set weightUnit to KGM to have the goods' \
             kilograms added up",
            "indicar el peso bruto en la unidad de weightUnit, o poner KGM para sumar los \
             kilogramos de las mercancías",
            found,
        ),
        None if !totals::is_within_measure(goods.gross_weights()) => {
            let most = Amount::MAX;
            found.add(
                "301",
                &at,
                format_args!("would be more than {most}: check the weights of the goods"),
                format_args!("sería mayor que {most}: revisar el peso de las mercancías"),
            );
        }
        None => {}
    }
}

/// An amount, by air.
fn charge(carta: &CartaPorte, at: &At<'_>, found: &mut Findings) {
    let Some(charge) = carta.goods.appraisal_charge else {
        return;
    };
    limits::is_possible(charge, at, found);
    if carta.air.is_none() {
        common::needless(
            at,
            "it is for transport by air",
            "solo lo lleva el transporte aéreo",
            found,
        );
    }
}

/// What only some means of transport want to know.
fn by_mode(
    case: &Case<'_>,
    (item, mode): (&GoodsItem, Option<Mode>),
    at: &At<'_>,
    found: &mut Findings,
) {
    let stcc = at.field("stcc");
    if let Some(code) = item.stcc.as_deref() {
        if !(text::is_like(code, "000000") || text::is_like(code, "0000000")) {
            let value = Shown(code);
            found.add(
                "301",
                &stcc,
                format_args!("is {value}, but must be 6 or 7 digits: correct it"),
                format_args!("es {value}, pero debe tener 6 o 7 dígitos: corregirlo"),
            );
        }
        if mode != Some(Mode::Rail) {
            common::needless(
                &stcc,
                "it is for transport by rail",
                "solo lo lleva el transporte ferroviario",
                found,
            );
        }
    }
    match &item.weights {
        Some(details) => weights(case, details, &at.field("weights"), found),
        None if mode == Some(Mode::Sea) => common::missing(
            ("CFDI40999", &at.field("weights")),
            "goods at sea state what they weigh with and without their packing",
            "en transporte marítimo se indican el peso bruto y el neto de las mercancías",
            found,
        ),
        None => {}
    }
    if item.value.is_none() && mode == Some(Mode::Air) {
        common::missing(
            ("CFDI40999", &at.field("value")),
            "goods that fly state what they are worth",
            "en transporte aéreo se indica el valor de la mercancía",
            found,
        );
    }
}

/// In a unit of the catalog, with some packing.
fn weights(case: &Case<'_>, weights: &WeightDetails, at: &At<'_>, found: &mut Findings) {
    let unit = weight_units::find(&weights.unit);
    let row = (weights.unit.as_str(), unit.as_ref());
    listed::check(row, &lists::WEIGHT_UNITS, case.day(), ("301", &at.field("unit")), found);
    common::weight(weights.gross, &at.field("gross"), found);
    common::weight(weights.net, &at.field("net"), found);
    if weights.net >= weights.gross {
        let (net, gross) = (weights.net, weights.gross);
        found.add(
            "301",
            &at.field("net"),
            format_args!("is {net}, but must be below gross ({gross}): the rest is the packing"),
            format_args!("es {net}, pero debe ser menor que gross ({gross}): el resto es la tara"),
        );
    }
    if weights.pieces == Some(0) {
        found.add(
            "301",
            &at.field("pieces"),
            format_args!("is 0: set how many pieces there are, or leave it out"),
            format_args!("es 0: indicar cuántas piezas son, u omitirlo"),
        );
    }
}

fn item(case: &Case<'_>, item: &GoodsItem, at: &At<'_>, found: &mut Findings) {
    let product = carta_porte::goods::find(&item.sat_product_key);
    let row = (item.sat_product_key.as_str(), product.as_ref());
    let error = ("301", &at.field("satProductKey"));
    listed::check(row, &lists::GOODS, case.day(), error, found);
    text::check(&item.description, 1000, &at.field("description"), found);
    common::measure(item.quantity, (QUANTITY_MIN, Amount::MAX), 6, &at.field("quantity"), found);
    let unit = units::find(&item.sat_unit_key);
    let row = (item.sat_unit_key.as_str(), unit.as_ref());
    listed::check(row, &listed::UNITS, case.day(), ("301", &at.field("satUnitKey")), found);
    text::optional(item.unit.as_deref(), 20, &at.field("unit"), found);
    dimensions(item.dimensions.as_deref(), &at.field("dimensions"), found);
    hazard(case, item, at, found);
    if let Some(control) = &item.health {
        health::check(case, control, &at.field("health"), found);
    }
    common::weight(item.weight_kg, &at.field("weightKg"), found);
    if let Some(value) = &item.value {
        self::value(case, value, &at.field("value"), found);
    }
}

fn value(case: &Case<'_>, value: &GoodsValue, at: &At<'_>, found: &mut Findings) {
    limits::is_possible(value.amount, &at.field("amount"), found);
    let code = value.currency.code();
    let row = (code, currencies::find(code));
    let error = ("301", &at.field("currency"));
    listed::check(row, &listed::CURRENCIES, case.day(), error, found);
}

/// Three numbers of one to three digits between slashes, and the unit (301).
fn dimensions(text: Option<&str>, at: &At<'_>, found: &mut Findings) {
    let is_number = |part: &str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let are_three = |text: &str| {
        let numbers = text.strip_suffix("cm").or_else(|| text.strip_suffix("plg"));
        numbers.is_some_and(|numbers| {
            numbers.split('/').count() == 3 && numbers.split('/').all(is_number)
        })
    };
    if let Some(text) = text.filter(|text| !are_three(text)) {
        let value = Shown(text);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, but must be length, height and width in whole centimeters or inches, \
                 as 30/40/30cm or 12/16/12plg",
            ),
            format_args!(
                "es {value}, pero debe ser largo, alto y ancho en centímetros o pulgadas enteras, \
                 como 30/40/30cm o 12/16/12plg",
            ),
        );
    }
}

/// What material and in what packaging, of hazardous goods and only of them.
fn hazard(case: &Case<'_>, item: &GoodsItem, at: &At<'_>, found: &mut Findings) {
    let material = at.field("hazardousMaterial");
    let packaging = at.field("packaging");
    if let Some(code) = item.hazardous_material.as_deref() {
        let row = hazardous_materials::find(code);
        let row = (code, row.as_ref());
        let error = ("301", &material);
        listed::check(row, &lists::HAZARDOUS_MATERIALS, case.day(), error, found);
    }
    if let Some(code) = item.packaging.as_deref() {
        let row = (code, packagings::find(code));
        listed::check(row, &lists::PACKAGINGS, case.day(), ("301", &packaging), found);
    }
    let description = at.field("packagingDescription");
    text::optional(item.packaging_description.as_deref(), 100, &description, found);
    let fields = [
        (item.hazardous_material.is_some(), &material, "c_MaterialPeligroso"),
        (item.packaging.is_some(), &packaging, "c_TipoEmbalaje"),
    ];
    for (is_given, at, catalog) in fields {
        match (item.is_hazardous(), is_given) {
            (true, false) => common::missing(
                ("CFDI40999", at),
                &format!("hazardous goods have a code of {catalog}"),
                &format!("las mercancías peligrosas llevan una clave de {catalog}"),
                found,
            ),
            (false, true) => common::needless(
                at,
                "it is only for goods with hazardous set to true",
                "solo lo llevan las mercancías con hazardous en true",
                found,
            ),
            _ => {}
        }
    }
}

fn guides(guides: &[Guide], at: &At<'_>, found: &mut Findings) {
    if items::is_too_many(guides.len(), at, found) {
        return;
    }
    for (index, guide) in guides.iter().enumerate() {
        let at = at.index(index);
        common::text_between(&guide.number, GUIDE_CHARS, &at.field("number"), found);
        text::check(&guide.description, 1000, &at.field("description"), found);
        common::weight(guide.weight_kg, &at.field("weightKg"), found);
    }
}

fn portions(ends: &Ends<'_>, portions: &[Portion], at: &At<'_>, found: &mut Findings) {
    if items::is_too_many(portions.len(), at, found) {
        return;
    }
    for (index, portion) in portions.iter().enumerate() {
        let at = at.index(index);
        let quantity = (QUANTITY_MIN, Amount::MAX);
        common::measure(portion.quantity, quantity, 6, &at.field("quantity"), found);
        end(ends, (&portion.origin, LocationKind::Origin), &at.field("origin"), found);
        let destination = (portion.destination.as_str(), LocationKind::Destination);
        end(ends, destination, &at.field("destination"), found);
    }
}

/// The code of a location that there is.
fn end(ends: &Ends<'_>, (code, kind): (&str, LocationKind), at: &At<'_>, found: &mut Findings) {
    places::code(code, kind, at, found);
    if !ends.0.contains(&(kind.name(), code)) {
        let (value, name, spanish) = (Shown(code), kind.name(), kind.spanish());
        found.add(
            "CFDI40999",
            at,
            format_args!("is {value}, but no location of kind {name} has this code: correct it"),
            format_args!(
                "es {value}, pero ninguna ubicación de tipo {spanish} tiene esa clave: corregirla",
            ),
        );
    }
}
