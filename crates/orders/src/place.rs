//! Placing an order: the price of the moment, and stock that cannot be oversold.

use std::collections::BTreeMap;

use kernel::{
    Amount, Currency, FieldFault, Message, Metadata, NewEvent, Quantity, Timestamp, message,
};

use pricing::tax::TaxRate;

use crate::{
    CustomerId, Discount, Discounted, FulfillmentStatus, Item, ItemSku, Order, OrderDiscount,
    OrderId, OrderStatus, Shipping, ShippingAddress, events, totals,
};

/// An order to be placed; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PlaceOrder {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    pub customer: CustomerId,
    /// 1 to [`crate::order::ITEMS_MAX`] items.
    pub items: Vec<PlaceItem>,
    /// On what the items cost after their own discounts.
    pub discount: Option<PlaceDiscount>,
    pub shipping: Option<PlaceShipping>,
    pub shipping_address: Option<ShippingAddress>,
    /// Where it was sold.
    pub channel: Option<String>,
    pub notes: Option<String>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
}

/// One line of an order to be placed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PlaceItem {
    pub wanted: ItemSku,
    /// At least 1.
    pub quantity: Quantity,
    /// Another unit price than the product's, not below zero.
    pub unit_price: Option<Amount>,
    pub discount: Option<Discount>,
    pub note: Option<String>,
    /// What holds instead of what the catalog says by now.
    pub agreed: Option<Agreed>,
}

/// What was agreed on about an item before its order, as by a quote: the catalog may say otherwise by now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// The currency of its unit price.
    pub currency: Currency,
    /// Whether the unit price has the taxes inside.
    pub tax_included: bool,
    /// Its taxes.
    pub taxes: Vec<TaxRate>,
}

/// A discount on an order to be placed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PlaceDiscount {
    pub asked: Discount,
    pub reason: Option<String>,
}

/// Shipping of an order to be placed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PlaceShipping {
    pub name: String,
    /// What the customer pays for it, taxes inside.
    pub amount: Amount,
    /// The taxes inside; the usual ones when absent.
    pub taxes: Option<Vec<TaxRate>>,
}

impl PlaceOrder {
    /// An order of these items for a customer, at the prices of the catalog.
    #[must_use]
    pub fn new(customer: CustomerId, items: Vec<PlaceItem>) -> Self {
        Self {
            external_id: None,
            customer,
            items,
            discount: None,
            shipping: None,
            shipping_address: None,
            channel: None,
            notes: None,
            metadata: Metadata::default(),
        }
    }
}

impl PlaceItem {
    /// So many units at the price of the catalog.
    #[must_use]
    pub const fn new(wanted: ItemSku, quantity: Quantity) -> Self {
        Self { wanted, quantity, unit_price: None, discount: None, note: None, agreed: None }
    }
}

/// What the catalog offers under one product or variant at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Offer {
    /// Product or variant that it is offered as.
    pub sold: ItemSku,
    /// Name of the product followed by that of the variant.
    pub name: String,
    pub sku: String,
    /// Unit price.
    pub price: Amount,
    pub currency: Currency,
    /// Whether the unit price has the taxes inside; otherwise they are added to it.
    pub tax_included: bool,
    /// Its taxes; none stated when empty.
    pub taxes: Vec<TaxRate>,
    /// Stock available to order.
    pub available: Quantity,
    /// Stock level below which it counts as low.
    pub threshold: Quantity,
    /// Whether it can be ordered.
    pub on_sale: bool,
}

/// Why an order was not placed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum PlaceError {
    /// Another order of the account has this external identifier.
    DuplicateExternalId {
        external_id: String,
        /// Order that has it.
        holder: OrderId,
    },
    /// There is less stock than ordered, across all items of the order.
    OutOfStock(Demand),
}

/// More was asked for than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Demand {
    pub sold: ItemSku,
    pub sku: String,
    /// Total quantity ordered, across all items.
    pub asked: Quantity,
    /// Stock available.
    pub available: Quantity,
}

/// Why a command about placing is refused: fields that are wrong, or a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceRefusal {
    /// Items that cannot be sold as ordered.
    Invalid(Vec<FieldFault>),
    /// See [`PlaceError`].
    Rule(PlaceError),
}

