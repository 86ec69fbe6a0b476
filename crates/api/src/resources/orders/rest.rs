//! What is still to be read of a long page of orders, a few at a time.

use std::{mem, sync::Arc};

use kernel::{AccountId, PageRequest, page::Count};
use orders::{Order, OrderFilter, OrderId, OrderQuery};
use tokio::runtime::Handle;

use super::{body::OrderBody, expand::Expansion};
use crate::{call::Call, context::Context, error::ApiError, reply::awaited};

/// Orders that are read at once: they have 4,000 lines at most, which are 1 to 2 MB.
const AT_ONCE: usize = 8;

/// A few orders of a long page.
pub(in crate::resources) struct Few(Vec<OrderId>);

impl Few {
    /// The first of these, which are there no more then; `None` at the end.
    pub(in crate::resources) fn of(ids: &mut Vec<OrderId>) -> Option<Self> {
        let later = ids.split_off(AT_ONCE.min(ids.len()));
        Some(mem::replace(ids, later)).filter(|few| !few.is_empty()).map(Self)
    }

    /// Asks for those of them that this filter wants.
    pub(in crate::resources) fn query(&self, filter: OrderFilter) -> OrderQuery {
        let filter = OrderFilter { ids: Some(self.0.clone()), ..filter };
        let page = PageRequest { count: Count::Nothing, ..PageRequest::default() };
        OrderQuery { filter, page, ..OrderQuery::default() }
    }

    /// What was read of them, in their order.
    pub(in crate::resources) fn in_order(&self, mut orders: Vec<Order>) -> Vec<Order> {
        orders.sort_by_key(|order| self.0.iter().position(|id| *id == order.id));
        orders
    }
}

/// The orders behind those that are read, as they are when it is their turn.
#[derive(Clone)]
pub(super) struct Rest {
    context: Arc<Context>,
    account: AccountId,
    ids: Vec<OrderId>,
}

impl Rest {
    pub(super) fn new(call: &Call, ids: Vec<OrderId>) -> Self {
        Self { context: Arc::clone(&call.context), account: call.account, ids }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The next ones; none at the end. Waits for them, and for the account's turn at work: the database works on one thing at a
    /// time for it, where there are few processors.
    pub(super) fn next(&mut self) -> Result<Vec<Order>, ApiError> {
        self.some(|rest, few| {
            let _turn = rest.context.work.wait(rest.account);
            rest.read(few)
        })
    }

    /// The same with what is shown with them.
    pub(super) fn next_with(&mut self, expansion: &Expansion) -> Result<Vec<OrderBody>, ApiError> {
        self.some(|rest, few| {
            let _turn = rest.context.work.wait(rest.account);
            rest.read_with(few, expansion)
        })
    }

    /// The same for whoever has the turn.
    pub(super) fn next_in_turn(
        &mut self,
        expansion: &Expansion,
    ) -> Result<Vec<OrderBody>, ApiError> {
        self.some(|rest, few| rest.read_with(few, expansion))
    }

    fn some<T>(
        &mut self,
        read: impl Fn(&Self, &Few) -> Result<Vec<T>, ApiError>,
    ) -> Result<Vec<T>, ApiError> {
        while let Some(few) = Few::of(&mut self.ids) {
            let some = read(self, &few)?;
            // Those that cannot be read are left out, perhaps all of these.
            if !some.is_empty() {
                return Ok(some);
            }
        }
        Ok(Vec::new())
    }

    fn read(&self, few: &Few) -> Result<Vec<Order>, ApiError> {
        let query = few.query(OrderFilter::default());
        let read = awaited(self.context.services.orders.list(self.account, query));
        Ok(few.in_order(read?.items))
    }

    fn read_with(&self, few: &Few, expansion: &Expansion) -> Result<Vec<OrderBody>, ApiError> {
        let orders = self.read(few)?;
        let mut orders: Vec<OrderBody> = orders.into_iter().map(OrderBody::from).collect();
        Handle::current().block_on(expansion.add(&mut orders))?;
        Ok(orders)
    }
}
