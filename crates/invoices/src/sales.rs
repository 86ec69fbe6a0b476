//! From orders to the items of invoices, which amount to what the customer pays.

use cfdi::{
    decimal,
    document::{DocumentType, PaymentMethod},
    pricing::{self, Kept, Stated, price_of_each},
    rules::is_unprintable,
    tax::{Factor, TaxRate, withholds},
};
use kernel::{Amount, Currency, FieldFault, message};

use crate::{
    CustomerId, Draft, DraftItem, Issuer, ProductId,
    fields::{NO_PRODUCT_KEY, PIECE},
    known::{Known, KnownProduct},
};

/// An order as invoices know it: without what has come back of it.
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
    /// Whether all that was paid for it has been given back, and nothing is owed.
    pub is_refunded: bool,
    /// Its lines.
    pub items: Vec<SoldItem>,
    /// What it costs to have it sent.
    pub shipping: Option<SoldShipping>,
    /// What it amounts to.
    pub total: Amount,
    /// Whether nothing is to be paid for it any more.
    pub is_paid: bool,
    /// What its customer had withheld of that as taxes when they paid it.
    pub withheld: Amount,
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

    fn stated(&self) -> Stated<'_> {
        Stated {
            quantity: self.quantity,
            unit_price: self.unit_price,
            discount: Some(self.discount),
            tax_included: self.tax_included,
            rates: self.taxes.as_deref().unwrap_or_default(),
        }
    }
}

impl SoldShipping {
    fn stated(&self) -> Stated<'_> {
        Stated {
            quantity: ONE,
            unit_price: self.amount,
            discount: None,
            tax_included: true,
            rates: &self.taxes,
        }
    }
}

impl SoldOrder {
    /// What is left of it once goods have come back: so much of each line and of the shipping, which cost `total` together.
    #[must_use]
    pub fn less_returned(self, lines: &[Kept], shipping: Amount, total: Amount) -> Self {
        let shipping = self.shipping.map(|sent| SoldShipping { amount: shipping, ..sent });
        let stated: Vec<Stated<'_>> = self.items.iter().map(SoldItem::stated).collect();
        let sent = shipping.as_ref().map(SoldShipping::stated);
        let kept = pricing::kept(&stated, lines, sent, total, self.currency.decimals());
        let prices: Vec<(Amount, Amount, Amount, bool)> = kept
            .iter()
            .map(|line| {
                let discount = line.discount.unwrap_or_default();
                (line.quantity, line.unit_price, discount, line.tax_included)
            })
            .collect();
        let items = self.items.into_iter().zip(prices);
        let items = items.filter(|(_, (quantity, ..))| *quantity > Amount::ZERO);
        let items = items.map(|(item, (quantity, unit_price, discount, tax_included))| SoldItem {
            quantity,
            unit_price,
            discount,
            tax_included,
            ..item
        });
        Self { items: items.collect(), shipping, total, ..self }
    }
}

/// c_ClaveProdServ of mail and parcel services (transport of cargo by mail).
const SHIPPING: &str = "78102200";
/// c_ClaveUnidad of a unit of service.
const SERVICE: &str = "E48";

