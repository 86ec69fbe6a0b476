//! Links that somebody pays by: what they ask for, how often they can be paid, and until when.
//!
//! Who begins to pay takes a slot, before any provider is called, and gives it back when their attempt ends without
//! money. So a link that can be paid once is not paid by two who began at the same time.

mod attempt;
mod make;
mod service;
mod slots;

use kernel::{Amount, Currency, Metadata, Timestamp};
use links::Token;

use crate::{CustomerId, InvoiceId, Method, OrderId, ProviderKind, payment::named};

pub use attempt::{Attempt, NotBegun, Recent, Shut, begin, offers};
pub use make::{LinkChanges, LinkRefusal, Linked, NewLink, change, deactivate, make};
pub use service::{LinkFilter, LinkQuery, Offer, OfferedInvoice, PaymentLinks};
pub use slots::{SlotChange, moved};

kernel::ids! {
    /// A payment link's identifier.
    PaymentLinkId = "plk";
}

/// The methods that a link can offer: those that a provider collects by.
pub const LINK_METHODS: &[Method] = &[Method::Card, Method::Spei, Method::Oxxo];
/// The least seconds that a link lasts.
pub const SECONDS_MIN: i64 = 300;
/// The most seconds that a link lasts: a year.
pub const SECONDS_MAX: i64 = 365 * 86_400;
/// How many seconds a link lasts that is not told.
pub const SECONDS: i64 = 7 * 86_400;
/// For how many seconds a card holds its slot.
pub const CARD_SECONDS: i64 = 1_800;
/// The most characters of a title.
pub const TITLE_CHARS_MAX: usize = 120;
/// The largest number of payments that a link can be limited to.
pub const PAYMENTS_MAX: u32 = 1_000_000;

named! {
    /// What has been decided about a link.
    Stage {
        /// It can be paid.
        Active = "active",
        /// Its merchant has switched it off, or its order or invoice was cancelled.
        Inactive = "inactive",
        /// It was paid as often as it can be, or nothing is due for its order or invoice any more.
        Completed = "completed",
    }
}

named! {
    /// Where a link stands.
    LinkStatus {
        /// It can be paid.
        Active = "active",
        /// Its merchant has switched it off, or its order or invoice was cancelled.
        Inactive = "inactive",
        /// It was paid as often as it can be, or nothing is due for its order or invoice any more.
        Completed = "completed",
        /// Its time has passed.
        Expired = "expired",
    }
}

/// What a link asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// So much.
    Fixed(Amount),
    /// What the payer chooses, within bounds.
    Between {
        /// The least.
        min: Amount,
        /// The most.
        max: Amount,
    },
    /// What is due for its order or invoice when somebody begins to pay.
    Due,
}

/// A link that somebody pays by. `taken` and `paid_count` are kept by the database with each payment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentLink {
    /// Its identifier.
    pub id: PaymentLinkId,
    /// What its holder has.
    pub token: Token,
    /// What is paid, as the payer reads it.
    pub title: String,
    /// More about it.
    pub description: Option<String>,
    /// What it asks for.
    pub asks: Asks,
    /// In which currency.
    pub currency: Currency,
    /// The order that is paid, or that the invoice bills.
    pub order: Option<OrderId>,
    /// The invoice that is paid.
    pub invoice: Option<InvoiceId>,
    /// Who owes that.
    pub customer: Option<CustomerId>,
    /// Through whom it is paid; the account's default provider if absent.
    pub provider: Option<ProviderKind>,
    /// How it can be paid.
    pub methods: Vec<Method>,
    /// The numbers of monthly installments that whoever pays by card may choose from, as far as they suit the amount.
    pub installments: Vec<u8>,
    /// How often it can be paid; without end if absent. What is due is paid until nothing is, by so many at once.
    pub payments_max: Option<u32>,
    /// How many are paying now.
    pub taken: u32,
    /// How many have paid.
    pub paid_count: u32,
    /// Until when.
    pub expires_at: Timestamp,
    /// Where the payer can go once they have paid.
    pub success_url: Option<String>,
    /// What has been decided about it.
    pub stage: Stage,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// Whether a link was paid as often as it can be: what is due for something is paid until nothing is, however often that
/// takes.
#[must_use]
pub fn is_paid_up(is_for_due: bool, payments_max: Option<i64>, paid_count: i64) -> bool {
    !is_for_due && payments_max.is_some_and(|max| paid_count >= max)
}

impl PaymentLink {
    /// Where it stands at `now`.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> LinkStatus {
        match self.stage {
            Stage::Inactive => LinkStatus::Inactive,
            Stage::Completed => LinkStatus::Completed,
            Stage::Active if now >= self.expires_at => LinkStatus::Expired,
            Stage::Active => LinkStatus::Active,
        }
    }

    /// Whether one more may begin to pay.
    #[must_use]
    pub fn has_slot(&self) -> bool {
        let paid = if self.is_for_due() { 0 } else { self.paid_count };
        self.payments_max.is_none_or(|max| self.taken.saturating_add(paid) < max)
    }

    /// Whether it asks for what is due for an order or invoice.
    #[must_use]
    pub const fn is_for_due(&self) -> bool {
        self.order.is_some() || self.invoice.is_some()
    }

    /// Whether it was paid as often as it can be.
    #[must_use]
    pub fn is_paid_up(&self) -> bool {
        is_paid_up(self.is_for_due(), self.payments_max.map(i64::from), self.paid_count.into())
    }

    fn changed(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version += 1;
    }
}
