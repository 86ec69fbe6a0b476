//! From orders to the items of invoices, which amount to what the customer pays.

use cfdi::{
    document::{DocumentType, PaymentMethod},
    pricing::{self, Stated},
    rules::is_unprintable,
    tax::TaxRate,
};
use kernel::{Amount, Currency, FieldFault, message};

use crate::{
    CustomerId, Draft, DraftItem, Issuer, ProductId,
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
    /// What it costs to have it sent.
    pub shipping: Option<SoldShipping>,
    /// What it amounts to.
    pub total: Amount,
    /// Whether nothing is to be paid for it any more.
    pub is_paid: bool,
    /// How the largest of its payments was made, a code of c_FormaPago; none where nobody has told, or several are invoiced
    /// together.
    pub payment_form: Option<String>,
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
    /// How many units.
    pub quantity: Amount,
    /// Unit price.
    pub unit_price: Amount,
    /// What all discounts take off, stated as the unit price is.
    pub discount: Amount,
    /// Whether the unit price has the taxes inside.
    pub tax_included: bool,
    /// The taxes; `None` of orders that were placed before orders kept them: then those of the product.
    pub taxes: Option<Vec<TaxRate>>,
}

/// The shipping of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct SoldShipping {
    /// What it is called.
    pub name: String,
    /// What it costs, taxes inside.
    pub amount: Amount,
    /// The taxes inside.
    pub taxes: Vec<TaxRate>,
}

impl SoldItem {
    fn taxes(&self, known: &Known) -> Vec<TaxRate> {
        let product = known.products.get(&self.product);
        self.taxes.clone().unwrap_or_else(|| usual_taxes(product, &known.issuer))
    }
}

/// c_ClaveProdServ of mail and parcel services (transport of cargo by mail).
const SHIPPING: &str = "78102200";
/// c_ClaveUnidad of a unit of service.
const SERVICE: &str = "E48";

/// The lines of an order, one for one, and its shipping.
#[must_use]
pub fn lines(order: &SoldOrder, known: &Known) -> Vec<DraftItem> {
    let lines = order.items.iter().map(|item| line(item, known));
    // What is sent for nothing is no item of an invoice.
    let shipping = order.shipping.iter().filter(|shipping| shipping.amount != Amount::ZERO);
    lines.chain(shipping.map(shipping_line)).collect()
}

