//! What is sold or moved.

use kernel::Amount;

use super::{
    LINES_MAX,
    case::Case,
    finding::{At, Findings, Shown},
    global,
    limits::{self, Limits, written_decimals},
    listed, parts, receipt, tax_object,
    taxes::{self, Judge, NoBorderRate},
    text, third_party,
};
use crate::{
    catalogs::{
        customs_offices,
        products::{self, Product, Transfer},
        units,
    },
    decimal,
    document::{DocumentType, Item},
    tax::Tax,
};

/// The form of a customs document's number.
pub(super) const CUSTOMS_PATTERN: &str = "00  00  0000  0000000";
/// For how many years after its own SAT takes the entry of goods.
const CUSTOMS_YEARS: i32 = 10;
/// SAT's codes for the customs documents of an item: malformed, and of goods that are exported.
const OF_ITEMS: [&str; 2] = ["CFDI40194", "CFDI40195"];
/// How many characters the number of a property account may have.
const PROPERTY_ACCOUNT_CHARS_MAX: usize = 150;

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("items");
    let items = &case.document.items;
    if case.document.kind == DocumentType::Payment {
        receipt::check(case, found);
        return;
    }
    if items.is_empty() {
        found.add(
            "301",
            &at,
            format_args!("is empty: add at least one item"),
            format_args!("está vacío: agregar al menos un concepto"),
        );
    }
    if is_too_many(items.len(), &at, found) {
        return;
    }
    for (index, each) in items.iter().enumerate() {
        item(case, each, &at.index(index), found);
    }
}

/// Whether there are more lines than a document can have (301).
pub(super) fn is_too_many(lines: usize, at: &At<'_>, found: &mut Findings) -> bool {
    if lines > LINES_MAX {
        found.add(
            "301",
            at,
            format_args!(
                "has {lines} entries, but a document can have at most {LINES_MAX}: split it",
            ),
            format_args!(
                "tiene {lines} registros, pero en un comprobante caben {LINES_MAX} como máximo: \
                 dividirlo",
            ),
        );
    }
    lines > LINES_MAX
}

fn item(case: &Case<'_>, item: &Item, at: &At<'_>, found: &mut Findings) {
    product(case, item, &at.field("satProductKey"), found);
    text::optional(item.sku.as_deref(), 100, &at.field("sku"), found);
    quantity(item.quantity, &at.field("quantity"), found);
    let unit = units::find(&item.sat_unit_key);
    let key = (item.sat_unit_key.as_str(), unit.as_ref());
    let error = ("CFDI40165", &at.field("satUnitKey"));
    listed::check(key, &listed::UNITS, case.day(), error, found);
    text::optional(item.unit.as_deref(), 20, &at.field("unit"), found);
    text::check(&item.description, 1000, &at.field("description"), found);
    unit_price(case, item.unit_price, &at.field("unitPrice"), found);
    amount(case, item, &at.field("amount"), found);
    if let Some(off) = item.discount {
        discount(case, item, off, &at.field("discount"), found);
    }
    let taxed = (item.tax_object.as_str(), item.taxes.as_slice());
    let object = (&tax_object::OF_ITEMS, &at.field("taxObject"));
    tax_object::check(case, taxed, object, found);
    item_taxes(case, item, &at.field("taxes"), found);
    // Without its period it may as well be the sale to one customer.
    if case.is_global() && case.document.global.is_some() {
        global::item(item, at, found);
    }
    attachments(case, item, at, found);
}

/// On whose behalf, customs documents, property accounts.
pub(super) fn attachments(case: &Case<'_>, item: &Item, at: &At<'_>, found: &mut Findings) {
    if let Some(party) = &item.third_party {
        third_party::check(case, party, &at.field("thirdParty"), found);
    }
    customs(case, &item.customs, (OF_ITEMS, &at.field("customs")), found);
    let numbers = at.field("propertyAccounts");
    for (index, number) in item.property_accounts.iter().enumerate() {
        property_account(number, &numbers.index(index), found);
    }
    parts::check(case, &item.parts, &at.field("parts"), found);
}

/// In the catalog (40162), with the taxes that the catalog demands of it (40164).
fn product(case: &Case<'_>, item: &Item, at: &At<'_>, found: &mut Findings) {
    let row = products::find(&item.sat_product_key);
    let key = (item.sat_product_key.as_str(), row.as_ref());
    let row = listed::check(key, &listed::PRODUCTS, case.day(), ("CFDI40162", at), found);
    if let Some(row) = row.filter(|_| case.is_of_value() && item.tax_object == "02") {
        demanded_taxes(row, item, at, found);
    }
}

