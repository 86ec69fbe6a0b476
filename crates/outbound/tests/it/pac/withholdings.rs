//! Withholdings, which providers stamp and cancel by services of their own.

use invoices::provider::{
    CancelOutcome, ProviderKind, Recovery, Rejection, Service, StampOutcome, ToCancel, ToStamp,
};
use testkit::pac::{Behaviour, Call, FakePac, Reply};

use super::support::{
    BOTH, account, document, hasty, request, stamped, stamping, told, told_cancel, told_recovery,
    withholding, withholding_request,
};

/// The folio of a withholding that was just stamped.
async fn folio(pac: &FakePac, kind: ProviderKind) -> String {
    assert_eq!(told(&account(pac, kind).stamp(withholding(1)).await), "stamped");
    pac.stamps()[0].uuid.clone()
}

#[tokio::test]
async fn a_withholding_is_stamped_as_it_was_sealed() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        let xml = stamped(account.stamp(withholding(1)).await);
        let stamps = pac.stamps();
        assert_eq!((stamps.len(), stamps[0].service), (1, Service::Withholding), "{kind:?}");
        assert_eq!(xml, stamps[0].xml);
        let stamp = format!("<retenciones:Complemento>{}</retenciones:Complemento>", stamps[0].tfd);
        assert_eq!(xml.replace(&stamp, ""), withholding(1).xml, "nothing else has changed");
        assert_eq!(stamped(account.stamp(withholding(1)).await), xml);
        assert_ne!(stamped(account.stamp(withholding(2)).await), xml);
        assert_eq!(pac.stamps().len(), 2);
    }
}

#[tokio::test]
async fn sw_is_called_as_documented() {
    let pac = FakePac::start();
    let sw = account(&pac, ProviderKind::Sw);
    sw.stamp(withholding(7)).await;
    sw.cancel(withholding_request("1")).await;
    let call = &pac.received_of(Call::Stamp)[0];
    assert_eq!(call.path, "/retencion/stamp/v3");
    // Known to the service of invoices alone.
    assert_eq!(call.header("customid"), None);
    assert_eq!(call.header("authorization"), Some("Bearer ficha-1"));
    assert!(call.body.contains(&withholding(7).xml));
    let call = &pac.received_of(Call::Cancel)[0];
    assert_eq!(call.path, "/retencion/cancel/xml");
    assert!(call.body.contains(&withholding_request("1").xml));
}

#[tokio::test]
async fn finkok_is_called_as_documented() {
    let pac = FakePac::start();
    let finkok = account(&pac, ProviderKind::Finkok);
    finkok.stamp(withholding(7)).await;
    finkok.recover(withholding(7)).await;
    finkok.cancel(withholding_request("1")).await;
    for (call, operation) in
        [(Call::Stamp, "stamp"), (Call::Stamped, "stamped"), (Call::Cancel, "cancel_signature")]
    {
        let call = &pac.received_of(call)[0];
        assert_eq!(call.path, "/servicios/soap/retentions");
        assert_eq!(call.header("soapaction"), Some(operation));
        assert!(call.body.contains("xmlns:o=\"http://facturacion.finkok.com/retentions\""));
        let pending = call.body.contains("<o:store_pending>false</o:store_pending>");
        assert_eq!(pending, operation == "cancel_signature");
    }
}

#[tokio::test]
async fn each_service_takes_its_own_documents_alone() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        for misplaced in [
            ToStamp { service: Service::Invoice, ..withholding(1) },
            ToStamp { service: Service::Withholding, ..document(1) },
        ] {
            let outcome = account.stamp(misplaced).await;
            assert!(matches!(&outcome, StampOutcome::Rejected(no) if no.code == "301"));
        }
        let uuid = folio(&pac, kind).await;
        let misplaced = ToCancel { service: Service::Invoice, ..request(&uuid) };
        let outcome = account.cancel(misplaced).await;
        assert!(matches!(&outcome, CancelOutcome::Rejected(no) if no.code == "205"));
        assert_eq!(pac.cancelled(), [""; 0]);
    }
}

