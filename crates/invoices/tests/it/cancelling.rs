//! Whether an invoice can be cancelled, and what the tax authority's words mean.

use invoices::{
    CancelInvoice, CancelReason, CancelRefusal, Cancellation, CancellationStatus, Invoice, Status,
    cancel::{followed, request},
    provider::FiscalStatus,
    references::Referrer,
};

use super::{
    now,
    samples::{id, sale, uuid},
    settling::referrer,
};

fn command(reason: CancelReason) -> CancelInvoice {
    CancelInvoice { id: id(1), reason, replacement_uuid: None }
}

fn replaced_by(number: u128) -> CancelInvoice {
    CancelInvoice { replacement_uuid: Some(uuid(number)), ..command(CancelReason::ErrorsReplaced) }
}

fn invoice() -> Invoice {
    sale(1, Status::Stamped)
}

fn requested() -> Cancellation {
    let asked = request(&invoice(), &command(CancelReason::Errors), &[], now());
    asked.unwrap().unwrap().cancellation.unwrap()
}

#[test]
fn only_what_is_stamped_and_stands_alone_is_cancelled() {
    let ask = |invoice: &Invoice, reason| request(invoice, &command(reason), &[], now());
    for status in [Status::Draft, Status::Stamping] {
        let refusal = ask(&sale(1, status), CancelReason::Errors);
        assert_eq!(refusal, Err(CancelRefusal::NotStamped { status }));
    }
    let refusal = ask(&invoice(), CancelReason::ErrorsReplaced);
    assert_eq!(refusal, Err(CancelRefusal::BadReplacement));
    let asked = ask(&invoice(), CancelReason::Errors).unwrap().unwrap();
    assert_eq!((asked.status, asked.version), (Status::Stamped, 2), "201 is not yet cancelled");
}

#[test]
fn who_refers_to_it_keeps_it_unless_cancelled() {
    let ask = |referrer: Referrer| {
        request(&invoice(), &command(CancelReason::Errors), &[referrer], now())
    };
    for (status, name) in [(Status::Stamping, id(2).to_string()), (Status::Stamped, uuid(2))] {
        let refusal = ask(referrer(sale(2, status), "01"));
        assert_eq!(refusal, Err(CancelRefusal::Related { uuids: vec![name] }));
    }
    for allowed in
        [referrer(sale(2, Status::Cancelled), "01"), referrer(sale(2, Status::Stamping), "04")]
    {
        assert!(ask(allowed).unwrap().is_some());
    }
    let replaced = ask(referrer(sale(2, Status::Stamped), "04"));
    assert_eq!(replaced, Err(CancelRefusal::Replaced { uuid: uuid(2) }));
}

#[test]
fn a_replacement_is_stamped_and_says_so() {
    let cases = [
        (Status::Stamped, "04", true),
        (Status::Stamping, "04", false),
        (Status::Cancelled, "04", false),
    ];
    for (status, relation, is_good) in cases {
        let referrers = [referrer(sale(2, status), relation)];
        let asked = request(&invoice(), &replaced_by(2), &referrers, now());
        assert_eq!(asked.is_ok(), is_good, "{status:?}");
        let other = request(&invoice(), &replaced_by(3), &referrers, now());
        assert_eq!(other, Err(CancelRefusal::BadReplacement));
    }
}

#[test]
fn the_same_again_is_no_second_request_and_another_is_refused() {
    let asked = Invoice { cancellation: Some(requested()), ..invoice() };
    let again = request(&asked, &command(CancelReason::Errors), &[], now());
    assert_eq!(again, Ok(None));
    let other = request(&asked, &command(CancelReason::NoSale), &[], now());
    assert_eq!(other, Err(CancelRefusal::UnderWay { reason: CancelReason::Errors }));
    // What was rejected can be asked for anew.
    let status = CancellationStatus::Rejected;
    let rejected = Cancellation { status, ..requested() };
    let rejected = Invoice { cancellation: Some(rejected), ..invoice() };
    let anew = request(&rejected, &command(CancelReason::NoSale), &[], now()).unwrap().unwrap();
    assert!(anew.cancellation.unwrap().asked_before);
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
