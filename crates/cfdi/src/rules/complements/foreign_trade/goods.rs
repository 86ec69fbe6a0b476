//! The goods of an export, each of an item of the document.

use std::collections::HashSet;

use kernel::Amount;

use crate::{
    catalogs::{customs_units, tariff_codes},
    complements::{ForeignTrade, GoodsDetails, TradedGoods},
    document::Item,
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        items, limits, listed, text,
    },
};

use super::{GUIDE, lines::Lines, values};

/// The least that customs count.
const QUANTITY_MIN: Amount = Amount::from_micros(1_000);
/// How many decimals customs count with.
const QUANTITY_DECIMALS: u32 = 3;
/// How many characters an item's number has at most.
const SKU_CHARS_MAX: usize = 100;

pub(super) fn check(case: &Case<'_>, trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    let (items, goods) = (&case.document.items, &trade.goods);
    if goods.is_empty() {
        found.add(
            "301",
            at,
            format_args!("is empty: add an entry for each item that is exported"),
            format_args!("está vacío: agregar un registro por cada concepto que se exporta"),
        );
        return;
    }
    if items::is_too_many(goods.len(), at, found) {
        return;
    }
    let lines = Lines::of(items, goods);
    let mut seen = HashSet::new();
    for (index, each) in goods.iter().enumerate() {
        let at = at.index(index);
        of_item(&lines, each, &at.field("sku"), found);
        if !seen.insert((&each.sku, &each.tariff_code)) {
            repeated(each, &at, found);
        }
        tariff_code(&lines, each, &at.field("tariffCode"), found);
        customs_data(case, &lines, each, &at, found);
        values::of_goods(case, trade, &lines, (each, &at.field("usdValue")), found);
        details(&each.details, &at.field("details"), found);
    }
    without_goods(&lines, items, found);
    values::of_items(case, trade, &lines, at, found);
    limits::is_possible(trade.total_usd(), at, found);
}

/// The number of an item.
fn of_item(lines: &Lines<'_>, goods: &TradedGoods, at: &At<'_>, found: &mut Findings) {
    text::check(&goods.sku, SKU_CHARS_MAX, at, found);
    if lines.items_of(&goods.sku).is_empty() {
        let value = Shown(&goods.sku);
        found.add(
            GUIDE,
            at,
            format_args!("is {value}, but no item has this sku: give both the same one"),
            format_args!("es {value}, pero ningún concepto tiene ese sku: usar el mismo en ambos"),
        );
    }
}

/// Every item is among the goods.
fn without_goods(lines: &Lines<'_>, items: &[Item], found: &mut Findings) {
    let at = At::top("items");
    for (index, item) in items.iter().enumerate() {
        let Some(sku) = item.sku.as_deref() else { continue };
        if lines.goods_of(sku).is_empty() {
            let value = Shown(sku);
            found.add(
                GUIDE,
                &at.index(index).field("sku"),
                format_args!("is {value}, which complements.foreignTrade.goods lack: add it there"),
                format_args!(
                    "es {value}, que falta en complements.foreignTrade.goods: agregarlo ahí"
                ),
            );
        }
    }
}

fn repeated(goods: &TradedGoods, at: &At<'_>, found: &mut Findings) {
    let value = Shown(&goods.sku);
    found.add(
        GUIDE,
        at,
        format_args!("repeats {value} with the same tariffCode: make one entry of them"),
        format_args!("repite {value} con el mismo tariffCode: reunir ambos en un registro"),
    );
}

/// In the catalog (301); services have none, everything else has one.
fn tariff_code(lines: &Lines<'_>, goods: &TradedGoods, at: &At<'_>, found: &mut Findings) {
    let code = goods.tariff_code.as_deref();
    if let Some(code) = code.filter(|code| !tariff_codes::contains(code)) {
        let value = Shown(code);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, which is not one of SAT's tariff codes in force: write the ten digits \
                 of c_FraccionArancelaria, without dots",
            ),
            format_args!(
                "es {value}, que no es una fracción arancelaria vigente del SAT: escribir los diez \
                 dígitos de c_FraccionArancelaria, sin puntos",
            ),
        );
    }
    match (lines.unit_of(goods) == Some(customs_units::SERVICE), code) {
        (true, Some(_)) => found.add(
            GUIDE,
            at,
            format_args!("must be left out, because unit 99 is for services"),
            format_args!("debe omitirse, porque la unidad 99 es de servicios"),
        ),
        (false, None) => found.add(
            GUIDE,
            at,
            format_args!("is missing: goods have a code of c_FraccionArancelaria"),
            format_args!("falta: las mercancías llevan una clave de c_FraccionArancelaria"),
        ),
        _ => {}
    }
}

