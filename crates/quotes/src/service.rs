//! The use cases of quotes.

use kernel::{
    AccountId, Ctx, Currency, Day, Fault, Language, Metadata, Page, PageRequest, Pending,
    Timestamp, Written,
};
use orders::{OrderId, PlaceDiscount, PlaceError, PlaceItem, PlaceOrder, PlaceShipping};

use crate::{CustomerId, DealId, Question, QuestionId, Quote, QuoteId, Status, Via};

/// Why a command about quotes was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuoteError {
    /// The quote's status does not allow this.
    InvalidTransition {
        /// Its status.
        from: Status,
        /// The wanted one.
        to: Status,
    },
    /// Only a draft is changed or deleted.
    NotDraft {
        /// Its status.
        status: Status,
    },
    /// Another revision is offered than the one that was seen.
    OtherRevision {
        /// The one that is offered.
        current: u32,
    },
    /// There is a draft of the next revision already.
    RevisionExists {
        /// That draft.
        draft: QuoteId,
    },
    /// An earlier revision was accepted.
    AlreadyAccepted {
        /// That revision.
        quote: QuoteId,
    },
    /// No payment provider collects such an amount by a link.
    NoProvider {
        /// The currency that none takes.
        currency: Currency,
    },
    /// The order could not be placed.
    Place(PlaceError),
}

/// A quote to be drafted; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewQuote {
    /// The deal's customer if absent.
    pub customer: Option<CustomerId>,
    pub deal: Option<DealId>,
    pub title: Option<String>,
    /// What else the customer reads.
    pub notes: Option<String>,
    /// 1 to [`orders::order::ITEMS_MAX`] items, as of an order.
    pub items: Vec<PlaceItem>,
    /// On what the items cost after their own discounts.
    pub discount: Option<PlaceDiscount>,
    pub shipping: Option<PlaceShipping>,
    pub valid_until: Option<Day>,
    /// Whether its acceptance opens a payment link for the order.
    pub wants_link: bool,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
}

/// What to change of a draft; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct QuoteChanges {
    pub customer: Option<CustomerId>,
    pub deal: Option<Option<DealId>>,
    pub title: Option<Option<String>>,
    /// What else the customer reads.
    pub notes: Option<Option<String>>,
    /// All of them, at the prices and taxes of this moment unless they state others; one that states the unit price that it
    /// has at its place keeps its taxes.
    pub items: Option<Vec<PlaceItem>>,
    /// On what the items cost after their own discounts.
    pub discount: Option<Option<PlaceDiscount>>,
    pub shipping: Option<Option<PlaceShipping>>,
    pub valid_until: Option<Day>,
    pub wants_link: Option<bool>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Option<Metadata>,
}

impl NewQuote {
    /// What is wanted, as an order of that customer.
    #[must_use]
    pub fn order(&self, customer: CustomerId) -> PlaceOrder {
        let (discount, shipping) = (self.discount.clone(), self.shipping.clone());
        PlaceOrder { discount, shipping, ..PlaceOrder::new(customer, self.items.clone()) }
    }
}

impl QuoteChanges {
    /// What is wanted instead, as an order, where what is offered changes at all: items that stay keep their prices.
    #[must_use]
    pub fn order(&self, before: &Quote) -> Option<PlaceOrder> {
        let customer = self.customer.unwrap_or(before.customer);
        let same = self.items.is_none() && self.discount.is_none() && self.shipping.is_none();
        // Another customer must be one of the account, which is found out with the order.
        if same && customer == before.customer {
            return None;
        }
        let mut order = before.offered.order(customer);
        if let Some(items) = &self.items {
            let stays =
                |(place, item): (usize, &PlaceItem)| agreed_before(item, order.items.get(place));
            order.items = items.iter().enumerate().map(stays).collect();
        }
        order.discount = self.discount.clone().unwrap_or(order.discount);
        order.shipping = self.shipping.clone().unwrap_or(order.shipping);
        Some(order)
    }
}

/// An item as it is sent, under the taxes that were agreed on where it is the one of before at the same unit price.
fn agreed_before(item: &PlaceItem, before: Option<&PlaceItem>) -> PlaceItem {
    let same = before
        .filter(|before| before.wanted == item.wanted && before.unit_price == item.unit_price);
    PlaceItem { agreed: same.and_then(|before| before.agreed.clone()), ..item.clone() }
}

/// Which quotes are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct QuoteFilter {
    /// These alone.
    pub ids: Option<Vec<QuoteId>>,
    /// All revisions of the quote of this number.
    pub number: Option<i64>,
    /// Their status at a moment.
    pub status: Option<(Status, Timestamp)>,
    pub customer: Option<CustomerId>,
    pub deal: Option<DealId>,
    pub order: Option<OrderId>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
}

/// A wanted page of quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct QuoteQuery {
    pub filter: QuoteFilter,
    pub page: PageRequest,
}

