//! From orders to the items of invoices. What a customer paid for an order has its taxes inside.

use cfdi::{rules::is_unprintable, tax::TaxRate};
use kernel::{Amount, Currency};

use crate::{
    CustomerId, DraftItem, Issuer, ProductId,
    fields::{NO_PRODUCT_KEY, PIECE},
    known::{Known, KnownProduct},
};

/// An order as invoices know it.
#[derive(Clone, Debug, PartialEq)]
pub struct SoldOrder {
    /// Its number as people know it.
    pub number: String,
    /// Who ordered.
    pub customer: CustomerId,
    /// The currency of its amounts.
    pub currency: Currency,
    /// Whether it is cancelled.
    pub is_cancelled: bool,
    /// Its lines.
    pub items: Vec<SoldItem>,
}

/// A line of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct SoldItem {
    /// The product.
    pub product: ProductId,
    /// Its name then.
    pub name: String,
    /// Its SKU then.
    pub sku: String,
    /// How many pieces.
    pub quantity: i64,
    /// What a piece cost, taxes inside.
    pub unit_price: Amount,
}

/// The lines of an order, one for one.
#[must_use]
pub fn lines(order: &SoldOrder, known: &Known) -> Vec<DraftItem> {
    order.items.iter().map(|item| line(item, known)).collect()
}

fn line(item: &SoldItem, known: &Known) -> DraftItem {
    let product = known.products.get(&item.product);
    let key = |key: fn(&KnownProduct) -> Option<&String>| product.and_then(key).cloned();
    DraftItem {
        product: Some(item.product),
        sat_product_key: key(|product| product.sat_product_key.as_ref())
            .unwrap_or_else(|| NO_PRODUCT_KEY.to_owned()),
        sku: Some(printable(&item.sku)),
        sat_unit_key: key(|product| product.sat_unit_key.as_ref())
            .unwrap_or_else(|| PIECE.to_owned()),
        unit: None,
        description: printable(&item.name),
        quantity: Amount::from_micros(item.quantity.saturating_mul(1_000_000)),
        unit_price: item.unit_price,
        tax_included: true,
        discount: None,
        tax_object: None,
        taxes: usual_taxes(product, &known.issuer),
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
    }
}

/// An order as a ticket of a global invoice: one item for each set of taxes that occurs in it, as SAT's guide
/// of global invoices wants it (`01010101`, `ACT`, one, the ticket's number, `Venta`). Together they are what was paid
/// for the order, which was rounded once: what is left of a cent goes from one set of taxes to the next.
#[must_use]
pub fn ticket(order: &SoldOrder, known: &Known) -> Vec<DraftItem> {
    let mut by_taxes: Vec<(Vec<TaxRate>, Amount)> = Vec::new();
    for item in &order.items {
        let taxes = usual_taxes(known.products.get(&item.product), &known.issuer);
        let quantity = Amount::from_micros(item.quantity.saturating_mul(1_000_000));
        let paid = cfdi::decimal::product(quantity, item.unit_price);
        match by_taxes.iter_mut().find(|(known, _)| *known == taxes) {
            Some((_, sum)) => *sum = cfdi::decimal::sum([*sum, paid]),
            None => by_taxes.push((taxes, paid)),
        }
    }
    let decimals = order.currency.decimals();
    let mut so_far = Amount::default();
    let in_cents = by_taxes.into_iter().map(|(taxes, paid)| {
        let before = so_far.rounded(decimals);
        so_far = cfdi::decimal::sum([so_far, paid]);
        (taxes, cfdi::decimal::less(so_far.rounded(decimals), before))
    });
    let mut in_cents: Vec<(Vec<TaxRate>, Amount)> = in_cents.collect();
    // Of less than half a cent nothing was paid.
    if in_cents.iter().any(|(_, paid)| *paid != Amount::default()) {
        in_cents.retain(|(_, paid)| *paid != Amount::default());
    }
    let ticket = |(taxes, paid)| DraftItem {
        product: None,
        sat_product_key: NO_PRODUCT_KEY.to_owned(),
        sku: Some(order.number.clone()),
        sat_unit_key: "ACT".to_owned(),
        unit: None,
        description: "Venta".to_owned(),
        quantity: Amount::from_micros(1_000_000),
        unit_price: paid,
        tax_included: true,
        discount: None,
        tax_object: None,
        taxes,
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
    };
    in_cents.into_iter().map(ticket).collect()
}

/// A name or SKU of the catalog as a document can have it: SAT allows no vertical bar, which parts the values of its
/// *cadena original*, and nothing that is no text (XML 1.0), such as the byte order mark that a spreadsheet leaves.
pub(crate) fn printable(text: &str) -> String {
    let kept = text.chars().filter(|c| !is_unprintable(*c));
    kept.map(|c| if c == '|' { '/' } else { c }).collect()
}

/// The taxes of a product, or where it states none those that the issuer usually has.
pub(crate) fn usual_taxes(product: Option<&KnownProduct>, issuer: &Issuer) -> Vec<TaxRate> {
    match product {
        Some(product) if !product.taxes.is_empty() => product.taxes.clone(),
        _ => issuer.default_taxes.clone(),
    }
}