/// Quantity, unit and price as customs count, or an item that is counted so itself.
fn customs_data(
    case: &Case<'_>,
    lines: &Lines<'_>,
    goods: &TradedGoods,
    at: &At<'_>,
    found: &mut Findings,
) {
    let unit_at = at.field("customsUnit");
    if let Some(unit) = goods.customs_unit.as_deref() {
        let key = (unit, customs_units::find(unit));
        listed::check(key, &listed::CUSTOMS_UNITS, case.day(), ("301", &unit_at), found);
    }
    let quantity_at = at.field("customsQuantity");
    if let Some(quantity) = goods.customs_quantity {
        customs_quantity(quantity, &quantity_at, found);
    }
    let price_at = at.field("customsUnitPrice");
    if let Some(price) = goods.customs_unit_price {
        customs_unit_price(price, lines.unit_of(goods), &price_at, found);
    }
    if !lines.need_customs_data() {
        if let [item] = lines.items_of(&goods.sku) {
            counted_by_customs(item, &quantity_at, &unit_at, found);
        }
        return;
    }
    let missing = [
        (goods.customs_quantity.is_none(), &quantity_at),
        (goods.customs_unit.is_none(), &unit_at),
        (goods.customs_unit_price.is_none(), &price_at),
    ];
    for (_, at) in missing.into_iter().filter(|(is_missing, _)| *is_missing) {
        found.add(
            GUIDE,
            at,
            format_args!(
                "is missing: all goods state customsQuantity, customsUnit and customsUnitPrice as \
                 soon as some state one of them or a sku is repeated",
            ),
            format_args!(
                "falta: todas las mercancías llevan customsQuantity, customsUnit y \
                 customsUnitPrice si alguna lleva uno de ellos o se repite un sku",
            ),
        );
    }
}

/// At least a thousandth, and no finer (301).
fn customs_quantity(quantity: Amount, at: &At<'_>, found: &mut Findings) {
    if limits::is_possible(quantity, at, found) && !is_countable(quantity) {
        found.add(
            "301",
            at,
            format_args!(
                "is {quantity}, but must be at least {QUANTITY_MIN} and have 3 decimals at most: \
                 round it",
            ),
            format_args!(
                "es {quantity}, pero debe ser de al menos {QUANTITY_MIN} y tener 3 decimales como \
                 máximo: redondéelo",
            ),
        );
    }
}

/// Above zero, but for services.
fn customs_unit_price(price: Amount, unit: Option<&str>, at: &At<'_>, found: &mut Findings) {
    let is_goods = unit != Some(customs_units::SERVICE);
    if limits::is_possible(price, at, found) && price.micros() == 0 && is_goods {
        found.add(
            GUIDE,
            at,
            format_args!("is {price}, but must be greater than zero: set the price of one unit"),
            format_args!("es {price}, pero debe ser mayor que cero: indicar el precio unitario"),
        );
    }
}

/// Whether the item's quantity and unit will do for customs.
fn counted_by_customs(item: &Item, quantity: &At<'_>, unit: &At<'_>, found: &mut Findings) {
    if !is_countable(item.quantity) {
        let counted = item.quantity;
        found.add(
            GUIDE,
            quantity,
            format_args!(
                "is missing, and the item's quantity {counted} will not do for customs, which \
                 count from {QUANTITY_MIN} with 3 decimals: set the quantity of customs units",
            ),
            format_args!(
                "falta, y la cantidad {counted} del concepto no sirve para la aduana, que cuenta \
                 desde {QUANTITY_MIN} con 3 decimales: indicar la cantidad en unidades de aduana",
            ),
        );
    }
    if item.unit.as_deref().and_then(customs_units::find).is_none() {
        found.add(
            GUIDE,
            unit,
            format_args!(
                "is missing, and the item's unit is no code of c_UnidadAduana: set customsUnit, \
                 customsQuantity and customsUnitPrice, or the code as the item's unit",
            ),
            format_args!(
                "falta, y la unidad del concepto no es una clave de c_UnidadAduana: indicar \
                 customsUnit, customsQuantity y customsUnitPrice, o la clave en la unidad del \
                 concepto",
            ),
        );
    }
}

fn is_countable(quantity: Amount) -> bool {
    quantity >= QUANTITY_MIN && quantity.fits(QUANTITY_DECIMALS)
}

fn details(details: &[GoodsDetails], at: &At<'_>, found: &mut Findings) {
    if items::is_too_many(details.len(), at, found) {
        return;
    }
    for (index, each) in details.iter().enumerate() {
        let at = at.index(index);
        text::check(&each.brand, 35, &at.field("brand"), found);
        text::optional(each.model.as_deref(), 80, &at.field("model"), found);
        text::optional(each.submodel.as_deref(), 50, &at.field("submodel"), found);
        text::optional(each.serial_number.as_deref(), 40, &at.field("serialNumber"), found);
    }
}
