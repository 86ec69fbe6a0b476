//! Calls to servers on this machine that behave and that do not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails loudly, at the line that is wrong"
)]

mod answers;
mod connections;
mod counting;
mod http2;
mod mail;
mod misbehaviour;
mod pac;
mod reach;
mod support;
mod tls;
