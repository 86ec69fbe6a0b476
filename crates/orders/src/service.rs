//! The use cases of orders.

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{
    CustomerId, Order, OrderChanges, OrderId, OrderStatus, PlaceError, PlaceOrder, UpdateError,
};

/// Which orders are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderFilter {
    pub status: Option<OrderStatus>,
    pub customer: Option<CustomerId>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
    /// Search by order number, tracking number, or words in the notes.
    pub search: Option<String>,
}

/// A wanted page of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderQuery {
    pub filter: OrderFilter,
    pub page: PageRequest,
}

/// A change of one order.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ReviseOrder {
    pub id: OrderId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: OrderChanges,
}

/// Orders, each method one transaction with its stock and its events.
pub trait Orders: Send + Sync {
    /// One order; `None` when the account has no such order.
    fn get(&self, account: AccountId, id: OrderId) -> Pending<Result<Option<Order>, Fault>>;

    /// A page of orders.
    fn list(&self, account: AccountId, query: OrderQuery) -> Pending<Result<Page<Order>, Fault>>;

    /// Places an order and reserves its stock.
    fn place(&self, ctx: Ctx, command: PlaceOrder) -> Pending<Written<Order, PlaceError>>;

    /// Changes an order; cancelling gives its stock back.
    fn update(&self, ctx: Ctx, command: ReviseOrder) -> Pending<Written<Order, UpdateError>>;
}
