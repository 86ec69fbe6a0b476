//! The tables that are searched, and what leads to orders.

use crate::search::{Lead, Searched};

pub(crate) const PRODUCTS: Searched = Searched::indexed("products", 'p');
pub(crate) const CUSTOMERS: Searched = Searched::indexed("customers", 'c');
pub(crate) const LEADS: Searched = Searched::indexed("leads", 'l');
const ORDER_BLOCKS: Searched = Searched::indexed("order_blocks", 'b');
pub(crate) const ORDERS: Searched = Searched {
    leads: &[
        Lead::Number("number"),
        Lead::Through("customer_id", &CUSTOMERS),
        Lead::Block("number", &ORDER_BLOCKS),
    ],
    ..Searched::indexed("orders", 'o')
};
