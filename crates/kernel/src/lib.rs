//! The vocabulary that every domain of Trastienda shares.
//!
//! Plain types and arithmetic only: typed [identifiers](id), exact [money](amount), [time](timestamp),
//! [pages](page) of a list, [search], [events](event), which [addresses](address) are public, [messages](Message) in the
//! languages that callers read, and the two ways a use
//! case can fail ([`Refused`] and [`Fault`]). Nothing here does I/O, reads a clock or knows a database or HTTP.

pub mod actor;
pub mod address;
pub mod amount;
pub mod call;
pub mod clock;
pub mod currency;
pub mod day;
pub mod digest;
pub mod event;
pub mod fault;
pub mod field;
pub mod gauge;
pub mod gtin;
pub mod id;
pub mod json;
pub mod mail;
pub mod message;
pub mod mode;
pub mod network;
pub mod page;
pub mod pending;
pub mod preferred;
pub mod quantity;
pub mod rate;
pub mod reason;
pub mod scale;
pub mod search;
pub mod spreadsheet;
pub mod sum;
pub mod text;
pub mod threads;
pub mod timestamp;

pub use actor::{Actor, ApiKeyId, Trace, UserId, request_id};
pub use amount::{Amount, Money};
pub use call::{Ctx, Done, Idempotency};
pub use clock::Clock;
pub use currency::Currency;
pub use day::Day;
pub use event::{Event, NewEvent};
pub use fault::{Fault, Refusal, Refused, Written};
pub use field::FieldFault;
pub use gauge::Gauge;
pub use id::AccountId;
pub use json::Metadata;
pub use message::{Language, Message};
pub use mode::Mode;
pub use page::{Page, PageRequest};
pub use pending::Pending;
pub use quantity::{Decimals, Measure, Quantity};
pub use scale::ScaleCode;
pub use sum::Sum;
pub use timestamp::Timestamp;
