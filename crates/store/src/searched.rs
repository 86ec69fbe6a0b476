//! The tables that are searched, and which of them lead to orders.

use crate::search::{Searched, Through};

pub(crate) const PRODUCTS: Searched = Searched::whole("products", 'p');
pub(crate) const CUSTOMERS: Searched = Searched::whole("customers", 'c');
pub(crate) const LEADS: Searched = Searched::whole("leads", 'l');
/// Products by the SKUs that they and their variants have or had.
const SKUS: Searched = Searched { indexed: "sku_text", ..Searched::whole("products", 's') };
pub(crate) const ORDERS: Searched = Searched {
    indexed: "own_text",
    through: &[
        Through { table: "orders", id: "id", by: "customer_id", other: &CUSTOMERS },
        Through { table: "order_items", id: "order_id", by: "product_id", other: &SKUS },
    ],
    number: Some("number"),
    ..Searched::whole("orders", 'o')
};
