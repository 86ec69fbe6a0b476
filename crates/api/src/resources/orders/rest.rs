//! What is still to be read of a long page of orders, a few at a time.

use std::{mem, sync::Arc};

use kernel::{AccountId, PageRequest, page::Count};
use orders::{Order, OrderFilter, OrderId, OrderQuery};

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
pub(super) struct Rest {
    context: Arc<Context>,
    account: AccountId,
    ids: Vec<OrderId>,
}

impl Rest {
    pub(super) fn new(call: &Call, ids: Vec<OrderId>) -> Self {
        Self { context: Arc::clone(&call.context), account: call.account, ids }
    }

    /// The next ones; none at the end. Waits for them, and for the account's turn at work: the database works on one thing at a
    /// time for it, where there are few processors.
    pub(super) fn next(&mut self) -> Result<Vec<Order>, ApiError> {
        while let Some(few) = Few::of(&mut self.ids) {
            let query = few.query(OrderFilter::default());
            let turn = self.context.work.wait(self.account);
            let read = awaited(self.context.services.orders.list(self.account, query));
            drop(turn);
            let orders = few.in_order(read?.items);
            // Those that cannot be read are left out, perhaps all of these.
            if !orders.is_empty() {
                return Ok(orders);
            }
        }
        Ok(Vec::new())
    }
}