/// Stock that an order takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Reservation {
    /// Currency of the amount.
    pub sold: ItemSku,
    pub quantity: Quantity,
    /// Stock left after the order.
    pub left: Quantity,
    /// Stock level below which it counts as low.
    pub threshold: Quantity,
}

impl Reservation {
    /// Whether this very reservation took the stock below its threshold.
    #[must_use]
    pub const fn falls_low(&self) -> bool {
        self.left < self.threshold && self.left + self.quantity >= self.threshold
    }
}

/// What comes of placing an order: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Placed {
    pub order: Order,
    /// Stock reserved, one entry per product or variant, in ascending order.
    pub reservations: Vec<Reservation>,
    pub events: Vec<NewEvent>,
}

/// Places an order against `offers`, of which there is one for every product and variant that exists. What states no taxes
/// has the `usual` ones ([`usual_taxes`](crate::totals::usual_taxes)), and shipping those that shipping has instead if
/// there are any.
///
/// # Errors
/// [`PlaceRefusal::Invalid`] names every item that is unknown, not on sale, in another currency than the
/// first, or too large, and every discount of more than there is; [`PlaceRefusal::Rule`] the first product with too little stock.
pub fn place<'a>(
    command: &PlaceOrder,
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    (usual, of_shipping): (&[TaxRate], Option<&[TaxRate]>),
    (id, number): (OrderId, i64),
    now: Timestamp,
) -> Result<Placed, PlaceRefusal> {
    let (mut items, currency) = priced(command, &offer, usual).map_err(PlaceRefusal::Invalid)?;
    let shipping = shipping(command, of_shipping.unwrap_or(usual));
    let totals = totals::reckon(command, &mut items, shipping.as_ref(), currency);
    let totals = totals.map_err(PlaceRefusal::Invalid)?;
    let sums = [totals.total, totals.tax, totals.subtotal.unwrap_or_default()];
    if sums.iter().any(|sum| *sum > Amount::MAX) {
        return Err(PlaceRefusal::Invalid(vec![too_much()]));
    }
    let discount = command.discount.as_ref().map(|PlaceDiscount { asked, reason }| OrderDiscount {
        discounted: Discounted { asked: *asked, amount: totals.discount },
        reason: reason.clone(),
    });
    let reservations = reserved(&items, offer).map_err(PlaceRefusal::Rule)?;
    let order = Order {
        id,
        external_id: command.external_id.clone(),
        number,
        status: OrderStatus::Pending,
        fulfillment_status: FulfillmentStatus::Unfulfilled,
        customer: command.customer,
        items,
        subtotal: totals.subtotal,
        discount,
        shipping,
        tax_total: Some(totals.tax),
        total: totals.total,
        currency,
        amount_paid: None,
        amount_refunded: Amount::ZERO,
        returned_total: Amount::ZERO,
        refund_due: Amount::ZERO,
        carrier: None,
        tracking_number: None,
        cancel_reason: None,
        shipping_address: command.shipping_address.clone(),
        channel: command.channel.clone(),
        notes: command.notes.clone(),
        metadata: command.metadata.clone(),
        created_at: now,
        updated_at: now,
        paid_at: None,
        shipped_at: None,
        delivered_at: None,
        cancelled_at: None,
        version: 1,
    };
    let events = vec![events::created(&order)];
    Ok(Placed { order, reservations, events })
}

/// The shipping with its taxes.
fn shipping(command: &PlaceOrder, usual: &[TaxRate]) -> Option<Shipping> {
    let PlaceShipping { name, amount, taxes } = command.shipping.as_ref()?;
    let taxes = taxes.clone().unwrap_or_else(|| usual.to_vec());
    Some(Shipping { name: name.clone(), amount: *amount, taxes })
}

fn too_much() -> FieldFault {
    let problem = message!(
        "cost more than {most} together",
        "cuestan en conjunto más de {most}",
        most = Amount::MAX
    );
    FieldFault::new("items", problem)
}