fn demanded_taxes(product: &Product, item: &Item, at: &At<'_>, found: &mut Findings) {
    let charged =
        |tax: Tax| item.taxes.iter().any(|each| each.rate.tax == tax && !each.rate.withheld);
    for (transfer, tax) in [(product.iva, Tax::Iva), (product.ieps, Tax::Ieps)] {
        if transfer == Transfer::Required && !charged(tax) {
            let (key, name) = (product.code, tax.name());
            found.add(
                "CFDI40164",
                at,
                format_args!(
                    "is {key}, which SAT's catalog says is sold with {name}: add the {name}, or \
                     choose another key",
                ),
                format_args!(
                    "es {key}, que según el catálogo del SAT se vende con {name}: agregar el \
                     {name}, o elegir otra clave",
                ),
            );
        }
    }
}

pub(super) fn quantity(quantity: Amount, at: &At<'_>, found: &mut Findings) {
    if quantity.micros() <= 0 {
        found.add(
            "301",
            at,
            format_args!(
                "is {quantity}, but must be at least 0.000001: use a credit note for returns",
            ),
            format_args!(
                "es {quantity}, pero debe ser de al menos 0.000001: para devoluciones use una nota \
                 de crédito",
            ),
        );
    } else {
        limits::is_possible(quantity, at, found);
    }
}

/// Above zero in what is of value (40166).
fn unit_price(case: &Case<'_>, price: Amount, at: &At<'_>, found: &mut Findings) {
    if price.micros() <= 0 && case.is_of_value() {
        found.add(
            "CFDI40166",
            at,
            format_args!(
                "is {price}, but must be greater than zero: for items given away, set the price \
                 and a discount for the same amount",
            ),
            format_args!(
                "es {price}, pero debe ser mayor que cero: si es un obsequio, indicar su precio y \
                 un descuento por el mismo importe",
            ),
        );
    } else {
        limits::is_possible(price, at, found);
    }
}

/// Quantity times unit price, as far as they are rounded (40167).
fn amount(case: &Case<'_>, item: &Item, at: &At<'_>, found: &mut Findings) {
    let Item { quantity, unit_price, amount, .. } = *item;
    if !limits::is_possible(amount, at, found) || quantity.micros() <= 0 || unit_price.is_negative()
    {
        return;
    }
    let decimals = case.document.decimals();
    let written = written_decimals(amount, decimals);
    let limits = Limits::of_item(quantity, unit_price, decimals, written);
    if !limits.include(amount) {
        let (least, most) = limits.ends();
        let [amount, least, most, unit_price] =
            [amount, least, most, unit_price].map(|sum| decimal::digits(sum, decimals));
        found.add(
            "CFDI40167",
            at,
            format_args!(
                "is {amount}, but must be between {least} and {most}: quantity {quantity} times \
                 unit price {unit_price}",
            ),
            format_args!(
                "es {amount}, pero debe estar entre {least} y {most}: la cantidad {quantity} por \
                 el valor unitario {unit_price}",
            ),
        );
    }
}

/// In what is of value only (40111), at most the amount (40169). That it has no more decimals than the amount
/// (40168) is seen to where both are written.
fn discount(case: &Case<'_>, item: &Item, off: Amount, at: &At<'_>, found: &mut Findings) {
    let amount = item.amount;
    if !case.is_of_value() {
        found.add(
            "CFDI40111",
            at,
            format_args!(
                "must be left out, because CFDIs of type T (transfers of goods) have no discount",
            ),
            format_args!(
                "debe omitirse, porque los comprobantes de tipo T (traslado) no llevan descuento",
            ),
        );
    }
    if !limits::is_possible(off, at, found) {
        return;
    }
    if off > amount {
        let decimals = case.document.decimals();
        let [off, amount] = [off, amount].map(|sum| decimal::digits(sum, decimals));
        found.add(
            "CFDI40169",
            at,
            format_args!("is {off}, more than the amount {amount} it applies to: reduce it"),
            format_args!("es {off}, mayor que el importe {amount} al que se aplica: reducirlo"),
        );
    }
}

/// None for transfers of goods (40201).
fn item_taxes(case: &Case<'_>, item: &Item, at: &At<'_>, found: &mut Findings) {
    if case.document.kind == DocumentType::Transfer && !item.taxes.is_empty() {
        found.add(
            "CFDI40201",
            at,
            format_args!(
                "must be empty, because CFDIs of type T (transfers of goods) have no taxes: remove \
                 them and set the tax object to \"01\"",
            ),
            format_args!(
                "debe estar vacío, porque los comprobantes de tipo T (traslado) no llevan \
                 impuestos: quitarlos y poner el objeto de impuesto en \"01\"",
            ),
        );
    }
    let judge = Judge {
        codes: &taxes::OF_ITEMS,
        day: case.day(),
        decimals: case.document.decimals(),
        once: true,
        no_border_rate: no_border_rate(case, item),
    };
    judge.check(&item.taxes, at, found);
}

