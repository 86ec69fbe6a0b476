//! Customers, leads, and the deals that leads become.

mod customers;
mod leads;

pub(crate) use customers::{customer_by_id, customer_kept};
