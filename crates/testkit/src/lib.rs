//! What tests of several crates share: fresh databases, the whole service in-process, and an endpoint for
//! what it delivers.
//!
//! Every test gets a database of its own, a SQLite file or one on a PostgreSQL server, and runs on both through
//! [`on_both!`]. The server is named by `TRASTIENDA_TEST_POSTGRES_URL`, which `cargo xtask test` sets, with
//! `TRASTIENDA_TEST_FOLDER` for what the tests of a run share. When an [`App`] is dropped it audits its database: whatever a test did, the
//! ledger adds up and every order was told once.

#![allow(clippy::expect_used, reason = "a test kit fails loudly, at the line that is wrong")]

mod app;
mod audit;
mod chromium;
mod client;
pub mod conekta;
mod database;
mod held;
pub mod invoicing;
pub mod judges;
pub mod pac;
mod receiver;
pub mod smtp;
mod spanish;
pub mod statements;
mod valkey;

pub use app::{App, Builder};
pub use chromium::{Chromium, Key};
pub use client::{Client, Reply};
pub use conekta::FakeConekta;
pub use database::{Database, DatabaseKind, clean_up};
pub use doubles::{FakeMercadoPago, FakeStripe, mercadopago, provider, stripe};
pub use held::Held;
pub use pac::FakePac;
pub use receiver::{Reaction, Receiver, Request};
pub use smtp::FakeSmtp;
pub use spanish::in_spanish;
pub use valkey::Valkey;
