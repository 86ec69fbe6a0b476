//! What a quote is.

use kernel::{Amount, Currency, Day, Metadata, Timestamp};
use links::Token;
use orders::{
    Agreed, Item, Order, OrderDiscount, OrderId, PlaceDiscount, PlaceItem, PlaceOrder,
    PlaceShipping, Shipping,
};

pub use orders::CustomerId;

use crate::Zone;

kernel::ids! {
    /// A quote's identifier.
    QuoteId = "quo";
    /// The identifier of a question about a quote.
    QuestionId = "qst";
    /// The identifier of a deal, as quotes name it.
    DealId = "deal";
    /// The identifier of a payment link, as quotes name it.
    PaymentLinkId = "plk";
}

/// The most characters of a title.
pub const TITLE_CHARS_MAX: usize = 200;
/// The most characters of what else the customer reads.
pub const NOTES_CHARS_MAX: usize = 5_000;
/// The most characters of why a quote was rejected.
pub const REASON_CHARS_MAX: usize = 500;
/// The most characters of the name of who accepts or asks.
pub const NAME_CHARS_MAX: usize = 200;
/// The most characters of a question.
pub const QUESTION_CHARS_MAX: usize = 1_000;
/// For how many days a quote is valid unless it says otherwise.
pub const DAYS_DEFAULT: u32 = 15;
/// The most days that a quote is valid.
pub const DAYS_MAX: u32 = 365;

/// Where a quote stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum Status {
    /// It can be changed, and nobody else sees it.
    Draft,
    /// Its customer can accept it.
    Sent,
    /// It was accepted, and no order could be placed yet.
    Accepted,
    Rejected,
    /// Its time is over; the merchant may still accept it.
    Expired,
    /// It was accepted and is an order.
    Ordered,
    /// A later revision has taken its place.
    Superseded,
}

impl Status {
    /// Every status.
    pub const EVERY: &'static [Self] = &[
        Self::Draft,
        Self::Sent,
        Self::Accepted,
        Self::Rejected,
        Self::Expired,
        Self::Ordered,
        Self::Superseded,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Sent => "sent",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Ordered => "ordered",
            Self::Superseded => "superseded",
        }
    }
}

/// Who has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The holder of the link.
    Customer,
    /// The merchant, on the customer's word.
    Merchant,
}

impl Via {
    /// Every one.
    pub const EVERY: &'static [Self] = &[Self::Customer, Self::Merchant];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Merchant => "merchant",
        }
    }
}

/// That a quote was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub via: Via,
    /// The name that they gave.
    pub name: Option<String>,
}

/// What kind of thing has not come of an acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemCode {
    /// No order, for there is too little stock.
    InsufficientStock,
    /// No order, for something cannot be sold any more.
    NotForSale,
    /// An order, but no payment link.
    NoPaymentLink,
}

impl ProblemCode {
    /// Every one.
    pub const EVERY: &'static [Self] =
        &[Self::InsufficientStock, Self::NotForSale, Self::NoPaymentLink];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InsufficientStock => "insufficient_stock",
            Self::NotForSale => "not_for_sale",
            Self::NoPaymentLink => "no_payment_link",
        }
    }
}

/// What has not come of an acceptance, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What.
    pub code: ProblemCode,
    /// Why, in English.
    pub english: String,
    /// Why, in Spanish.
    pub spanish: String,
}

/// What is offered, with its prices and taxes as they were when it was put together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as of an order")]
pub struct Offered {
    pub items: Vec<Item>,
    /// What the items cost without discounts, with all taxes; `None` where that is the total.
    pub subtotal: Option<Amount>,
    pub discount: Option<OrderDiscount>,
    pub shipping: Option<Shipping>,
    pub tax_total: Amount,
    pub total: Amount,
    pub currency: Currency,
}

impl Offered {
    /// What an order would be.
    #[must_use]
    pub fn of(order: Order) -> Self {
        let tax_total = order.tax_total.unwrap_or_default();
        let Order { items, subtotal, discount, shipping, total, currency, .. } = order;
        Self { items, subtotal, discount, shipping, tax_total, total, currency }
    }

    /// What the items cost without discounts.
    #[must_use]
    pub fn subtotal(&self) -> Amount {
        self.subtotal.unwrap_or(self.total)
    }

