//! What an order is.

use kernel::{
    Amount, Currency, Decimals, Measure, Message, Metadata, Quantity, Timestamp, message,
    search::{Terms, Words},
};
use pricing::tax::TaxRate;
use serde::{Deserialize, Serialize};

use crate::{
    Discounted, FulfillmentStatus, OrderDiscount, OrderStatus, Shipping, ShippingAddress,
    WithheldStated,
};

kernel::ids! {
    /// An order's identifier.
    OrderId = "ord";
    /// The identifier of a customer, as orders name it.
    CustomerId = "cus";
    /// The identifier of a product, as orders name it.
    ItemProductId = "prd";
    /// The identifier of a variant, as orders name it.
    ItemVariantId = "var";
    /// The identifier of a warehouse, as orders name it.
    WarehouseId = "whs";
    /// The identifier of a price list, as orders name it.
    PriceListId = "pls";
    /// The identifier of a group of customers, as orders name it.
    CustomerGroupId = "cgr";
    /// The identifier of an invoice, as orders name it.
    InvoiceId = "inv";
}

/// What is said of a line that an order of so many lines does not have.
pub(crate) fn no_such_line(count: usize) -> Message {
    match count {
        1 => message!(
            "must be 1: the order has one line",
            "debe ser 1: el pedido tiene una sola partida"
        ),
        count => message!(
            "must be from 1 to {count}, the lines of the order",
            "debe ser de 1 a {count}, las partidas del pedido"
        ),
    }
}

/// The most items of one order.
pub const ITEMS_MAX: usize = 500;
/// The most characters of notes.
pub const NOTES_CHARS_MAX: usize = 5_000;
/// The most characters of a tracking number, carrier, reason, channel, note of an item or name of the shipping.
pub const LINE_CHARS_MAX: usize = 200;

/// What an item sells: a product, or one variant of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ItemSku {
    pub product: ItemProductId,
    /// Variant, if any.
    pub variant: Option<ItemVariantId>,
}

/// One line of an order, as it was when the order was placed: later changes of the product leave it alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Item {
    /// Product and variant sold.
    pub sold: ItemSku,
    /// Name of the product and variant when the order was placed.
    pub name: String,
    /// SKU when the order was placed.
    pub sku: String,
    /// How many, in the smallest unit that is kept of it.
    pub quantity: Quantity,
    /// Unit price when the order was placed.
    pub unit_price: Amount,
    /// The price list that it is from; of no list where the order or the catalog said it.
    pub price_list: Option<PriceListId>,
    /// Whether the unit price has the taxes inside; otherwise they are added to it.
    pub tax_included: bool,
    /// Its taxes when the order was placed; `None` of orders that were placed before orders kept them.
    pub taxes: Option<Vec<TaxRate>>,
    pub discount: Option<Discounted>,
    /// Its share of the discount of the order.
    pub order_discount: Amount,
    pub note: Option<String>,
    /// How many have come back, in the same unit.
    pub returned: Quantity,
    /// Decimals of its quantities when the order was placed.
    pub decimals: Decimals,
}

impl Item {
    /// What a quantity of it is in units.
    #[must_use]
    pub const fn measure(&self, quantity: Quantity) -> Measure {
        Measure::of(quantity, self.decimals)
    }

    /// How many units of it were ordered.
    #[must_use]
    pub const fn ordered(&self) -> Measure {
        self.measure(self.quantity)
    }

