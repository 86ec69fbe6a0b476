//! Payment providers on this machine, as [servers](server) whose books outlive whoever calls them: for tests of the service and
//! for runs that kill it.
//!
//! They know nothing of the service: each takes what its provider documents, and answers as that one says it does.

#![allow(clippy::expect_used, reason = "a double fails loudly, at the line that is wrong")]

pub mod mercadopago;
pub mod provider;
pub mod server;
pub mod stripe;

pub use mercadopago::FakeMercadoPago;
pub use stripe::FakeStripe;
