use super::*;
use crate::sandbox;

pub(in crate::link) fn amount(units: i64) -> Amount {
    Amount::from_micros(units * 1_000_000)
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000)
}

fn new() -> NewLink {
    NewLink { title: Some("A cup".to_owned()), amount: Some(amount(100)), ..NewLink::default() }
}

fn made(new: NewLink, order: Option<&Linked>) -> Result<PaymentLink, LinkRefusal> {
    let ids = (PaymentLinkId::from_u128(1), Token::from_random([7; 18]));
    let cards = Through::from(ProviderKind::Sandbox);
    make(new, ids, order, sandbox::capabilities, Some(&cards), at(0))
}

pub(in crate::link) fn link(asks: Asks) -> PaymentLink {
    PaymentLink { asks, ..made(new(), None).unwrap() }
}

fn order(due: i64, is_cancelled: bool) -> Linked {
    let owed = Owed {
        currency: Currency::MXN,
        due: amount(due),
        usual: amount(due),
        in_progress: Amount::ZERO,
        is_cancelled,
        customer: None,
    };
    Linked { number: "ORD-000123".to_owned(), order: None, owed }
}

#[test]
fn a_link_has_what_a_payer_expects() {
    let link = made(new(), None).unwrap();
    assert_eq!(link.methods, [Method::Card, Method::Spei, Method::Oxxo]);
    assert_eq!((link.payments_max, link.expires_at), (Some(1), at(SECONDS)));
    let of_order = NewLink { title: None, amount: None, ..new() };
    let link = made(of_order, Some(&order(5, false))).unwrap();
    // A slip at the counter takes 10 pesos at least.
    assert_eq!(link.methods, [Method::Card, Method::Spei]);
    assert_eq!((link.asks, link.title.as_str()), (Asks::Due, "ORD-000123"));
}

#[test]
fn a_link_for_an_invoice_is_one_for_the_order_that_it_bills() {
    let (order, invoice) = (OrderId::from_u128(2), InvoiceId::from_u128(3));
    let linked = Linked { order: Some(order), ..self::order(80, false) };
    let for_invoice = NewLink { title: None, amount: None, invoice: Some(invoice), ..new() };
    let link = made(for_invoice.clone(), Some(&linked)).unwrap();
    assert_eq!((link.order, link.invoice), (Some(order), Some(invoice)));
    assert_eq!(link.asks, Asks::Due);
    let alone = made(for_invoice.clone(), Some(&self::order(80, false))).unwrap();
    assert_eq!((alone.order, alone.invoice), (None, Some(invoice)));
    // What is due is paid until nothing is: no payment closes it.
    let paid = PaymentLink { paid_count: 1, ..alone };
    assert!(paid.has_slot() && !paid.is_paid_up());
    let both = NewLink { order: Some(order), ..for_invoice };
    let Err(LinkRefusal::Invalid(faults)) = made(both, Some(&linked)) else {
        panic!("both were taken")
    };
    assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), ["invoiceId"]);
}

#[test]
fn what_is_wrong_is_named() {
    let fields = |new, order: Option<&Linked>| match made(new, order) {
        Err(LinkRefusal::Invalid(faults)) => faults.into_iter().map(|f| f.field).collect(),
        other => vec![format!("{other:?}")],
    };
    let bounds = |min, max| NewLink {
        amount: None,
        amount_min: Some(amount(min)),
        amount_max: Some(amount(max)),
        ..new()
    };
    assert_eq!(fields(bounds(20, 10), None), ["amountMax"]);
    assert_eq!(fields(NewLink { amount: None, ..new() }, None), ["amount"]);
    assert_eq!(fields(NewLink { amount_min: Some(amount(1)), ..new() }, None), ["amount"]);
    assert_eq!(fields(NewLink { title: None, ..new() }, None), ["title"]);
    assert_eq!(fields(new(), Some(&order(9, false))), ["amount"]);
    let fine = NewLink { amount: Some(Amount::from_micros(1_001_000)), ..new() };
    assert_eq!(fields(fine, None), ["amount"]);
    for seconds in [SECONDS_MIN - 1, SECONDS_MAX + 1] {
        let late = NewLink { expires_at: Some(at(seconds)), ..new() };
        assert_eq!(fields(late, None), ["expiresAt"]);
    }
    let dear = NewLink { amount: Some(amount(10_001)), methods: vec![Method::Oxxo], ..new() };
    assert_eq!(fields(dear, None), ["allowedMethods"]);
    let none = NewLink { amount: None, ..new() };
    assert_eq!(made(none.clone(), Some(&order(0, true))).unwrap_err(), LinkRefusal::OrderCancelled);
    assert_eq!(made(none, Some(&order(0, false))).unwrap_err(), LinkRefusal::NothingDue);
}

#[test]
fn a_link_is_changed_and_closed() {
    let link = PaymentLink { taken: 1, paid_count: 1, payments_max: None, ..link(Asks::Due) };
    let limited = |max| LinkChanges { payments_max: Some(Some(max)), ..LinkChanges::default() };
    assert!(matches!(change(&link, limited(1), at(1)), Err(LinkRefusal::Invalid(_))));
    let after = change(&link, limited(2), at(1)).unwrap();
    assert_eq!((after.payments_max, after.version), (Some(2), 2));
    let same = change(&link, LinkChanges::default(), at(1)).unwrap();
    assert_eq!(same, link);
    let off = deactivate(&link, at(1));
    assert_eq!((off.stage, off.version), (Stage::Inactive, 2));
    assert_eq!(deactivate(&off, at(2)), off);
    let closed = LinkRefusal::Closed(LinkStatus::Inactive);
    assert_eq!(change(&off, limited(9), at(2)).unwrap_err(), closed);
}

#[test]
fn time_closes_and_opens_a_link() {
    let link = link(Asks::Fixed(amount(1)));
    assert_eq!(link.status(at(SECONDS - 1)), LinkStatus::Active);
    assert_eq!(link.status(at(SECONDS)), LinkStatus::Expired);
    let more = LinkChanges { expires_at: Some(at(2 * SECONDS)), ..LinkChanges::default() };
    let link = change(&link, more, at(SECONDS)).unwrap();
    assert_eq!(link.status(at(SECONDS)), LinkStatus::Active);
}