/// The items at the prices of this moment, and their currency.
fn priced<'a>(
    command: &PlaceOrder,
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    usual: &[TaxRate],
) -> Result<(Vec<Item>, Currency), Vec<FieldFault>> {
    let mut faults = Vec::new();
    let mut items = Vec::with_capacity(command.items.len());
    let mut currency = None;
    let mut whole = Some(Amount::ZERO);
    for (index, line) in command.items.iter().enumerate() {
        let mut refuse = |field: &str, problem: Message| {
            faults.push(FieldFault::new(format!("items[{index}].{field}"), problem));
        };
        let Some(offer) = offer(line.wanted) else {
            match line.wanted.variant {
                Some(_) => refuse(
                    "variantId",
                    message!(
                        "names no variant of this product",
                        "no corresponde a ninguna variante de este producto"
                    ),
                ),
                None => refuse(
                    "productId",
                    message!(
                        "names no product of this account",
                        "no corresponde a ningún producto de esta cuenta"
                    ),
                ),
            }
            continue;
        };
        if !offer.on_sale {
            refuse(
                "productId",
                message!(
                    "names the archived product {sku:?}, which is not on sale",
                    "corresponde al producto archivado {sku:?}, que no está a la venta",
                    sku = offer.sku
                ),
            );
            continue;
        }
        let agreed = line.agreed.as_ref();
        let own = agreed.map_or(offer.currency, |agreed| agreed.currency);
        let common = *currency.get_or_insert(own);
        if own != common {
            refuse(
                "productId",
                message!(
                    "is priced in {other}, but the order is in {common}",
                    "tiene precio en {other}, pero el pedido es en {common}",
                    other = own
                ),
            );
            continue;
        }
        let unit_price = line.unit_price.unwrap_or(offer.price);
        whole = whole.and_then(|sum| sum.plus(unit_price.times(line.quantity)?));
        let taxes = match agreed {
            Some(agreed) => &agreed.taxes,
            None if offer.taxes.is_empty() => usual,
            None => offer.taxes.as_slice(),
        };
        let discount = line.discount.map(|asked| Discounted { asked, amount: Amount::ZERO });
        items.push(Item {
            sold: line.wanted,
            name: offer.name.clone(),
            sku: offer.sku.clone(),
            quantity: line.quantity,
            unit_price,
            tax_included: agreed.map_or(offer.tax_included, |agreed| agreed.tax_included),
            taxes: Some(taxes.to_vec()),
            discount,
            order_discount: Amount::ZERO,
            note: line.note.clone(),
            returned: 0,
        });
    }
    if whole.is_none() {
        faults.push(too_much());
    }
    match currency {
        Some(currency) if faults.is_empty() => Ok((items, currency)),
        None if faults.is_empty() => Err(vec![FieldFault::new(
            "items",
            message!("must not be empty", "no debe estar vacío"),
        )]),
        _ => Err(faults),
    }
}

