//! Customers, leads, and the deals that leads become.

mod activities;
pub(crate) mod customers;
pub(crate) mod deals;
mod leads;

pub(crate) use customers::{customer_by_id, customer_kept};
pub(crate) use leads::renew_terms as renew_lead_terms;
