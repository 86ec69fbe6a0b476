//! Requests to cancel.

use invoices::provider::{CancelOutcome, ProviderKind, Rejection};
use testkit::pac::{Behaviour, Call, FakePac, Reply};

use super::support::{BOTH, account, document, hasty, request, told, told_cancel};

/// The folio of a document that was just stamped.
async fn folio(pac: &FakePac, kind: ProviderKind) -> String {
    assert_eq!(told(&account(pac, kind).stamp(document(1)).await), "stamped");
    pac.stamps()[0].uuid.clone()
}

#[tokio::test]
async fn a_request_is_received_once_and_then_known() {
    for kind in BOTH {
        let pac = FakePac::start();
        let uuid = folio(&pac, kind).await;
        let account = account(&pac, kind);
        for (asked, expected) in [(uuid.clone(), "201"), (uuid.to_lowercase(), "202")] {
            let outcome = account.cancel(request(&asked)).await;
            let CancelOutcome::Received { code, receipt } = outcome else { panic!("{outcome:?}") };
            assert_eq!(code, expected);
            let status = format!("<EstatusUUID>{expected}</EstatusUUID>");
            assert!(receipt.unwrap().contains(&status));
        }
        assert_eq!(pac.cancelled(), [uuid]);
    }
}

#[tokio::test]
async fn both_are_called_as_documented() {
    let pac = FakePac::start();
    for kind in BOTH {
        account(&pac, kind).cancel(request("1")).await;
    }
    let calls = pac.received_of(Call::Cancel);
    assert_eq!(calls[0].path, "/cfdi33/cancel/xml");
    assert_eq!(calls[0].header("customid"), None);
    assert!(calls[0].body.contains(&request("1").xml));
    assert_eq!(calls[1].path, "/servicios/soap/cancel.wsdl");
    assert_eq!(calls[1].header("soapaction"), Some("cancel_signature"));
    assert!(calls[1].body.contains("<o:store_pending>false</o:store_pending>"));
}

#[tokio::test]
async fn a_receipt_may_be_missing_but_not_the_document() {
    for kind in BOTH {
        let pac = FakePac::start();
        let uuid = folio(&pac, kind).await;
        let account = account(&pac, kind);
        pac.always(Call::Cancel, Behaviour::then(Reply::Hidden));
        let expected = CancelOutcome::Received { code: "201".to_owned(), receipt: None };
        assert_eq!(account.cancel(request(&uuid)).await, expected);
        pac.always(Call::Cancel, Behaviour::then(Reply::Foreign));
        assert_eq!(told_cancel(&account.cancel(request(&uuid)).await), "unknown");
    }
}

#[tokio::test]
async fn a_refusal_keeps_its_code() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        let outcome = account.cancel(request("6A1B2C3D-0000-4000-8000-000000000000")).await;
        let rejection = Rejection { code: "205".to_owned(), message: String::new() };
        assert_eq!(outcome, CancelOutcome::Rejected(rejection));
        for (code, expected) in [("203", "rejected"), ("304", "rejected"), ("Error", "unknown")] {
            pac.always(Call::Cancel, Behaviour::refuse(code, "algo pasó"));
            let outcome = account.cancel(request("1")).await;
            assert_eq!(told_cancel(&outcome), expected, "{kind:?} {code}: {outcome:?}");
        }
    }
    for (kind, code, expected) in [
        (ProviderKind::Sw, "CACFDI33", "rejected"),
        (ProviderKind::Sw, "CA2000", "unknown"),
        (ProviderKind::Sw, "AU4000", "unknown"),
        (ProviderKind::Finkok, "708", "unknown"),
        (ProviderKind::Finkok, "798", "received"),
        (ProviderKind::Finkok, "799", "rejected"),
        (ProviderKind::Finkok, "300", "not taken"),
        (ProviderKind::Finkok, "Already en BufferCancellation", "unknown"),
    ] {
        let pac = FakePac::start();
        pac.always(Call::Cancel, Behaviour::refuse(code, "algo pasó"));
        let outcome = account(&pac, kind).cancel(request("1")).await;
        assert_eq!(told_cancel(&outcome), expected, "{kind:?} {code}: {outcome:?}");
    }
}

#[tokio::test]
async fn an_ending_that_tells_nothing_is_unknown_and_a_repetition_tells() {
    for kind in BOTH {
        for reply in [
            Reply::Hang,
            Reply::Close,
            Reply::Reset,
            Reply::Half,
            Reply::Http(500, String::new()),
            Reply::Http(502, "<html>".to_owned()),
            Reply::Http(200, String::new()),
            Reply::Header(307, "location", "/".to_owned()),
        ] {
            let pac = FakePac::start();
            let uuid = folio(&pac, kind).await;
            pac.script(Call::Cancel, [Behaviour::then(reply.clone())], Behaviour::documented());
            let account = hasty(&pac, kind);
            let outcome = account.cancel(request(&uuid)).await;
            assert_eq!(told_cancel(&outcome), "unknown", "{kind:?} {reply:?}: {outcome:?}");
            let outcome = account.cancel(request(&uuid)).await;
            assert!(matches!(&outcome, CancelOutcome::Received { code, .. } if code == "202"));
            assert_eq!(pac.cancelled().len(), 1);
        }
        for status in [401, 403, 429] {
            let pac = FakePac::start();
            pac.always(Call::Cancel, Behaviour::status(status));
            let outcome = account(&pac, kind).cancel(request("1")).await;
            assert_eq!(told_cancel(&outcome), "unknown", "{kind:?} {status}");
        }
    }
}
