//! What the providers over the network can do, as they document it.

use kernel::{Amount, Currency};

use crate::{
    Capabilities, Method, Refunding,
    provider::{AMOUNT_MAX, least},
};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// Stripe's least charges in the currencies of which it documents one, in their smallest units.
const STRIPE_LEAST: &[(&str, i64)] = &[
    ("AED", 200),
    ("AUD", 50),
    ("BRL", 50),
    ("CAD", 50),
    ("CHF", 50),
    ("CZK", 1_500),
    ("DKK", 250),
    ("EUR", 50),
    ("GBP", 30),
    ("HKD", 400),
    ("HUF", 17_500),
    ("INR", 50),
    ("JPY", 50),
    ("MXN", 1_000),
    ("MYR", 200),
    ("NOK", 300),
    ("NZD", 50),
    ("PLN", 200),
    ("RON", 200),
    ("SEK", 300),
    ("SGD", 50),
    ("THB", 1_000),
    ("USD", 50),
];
/// The largest amount that Stripe takes, in smallest units: eight digits.
const STRIPE_MOST: i64 = 99_999_999;
/// Stripe knows its keys for at least 24 hours.
const STRIPE_KEY_SECONDS: i64 = 23 * HOUR;

/// What Stripe can do. Transfers have no end there: the account to transfer to stays that of its payer.
pub(crate) fn stripe(method: Method, currency: Currency) -> Option<Capabilities> {
    let (_, min) = STRIPE_LEAST.iter().find(|(code, _)| *code == currency.code())?;
    let unit = least(currency).micros();
    let card = Capabilities {
        min: Amount::from_micros(min * unit),
        max: Amount::from_micros(STRIPE_MOST * unit),
        captures_later: true,
        refunding: Refunding::Partial,
        refund_days: None,
        expiry_seconds: None,
        key_seconds: STRIPE_KEY_SECONDS,
    };
    match method {
        Method::Card => Some(card),
        Method::Oxxo if currency == Currency::MXN => Some(oxxo(card)),
        Method::Spei if currency == Currency::MXN => {
            Some(Capabilities { captures_later: false, ..card })
        }
        _ => None,
    }
}

/// For how many seconds a repeated call to Mercado Pago is taken for the same. It does not say for how long it knows its keys:
/// long enough to find out about an answer that was lost, and no longer than is safe.
const MERCADO_PAGO_KEY_SECONDS: i64 = HOUR;
/// For how many days Mercado Pago gives back.
const MERCADO_PAGO_REFUND_DAYS: i64 = 180;

/// What Mercado Pago can do, in pesos. Cards and wallets are paid on its page, at once. Its limits are each account's own, so
/// that it tells them by refusing.
pub(crate) fn mercado_pago(method: Method, currency: Currency) -> Option<Capabilities> {
    let card = Capabilities {
        min: least(currency),
        max: AMOUNT_MAX,
        captures_later: false,
        refunding: Refunding::Partial,
        refund_days: Some(MERCADO_PAGO_REFUND_DAYS),
        expiry_seconds: Some(DAY),
        key_seconds: MERCADO_PAGO_KEY_SECONDS,
    };
    match method {
        _ if currency != Currency::MXN => None,
        Method::Card | Method::Wallet => Some(card),
        Method::Oxxo => Some(oxxo(card)),
        Method::Spei => Some(Capabilities { expiry_seconds: Some(3 * DAY), ..card }),
        _ => None,
    }
}

/// What Conekta can do, in pesos. It knows no idempotency keys, and gives back what was paid by card alone.
pub(crate) fn conekta(method: Method, currency: Currency) -> Option<Capabilities> {
    let card = Capabilities {
        min: least(currency),
        max: AMOUNT_MAX,
        captures_later: true,
        refunding: Refunding::Partial,
        refund_days: None,
        expiry_seconds: Some(DAY),
        key_seconds: 0,
    };
    match method {
        _ if currency != Currency::MXN => None,
        Method::Card => Some(card),
        Method::Oxxo => Some(oxxo(card)),
        Method::Spei => Some(Capabilities {
            captures_later: false,
            refunding: Refunding::None,
            expiry_seconds: Some(3 * DAY),
            ..card
        }),
        _ => None,
    }
}

/// Cash at a shop: 10 to 10,000 pesos, and nobody gives it back.
fn oxxo(base: Capabilities) -> Capabilities {
    let pesos = |units: i64| Amount::from_micros(units * 1_000_000);
    Capabilities {
        min: pesos(10),
        max: pesos(10_000),
        captures_later: false,
        refunding: Refunding::None,
        refund_days: None,
        expiry_seconds: Some(3 * DAY),
        ..base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    #[test]
    fn what_mercado_pago_can_do() {
        let of = |method| mercado_pago(method, Currency::MXN);
        for method in [Method::Card, Method::Wallet, Method::Spei] {
            let can = of(method).unwrap();
            assert_eq!((can.refunding, can.refund_days), (Refunding::Partial, Some(180)));
            assert!(!can.captures_later, "{method:?}");
        }
        assert_eq!(of(Method::Oxxo).unwrap().refunding, Refunding::None);
        assert_eq!(of(Method::Cash), None);
        assert_eq!(mercado_pago(Method::Card, Currency::parse("USD").unwrap()), None);
    }

    #[test]
    fn what_conekta_can_do() {
        let of = |method| conekta(method, Currency::MXN);
        let card = of(Method::Card).unwrap();
        assert_eq!((card.captures_later, card.key_seconds), (true, 0));
        for method in [Method::Oxxo, Method::Spei] {
            assert_eq!(of(method).unwrap().refunding, Refunding::None, "{method:?}");
        }
        assert_eq!(of(Method::Wallet), None);
        assert_eq!(conekta(Method::Card, Currency::parse("USD").unwrap()), None);
    }

    #[test]
    fn what_stripe_can_do() {
        let of = |method, code: &str| stripe(method, Currency::parse(code).unwrap());
        let card = of(Method::Card, "MXN").unwrap();
        assert_eq!((card.min, card.max), (amount("10"), amount("999999.99")));
        assert!(card.captures_later && card.expiry_seconds.is_none());
        assert_eq!(of(Method::Card, "JPY").unwrap().min, amount("50"));
        assert_eq!(of(Method::Card, "USD").unwrap().min, amount("0.5"));
        let oxxo = of(Method::Oxxo, "MXN").unwrap();
        assert_eq!((oxxo.min, oxxo.max), (amount("10"), amount("10000")));
        assert_eq!((oxxo.refunding, oxxo.captures_later), (Refunding::None, false));
        for (method, code) in [
            (Method::Oxxo, "USD"),
            (Method::Spei, "USD"),
            (Method::Card, "CLF"),
            (Method::Cash, "MXN"),
        ] {
            assert_eq!(of(method, code), None, "{method:?} {code}");
        }
    }
}
