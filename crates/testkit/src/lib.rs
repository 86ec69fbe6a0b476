//! What tests of several crates share: fresh databases and the whole service in-process.
//!
//! Every test gets a database of its own, a SQLite file or a PostgreSQL schema, and runs on both through
//! [`on_both!`]. The server to make schemas on is named by `TRASTIENDA_TEST_POSTGRES_URL`, which
//! `cargo xtask test` sets.

#![allow(clippy::expect_used, reason = "a test kit fails loudly, at the line that is wrong")]

mod database;

pub use database::{Database, Kind};
