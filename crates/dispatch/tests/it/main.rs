//! The dispatcher against a store in memory and senders that do as they are told.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails loudly, at the line that is wrong"
)]

mod health;
mod order;
mod quiet;
mod stopping;
mod tasks;
mod trouble;
mod world;
