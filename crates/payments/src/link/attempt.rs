//! Beginning to pay by a link.

use kernel::{Amount, FieldFault, Metadata, Timestamp, message};

use super::{Asks, CARD_SECONDS, LinkStatus, PaymentLink, PaymentLinkId};
use crate::{Capabilities, Method, NewPayment, Payer};

const DAY: i64 = 86_400;

/// For how many seconds a transfer is waited for that has no end of its own.
const WAITING_SECONDS: i64 = 3 * DAY;
/// The hour, in UTC, at which a day ends in Mexico City, which has kept one time all year since 2022 (Ley de los Husos
/// Horarios).
const MIDNIGHT: i64 = 6 * 3_600;

/// The last minute of a day in Mexico City up to this moment: until then slips are taken at a counter.
fn slip_end(limit: Timestamp) -> Timestamp {
    let seconds = limit.micros().div_euclid(1_000_000);
    let midnight = (seconds - MIDNIGHT).div_euclid(DAY) * DAY + MIDNIGHT;
    Timestamp::from_micros((midnight - 60) * 1_000_000)
}

/// What a payer chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// By which link.
    pub link: PaymentLinkId,
    /// How.
    pub method: Method,
    /// How much, where the payer chooses.
    pub amount: Option<Amount>,
    /// Who.
    pub payer: Payer,
    /// Where the pages of links lie.
    pub pages: String,
}

/// What has lately become of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// How many have begun to pay within the last hour.
    pub begun: u32,
    /// How many of their cards were declined.
    pub declined: u32,
}

impl Recent {
    /// The seconds that count.
    pub const SECONDS: i64 = 3_600;
    /// How many may begin to pay in that time.
    pub const BEGUN_MAX: u32 = 30;
    /// How many cards may be declined in that time: who tries more tries out numbers of others.
    pub const DECLINED_MAX: u32 = 10;
}

/// Why nobody begins to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shut {
    /// The link cannot be paid any more.
    Closed(LinkStatus),
    /// As many as can pay are paying now.
    Busy,
    /// Too many have tried lately.
    TooMany,
    /// The link does not offer it.
    NotOffered,
}

/// Why a payment is not asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBegun {
    /// Nobody begins to pay.
    Shut(Shut),
    /// A field is wrong.
    Invalid(FieldFault),
}

/// Whether a link offers a method at `now`: a slip is offered only while there is a day to pay it, and cards until too
/// many were declined.
#[must_use]
pub fn offers(link: &PaymentLink, method: Method, recent: Recent, now: Timestamp) -> bool {
    let is_possible = match method {
        Method::Card => recent.declined < Recent::DECLINED_MAX,
        Method::Oxxo => now.plus_seconds(DAY) <= slip_end(link.expires_at),
        _ => true,
    };
    is_possible && link.methods.contains(&method)
}

/// Begins to pay by a link, with its slots counted and locked: the payment to be asked for.
///
/// # Errors
/// Why not, or the fields that are wrong.
pub fn begin(
    link: &PaymentLink,
    attempt: &Attempt,
    recent: Recent,
    capabilities: Option<&Capabilities>,
    now: Timestamp,
) -> Result<NewPayment, NotBegun> {
    match link.status(now) {
        LinkStatus::Active => {}
        status => return Err(NotBegun::Shut(Shut::Closed(status))),
    }
    if !link.has_slot() {
        return Err(NotBegun::Shut(Shut::Busy));
    }
    if recent.begun >= Recent::BEGUN_MAX {
        return Err(NotBegun::Shut(Shut::TooMany));
    }
    let is_offered = offers(link, attempt.method, recent, now);
    let Some(capabilities) = capabilities.filter(|_| is_offered) else {
        return Err(NotBegun::Shut(Shut::NotOffered));
    };
    let amount = amount(link, attempt).map_err(NotBegun::Invalid)?;
    let seconds = match attempt.method {
        Method::Card => CARD_SECONDS,
        // Nobody keeps a place for ever, whatever the provider would allow.
        _ => capabilities.expiry_seconds.unwrap_or(WAITING_SECONDS),
    };
    let end = now.plus_seconds(seconds).min(link.expires_at);
    let expires_at = if attempt.method == Method::Oxxo { slip_end(end) } else { end };
    Ok(NewPayment {
        invoice: link.invoice,
        order: link.order,
        amount,
        currency: Some(link.currency),
        provider: link.provider,
        method: attempt.method,
        installments: match attempt.method {
            Method::Card => link.installments.clone(),
            _ => Vec::new(),
        },
        is_captured_at_once: true,
        allows_overpayment: false,
        payer: attempt.payer.clone(),
        description: Some(link.title.clone()),
        reference: None,
        return_url: None,
        expires_at: Some(expires_at),
        sat_payment_form: None,
        exchange_rate: None,
        metadata: Metadata::default(),
        link: Some(link.id),
    })
}