    /// What all discounts take off, with taxes.
    #[must_use]
    pub fn discount_total(&self) -> Amount {
        let shipping = self.shipping.as_ref().map_or(0, |shipping| shipping.amount.micros());
        let whole = self.subtotal().micros().saturating_add(shipping);
        Amount::from_micros(whole.saturating_sub(self.total.micros()))
    }

    /// The order of it, at these prices and taxes whatever the catalog says by then.
    #[must_use]
    pub fn order(&self, customer: CustomerId) -> PlaceOrder {
        let item = |item: &Item| PlaceItem {
            unit_price: Some(item.unit_price),
            discount: item.discount.map(|discounted| discounted.asked),
            note: item.note.clone(),
            agreed: Some(Agreed {
                currency: self.currency,
                tax_included: item.tax_included,
                taxes: item.taxes.clone().unwrap_or_default(),
            }),
            ..PlaceItem::new(item.sold, item.ordered())
        };
        let discount = self.discount.as_ref().map(|discount| PlaceDiscount {
            asked: discount.discounted.asked,
            reason: discount.reason.clone(),
        });
        let shipping = self.shipping.as_ref().map(|shipping| PlaceShipping {
            name: shipping.name.clone(),
            amount: shipping.amount,
            taxes: Some(shipping.taxes.clone()),
        });
        let items = self.items.iter().map(item).collect();
        PlaceOrder { discount, shipping, ..PlaceOrder::new(customer, items) }
    }
}

/// A quote: one revision of what is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Quote {
    pub id: QuoteId,
    /// The first revision, whose link is that of all.
    pub root: QuoteId,
    /// Sequential within the account, starting at 1; the same for all revisions.
    pub number: i64,
    /// Starting at 1.
    pub revision: u32,
    /// As it was last saved; see [`Quote::status`].
    pub kept: Status,
    pub customer: CustomerId,
    pub deal: Option<DealId>,
    pub title: Option<String>,
    /// What else the customer reads: conditions, times of delivery.
    pub notes: Option<String>,
    pub offered: Offered,
    /// The last day on which it can be accepted.
    pub valid_until: Day,
    /// Where that day ends.
    pub zone: Zone,
    /// Whether its acceptance opens a payment link for the order.
    pub wants_link: bool,
    /// What its holder sees it with; `None` while a command works on it, which needs no token.
    pub token: Option<Token>,
    /// Arbitrary key-value pairs of the caller; the order's too.
    pub metadata: Metadata,
    pub sent_at: Option<Timestamp>,
    pub acceptance: Option<Acceptance>,
    pub rejected_at: Option<Timestamp>,
    pub reject_reason: Option<String>,
    pub order: Option<OrderId>,
    pub link: Option<PaymentLinkId>,
    /// What has not come of its acceptance.
    pub problem: Option<Problem>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Quote {
    /// From when on it cannot be accepted by its customer any more.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        self.zone.end(self.valid_until)
    }

    /// Its status at a moment: time ends what was sent, whether or not that has been noted.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> Status {
        match self.kept {
            Status::Sent if now >= self.expires_at() => Status::Expired,
            kept => kept,
        }
    }

    /// Its number as people read it.
    #[must_use]
    pub fn number_text(&self) -> String {
        number_text(self.number)
    }
}

/// A question that the holder of the link has asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Question {
    pub id: QuestionId,
    /// The revision that it is about.
    pub quote: QuoteId,
    pub name: Option<String>,
    pub email: Option<String>,
    pub text: String,
    pub at: Timestamp,
}

/// The number as people read it: `COT-000123`.
#[must_use]
pub fn number_text(number: i64) -> String {
    format!("COT-{number:06}")
}

/// The number in `COT-000123`, `cot-123` or `123`.
#[must_use]
pub fn number_in(text: &str) -> Option<i64> {
    let upper = text.to_uppercase();
    let digits = upper.strip_prefix("COT-").unwrap_or(&upper);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        assert_eq!(number_text(123), "COT-000123");
        for (text, number) in
            [("COT-000123", Some(123)), ("cot-7", Some(7)), ("42", Some(42)), ("COT-", None)]
        {
            assert_eq!(number_in(text), number, "{text}");
        }
    }
}