fn shipping_line(shipping: &SoldShipping) -> DraftItem {
    DraftItem {
        product: None,
        sat_product_key: SHIPPING.to_owned(),
        sku: None,
        sat_unit_key: SERVICE.to_owned(),
        unit: None,
        description: printable(&shipping.name),
        quantity: ONE,
        unit_price: shipping.amount,
        tax_included: true,
        discount: None,
        tax_object: None,
        taxes: shipping.taxes.clone(),
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

const ONE: Amount = Amount::from_micros(1_000_000);

fn line(item: &SoldItem, known: &Known) -> DraftItem {
    let product = known.products.get(&item.product);
    let key = |key: fn(&KnownProduct) -> Option<&String>| product.and_then(key).cloned();
    DraftItem {
        product: Some(item.product),
        sat_product_key: key(|product| product.sat_product_key.as_ref())
            .unwrap_or_else(|| NO_PRODUCT_KEY.to_owned()),
        sku: given_sku(&item.sku),
        sat_unit_key: unit_key(product),
        unit: product.and_then(|product| unit(product, None)),
        description: printable(&item.name),
        quantity: item.quantity,
        unit_price: item.unit_price,
        tax_included: item.tax_included,
        discount: (item.discount != Amount::ZERO).then_some(item.discount),
        tax_object: None,
        taxes: item.taxes(known),
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

/// An order as a ticket of a global invoice: one item for each set of taxes that occurs in it, as SAT's guide
/// of global invoices wants it (`01010101`, `ACT`, one, the ticket's number, `Venta`). Together they are what is paid
/// for the order, to the cent.
#[must_use]
pub fn ticket(order: &SoldOrder, known: &Known) -> Vec<DraftItem> {
    let mut by_taxes: Vec<(Vec<TaxRate>, Amount)> = Vec::new();
    for (taxes, cost) in costs(order, known) {
        match by_taxes.iter_mut().find(|(known, _)| *known == taxes) {
            Some((_, sum)) => *sum = cfdi::decimal::sum([*sum, cost]),
            None => by_taxes.push((taxes, cost)),
        }
    }
    let weights: Vec<Amount> = by_taxes.iter().map(|(_, cost)| *cost).collect();
    let paid = pricing::spread(order.total, &weights, order.currency.decimals());
    let sets = by_taxes.into_iter().map(|(taxes, _)| taxes);
    let mut in_cents: Vec<(Vec<TaxRate>, Amount)> = sets.zip(paid).collect();
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
        quantity: ONE,
        unit_price: paid,
        tax_included: true,
        discount: None,
        tax_object: None,
        taxes,
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    };
    in_cents.into_iter().map(ticket).collect()
}

/// Takes how an order was paid: in one go (PUE) where all of it is paid, in the form of its largest payment; later or in
/// parts (PPD) where it is not.
pub(crate) fn take_payment(
    draft: &mut Draft,
    told: Option<Option<PaymentMethod>>,
    order: &SoldOrder,
) {
    if draft.kind != DocumentType::Income || draft.global.is_some() {
        return;
    }
    let method = told.unwrap_or(draft.payment_method);
    let method =
        method.unwrap_or(if order.is_paid { PaymentMethod::Pue } else { PaymentMethod::Ppd });
    draft.payment_method = Some(method);
    if method == PaymentMethod::Pue && order.is_paid {
        draft.payment_form.clone_from(&order.payment_form);
    }
}

/// What each line and the shipping cost with all taxes, unrounded.
fn costs(order: &SoldOrder, known: &Known) -> Vec<(Vec<TaxRate>, Amount)> {
    let mut costs = Vec::with_capacity(order.items.len() + 1);
    for item in &order.items {
        let taxes = item.taxes(known);
        let stated = Stated {
            quantity: item.quantity,
            unit_price: item.unit_price,
            discount: Some(item.discount),
            tax_included: item.tax_included,
            rates: &taxes,
        };
        let cost = stated.cost();
        costs.push((taxes, cost));
    }
    costs.extend(order.shipping.iter().map(|shipping| (shipping.taxes.clone(), shipping.amount)));
    costs
}

/// A name or SKU of the catalog as a document can have it: SAT allows no vertical bar, which parts the values of its
/// *cadena original*, and nothing that is no text (XML 1.0), such as the byte order mark that a spreadsheet leaves.
pub(crate) fn printable(text: &str) -> String {
    let kept = text.chars().filter(|c| !is_unprintable(*c));
    kept.map(|c| if c == '|' { '/' } else { c }).collect()
}

/// The SKU of a product as a document can have it, if somebody gave it one: otherwise its identifier stands there, which says
/// nothing to a receiver.
pub(crate) fn given_sku(sku: &str) -> Option<String> {
    ProductId::parse(sku).is_none().then(|| printable(sku))
}

/// What a unit of a product is called as a document can have it, unless it is sold by another one.
pub(crate) fn unit(product: &KnownProduct, sold_by: Option<&str>) -> Option<String> {
    let is_its_own = sold_by.is_none() || sold_by == product.sat_unit_key.as_deref();
    product.unit.as_deref().filter(|_| is_its_own).map(printable)
}

/// SAT's key of the unit of a product.
pub(crate) fn unit_key(product: Option<&KnownProduct>) -> String {
    let own = product.and_then(|product| product.sat_unit_key.clone());
    own.unwrap_or_else(|| PIECE.to_owned())
}

/// What is wrong where nobody has said what a product is weighed or measured in: no piece is.
pub(crate) fn unitless(product: Option<&KnownProduct>, field: String) -> Option<FieldFault> {
    let product = product.filter(|known| known.is_weighed && known.sat_unit_key.is_none())?;
    let problem = message!(
        "needs a satUnitKey of the product {sku}, which is sold by weight or length: set one such as KGM, LTR or MTR",
        "requiere que el producto {sku}, que se vende por peso o medida, tenga satUnitKey: indicar una como KGM, LTR o MTR",
        sku = product.sku
    );
    Some(FieldFault::new(field, problem))
}

/// The same of an order, of its first such line.
pub(crate) fn unitless_line(order: &SoldOrder, known: &Known) -> Option<FieldFault> {
    let of_item =
        |item: &SoldItem| unitless(known.products.get(&item.product), "orderId".to_owned());
    order.items.iter().find_map(of_item)
}

/// The taxes of a product, or where it states none those that the issuer usually has.
pub(crate) fn usual_taxes(product: Option<&KnownProduct>, issuer: &Issuer) -> Vec<TaxRate> {
    match product {
        Some(product) if !product.taxes.is_empty() => product.taxes.clone(),
        _ => issuer.default_taxes.clone(),
    }
}
