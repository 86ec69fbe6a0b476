//! The use cases of payment links.

use kernel::{AccountId, Amount, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use super::{LinkChanges, LinkStatus, NewLink, PaymentLink, PaymentLinkId};
use crate::{InvoiceId, Method, OrderId, PaymentError, PaymentId, provider::PayerNeeds};

/// Which links are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LinkFilter {
    /// Those that stand so at that moment.
    pub status: Option<(LinkStatus, Timestamp)>,
    pub order: Option<OrderId>,
    pub invoice: Option<InvoiceId>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
}

/// A wanted page of links, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LinkQuery {
    pub filter: LinkFilter,
    pub page: PageRequest,
}

/// An invoice as whoever pays it knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedInvoice {
    /// Its series and folio.
    pub number: String,
    /// The name of whom it is made out to.
    pub receiver: String,
}

/// What whoever holds a link is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The link.
    pub link: PaymentLink,
    /// The number of its order.
    pub order_number: Option<String>,
    /// Its invoice.
    pub invoice: Option<OfferedInvoice>,
    /// What is to be paid; `None` where the payer chooses.
    pub amount: Option<Amount>,
    /// Whether nothing is due any more for what it is for.
    pub is_settled: bool,
    /// How it can be paid now, and what the payer must tell of themselves.
    pub methods: Vec<(Method, PayerNeeds)>,
    /// The numbers of monthly installments that are offered for a card, of the largest amount that can be paid.
    pub installments: Vec<u8>,
}

/// Links on record. Paying by one is begun by a [`Collector`](crate::Collector).
pub trait PaymentLinks: Send + Sync {
    /// Makes a link.
    fn create(&self, ctx: Ctx, new: NewLink) -> Pending<Written<PaymentLink, PaymentError>>;

    /// One link; `None` when the account has no such link.
    fn get(
        &self,
        account: AccountId,
        id: PaymentLinkId,
    ) -> Pending<Result<Option<PaymentLink>, Fault>>;

    /// A page of links.
    fn list(
        &self,
        account: AccountId,
        query: LinkQuery,
    ) -> Pending<Result<Page<PaymentLink>, Fault>>;

    /// Changes a link, if it has the version that the caller expects.
    fn update(
        &self,
        ctx: Ctx,
        id: PaymentLinkId,
        version: Option<i64>,
        changes: LinkChanges,
    ) -> Pending<Written<PaymentLink, PaymentError>>;

    /// Switches a link off.
    fn deactivate(
        &self,
        ctx: Ctx,
        id: PaymentLinkId,
    ) -> Pending<Written<PaymentLink, PaymentError>>;

    /// What a link offers at `now`.
    fn offer(
        &self,
        account: AccountId,
        id: PaymentLinkId,
        now: Timestamp,
    ) -> Pending<Result<Option<Offer>, Fault>>;

    /// What leads to the page of a payment that was begun by a link.
    fn attempt_token(
        &self,
        account: AccountId,
        payment: PaymentId,
        now: Timestamp,
    ) -> Pending<Result<Option<links::Token>, Fault>>;
}
