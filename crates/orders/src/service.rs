//! The use cases of orders.

use std::collections::BTreeMap;

use kernel::{
    AccountId, Ctx, Fault, Page, PageRequest, Pending, Refused, Timestamp, Written,
    page::{RecordSort, Sorting, Total},
    search::Words,
};

use crate::{
    CustomerId, FulfillmentStatus, NewReturn, NewShipment, Order, OrderChanges, OrderId,
    OrderStatus, PaymentStatus, PlaceError, PlaceOrder, ReallocateError, Reallocation, Return,
    ReturnError, ReturnId, ReviseShipment, Shipment, ShipmentError, ShipmentId, Taken, UpdateError,
    timeline::{Entry, Story},
};

/// Which orders are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderFilter {
    /// These alone.
    pub ids: Option<Vec<OrderId>>,
    /// Exact external identifier.
    pub external_id: Option<String>,
    pub status: Option<OrderStatus>,
    /// How much has gone out.
    pub fulfillment: Option<FulfillmentStatus>,
    /// How far it is paid.
    pub payment: Option<PaymentStatus>,
    /// Whether there is an invoice of it, were it a draft.
    pub invoiced: Option<bool>,
    /// Those alone of which an invoice is still to be made: paid in full, neither cancelled nor given back as a whole, and in no
    /// invoice.
    pub to_invoice: bool,
    pub customer: Option<CustomerId>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
    /// Paid in full at this moment or later.
    pub paid_from: Option<Timestamp>,
    pub updated_since: Option<Timestamp>,
    /// The order number, or words in the names and addresses of the customer, the SKUs, the tracking number and the
    /// notes.
    pub search: Option<Words>,
    /// Entries of metadata that it has, by name and value.
    pub metadata: Vec<(String, String)>,
}

/// A wanted page of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderQuery {
    pub filter: OrderFilter,
    pub sort: Sorting<RecordSort>,
    pub page: PageRequest,
}

/// A page of orders of which only the first are read: as many as have some thousands of lines among them, or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    /// The page with those.
    pub page: Page<Order>,
    /// The others, which are still to be read, in their order behind them.
    pub rest: Vec<OrderId>,
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

    /// The numbers of these orders, of those that there are.
    fn numbers(
        &self,
        account: AccountId,
        ids: Vec<OrderId>,
    ) -> Pending<Result<Vec<(OrderId, i64)>, Fault>>;

    /// How many of the orders that a filter finds stand where, as the totals of their lists tell it.
    fn counts(
        &self,
        account: AccountId,
        filter: OrderFilter,
    ) -> Pending<Result<Vec<(OrderStatus, Total)>, Fault>>;

    /// A page of orders.
    fn list(&self, account: AccountId, query: OrderQuery) -> Pending<Result<Page<Order>, Fault>>;

    /// The same page, of which no more than some thousands of lines are read at once.
    fn portion(&self, account: AccountId, query: OrderQuery) -> Pending<Result<Portion, Fault>>;

    /// Places an order and reserves its stock.
    fn place(&self, ctx: Ctx, command: PlaceOrder) -> Pending<Written<Order, PlaceError>>;

    /// What an order would be at its prices, discounts and taxes, however much there is in stock. Nothing is placed, so it has no
    /// identifier, and whether something has its external identifier already counts as it does when it is placed.
    fn preview(
        &self,
        ctx: Ctx,
        command: PlaceOrder,
    ) -> Pending<Result<Result<Order, Refused<PlaceError>>, Fault>>;

    /// Takes goods of an order back, into stock where they are for sale again, and refunds what they are worth if that is
    /// wanted.
    fn take_back(
        &self,
        ctx: Ctx,
        id: OrderId,
        new: NewReturn,
    ) -> Pending<Written<Return, ReturnError>>;

    /// One return; `None` when the account has no such return.
    fn one_return(
        &self,
        account: AccountId,
        id: ReturnId,
    ) -> Pending<Result<Option<Return>, Fault>>;

    /// A page of the returns of an order, the oldest first; `None` when the account has no such order.
    fn returns(
        &self,
        account: AccountId,
        id: OrderId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<Return>>, Fault>>;

    /// What has happened to an order and to what belongs to it, the oldest first; `None` when the account has no such
    /// order.
    fn timeline(
        &self,
        account: AccountId,
        id: OrderId,
    ) -> Pending<Result<Option<Vec<Entry>>, Fault>>;

    /// An order with its shipments, its invoice and what has happened to it; `None` when the account has no such order.
    fn story(&self, account: AccountId, id: OrderId) -> Pending<Result<Option<Story>, Fault>>;

    /// Ships goods of an order.
    fn ship(
        &self,
        ctx: Ctx,
        id: OrderId,
        new: NewShipment,
    ) -> Pending<Written<Shipment, ShipmentError>>;

    /// Changes a shipment.
    fn revise_shipment(
        &self,
        ctx: Ctx,
        command: ReviseShipment,
    ) -> Pending<Written<Shipment, ShipmentError>>;

    /// Takes a shipment back that did not leave.
    fn cancel_shipment(
        &self,
        ctx: Ctx,
        id: ShipmentId,
    ) -> Pending<Written<Shipment, ShipmentError>>;

    /// One shipment; `None` when the account has no such shipment.
    fn shipment(
        &self,
        account: AccountId,
        id: ShipmentId,
    ) -> Pending<Result<Option<Shipment>, Fault>>;

    /// A page of the shipments of an order, the oldest first; `None` when the account has no such order.
    fn shipments(
        &self,
        account: AccountId,
        id: OrderId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<Shipment>>, Fault>>;

    /// Where what is promised to orders and was not shipped yet lies; nothing of an order that is not open.
    fn allocations(
        &self,
        account: AccountId,
        ids: Vec<OrderId>,
    ) -> Pending<Result<BTreeMap<OrderId, Vec<Taken>>, Fault>>;

    /// Has parts of an order promised from other warehouses.
    fn reallocate(
        &self,
        ctx: Ctx,
        id: OrderId,
        parts: Vec<Reallocation>,
    ) -> Pending<Written<Order, ReallocateError>>;

    /// Changes an order; cancelling gives its stock back.
    fn update(&self, ctx: Ctx, command: ReviseOrder) -> Pending<Written<Order, UpdateError>>;
}