fn amount(link: &PaymentLink, attempt: &Attempt) -> Result<Option<Amount>, FieldFault> {
    let fault = |problem| FieldFault::new("amount", problem);
    match (link.asks, attempt.amount) {
        (Asks::Fixed(amount), _) => Ok(Some(amount)),
        // All that is left to pay.
        (Asks::Due, _) => Ok(None),
        (Asks::Between { .. }, None) => Err(fault(message!("is required", "es obligatorio"))),
        (Asks::Between { min, max }, Some(amount)) if amount < min || amount > max => {
            Err(fault(message!("must be from {min} to {max}", "debe ser de {min} a {max}")))
        }
        (Asks::Between { .. }, Some(amount)) => Ok(Some(amount)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        link::{
            Stage,
            make::tests::{amount, link},
        },
        sandbox,
    };

    fn attempt(method: Method, chosen: Option<i64>) -> Attempt {
        Attempt {
            link: PaymentLinkId::from_u128(1),
            method,
            amount: chosen.map(amount),
            payer: Payer::default(),
            pages: "https://shop.example.com/pay".to_owned(),
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn begun(
        link: &PaymentLink,
        attempt: &Attempt,
        recent: Recent,
    ) -> Result<NewPayment, NotBegun> {
        let can = sandbox::capabilities(attempt.method, link.currency);
        begin(link, attempt, recent, can.as_ref(), at(0))
    }

    #[test]
    fn who_may_begin() {
        let card = attempt(Method::Card, None);
        let quiet = Recent::default();
        let shut =
            |link: &PaymentLink, attempt: &Attempt, recent| match begun(link, attempt, recent) {
                Err(NotBegun::Shut(shut)) => Some(shut),
                _ => None,
            };
        let open = link(Asks::Fixed(amount(100)));
        assert_eq!(shut(&open, &card, quiet), None);
        let taken = PaymentLink { taken: 1, ..open.clone() };
        assert_eq!(shut(&taken, &card, quiet), Some(Shut::Busy));
        let paid = PaymentLink { paid_count: 1, ..open.clone() };
        assert_eq!(shut(&paid, &card, quiet), Some(Shut::Busy));
        let endless = PaymentLink { payments_max: None, taken: 9, ..open.clone() };
        assert_eq!(shut(&endless, &card, quiet), None);
        for (stage, status) in
            [(Stage::Inactive, LinkStatus::Inactive), (Stage::Completed, LinkStatus::Completed)]
        {
            let closed = PaymentLink { stage, ..open.clone() };
            assert_eq!(shut(&closed, &card, quiet), Some(Shut::Closed(status)));
        }
        let over = PaymentLink { expires_at: at(0), ..open.clone() };
        assert_eq!(shut(&over, &card, quiet), Some(Shut::Closed(LinkStatus::Expired)));
        let many = Recent { begun: Recent::BEGUN_MAX, declined: 0 };
        assert_eq!(shut(&open, &card, many), Some(Shut::TooMany));
        let declined = Recent { begun: 11, declined: Recent::DECLINED_MAX };
        assert_eq!(shut(&open, &card, declined), Some(Shut::NotOffered));
        assert_eq!(shut(&open, &attempt(Method::Spei, None), declined), None);
        assert_eq!(shut(&open, &attempt(Method::Cash, None), quiet), Some(Shut::NotOffered));
        let hours = PaymentLink { expires_at: at(DAY - 1), ..open };
        assert_eq!(shut(&hours, &attempt(Method::Oxxo, None), quiet), Some(Shut::NotOffered));
    }

    #[test]
    fn what_is_asked_for() {
        let choice = link(Asks::Between { min: amount(10), max: amount(20) });
        let asked = |chosen| {
            let begun = begun(&choice, &attempt(Method::Spei, chosen), Recent::default());
            begun.map(|new| new.amount).map_err(|_| ())
        };
        assert_eq!(asked(Some(10)), Ok(Some(amount(10))));
        assert_eq!(asked(Some(20)), Ok(Some(amount(20))));
        for wrong in [None, Some(9), Some(21)] {
            assert_eq!(asked(wrong), Err(()), "{wrong:?}");
        }
        let fixed = link(Asks::Fixed(amount(7)));
        let new = begun(&fixed, &attempt(Method::Card, Some(1)), Recent::default()).unwrap();
        assert_eq!((new.amount, new.expires_at), (Some(amount(7)), Some(at(CARD_SECONDS))));
        // A slip ends at 23:59 in Mexico City, and before its link.
        let short = PaymentLink { expires_at: at(2 * DAY), ..fixed };
        let new = begun(&short, &attempt(Method::Oxxo, None), Recent::default()).unwrap();
        assert_eq!(new.expires_at, Some(at(DAY + MIDNIGHT - 60)));
        let spei = attempt(Method::Spei, None);
        let can = Capabilities {
            expiry_seconds: None,
            ..sandbox::capabilities(Method::Spei, short.currency).unwrap()
        };
        let week = PaymentLink { expires_at: at(7 * DAY), ..short };
        let new = begin(&week, &spei, Recent::default(), Some(&can), at(0)).unwrap();
        assert_eq!(new.expires_at, Some(at(WAITING_SECONDS)));
    }
}