/// The lines of an order, one for one, and its shipping, as they are invoiced to that RFC.
#[must_use]
pub fn lines(order: &SoldOrder, rfc: &str, known: &Known) -> Vec<DraftItem> {
    let lines = order.items.iter().map(|item| line(item, known));
    // What is sent for nothing is no item of an invoice.
    let shipping = order.shipping.iter().filter(|shipping| shipping.amount != Amount::ZERO);
    let lines = lines.chain(shipping.map(shipping_line));
    lines.map(|line| DraftItem { taxes: taxes_for(rfc, line.taxes), ..line }).collect()
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

/// What an order sells, its shipping last, each with all taxes that it bears, whoever pays it.
pub(crate) fn borne(
    order: &SoldOrder,
    known: &Known,
) -> impl Iterator<Item = (Option<ProductId>, Vec<TaxRate>)> {
    let items = order.items.iter().map(move |item| (Some(item.product), item.taxes(known)));
    items.chain(order.shipping.iter().map(|shipping| (None, shipping.taxes.clone())))
}

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

/// What of an order bears the same taxes.
struct Costing {
    taxes: Vec<TaxRate>,
    /// What it costs with all taxes, unrounded.
    cost: Amount,
    /// How many units it is.
    units: Amount,
}

/// An order as a ticket of a global invoice: one item for each set of taxes that occurs in it, as SAT's guide
/// of global invoices wants it (`01010101`, `ACT`, one, the ticket's number, `Venta`). What bears an amount per unit has
/// its units, which the document states as one sale. Together they are what is paid for the order, to the
/// cent.
#[must_use]
pub fn ticket(order: &SoldOrder, known: &Known) -> Vec<DraftItem> {
    let mut by_taxes: Vec<Costing> = Vec::new();
    for one in costs(order, known) {
        match by_taxes.iter_mut().find(|known| known.taxes == one.taxes) {
            Some(set) => {
                set.cost = decimal::sum([set.cost, one.cost]);
                set.units = decimal::sum([set.units, one.units]);
            }
            None => by_taxes.push(one),
        }
    }
    let weights: Vec<Amount> = by_taxes.iter().map(|set| set.cost).collect();
    let paid = pricing::spread(order.total, &weights, order.currency.decimals());
    let mut in_cents: Vec<(Costing, Amount)> = by_taxes.into_iter().zip(paid).collect();
    // Of less than half a cent nothing was paid.
    if in_cents.iter().any(|(_, paid)| *paid != Amount::default()) {
        in_cents.retain(|(_, paid)| *paid != Amount::default());
    }
    let ticket = |(Costing { taxes, units, .. }, paid)| {
        let is_by_unit = taxes.iter().any(|rate| rate.factor == Factor::Cuota);
        let quantity = if is_by_unit { units } else { ONE };
        let (unit_price, discount) = price_of_each(quantity, paid);
        DraftItem {
            product: None,
            sat_product_key: NO_PRODUCT_KEY.to_owned(),
            sku: Some(order.number.clone()),
            sat_unit_key: "ACT".to_owned(),
            unit: None,
            description: "Venta".to_owned(),
            quantity,
            unit_price,
            tax_included: true,
            discount: (discount != Amount::ZERO).then_some(discount),
            tax_object: None,
            taxes,
            third_party: None,
            customs: Vec::new(),
            property_accounts: Vec::new(),
            parts: Vec::new(),
        }
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

/// What each line and the shipping cost nobody in particular, who withholds nothing.
fn costs(order: &SoldOrder, known: &Known) -> Vec<Costing> {
    let mut costs = Vec::with_capacity(order.items.len() + 1);
    for item in &order.items {
        let taxes = charged(&item.taxes(known));
        let stated = Stated {
            quantity: item.quantity,
            unit_price: item.unit_price,
            discount: Some(item.discount),
            tax_included: item.tax_included,
            rates: &taxes,
        };
        let cost = stated.cost();
        costs.push(Costing { taxes, cost, units: item.quantity });
    }
    costs.extend(order.shipping.iter().map(|shipping| Costing {
        taxes: charged(&shipping.taxes),
        cost: shipping.amount,
        units: ONE,
    }));
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

/// Of the taxes of a product or an order those that an invoice to that RFC states: who withholds nothing pays it as a whole.
pub(crate) fn taxes_for(rfc: &str, taxes: Vec<TaxRate>) -> Vec<TaxRate> {
    if withholds(rfc) { taxes } else { charged(&taxes) }
}

/// Those of them that are not withheld.
pub(crate) fn charged(taxes: &[TaxRate]) -> Vec<TaxRate> {
    taxes.iter().filter(|rate| !rate.withheld).copied().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    pub(crate) fn item(
        quantity: Amount,
        unit_price: Amount,
        discount: Amount,
        tax_included: bool,
    ) -> SoldItem {
        SoldItem {
            product: ProductId::from_u128(1),
            name: "Jarro".to_owned(),
            sku: "JARRO".to_owned(),
            quantity,
            unit_price,
            discount,
            tax_included,
            taxes: Some(vec![TaxRate::iva(160_000)]),
        }
    }

    pub(crate) fn order(items: Vec<SoldItem>) -> SoldOrder {
        let total =
            pricing::priced(&items.iter().map(SoldItem::stated).collect::<Vec<_>>(), 2).total;
        SoldOrder {
            number: "ORD-000001".to_owned(),
            customer: CustomerId::from_u128(1),
            currency: Currency::MXN,
            is_cancelled: false,
            is_refunded: false,
            items,
            shipping: None,
            total,
            is_paid: true,
            withheld: Amount::ZERO,
            payment_form: None,
        }
    }

    fn left(quantity: &str, cost: &str) -> Kept {
        Kept { quantity: amount(quantity), cost: amount(cost) }
    }

    #[test]
    fn what_is_left_keeps_its_price() {
        let whole = order(vec![
            item(amount("2"), amount("199.90"), amount("57.97"), true),
            item(amount("1"), amount("50"), amount("2.5"), true),
        ]);
        let lines = [left("1", "170.91"), left("1", "47.5")];
        let rest = whole.less_returned(&lines, Amount::ZERO, amount("218.41"));
        let [jar, book] = rest.items.as_slice() else { panic!("{:?}", rest.items) };
        assert_eq!((jar.unit_price, jar.discount), (amount("199.90"), amount("28.99")));
        assert_eq!((book.unit_price, book.discount), (amount("50"), amount("2.5")));
    }

    #[test]
    fn of_what_has_come_back_no_line_is_left() {
        let whole = order(vec![item(amount("2"), amount("10"), Amount::ZERO, true)]);
        let none = whole.less_returned(&[left("0", "0")], Amount::ZERO, Amount::ZERO);
        assert_eq!(none.items, []);
    }

    proptest! {
        /// Whatever comes back, what is left costs what was paid for it.
        #[test]
        fn the_rest_is_what_is_paid_for_it(
            lines in prop::collection::vec((1_i64..40, 1_000_000_i64..900_000_000, 0_i64..60, any::<bool>(), 0_i64..40), 1..6),
        ) {
            let sold = lines.iter().map(|(count, price, off, tax_included, _)| {
                let (count, price) = (Amount::from_micros(count * 1_000_000), Amount::from_micros(*price));
                let discount = decimal::percent(
                    decimal::product(count, price),
                    Amount::from_micros(off * 1_000_000),
                    2,
                );
                item(count, price, discount.min(decimal::product(count, price)), *tax_included)
            });
            let whole = order(sold.collect());
            let costs: Vec<Amount> = whole.items.iter().map(|item| item.stated().cost()).collect();
            let paid = pricing::spread(whole.total, &costs, 2);
            let rest: Vec<Kept> = lines.iter().zip(paid).map(|((count, .., back), paid)| {
                let kept = count - back.min(count);
                let cost = decimal::share(paid, Amount::from_micros(kept), Amount::from_micros(*count));
                Kept { quantity: Amount::from_micros(kept * 1_000_000), cost: cost.rounded(2) }
            }).collect();
            let total = decimal::sum(rest.iter().map(|left| left.cost));
            prop_assume!(total > Amount::ZERO);
            let left = whole.less_returned(&rest, Amount::ZERO, total);
            let stated: Vec<Stated<'_>> = left.items.iter().map(SoldItem::stated).collect();
            prop_assert_eq!(pricing::priced(&stated, 2).total, total);
            prop_assert!(left.items.iter().all(|item| item.discount >= Amount::ZERO));
        }
    }
}
