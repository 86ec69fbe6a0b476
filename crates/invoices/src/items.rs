//! The items of a draft, filled from their products.

use cfdi::tax::TaxRate;
use kernel::{FieldFault, message};

use crate::{
    DraftItem, Issuer, ItemFields, Known, fields::NO_PRODUCT_KEY, known::KnownProduct, sales,
};

/// Items as they are given, with what is missing, and what of them is wrong.
pub(crate) fn filled(
    items: Vec<ItemFields>,
    known: &Known,
    faults: &mut Vec<FieldFault>,
) -> Vec<DraftItem> {
    let mut filled = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let field = |name: &str| format!("items[{index}].{name}");
        let product = item.product.and_then(|id| known.products.get(&id));
        if item.product.is_some() && product.is_none() {
            faults.push(FieldFault::new(
                field("productId"),
                message!(
                    "names no product of this account",
                    "no corresponde a ningún producto de esta cuenta"
                ),
            ));
            continue;
        }
        let named = |product: &KnownProduct| sales::printable(&product.name);
        let description = item.description.or_else(|| product.map(named));
        let unit_price = item.unit_price.or_else(|| product.map(|product| product.price));
        let (Some(description), Some(unit_price)) = (description, unit_price) else {
            let why = message!(
                "must be given when no productId is",
                "es obligatorio cuando no se indica productId"
            );
            let name = if unit_price.is_none() { "unitPrice" } else { "description" };
            faults.push(FieldFault::new(field(name), why));
            continue;
        };
        if item.sat_unit_key.is_none() {
            faults.extend(sales::unitless(product, field("productId")));
        }
        filled.push(DraftItem {
            product: item.product,
            sat_product_key: item
                .sat_product_key
                .or_else(|| product.and_then(|product| product.sat_product_key.clone()))
                .unwrap_or_else(|| NO_PRODUCT_KEY.to_owned()),
            sku: item.sku.or_else(|| sales::given_sku(&product?.sku)),
            unit: item.unit.or_else(|| sales::unit(product?, item.sat_unit_key.as_deref())),
            sat_unit_key: item.sat_unit_key.unwrap_or_else(|| sales::unit_key(product)),
            description,
            quantity: item.quantity,
            unit_price,
            tax_included: item
                .tax_included
                .or_else(|| product.map(|product| product.tax_included))
                .unwrap_or(true),
            discount: item.discount,
            taxes: taxes_of(item.taxes, item.tax_object.as_deref(), product, &known.issuer),
            tax_object: item.tax_object,
            third_party: item.third_party,
            customs: item.customs,
            property_accounts: item.property_accounts,
            parts: item.parts,
        });
    }
    filled
}

/// The taxes that are stated, or the product's, or the issuer's usual ones. What is no object of tax has none.
fn taxes_of(
    stated: Option<Vec<TaxRate>>,
    tax_object: Option<&str>,
    product: Option<&KnownProduct>,
    issuer: &Issuer,
) -> Vec<TaxRate> {
    if let Some(stated) = stated {
        return stated;
    }
    if tax_object.is_some_and(|object| object != "02") {
        return Vec::new();
    }
    sales::usual_taxes(product, issuer)
}
