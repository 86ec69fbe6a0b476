use super::*;

pub(crate) fn amount_of(units: i64) -> Amount {
    Amount::from_micros(units * 1_000_000)
}

pub(crate) fn new(method: Method) -> NewPayment {
    NewPayment {
        order: None,
        amount: Some(amount_of(100)),
        currency: Some(Currency::MXN),
        provider: None,
        ..NewPayment::in_hand(OrderId::from_u128(1), method)
    }
}

pub(crate) fn opened(provider: ProviderKind, method: Method, amount: Amount) -> Payment {
    let new = NewPayment { amount: Some(amount), ..new(method) };
    let id = PaymentId::from_u128(1);
    open(&new, id, provider, None, Timestamp::from_micros(0)).unwrap().payment
}

fn owed(due: i64, in_progress: i64) -> Owed {
    Owed {
        currency: Currency::MXN,
        due: amount_of(due),
        usual: amount_of(due),
        in_progress: amount_of(in_progress),
        is_cancelled: false,
        customer: None,
    }
}

fn asked(new: &NewPayment, owed: &Owed) -> Result<Opened, OpenRefusal> {
    let now = Timestamp::from_micros(0);
    open(new, PaymentId::from_u128(1), ProviderKind::Manual, Some(owed), now)
}

#[test]
fn no_more_may_be_asked_for_than_is_due() {
    let of = |amount: Option<i64>, over| NewPayment {
        amount: amount.map(amount_of),
        allows_overpayment: over,
        ..new(Method::Cash)
    };
    let exceeds = |left| Err(OpenRefusal::ExceedsDue { left: amount_of(left) });
    for (amount, over, due, in_progress, expected) in [
        (None, false, 100, 0, Ok(100)),
        (None, false, 100, 40, Ok(60)),
        (Some(60), false, 100, 40, Ok(60)),
        (Some(61), false, 100, 40, exceeds(60)),
        (Some(61), true, 100, 40, Ok(61)),
        (None, false, 0, 0, exceeds(0)),
        (None, true, 0, 0, exceeds(0)),
        (None, false, 100, 100, exceeds(0)),
    ] {
        let got = asked(&of(amount, over), &owed(due, in_progress));
        assert_eq!(got.map(|opened| opened.payment.amount), expected.map(amount_of));
    }
}

#[test]
fn what_is_withheld_is_only_taken_where_it_is_named() {
    let exceeds = |left| Err(OpenRefusal::ExceedsDue { left: amount_of(left) });
    for (amount, in_progress, expected) in [
        (None, 0, Ok(90)),
        (Some(100), 0, Ok(100)),
        (Some(101), 0, exceeds(100)),
        (None, 40, Ok(50)),
        (None, 90, exceeds(0)),
        (Some(10), 90, Ok(10)),
    ] {
        let owed = Owed { usual: amount_of(90), ..owed(100, in_progress) };
        let wanted = NewPayment { amount: amount.map(amount_of), ..new(Method::Cash) };
        let got = asked(&wanted, &owed);
        assert_eq!(got.map(|opened| opened.payment.amount), expected.map(amount_of));
    }
}

/// An order of 1044, of which 90 are withheld, with an invoice of which as much or less is to be paid.
#[test]
fn an_invoice_is_asked_for_no_more_than_its_order() {
    let of_order = Owed { usual: amount_of(954), ..owed(1_044, 54) };
    for (invoice, due, asked) in [(1_060, 1_044, 900), (954, 954, 900), (600, 600, 546)] {
        let owed = of_order.clone().of_invoice(amount_of(invoice));
        assert_eq!((owed.due, owed.asked()), (amount_of(due), amount_of(asked)), "{invoice}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let usd = Currency::parse("USD").unwrap();
    let cent = |micros| Some(Amount::from_micros(micros));
    let field = |new: &NewPayment, provider, owed: Option<&Owed>| match open(
        new,
        PaymentId::from_u128(1),
        provider,
        owed,
        Timestamp::from_micros(9),
    ) {
        Err(OpenRefusal::Invalid(faults)) => faults.into_iter().map(|f| f.field).collect(),
        other => vec![format!("{other:?}")],
    };
    let cash = new(Method::Cash);
    let manual = ProviderKind::Manual;
    let due = owed(100, 0);
    let other = NewPayment { currency: Some(usd), ..cash.clone() };
    assert_eq!(field(&other, manual, Some(&due)), ["currency"]);
    let none = NewPayment { currency: None, ..cash.clone() };
    assert_eq!(field(&none, manual, None), ["currency"]);
    let no_amount = NewPayment { amount: None, ..cash.clone() };
    assert_eq!(field(&no_amount, manual, None), ["amount"]);
    let fine = NewPayment { amount: cent(1_001_000), ..cash.clone() };
    assert_eq!(field(&fine, manual, None), ["amount"]);
    let zero = NewPayment { amount: cent(0), ..cash.clone() };
    assert_eq!(field(&zero, manual, None), ["amount"]);
    let negative = NewPayment { amount: cent(-1_000_000), ..cash.clone() };
    assert_eq!(field(&negative, manual, None), ["amount"]);
    let later = NewPayment { is_captured_at_once: false, ..cash };
    assert_eq!(field(&later, manual, None), ["capture"]);
    assert_eq!(field(&new(Method::Oxxo), manual, None), ["method"]);
    let past = NewPayment { expires_at: Some(Timestamp::from_micros(9)), ..new(Method::Oxxo) };
    assert_eq!(field(&past, ProviderKind::Sandbox, None), ["expiresAt"]);
    let rated = |method, currency| NewPayment {
        exchange_rate: cent(18_500_000),
        currency: Some(currency),
        ..new(method)
    };
    let pesos = rated(Method::Cash, Currency::MXN);
    assert_eq!(field(&pesos, manual, None), ["exchangeRate"]);
    // Nobody knows on which day it comes.
    let card = rated(Method::Card, usd);
    assert_eq!(field(&card, ProviderKind::Sandbox, None), ["exchangeRate"]);
    let paid = open(&card, PaymentId::from_u128(1), manual, None, Timestamp::from_micros(9));
    assert_eq!(paid.unwrap().payment.exchange_rate, cent(18_500_000));
}

#[test]
fn nothing_is_paid_for_a_cancelled_order() {
    let cancelled = Owed { is_cancelled: true, ..owed(0, 0) };
    assert_eq!(asked(&new(Method::Cash), &cancelled), Err(OpenRefusal::Cancelled));
}

#[test]
fn the_merchant_has_the_money_and_a_provider_is_called() {
    let cash = asked(&new(Method::Cash), &owed(100, 0)).unwrap();
    assert_eq!((cash.payment.status, cash.received), (Status::Paid, Some(amount_of(100))));
    assert_eq!(cash.events.iter().map(|e| e.name).collect::<Vec<_>>(), ["payment.received"]);
    let card = opened(ProviderKind::Sandbox, Method::Card, amount_of(5));
    assert_eq!((card.status, card.captured), (Status::Pending, Amount::ZERO));
}
