//! Reading items.

use catalog::product::checked_price;
use cfdi::{catalogs::products::NOT_IN_CATALOG, document::Part};
use intake::{
    Check, Fields,
    checks::{above_zero, flag, id, line, list, number, object, objects},
    noun,
};
use invoices::{ItemFields, ProductId};
use kernel::Amount;

use super::parties::read_third_party;
use crate::resources::{
    fiscal::{sat_product_key, sat_unit_key, two_digits},
    taxes::tax_rates,
};

/// Maximum characters of a description (cfdv40).
const DESCRIPTION_CHARS_MAX: usize = 1_000;
/// Maximum characters of the issuer's own number (cfdv40).
const SKU_CHARS_MAX: usize = 100;
/// Maximum characters of a unit (cfdv40).
const UNIT_CHARS_MAX: usize = 20;
/// Maximum characters of a customs document, and of a property account (cfdv40).
const NUMBER_CHARS_MAX: usize = 150;
/// Maximum customs entries, and property tax accounts, of one item.
const NUMBERS_MAX: usize = 100;
/// Maximum parts of one item. SAT knows no limit.
const PARTS_MAX: usize = 100;

/// An item; omitted fields are filled in from its product.
pub(super) fn read_item(fields: &mut Fields<'_>) -> Option<ItemFields> {
    let quantity = fields.required("quantity", above_zero());
    let parts = objects(noun("a part", "una parte"), 0..=PARTS_MAX, read_part);
    let item = ItemFields {
        product: fields.optional(
            "productId",
            id(noun("a product", "un producto"), ProductId::PREFIX, ProductId::parse),
        ),
        sat_product_key: fields.optional("satProductKey", sat_product_key()),
        sku: fields.optional("sku", line(SKU_CHARS_MAX)),
        sat_unit_key: fields.optional("satUnitKey", sat_unit_key()),
        unit: fields.optional("unit", line(UNIT_CHARS_MAX)),
        description: fields.optional("description", line(DESCRIPTION_CHARS_MAX)),
        quantity: quantity.unwrap_or_default(),
        unit_price: fields.optional("unitPrice", not_negative()),
        tax_included: fields.optional("taxIncluded", flag()),
        discount: fields.optional("discount", not_negative()),
        tax_object: fields.optional("taxObject", two_digits("02")),
        taxes: fields.optional("taxes", tax_rates()),
        taxes_follow: false,
        third_party: fields
            .optional("thirdParty", object(noun("a third party", "un tercero"), read_third_party)),
        customs: fields.optional("customs", numbers()).unwrap_or_default(),
        property_accounts: fields.optional("propertyAccounts", numbers()).unwrap_or_default(),
        parts: fields.optional("parts", parts).unwrap_or_default(),
    };
    fields.read_only(&["netUnitPrice", "netDiscount", "amount"]);
    Some(item)
}

/// A part of an item, such as of a kit.
fn read_part(fields: &mut Fields<'_>) -> Option<Part> {
    let sat_product_key = fields.optional("satProductKey", sat_product_key());
    let sku = fields.optional("sku", line(SKU_CHARS_MAX));
    let quantity = fields.required("quantity", above_zero());
    let unit = fields.optional("unit", line(UNIT_CHARS_MAX));
    let description = fields.required("description", line(DESCRIPTION_CHARS_MAX));
    let unit_price = fields.optional("unitPrice", above_zero());
    let customs = fields.optional("customs", numbers()).unwrap_or_default();
    fields.read_only(&["amount"]);
    Some(Part {
        sat_product_key: sat_product_key.unwrap_or_else(|| NOT_IN_CATALOG.to_owned()),
        sku,
        quantity: quantity?,
        unit,
        description: description?,
        unit_price,
        customs,
    })
}

/// A number of at least zero.
pub(super) fn not_negative() -> impl Check<Value = Amount> {
    number(Some(0), checked_price)
}

fn numbers() -> impl Check<Value = Vec<String>> {
    list(0..=NUMBERS_MAX, line(NUMBER_CHARS_MAX))
}