/// The stock that the items take, lines of the same product added up.
fn reserved<'a>(
    items: &[Item],
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
) -> Result<Vec<Reservation>, PlaceError> {
    let mut asked: BTreeMap<ItemSku, Quantity> = BTreeMap::new();
    for item in items {
        *asked.entry(item.sold).or_default() += item.quantity;
    }
    let mut reservations = Vec::with_capacity(asked.len());
    for (sold, quantity) in asked {
        let Some(offer) = offer(sold) else { continue };
        if quantity > offer.available {
            let demand = Demand {
                sold,
                sku: offer.sku.clone(),
                asked: quantity,
                available: offer.available,
            };
            return Err(PlaceError::OutOfStock(demand));
        }
        let left = offer.available - quantity;
        reservations.push(Reservation { sold, quantity, left, threshold: offer.threshold });
    }
    Ok(reservations)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::order::{ItemProductId, ItemVariantId};

    fn sku(product: u128) -> ItemSku {
        ItemSku { product: ItemProductId::from_u128(product), variant: None }
    }

    fn offered(product: u128, price_micros: i64, available: Quantity) -> Offer {
        Offer {
            sold: sku(product),
            name: format!("Product {product}"),
            sku: format!("P-{product}"),
            price: Amount::from_micros(price_micros),
            currency: Currency::MXN,
            tax_included: true,
            taxes: Vec::new(),
            available,
            threshold: 5,
            on_sale: true,
        }
    }

    fn ordered(lines: &[(u128, Quantity)]) -> PlaceOrder {
        let items = lines
            .iter()
            .map(|(product, quantity)| PlaceItem::new(sku(*product), *quantity))
            .collect();
        PlaceOrder::new(CustomerId::from_u128(1), items)
    }

    #[test]
    fn what_was_agreed_on_holds_whatever_the_catalog_says() {
        let usd = Currency::parse("USD").unwrap();
        let offer = Offer { currency: usd, tax_included: false, ..offered(1, 500_000_000, 9) };
        let mut command = ordered(&[(1, 2)]);
        command.items[0].unit_price = Some(Amount::from_micros(116_000_000));
        command.items[0].agreed = Some(Agreed {
            currency: Currency::MXN,
            tax_included: true,
            taxes: vec![TaxRate::iva(160_000)],
        });
        let order = placed(&command, &[offer]).unwrap().order;
        assert_eq!((order.total.to_string().as_str(), order.currency), ("232", Currency::MXN));
        assert_eq!(order.tax_total.unwrap().to_string(), "32");
    }

    fn placed(command: &PlaceOrder, offers: &[Offer]) -> Result<Placed, PlaceRefusal> {
        let find = |wanted: ItemSku| offers.iter().find(|offer| offer.sold == wanted);
        let usual = [TaxRate::iva(160_000)];
        place(command, find, (&usual, None), (OrderId::from_u128(1), 1), Timestamp::from_micros(0))
    }

    #[test]
    fn lines_of_one_product_count_together() {
        let refused = placed(&ordered(&[(1, 3), (1, 3)]), &[offered(1, 1_000_000, 5)]).unwrap_err();
        let PlaceRefusal::Rule(PlaceError::OutOfStock(demand)) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!((demand.asked, demand.available), (6, 5));
    }

    #[test]
    fn totals_are_exact_and_rounded_once() {
        let order =
            placed(&ordered(&[(1, 3), (2, 1)]), &[offered(1, 333_333, 9), offered(2, 5_001, 9)])
                .unwrap()
                .order;
        assert_eq!(order.total.to_string(), "1.01");
        assert_eq!(crate::number_text(order.number), "ORD-000001");
    }

    #[test]
    fn every_bad_item_is_named() {
        let mut dollars = offered(2, 1, 9);
        dollars.currency = Currency::parse("USD").unwrap();
        let mut archived = offered(3, 1, 9);
        archived.on_sale = false;
        let mut command = ordered(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]);
        command.items[4].wanted.variant = Some(ItemVariantId::from_u128(1));
        let refused = placed(&command, &[offered(1, 1, 9), dollars, archived]).unwrap_err();
        let PlaceRefusal::Invalid(faults) = refused else { panic!("{refused:?}") };
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "items[1].productId",
                "items[2].productId",
                "items[3].productId",
                "items[4].variantId"
            ]
        );
    }

    #[test]
    fn a_total_beyond_the_largest_amount_is_refused() {
        let refused = placed(&ordered(&[(1, 1_000)]), &[offered(1, Amount::MAX.micros(), 2_000)])
            .unwrap_err();
        assert!(matches!(refused, PlaceRefusal::Invalid(_)));
    }

    proptest! {
        #[test]
        fn what_is_reserved_is_what_was_ordered_and_never_more_than_there_is(
            stock in prop::collection::vec(0i64..30, 1..6),
            lines in prop::collection::vec((0usize..6, 1i64..12), 1..10),
        ) {
            let offers: Vec<_> = stock.iter().enumerate().map(|(i, left)| offered(i as u128, 1_990_000, *left)).collect();
            let lines: Vec<_> = lines.iter().map(|(i, quantity)| ((i % stock.len()) as u128, *quantity)).collect();
            let mut asked: HashMap<u128, i64> = HashMap::new();
            for (product, quantity) in &lines {
                *asked.entry(*product).or_default() += quantity;
            }
            let enough = asked.iter().all(|(product, quantity)| *quantity <= stock[*product as usize]);
            match placed(&ordered(&lines), &offers) {
                Ok(placed) => {
                    prop_assert!(enough);
                    prop_assert_eq!(placed.reservations.len(), asked.len());
                    for reservation in &placed.reservations {
                        let product = offers.iter().position(|offer| offer.sold == reservation.sold).unwrap();
                        prop_assert_eq!(reservation.quantity, asked[&(product as u128)]);
                        prop_assert_eq!(reservation.left, stock[product] - reservation.quantity);
                        prop_assert!(reservation.left >= 0);
                    }
                    let pieces: i64 = lines.iter().map(|(_, quantity)| quantity).sum();
                    prop_assert_eq!(placed.order.total, Amount::from_micros(1_990_000).times(pieces).unwrap());
                }
                Err(_) => prop_assert!(!enough),
            }
        }
    }
}