/// A draft to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendQuote {
    /// The draft.
    pub id: QuoteId,
    /// The version that was seen, if who sends it says so: another one is not sent. One that is sent already stays so.
    pub version: Option<i64>,
}

/// That a quote is accepted.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct AcceptQuote {
    pub id: QuoteId,
    /// The revision that was seen, if who accepts says so.
    pub revision: Option<u32>,
    pub via: Via,
    /// The name that they give.
    pub name: Option<String>,
}

/// That a quote is rejected.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct RejectQuote {
    pub id: QuoteId,
    /// The revision that was seen, if who rejects says so.
    pub revision: Option<u32>,
    pub via: Via,
    pub reason: Option<String>,
}

/// A question about a quote.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct AskQuestion {
    pub quote: QuoteId,
    pub name: Option<String>,
    pub email: Option<String>,
    pub text: String,
}

/// Quotes, each method one transaction with its events.
pub trait Quotes: Send + Sync {
    /// One quote; `None` when the account has no such quote.
    fn get(&self, account: AccountId, id: QuoteId) -> Pending<Result<Option<Quote>, Fault>>;

    /// The newest revision that is not a draft, by any of its revisions; `None` when there is none.
    fn offered(&self, account: AccountId, root: QuoteId) -> Pending<Result<Option<Quote>, Fault>>;

    /// A page of quotes.
    fn list(&self, account: AccountId, query: QuoteQuery) -> Pending<Result<Page<Quote>, Fault>>;

    /// Drafts a quote at the prices of this moment.
    fn create(&self, ctx: Ctx, command: NewQuote) -> Pending<Written<Quote, QuoteError>>;

    /// Changes a draft, if it has the version that the caller expects.
    fn update(
        &self,
        ctx: Ctx,
        id: QuoteId,
        version: Option<i64>,
        changes: QuoteChanges,
    ) -> Pending<Written<Quote, QuoteError>>;

    /// Removes a draft.
    fn delete(
        &self,
        ctx: Ctx,
        id: QuoteId,
        version: Option<i64>,
    ) -> Pending<Written<QuoteId, QuoteError>>;

    /// Offers a draft to its customer; revisions before it are superseded.
    fn send(&self, ctx: Ctx, command: SendQuote) -> Pending<Written<QuoteId, QuoteError>>;

    /// Accepts a quote: places the order, wins the deal and opens a payment link. Where no order can be placed it is accepted
    /// all the same.
    fn accept(&self, ctx: Ctx, command: AcceptQuote) -> Pending<Written<Quote, QuoteError>>;

    /// Tries again to place the order of a quote that was accepted.
    fn order(&self, ctx: Ctx, id: QuoteId) -> Pending<Written<Quote, QuoteError>>;

    /// Notes that a quote is rejected.
    fn reject(&self, ctx: Ctx, command: RejectQuote) -> Pending<Written<Quote, QuoteError>>;

    /// Drafts the next revision of a quote, at the prices that it has.
    fn revise(&self, ctx: Ctx, id: QuoteId) -> Pending<Written<Quote, QuoteError>>;

    /// Keeps a question of the holder of the link.
    fn ask(&self, ctx: Ctx, command: AskQuestion) -> Pending<Written<QuestionId, QuoteError>>;

    /// The questions about all revisions of a quote, newest first; `None` when the account has no such quote.
    fn questions(
        &self,
        account: AccountId,
        id: QuoteId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<Question>>, Fault>>;
}

/// A quote with whom it is from and for, to be printed.
#[derive(Clone, Debug)]
pub struct PrintedQuote {
    /// The quote.
    pub quote: Quote,
    /// Its status at the moment of printing.
    pub status: Status,
    /// The name of the merchant.
    pub merchant: String,
    /// The name of the customer.
    pub customer: String,
    /// The day on which it was sent, or drafted.
    pub date: Day,
    /// Whether no order of it is real.
    pub sandbox: bool,
    /// The language of everything but its own texts.
    pub language: Language,
}

impl PrintedQuote {
    /// What is printed of a quote from a merchant for a customer at a moment.
    #[must_use]
    pub fn of(
        quote: Quote,
        (merchant, customer): (String, String),
        (sandbox, language): (bool, Language),
        now: Timestamp,
    ) -> Self {
        let date = quote.zone.day(quote.sent_at.unwrap_or(quote.created_at));
        let status = quote.status(now);
        Self { quote, status, merchant, customer, date, sandbox, language }
    }
}

/// Makes the printed form of quotes. It computes for milliseconds and is called where that keeps nobody waiting.
pub trait QuotePrinter: Send + Sync {
    /// The PDF of a quote.
    ///
    /// # Errors
    /// What went wrong, for the log.
    fn quote_pdf(&self, printed: &PrintedQuote) -> Result<Vec<u8>, String>;
}
