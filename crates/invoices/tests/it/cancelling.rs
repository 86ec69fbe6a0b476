//! Whether an invoice can be cancelled, and what follows from each answer.

use cfdi::{document::Kind, stamp::Stamp};
use invoices::{
    CancelInvoice, CancelReason, CancelRefusal, Cancellation, CancellationStatus, Fields, Invoice,
    InvoiceId, Stamped, Status,
    cancel::{Around, Sent, followed, judge, sent},
    fields,
    provider::{CancelOutcome, FiscalStatus, ProviderKind, Rejection},
};

use super::{document, known, now, order, sold};

fn invoice() -> Invoice {
    let mut known = known();
    known.orders.insert(order(1), sold(&[(1, 1, 100)]));
    let named = Fields { orders: Some(vec![order(1)]), ..Fields::default() };
    let draft = fields::create(Kind::Income, named, &known).unwrap();
    let stamp = Stamp {
        uuid: "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60".to_owned(),
        stamped_at: cfdi::document::local_time::from_text("2026-11-21T12:00:00").unwrap(),
        provider_rfc: "SPR190613I52".to_owned(),
        legend: None,
        issuer_seal: "ours".to_owned(),
        certificate_number: "30001000000500003456".to_owned(),
        seal: "theirs".to_owned(),
    };
    Invoice {
        id: InvoiceId::from_u128(1),
        status: Status::Stamped,
        document: document(&draft),
        draft,
        folio: Some(1),
        stamp: Some(Stamped { stamp, provider: ProviderKind::Sandbox, at: now() }),
        balance: None,
        installments: 0,
        cancellation: None,
        last_error: None,
        created_at: now(),
        updated_at: now(),
        version: 1,
    }
}

fn command(reason: CancelReason) -> CancelInvoice {
    CancelInvoice { id: InvoiceId::from_u128(1), reason, replacement_uuid: None }
}

fn requested() -> Cancellation {
    let asked = judge(&invoice(), &command(CancelReason::Errors), &Around::default(), now());
    asked.unwrap().unwrap()
}

#[test]
fn only_what_is_stamped_and_stands_alone_is_cancelled() {
    let ask = |invoice: &Invoice, reason, around: &Around| {
        judge(invoice, &command(reason), around, now())
    };
    let alone = Around::default();
    for status in [Status::Draft, Status::Stamping] {
        let refusal = ask(&Invoice { status, ..invoice() }, CancelReason::Errors, &alone);
        assert_eq!(refusal, Err(CancelRefusal::NotStamped { status }));
    }
    let related = Around { related: vec!["A".to_owned()], ..Around::default() };
    let refusal = ask(&invoice(), CancelReason::Errors, &related);
    assert_eq!(refusal, Err(CancelRefusal::Related { uuids: vec!["A".to_owned()] }));
    let refusal = ask(&invoice(), CancelReason::ErrorsReplaced, &alone);
    assert_eq!(refusal, Err(CancelRefusal::BadReplacement));
    let replaced = Around { replacement_is_good: true, ..Around::default() };
    assert!(ask(&invoice(), CancelReason::ErrorsReplaced, &replaced).unwrap().is_some());
}

#[test]
fn the_same_again_is_no_second_request_and_another_is_refused() {
    let asked = Invoice { cancellation: Some(requested()), ..invoice() };
    let again = judge(&asked, &command(CancelReason::Errors), &Around::default(), now());
    assert_eq!(again, Ok(None));
    let other = judge(&asked, &command(CancelReason::NoSale), &Around::default(), now());
    assert_eq!(other, Err(CancelRefusal::UnderWay { reason: CancelReason::Errors }));
    // What was rejected can be asked for anew.
    let status = CancellationStatus::Rejected;
    let rejected = Cancellation { status, ..requested() };
    let rejected = Invoice { cancellation: Some(rejected), ..invoice() };
    let anew = judge(&rejected, &command(CancelReason::NoSale), &Around::default(), now());
    assert!(anew.unwrap().is_some());
}

#[test]
fn every_answer_to_a_request_has_one_consequence() {
    let rejection = Rejection { code: "203".to_owned(), message: "No es suyo".to_owned() };
    let received = CancelOutcome::Received { code: "202".to_owned(), receipt: None };
    let Sent::Received { cancellation, .. } = sent(&requested(), received, now()) else {
        panic!("it was received")
    };
    assert_eq!(cancellation.received_at, Some(now()));
    assert_eq!(cancellation.status, CancellationStatus::Requested, "201 is not yet cancelled");
    let Sent::Refused(refused) =
        sent(&requested(), CancelOutcome::Rejected(rejection.clone()), now())
    else {
        panic!("it was refused")
    };
    assert_eq!((refused.status, refused.answer), (CancellationStatus::Rejected, Some(rejection)));
}

#[test]
fn the_authority_decides() {
    let said = |state: &str, cancellation: Option<&str>| FiscalStatus {
        state: state.to_owned(),
        cancellable: None,
        cancellation: cancellation.map(str::to_owned),
    };
    let cases = [
        ("Vigente", None, CancellationStatus::Requested),
        ("Vigente", Some("En proceso"), CancellationStatus::Requested),
        ("Vigente", Some("Solicitud rechazada"), CancellationStatus::Rejected),
        ("Cancelado", Some("Cancelado sin aceptación"), CancellationStatus::Accepted),
        ("CANCELADO", Some("Cancelado con aceptacion"), CancellationStatus::Accepted),
        ("Cancelado", Some("Plazo vencido"), CancellationStatus::Expired),
        ("No Encontrado", None, CancellationStatus::Requested),
    ];
    // What was refused before is not taken for a refusal of the new request, until that was seen under way.
    let again = Cancellation { asked_before: true, ..requested() };
    let refused = || said("Vigente", Some("Solicitud rechazada"));
    assert_eq!(followed(&again, refused(), now()).status, CancellationStatus::Requested);
    let under_way = followed(&again, said("Vigente", Some("En proceso")), now());
    assert_eq!(followed(&under_way, refused(), now()).status, CancellationStatus::Rejected);
    let much_later = now().plus_seconds(2 * 3_600);
    assert_eq!(followed(&again, refused(), much_later).status, CancellationStatus::Rejected);
    // A request that the authority never knew of can be made again.
    let lost = followed(&requested(), said("Vigente", None), now().plus_seconds(11 * 86_400));
    assert_eq!(lost.status, CancellationStatus::Rejected);
    for (state, decision, expected) in cases {
        let after = followed(&requested(), said(state, decision), now());
        assert_eq!(after.status, expected, "{state} {decision:?}");
        let decided = expected != CancellationStatus::Requested;
        assert_eq!(after.resolved_at.is_some(), decided);
    }
}
