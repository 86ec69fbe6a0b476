//! Tests of the store by itself, on both databases. What callers see is tested over HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails loudly, at the line that is wrong"
)]

mod batches;
mod bulk;
mod contract;
mod house;
mod plans;
mod queue;
mod schema;
mod searching;
mod tasks;
