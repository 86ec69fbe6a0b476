//! The whole service over HTTP, on both databases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails loudly, at the line that is wrong"
)]

mod api_keys;
mod approvals;
mod audit;
mod cors;
mod customers;
mod deals;
mod faults;
mod imports;
mod input;
mod invoices;
mod leads;
mod openapi;
mod panel;
mod payments;
mod people;
mod products;
mod quotes;
mod stock;
mod tenants;
mod turns;
mod upgrades;
mod views;
mod webhooks;
mod withholdings;

mod endpoints;
mod external_ids;
mod idempotency;
mod keys;
mod languages;
mod lifecycle;
mod limits;
mod links;
mod modes;
mod orders;
mod races;
mod receivers;
mod requests;
mod search;
mod statements;
mod unreadable;
