//! Placing an order: the price of the moment, and stock that cannot be oversold.

use std::collections::BTreeMap;

use kernel::{
    Amount, Currency, FieldFault, Message, Metadata, NewEvent, Quantity, Timestamp, message,
};

use pricing::tax::TaxRate;

use crate::{
    CustomerId, Discount, Discounted, FulfillmentStatus, Item, ItemSku, Order, OrderDiscount,
    OrderId, OrderStatus, OutOfStock, Shipping, ShippingAddress, Taken, WarehouseId, allocate,
    events, totals,
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
    /// The only warehouse that it may take from; as the account's setting has it when absent.
    pub warehouse: Option<WarehouseId>,
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
            warehouse: None,
            notes: None,
            metadata: Metadata::default(),
        }
    }
}

impl PlaceItem {
    /// So many units at the price of the catalog.
    #[must_use]
    pub const fn new(wanted: ItemSku, quantity: Quantity) -> Self {
        Self { wanted, quantity, unit_price: None, discount: None, note: None }
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
    /// Stock available in the account's first warehouse.
    pub available: Quantity,
    /// Stock available in its other ones.
    pub elsewhere: Quantity,
    /// The same by warehouse, as far as it matters where orders take from.
    pub others: Vec<(WarehouseId, Quantity)>,
    /// What a unit has cost so far, if that is known.
    pub unit_cost: Option<Amount>,
    /// Stock level below which it counts as low.
    pub threshold: Quantity,
    /// Whether it can be ordered.
    pub on_sale: bool,
}

impl Offer {
    /// What a warehouse has of it.
    fn level(&self, warehouse: WarehouseId, first: WarehouseId) -> Quantity {
        if warehouse == first {
            return self.available;
        }
        let other = self.others.iter().find(|(other, _)| *other == warehouse);
        other.map_or(0, |(_, quantity)| *quantity)
    }

    /// Sets what a warehouse has of it.
    pub fn set_level(&mut self, warehouse: WarehouseId, first: WarehouseId, left: Quantity) {
        if warehouse == first {
            self.available = left;
        } else if let Some((_, level)) =
            self.others.iter_mut().find(|(other, _)| *other == warehouse)
        {
            self.elsewhere += left - *level;
            *level = left;
        }
    }
}

/// Where orders take from.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The account's first warehouse.
    pub first: WarehouseId,
    /// Those that an order may take from, in the order of their priority.
    pub from: &'a [WarehouseId],
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
    /// Stock available where the order may take from.
    pub available: Quantity,
    /// Stock available in other warehouses.
    pub elsewhere: Quantity,
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
    pub sold: ItemSku,
    /// Where from.
    pub warehouse: WarehouseId,
    pub quantity: Quantity,
    /// Stock left there after the order.
    pub left: Quantity,
}

/// Stock that the order takes below its threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LowStock {
    pub sold: ItemSku,
    /// Stock left in all warehouses that orders take from.
    pub left: Quantity,
    /// Stock level below which it counts as low.
    pub threshold: Quantity,
}

/// What comes of placing an order: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Placed {
    pub order: Order,
    /// Stock reserved, one entry per product or variant and warehouse, in ascending order.
    pub reservations: Vec<Reservation>,
    /// The same by line.
    pub taken: Vec<Taken>,
    /// What falls below its threshold by this very order.
    pub low: Vec<LowStock>,
    pub events: Vec<NewEvent>,
}

/// Places an order against `offers`, of which there is one for every product and variant that exists, out of its `sources`. What states no taxes
/// has the `usual` ones ([`usual_taxes`](crate::totals::usual_taxes)), and shipping those that shipping has instead if
/// there are any.
///
/// # Errors
/// [`PlaceRefusal::Invalid`] names every item that is unknown, not on sale, in another currency than the
/// first, or too large, and every discount of more than there is; [`PlaceRefusal::Rule`] the first product with too little stock.
pub fn place<'a>(
    command: &PlaceOrder,
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    sources: Sources<'_>,
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
    let lines: Vec<_> = items.iter().map(|item| (item.sold, item.quantity)).collect();
    let taken = taken(&lines, &offer, sources).map_err(PlaceRefusal::Rule)?;
    let (reservations, low) = reserved(&lines, &taken, &offer, sources.first);
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
    Ok(Placed { order, reservations, taken, low, events })
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
        let common = *currency.get_or_insert(offer.currency);
        if offer.currency != common {
            refuse(
                "productId",
                message!(
                    "is priced in {other}, but the order is in {common}",
                    "tiene precio en {other}, pero el pedido es en {common}",
                    other = offer.currency
                ),
            );
            continue;
        }
        let unit_price = line.unit_price.unwrap_or(offer.price);
        whole = whole.and_then(|sum| sum.plus(unit_price.times(line.quantity)?));
        let taxes = if offer.taxes.is_empty() { usual } else { &offer.taxes };
        let discount = line.discount.map(|asked| Discounted { asked, amount: Amount::ZERO });
        items.push(Item {
            sold: line.wanted,
            name: offer.name.clone(),
            sku: offer.sku.clone(),
            quantity: line.quantity,
            unit_price,
            tax_included: offer.tax_included,
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

/// The stock that each line takes.
fn taken<'a>(
    lines: &[(ItemSku, Quantity)],
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    Sources { first, from }: Sources<'_>,
) -> Result<Vec<Taken>, PlaceError> {
    let level = |sold, warehouse| offer(sold).map_or(0, |offer| offer.level(warehouse, first));
    allocate(lines, level, from).map_err(|OutOfStock { sold, asked, available }| {
        let (sku, everywhere) = offer(sold).map_or((String::new(), 0), |offer| {
            (offer.sku.clone(), offer.available + offer.elsewhere)
        });
        let elsewhere = (everywhere - available).max(0);
        PlaceError::OutOfStock(Demand { sold, sku, asked, available, elsewhere })
    })
}

/// The same by product and warehouse, and what falls low by it.
fn reserved<'a>(
    lines: &[(ItemSku, Quantity)],
    taken: &[Taken],
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    first: WarehouseId,
) -> (Vec<Reservation>, Vec<LowStock>) {
    let mut sums: BTreeMap<(ItemSku, WarehouseId), Quantity> = BTreeMap::new();
    for part in taken {
        let Some((sold, _)) = lines.get(part.line) else { continue };
        *sums.entry((*sold, part.warehouse)).or_default() += part.quantity;
    }
    let mut reservations: Vec<Reservation> = Vec::with_capacity(sums.len());
    for ((sold, warehouse), quantity) in sums {
        let Some(offer) = offer(sold) else { continue };
        let left = offer.level(warehouse, first) - quantity;
        reservations.push(Reservation { sold, warehouse, quantity, left });
    }
    let mut low = Vec::new();
    for of_sku in reservations.chunk_by(|one, other| one.sold == other.sold) {
        let quantity: Quantity = of_sku.iter().map(|reservation| reservation.quantity).sum();
        let Some((sold, offer)) = of_sku.first().and_then(|one| Some((one.sold, offer(one.sold)?)))
        else {
            continue;
        };
        let (before, threshold) = (offer.available + offer.elsewhere, offer.threshold);
        let left = before - quantity;
        if before >= threshold && left < threshold {
            low.push(LowStock { sold, left, threshold });
        }
    }
    (reservations, low)
}

#[cfg(test)]
mod tests;