#[tokio::test]
async fn a_stamp_whose_answer_was_lost_is_found() {
    for kind in BOTH {
        for reply in [
            Reply::Hang,
            Reply::Reset,
            Reply::Half,
            Reply::Hidden,
            Reply::Foreign,
            Reply::Http(502, "<html>".to_owned()),
        ] {
            let pac = FakePac::start();
            pac.script(Call::Stamp, [Behaviour::then(reply.clone())], Behaviour::documented());
            let account = hasty(&pac, kind);
            let outcome = account.stamp(withholding(1)).await;
            assert_eq!(told(&outcome), "unknown", "{kind:?} {reply:?}: {outcome:?}");
            let found = account.recover(withholding(1)).await;
            assert_eq!(found, Recovery::Stamped { xml: pac.stamps()[0].xml.clone() });
            assert_eq!(pac.stamps().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_stamp_that_is_not_shown_is_told_as_there() {
    let pac = stamping(Behaviour::then(Reply::Hidden));
    let (sw, finkok) = (account(&pac, ProviderKind::Sw), account(&pac, ProviderKind::Finkok));
    sw.stamp(withholding(1)).await;
    assert_eq!(sw.stamp(withholding(1)).await, StampOutcome::AlreadyStamped);
    assert_eq!(told_recovery(&sw.recover(withholding(1)).await), "unknown");
    assert_eq!(stamped(finkok.stamp(withholding(1)).await), pac.stamps()[0].xml);
    pac.always(Call::Stamp, Behaviour::then(Reply::Alone));
    assert_eq!(stamped(sw.stamp(withholding(1)).await), pac.stamps()[0].xml);
    assert_eq!(pac.stamps().len(), 1);
}

#[tokio::test]
async fn a_refusal_keeps_its_code_and_means_that_there_is_no_stamp() {
    let message = "El importe de MontoTotRet no corresponde a la suma de MontoRet.";
    for kind in BOTH {
        for code in ["301", "302", "Reten20107", "Reten20132", "SPT117"] {
            let pac = stamping(Behaviour::refuse(code, message));
            let account = account(&pac, kind);
            let outcome = account.stamp(withholding(1)).await;
            let words = match kind {
                ProviderKind::Sw => format!("{code} - {message}"),
                _ => message.to_owned(),
            };
            let expected = Rejection { code: code.to_owned(), message: words };
            assert_eq!(outcome, StampOutcome::Rejected(expected));
            assert_eq!(account.recover(withholding(1)).await, Recovery::NotStamped);
        }
    }
}

#[tokio::test]
async fn a_cancellation_is_over_at_once_and_a_repetition_says_so() {
    for kind in BOTH {
        let pac = FakePac::start();
        let uuid = folio(&pac, kind).await;
        let account = account(&pac, kind);
        for expected in ["1201", "1202"] {
            let outcome = account.cancel(withholding_request(&uuid)).await;
            let CancelOutcome::Received { code, receipt } = outcome else { panic!("{outcome:?}") };
            assert_eq!(code, expected);
            let status = format!("<EstatusUUID>{expected}</EstatusUUID>");
            assert!(receipt.unwrap().contains(&status));
        }
        assert_eq!(pac.cancelled(), [uuid]);
    }
}

#[tokio::test]
async fn the_receipt_tells_what_sw_does_not_tell_beside_it() {
    let pac = FakePac::start();
    let uuid = folio(&pac, ProviderKind::Sw).await;
    let sw = account(&pac, ProviderKind::Sw);
    pac.always(Call::Cancel, Behaviour::then(Reply::Alone));
    for expected in ["1201", "1202"] {
        let outcome = sw.cancel(withholding_request(&uuid)).await;
        assert!(matches!(&outcome, CancelOutcome::Received { code, .. } if code == expected));
    }
    let unknown = sw.cancel(withholding_request("6A1B2C3D-0000-4000-8000-000000000000")).await;
    assert!(matches!(&unknown, CancelOutcome::Rejected(no) if no.code == "1205"));
}

#[tokio::test]
async fn a_cancellation_whose_answer_was_lost_is_known_to_the_next() {
    for kind in BOTH {
        for reply in [
            Reply::Hang,
            Reply::Close,
            Reply::Half,
            Reply::Foreign,
            Reply::Http(502, "<html>".to_owned()),
        ] {
            let pac = FakePac::start();
            let uuid = folio(&pac, kind).await;
            pac.script(Call::Cancel, [Behaviour::then(reply.clone())], Behaviour::documented());
            let account = hasty(&pac, kind);
            let outcome = account.cancel(withholding_request(&uuid)).await;
            assert_eq!(told_cancel(&outcome), "unknown", "{kind:?} {reply:?}: {outcome:?}");
            let outcome = account.cancel(withholding_request(&uuid)).await;
            assert!(matches!(&outcome, CancelOutcome::Received { code, .. } if code == "1202"));
            assert_eq!(pac.cancelled().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_refused_cancellation_keeps_its_code() {
    use ProviderKind::{Finkok, Sw};

    for kind in BOTH {
        let pac = FakePac::start();
        let unknown = withholding_request("6A1B2C3D-0000-4000-8000-000000000000");
        let rejection = Rejection { code: "1205".to_owned(), message: String::new() };
        let outcome = account(&pac, kind).cancel(unknown).await;
        assert_eq!(outcome, CancelOutcome::Rejected(rejection));
    }
    for (kind, code, expected) in [
        (Sw, "1308", "rejected"),
        (Sw, "CACFDI33", "rejected"),
        (Sw, "CA2000", "unknown"),
        (Finkok, "1308", "rejected"),
        (Finkok, "1203", "rejected"),
        (Finkok, "1202", "received"),
        // Of which document, it does not say.
        (Finkok, "1201", "unknown"),
        // Finkok's own books may be behind; what it has stamped it comes to know.
        (Finkok, "UUID Not Found", "unknown"),
        (Finkok, "708", "unknown"),
    ] {
        let pac = FakePac::start();
        pac.always(Call::Cancel, Behaviour::refuse(code, ""));
        let outcome = account(&pac, kind).cancel(withholding_request("1")).await;
        assert_eq!(told_cancel(&outcome), expected, "{kind:?} {code}: {outcome:?}");
    }
}
