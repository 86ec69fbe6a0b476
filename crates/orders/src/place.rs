//! Placing an order: the price of the moment, and stock that cannot be oversold.

mod prices;

use std::collections::BTreeMap;

use kernel::{
    Amount, Currency, Decimals, FieldFault, Measure, Metadata, NewEvent, Quantity, Refusal,
    Timestamp, message,
};

use pricing::{lists::ListedPrice, tax::TaxRate};

use crate::{
    CustomerId, Discount, Discounted, FulfillmentStatus, ItemSku, Order, OrderDiscount, OrderId,
    OrderStatus, OutOfStock, PriceListId, Shipping, ShippingAddress, Taken, WarehouseId, allocate,
    events, totals,
};

pub use prices::{PriceBook, PriceList};
use prices::{Priced, priced};

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
    /// The only price list that counts, whomever it is for; those that hold for the customer when absent.
    pub price_list: Option<PriceListId>,
    pub notes: Option<String>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
}

/// One line of an order to be placed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PlaceItem {
    pub wanted: ItemSku,
    /// Above 0.
    pub quantity: Measure,
    /// Another unit price than that of the price lists or the product, not below zero.
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
            warehouse: None,
            price_list: None,
            notes: None,
            metadata: Metadata::default(),
        }
    }
}

impl PlaceItem {
    /// So many units at the price of the catalog.
    #[must_use]
    pub const fn new(wanted: ItemSku, quantity: Measure) -> Self {
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
    /// Unit price where no price list says it.
    pub price: Amount,
    /// What the price lists of the account say of it.
    pub listed: Vec<ListedPrice<PriceListId>>,
    pub currency: Currency,
    /// Whether the unit price has the taxes inside; otherwise they are added to it.
    pub tax_included: bool,
    /// Its taxes; none stated when empty.
    pub taxes: Vec<TaxRate>,
    /// Decimals of its quantities.
    pub decimals: Decimals,
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
    pub asked: Measure,
    /// Stock available where the order may take from.
    pub available: Measure,
    /// Stock available in other warehouses.
    pub elsewhere: Measure,
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
    pub left: Measure,
    /// Stock level below which it counts as low.
    pub threshold: Measure,
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
    /// What a unit of each of its products costs its customer without any word of the order about prices.
    pub prices: Vec<(ItemSku, Amount)>,
    pub events: Vec<NewEvent>,
}

/// Places an order against `offers`, of which there is one for every product and variant that exists, out of its `sources` and at the prices of its `book`. What states no taxes
/// has the `usual` ones ([`usual_taxes`](crate::totals::usual_taxes)), and shipping those that shipping has instead if
/// there are any.
///
/// # Errors
/// [`Refusal::Invalid`] names every item that is unknown, not on sale, of a quantity with decimals that are not kept, in
/// another currency than the first, or too large, and every discount of more than there is; [`Refusal::Rule`] the first product with too little stock.
pub fn place<'a>(
    command: &PlaceOrder,
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    sources: Sources<'_>,
    book: PriceBook<'_>,
    (usual, of_shipping): (&[TaxRate], Option<&[TaxRate]>),
    (id, number): (OrderId, i64),
    now: Timestamp,
) -> Result<Placed, Refusal<PlaceError>> {
    let priced = priced(command, &offer, usual, (book, now)).map_err(Refusal::Invalid)?;
    let Priced { mut items, currency, prices } = priced;
    let shipping = shipping(command, of_shipping.unwrap_or(usual));
    let totals = totals::reckon(command, &mut items, shipping.as_ref(), currency);
    let totals = totals.map_err(Refusal::Invalid)?;
    let sums = [totals.total, totals.tax, totals.subtotal.unwrap_or_default()];
    if sums.iter().any(|sum| *sum > Amount::MAX) {
        return Err(Refusal::Invalid(vec![too_much()]));
    }
    let discount = command.discount.as_ref().map(|PlaceDiscount { asked, reason }| OrderDiscount {
        discounted: Discounted { asked: *asked, amount: totals.discount },
        reason: reason.clone(),
    });
    let lines: Vec<_> = items.iter().map(|item| (item.sold, item.quantity)).collect();
    let taken = taken(&lines, &offer, sources).map_err(Refusal::Rule)?;
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
        amount_withheld: None,
        withheld_stated: None,
        amount_refunded: Amount::ZERO,
        returned_total: Amount::ZERO,
        refund_due: Amount::ZERO,
        carrier: None,
        tracking_number: None,
        cancel_reason: None,
        credit_note: None,
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
    Ok(Placed { order, reservations, taken, low, prices, events })
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

/// The stock that each line takes.
fn taken<'a>(
    lines: &[(ItemSku, Quantity)],
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    Sources { first, from }: Sources<'_>,
) -> Result<Vec<Taken>, PlaceError> {
    let level = |sold, warehouse| offer(sold).map_or(0, |offer| offer.level(warehouse, first));
    allocate(lines, level, from).map_err(|OutOfStock { sold, asked, available }| {
        let (sku, everywhere, decimals) = match offer(sold) {
            Some(of) => (of.sku.clone(), of.available + of.elsewhere, of.decimals),
            None => (String::new(), 0, Decimals::Zero),
        };
        let elsewhere = (everywhere - available).max(0);
        let [asked, available, elsewhere] =
            [asked, available, elsewhere].map(|quantity| Measure::of(quantity, decimals));
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
            let [left, threshold] = [left, threshold].map(|it| Measure::of(it, offer.decimals));
            low.push(LowStock { sold, left, threshold });
        }
    }
    (reservations, low)
}

#[cfg(test)]
mod tests;
