//! The parts of what is sold: the contents of a kit or a package.

use kernel::Amount;

use super::{
    case::Case,
    finding::{At, Findings},
    items, limits, listed, text,
};
use crate::{catalogs::products, document::Part};

/// SAT's codes for the customs documents of a part: malformed, and of goods that are exported.
const OF_PARTS: [&str; 2] = ["CFDI40199", "CFDI40200"];

pub(super) fn check(case: &Case<'_>, parts: &[Part], at: &At<'_>, found: &mut Findings) {
    if items::is_too_many(parts.len(), at, found) {
        return;
    }
    for (index, each) in parts.iter().enumerate() {
        part(case, each, &at.index(index), found);
    }
}

/// In the catalog (40196), and otherwise as an item is.
fn part(case: &Case<'_>, part: &Part, at: &At<'_>, found: &mut Findings) {
    let row = products::find(&part.sat_product_key);
    let key = (part.sat_product_key.as_str(), row.as_ref());
    let error = ("CFDI40196", &at.field("satProductKey"));
    listed::check(key, &listed::PRODUCTS, case.day(), error, found);
    text::optional(part.sku.as_deref(), 100, &at.field("sku"), found);
    items::quantity(part.quantity, &at.field("quantity"), found);
    text::optional(part.unit.as_deref(), 20, &at.field("unit"), found);
    text::check(&part.description, 1000, &at.field("description"), found);
    if let Some(price) = part.unit_price {
        unit_price(part, price, &at.field("unitPrice"), found);
    }
    items::customs(case, &part.customs, (OF_PARTS, &at.field("customs")), found);
}

/// Above zero where there is one (40197).
fn unit_price(part: &Part, price: Amount, at: &At<'_>, found: &mut Findings) {
    if price.micros() <= 0 {
        found.add(
            "CFDI40197",
            at,
            format_args!("is {price}, but must be greater than zero: correct it or leave it out"),
            format_args!("es {price}, pero debe ser mayor que cero: corregirlo u omitirlo"),
        );
    } else if limits::is_possible(price, at, found) {
        limits::is_possible(part.amount().unwrap_or_default(), at, found);
    }
}
