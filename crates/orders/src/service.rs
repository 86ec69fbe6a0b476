//! The use cases of orders.

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{
    CustomerId, Order, OrderChanges, OrderId, OrderStatus, PlaceError, PlaceOrder, UpdateError,
};

/// Which orders are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFilter {
    /// Where they stand.
    pub status: Option<OrderStatus>,
    /// Who ordered.
    pub customer: Option<CustomerId>,
    /// Placed at or after.
    pub created_from: Option<Timestamp>,
    /// Placed before.
    pub created_to: Option<Timestamp>,
    /// An order number, tracking number, or words of the notes.
    pub search: Option<String>,
}

/// A wanted page of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderQuery {
    /// Which orders.
    pub filter: OrderFilter,
    /// Which page of them.
    pub page: PageRequest,
}

/// A change of one order.
#[derive(Clone, Debug)]
pub struct ReviseOrder {
    /// Which.
    pub id: OrderId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
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