    /// The SKU that somebody gave it, for those who buy it: without one a product has its identifier as SKU.
    #[must_use]
    pub fn given_sku(&self) -> Option<&str> {
        Some(self.sku.as_str()).filter(|sku| ItemProductId::parse(sku).is_none())
    }
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Order {
    pub id: OrderId,
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    /// Sequential within the account, starting at 1.
    pub number: i64,
    pub status: OrderStatus,
    /// How much of it has been shipped.
    pub fulfillment_status: FulfillmentStatus,
    pub customer: CustomerId,
    pub items: Vec<Item>,
    /// What the items cost without discounts, with all taxes; `None` where there are neither discounts nor shipping, so
    /// that it is the total.
    pub subtotal: Option<Amount>,
    pub discount: Option<OrderDiscount>,
    pub shipping: Option<Shipping>,
    /// What of the total is tax; `None` of orders that were placed before orders kept it.
    pub tax_total: Option<Amount>,
    /// Rounded to the decimal places of the currency.
    pub total: Amount,
    /// Currency of all its amounts.
    pub currency: Currency,
    /// What was paid for it; `None` of orders without a payment, which are paid in full if they have a moment of payment.
    /// [`Order::amount_paid()`] tells it of every order.
    pub amount_paid: Option<Amount>,
    /// What its customer had withheld as taxes when it was paid in full, zero if they paid the whole; `None` until it is paid,
    /// and of orders that were paid before orders kept it.
    pub amount_withheld: Option<Amount>,
    /// What its stamped invoice states as withheld of it, which decides that as long as the invoice stands.
    pub withheld_stated: Option<WithheldStated>,
    /// What of it was given back.
    pub amount_refunded: Amount,
    /// What the goods that have come back are worth.
    pub returned_total: Amount,
    /// What the customer is owed: what is paid and not refunded beyond the total, or at all of a cancelled order.
    pub refund_due: Amount,
    /// Shipping carrier.
    pub carrier: Option<String>,
    /// Carrier's tracking number.
    pub tracking_number: Option<String>,
    pub cancel_reason: Option<String>,
    /// The credit note (CFDI of type E) that was made of what of it was never paid when it was cancelled.
    pub credit_note: Option<InvoiceId>,
    pub shipping_address: Option<ShippingAddress>,
    /// Where it was sold: `web`, `store`, a marketplace.
    pub channel: Option<String>,
    pub notes: Option<String>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub paid_at: Option<Timestamp>,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// The number as people read it: `ORD-000123`.
#[must_use]
pub fn number_text(number: i64) -> String {
    format!("ORD-{number:06}")
}

/// The number in `ORD-000123`, `ord-123` or `123`.
#[must_use]
pub fn number_in(text: &str) -> Option<i64> {
    let upper = text.to_uppercase();
    let digits = upper.strip_prefix("ORD-").unwrap_or(&upper);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The identifier that is all of a search, which folds its letters.
#[must_use]
pub fn id_in(words: &Words) -> Option<OrderId> {
    let number = words.only()?.strip_prefix(OrderId::PREFIX)?;
    OrderId::parse(&format!("{}{}", OrderId::PREFIX, number.to_uppercase()))
}

impl Order {
    /// The terms under which it is found: its own, its number and those of its customer.
    #[must_use]
    pub fn terms(&self, customer: &str) -> Terms {
        self.own_terms().number(self.number).words_of(customer)
    }

    /// The terms that its row alone tells: those of its SKUs and of what was written about it.
    #[must_use]
    pub fn own_terms(&self) -> Terms {
        Terms::default()
            .texts(self.items.iter().map(|item| item.sku.as_str()))
            .texts(self.external_id.as_deref())
            .texts(self.tracking_number.as_deref())
            .texts(self.notes.as_deref())
            .metadata(&self.metadata)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_can_be_searched_for() {
        let id = OrderId::from_u128(1_234_567);
        assert_eq!(id_in(&Words::parse(&id.to_string()).unwrap()), Some(id));
        for other in
            ["ord_", "ord-12", "taza", "cus_00000000000000000000000001", &format!("{id} x")]
        {
            assert_eq!(id_in(&Words::parse(other).unwrap()), None, "{other}");
        }
    }

    #[test]
    fn finds_order_numbers() {
        for (text, number) in [
            ("ORD-000123", Some(123)),
            ("ord-7", Some(7)),
            ("42", Some(42)),
            ("ORD-", None),
            ("ring twice", None),
        ] {
            assert_eq!(number_in(text), number, "{text}");
        }
    }
}
