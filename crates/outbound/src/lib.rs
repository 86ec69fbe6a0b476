//! Calls to the outside: to addresses given by users, to certification providers ([`pac`]), to payment
//! providers ([`collect`]), to a mail server ([`mail`]), to the server that counts requests for all nodes ([`counting`]),
//! and to this very service for the payment sandbox ([`SandboxNews`]).
//!
//! [`Client`] sends deliveries. Whatever a user wrote, and whatever answers there, a call
//! - reaches only what its [`Reach`](webhooks::Reach) admits: [`Guard`] checks the URL at every call and every
//!   address that a name resolves to, and the connection is made to just the addresses that were checked;
//! - ends within its time-out, and takes no more memory than a head and [`client::ANSWER_BYTES_READ`];
//! - reveals nothing of this machine: no proxy of the environment, no credentials, no cookies, no referrer;
//! - follows no redirect.

pub mod client;
pub mod collect;
pub mod counting;
pub mod guard;
pub mod lookup;
pub mod mail;
pub mod pac;
pub mod settings;

mod provider;
mod reason;
mod sandbox_news;
mod tls;

pub use client::Client;
pub use collect::Collectors;
pub use guard::{Guard, Refusal};
pub use mail::Mailer;
pub use pac::Pacs;
pub use sandbox_news::SandboxNews;
pub use settings::{Settings, SetupError};