/// The stimulus is for premises in the border regions and for the keys that the catalog lets have it. Tickets of a
/// global invoice have it although their one key is not among those (SAT's guide of the border stimulus).
fn no_border_rate<'a>(case: &Case<'a>, item: &'a Item) -> Option<NoBorderRate<'a>> {
    if case.place.is_some_and(|place| place.border.is_none()) {
        return Some(NoBorderRate::Place(&case.document.place_of_issue));
    }
    let product = products::find(&item.sat_product_key).filter(|_| !case.is_global())?;
    (!product.border_stimulus).then_some(NoBorderRate::Product(&item.sat_product_key))
}

/// The numbers of customs documents: each as it must be, and none of goods that leave the country for good.
pub(super) fn customs(
    case: &Case<'_>,
    numbers: &[String],
    ([malformed, needless], at): ([&'static str; 2], &At<'_>),
    found: &mut Findings,
) {
    for (index, number) in numbers.iter().enumerate() {
        customs_number(case, number, (malformed, &at.index(index)), found);
    }
    if case.document.complements.foreign_trade.is_some() && !numbers.is_empty() {
        exported(needless, at, found);
    }
}

/// Goods that leave the country for good show no entry of theirs (40195).
fn exported(code: &'static str, at: &At<'_>, found: &mut Findings) {
    found.add(
        code,
        at,
        format_args!(
            "must be empty, because the document has the foreign trade complement: goods that are \
             exported do not state the customs entry by which they came",
        ),
        format_args!(
            "debe estar vacío, porque el comprobante lleva el complemento de comercio exterior: lo \
             que se exporta no indica el pedimento con que entró",
        ),
    );
}

/// Year, customs office, agent and number, parted by two spaces: of this year or the ten before, of an office that there is,
/// and counted from 1 (40194). How far each agent has counted only SAT's list of entries (c_NumPedimentoAduana) knows.
fn customs_number(
    case: &Case<'_>,
    number: &str,
    (code, at): (&'static str, &At<'_>),
    found: &mut Findings,
) {
    let value = Shown(number);
    if !text::is_like(number, CUSTOMS_PATTERN) {
        found.add(
            code,
            at,
            format_args!(
                "is {value}, which is not a customs entry number (pedimento): write two digits for \
                 the year, two for the customs office, four for the customs broker and seven more, \
                 separated by two spaces, such as \"24  48  3009  4001234\"",
            ),
            format_args!(
                "es {value}, que no es un número de pedimento: escribir dos dígitos del año, dos de \
                 la aduana, cuatro de la patente y siete más, separados por dos espacios, por \
                 ejemplo \"24  48  3009  4001234\"",
            ),
        );
        return;
    }
    let last = case.day().year();
    let first = last - CUSTOMS_YEARS;
    let is_taken = |year: i32| (last - year).rem_euclid(100) <= CUSTOMS_YEARS;
    if !number.get(..2).and_then(|year| year.parse::<i32>().ok()).is_some_and(is_taken) {
        found.add(
            code,
            at,
            format_args!(
                "is {value}, but SAT takes only entries of {first} to {last}, whose last two digits \
                 come first: copy the number from the customs entry, or leave an older one out",
            ),
            format_args!(
                "es {value}, pero el SAT solo admite pedimentos de {first} a {last}, cuyos últimos \
                 dos dígitos van primero: copiar el número del pedimento, u omitir uno más antiguo",
            ),
        );
    }
    let office = number.get(4..6).unwrap_or_default();
    if !customs_offices::contains(office) {
        found.add(
            code,
            at,
            format_args!(
                "is {value}, but \"{office}\" is no customs office (c_Aduana): copy the number from \
                 the customs entry",
            ),
            format_args!(
                "es {value}, pero \"{office}\" no es una aduana (c_Aduana): copiar el número del \
                 pedimento",
            ),
        );
    }
    if number.ends_with("000000") {
        found.add(
            code,
            at,
            format_args!(
                "is {value}, but entries are counted from 1: copy the last six digits from the \
                 customs entry",
            ),
            format_args!(
                "es {value}, pero los pedimentos se numeran desde 1: copiar los últimos seis \
                 dígitos del pedimento",
            ),
        );
    }
}

/// Letters and digits only (301).
fn property_account(number: &str, at: &At<'_>, found: &mut Findings) {
    let is_plain = number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if number.is_empty() || number.len() > PROPERTY_ACCOUNT_CHARS_MAX || !is_plain {
        let value = Shown(number);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, but must be 1 to {PROPERTY_ACCOUNT_CHARS_MAX} letters and digits: \
                 write the property tax account number without hyphens or spaces",
            ),
            format_args!(
                "es {value}, pero debe tener de 1 a {PROPERTY_ACCOUNT_CHARS_MAX} letras y dígitos: \
                 escribir el número de cuenta predial sin guiones ni espacios",
            ),
        );
    }
}
