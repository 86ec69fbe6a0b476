//! The items of a draft: those of its orders, or as they are given, filled from their products.

use cfdi::{document::DocumentType, tax::TaxRate};
use kernel::{FieldFault, message};

use crate::{
    Draft, DraftItem, Issuer, ItemFields, Known,
    fields::NO_PRODUCT_KEY,
    known::KnownProduct,
    sales::{self, SoldOrder},
    withheld::Readdressed,
};

/// Takes the items that are given, or else those of orders: line by line from one, a line per ticket in a global invoice. The
/// draft is made out already, `former`ly perhaps to somebody else: what its receiver does not withhold is not taken over.
pub(crate) fn take(
    draft: &mut Draft,
    former: &str,
    orders: &[&SoldOrder],
    given: Option<Vec<ItemFields>>,
    known: &Known,
    faults: &mut Vec<FieldFault>,
) {
    let readdressed = Readdressed::of(draft, former, known);
    if let Some(first) = orders.first() {
        draft.items = if draft.global.is_some() {
            orders.iter().flat_map(|order| sales::ticket(order, known)).collect()
        } else {
            faults.extend(sales::unitless_line(first, known));
            sales::lines(first, &draft.receiver.rfc, known)
        };
    } else if let Some(readdressed) = &readdressed {
        draft.items.iter_mut().for_each(|item| item.taxes = readdressed.taxes(item));
    }
    if let Some(items) = given {
        draft.items = filled(items, &draft.receiver.rfc, readdressed.as_ref(), known, faults);
    }
    if draft.kind == DocumentType::Transfer {
        draft.items.iter_mut().for_each(|item| item.taxes.clear());
    }
}

/// Items as they are given, with what is missing, and what of them is wrong.
fn filled(
    items: Vec<ItemFields>,
    rfc: &str,
    readdressed: Option<&Readdressed<'_>>,
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
        let mut whole = DraftItem {
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
            taxes: item.taxes.unwrap_or_else(|| {
                untold_taxes(item.tax_object.as_deref(), rfc, product, &known.issuer)
            }),
            tax_object: item.tax_object,
            third_party: item.third_party,
            customs: item.customs,
            property_accounts: item.property_accounts,
            parts: item.parts,
        };
        if let Some(readdressed) = readdressed.filter(|_| item.taxes_follow) {
            whole.taxes = readdressed.taxes(&whole);
        }
        filled.push(whole);
    }
    filled
}

/// The taxes of an item that states none: its product's or the issuer's usual ones, as they are invoiced to that RFC. What is
/// no object of tax has none.
fn untold_taxes(
    tax_object: Option<&str>,
    rfc: &str,
    product: Option<&KnownProduct>,
    issuer: &Issuer,
) -> Vec<TaxRate> {
    if tax_object.is_some_and(|object| object != "02") {
        return Vec::new();
    }
    sales::taxes_for(rfc, sales::usual_taxes(product, issuer))
}
