//! What is still to be read of a long page of orders, a few at a time.

use std::sync::Arc;

use kernel::{AccountId, PageRequest, page::Count};
use orders::{Order, OrderFilter, OrderId, OrderQuery, Orders};

use crate::{call::Call, error::ApiError, reply::awaited};

/// Orders that are read at once: they have 4,000 lines at most, which are 1 to 2 MB.
const AT_ONCE: usize = 8;

/// The orders behind those that are read, as they are when it is their turn.
pub(super) struct Rest {
    orders: Arc<dyn Orders>,
    account: AccountId,
    ids: Vec<OrderId>,
}

impl Rest {
    pub(super) fn new(call: &Call, ids: Vec<OrderId>) -> Self {
        Self { orders: Arc::clone(&call.services().orders), account: call.account, ids }
    }

    /// The next ones; none at the end. Waits for them.
    pub(super) fn next(&mut self) -> Result<Vec<Order>, ApiError> {
        while !self.ids.is_empty() {
            let later = self.ids.split_off(AT_ONCE.min(self.ids.len()));
            let ids = std::mem::replace(&mut self.ids, later);
            let filter = OrderFilter { ids: Some(ids.clone()), ..OrderFilter::default() };
            let page = PageRequest { count: Count::Nothing, ..PageRequest::default() };
            let query = OrderQuery { filter, page, ..OrderQuery::default() };
            let mut orders = awaited(self.orders.list(self.account, query))?.items;
            orders.sort_by_key(|order| ids.iter().position(|id| *id == order.id));
            // Those that cannot be read are left out, perhaps all of these.
            if !orders.is_empty() {
                return Ok(orders);
            }
        }
        Ok(Vec::new())
    }
}
