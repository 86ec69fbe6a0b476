//! The embedded provider, for trying everything out: no money moves.
//!
//! It keeps books of its own, answers a repeated call as the first, and tells of every change by a notification that
//! really travels over HTTP. Certain amounts choose what happens ([`Plan`]); what payers and banks do is simulated by
//! [`Deed`]s.

mod charge;
mod deed;
mod desk;
mod plan;
mod signing;

use kernel::{Amount, Currency};

pub use charge::{Charge, ChargeRefund, ChargeState};
pub use deed::{Deed, Denied, apply};
pub use desk::{Charges, News, Sandbox, Teller};
pub use plan::Plan;
pub use signing::{SIGNATURE_HEADER, SIGNED_SECONDS, sign};

use crate::{
    Capabilities, Method, Refunding,
    provider::{AMOUNT_MAX, least},
};

/// For how many seconds a repeated call is known.
const KEY_SECONDS: i64 = 86_400;
const DAY: i64 = 86_400;

/// What the sandbox can do with a method.
#[must_use]
pub fn capabilities(method: Method, currency: Currency) -> Option<Capabilities> {
    let pesos = |units: i64| Amount::from_micros(units * 1_000_000);
    let card = Capabilities {
        min: least(currency),
        max: AMOUNT_MAX,
        captures_later: true,
        refunding: Refunding::Partial,
        refund_days: Some(180),
        expiry_seconds: None,
        key_seconds: KEY_SECONDS,
    };
    match method {
        Method::Card => Some(card),
        Method::Oxxo if currency == Currency::MXN => Some(Capabilities {
            min: pesos(10),
            max: pesos(10_000),
            captures_later: false,
            refunding: Refunding::None,
            refund_days: None,
            expiry_seconds: Some(3 * DAY),
            ..card
        }),
        Method::Spei if currency == Currency::MXN => {
            Some(Capabilities { captures_later: false, expiry_seconds: Some(3 * DAY), ..card })
        }
        _ => None,
    }
}
