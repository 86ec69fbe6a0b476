//! Stamping, as long as the connection holds.

use std::sync::Arc;

use invoices::provider::{
    Credentials, Provider, ProviderKind, Providers, Rejection, StampOutcome, ToStamp,
};
use kernel::reason::Reason;
use testkit::pac::{Behaviour, Call, FakePac, Reply};

use super::support::{
    BOTH, account, credentials, document, document_with, pacs, stamped, stamping, told,
};

#[tokio::test]
async fn a_document_is_stamped_as_it_was_sealed() {
    for kind in BOTH {
        let pac = FakePac::start();
        let request = document(1);
        let xml = stamped(account(&pac, kind).stamp(request.clone()).await);
        let stamps = pac.stamps();
        assert_eq!(stamps.len(), 1, "{kind:?}");
        assert_eq!(xml, stamps[0].xml);
        let stamp = format!("<cfdi:Complemento>{}</cfdi:Complemento>", stamps[0].tfd);
        assert_eq!(xml.replace(&stamp, ""), request.xml, "nothing else has changed");
    }
}

#[tokio::test]
async fn sw_is_called_as_documented() {
    let pac = FakePac::start();
    let request = document(7);
    account(&pac, ProviderKind::Sw).stamp(request.clone()).await;
    let sign_in = &pac.received_of(Call::SignIn)[0];
    assert_eq!(sign_in.header("content-type"), Some("application/json"));
    let call = &pac.received_of(Call::Stamp)[0];
    assert_eq!(call.path, "/v4/cfdi33/stamp/v4");
    assert_eq!(call.header("customid"), Some("inv_7"));
    assert_eq!(call.header("authorization"), Some("Bearer ficha-1"));
    assert!(call.header("user-agent").unwrap().starts_with("trastienda/"));
    assert!(call.body.contains(&request.xml));
    assert!(!call.body.contains(FakePac::PASSWORD));
}

#[tokio::test]
async fn finkok_is_called_as_documented() {
    let pac = FakePac::start();
    account(&pac, ProviderKind::Finkok).stamp(document(7)).await;
    let call = &pac.received_of(Call::Stamp)[0];
    assert_eq!(call.path, "/servicios/soap/stamp.wsdl");
    assert_eq!(call.header("content-type"), Some("text/xml; charset=utf-8"));
    assert_eq!(call.header("soapaction"), Some("stamp"));
    assert!(call.body.contains("xmlns:o=\"http://facturacion.finkok.com/stamp\""));
    assert!(call.body.contains("<o:password>Contraseña&lt;&amp;&gt;1</o:password>"));
    assert_eq!(pac.count(Call::Stamped), 0);
}

#[tokio::test]
async fn a_repetition_gives_the_same_stamp() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        let first = stamped(account.stamp(document(1)).await);
        for _ in 0..3 {
            assert_eq!(stamped(account.stamp(document(1)).await), first);
        }
        assert_ne!(stamped(account.stamp(document(2)).await), first);
        assert_eq!(pac.stamps().len(), 2);
    }
}

#[tokio::test]
async fn ten_at_once_give_one_stamp() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account: Arc<dyn Provider> = account(&pac, kind);
        let calls = (0..10).map(|_| tokio::spawn(account.stamp(document(1)))).collect::<Vec<_>>();
        for call in calls {
            assert_eq!(stamped(call.await.unwrap()), pac.stamps()[0].xml);
        }
        assert_eq!((pac.stamps().len(), pac.count(Call::Stamp)), (1, 10));
    }
}

#[tokio::test]
async fn a_previous_stamp_that_is_not_shown_is_asked_for_or_told() {
    let pac = stamping(Behaviour::then(Reply::Hidden));
    let (sw, finkok) = (account(&pac, ProviderKind::Sw), account(&pac, ProviderKind::Finkok));
    assert_eq!(told(&sw.stamp(document(1)).await), "unknown", "success without a stamp");
    assert_eq!(sw.stamp(document(1)).await, StampOutcome::AlreadyStamped);
    assert_eq!(stamped(finkok.stamp(document(1)).await), pac.stamps()[0].xml);
    assert_eq!(pac.count(Call::Stamped), 1);
    for behaviour in [
        Behaviour::then(Reply::Hidden),
        Behaviour::then(Reply::Foreign),
        Behaviour::refuse("603", "El CFDI no contiene un timbre previo"),
        Behaviour::status(500),
        Behaviour::instead(Reply::Close),
    ] {
        pac.always(Call::Stamped, behaviour);
        assert_eq!(finkok.stamp(document(1)).await, StampOutcome::AlreadyStamped);
    }
    assert_eq!(pac.stamps().len(), 1);
}

#[tokio::test]
async fn a_stamp_that_is_shown_alone_is_put_into_its_document() {
    let pac = stamping(Behaviour::then(Reply::Alone));
    let sw = account(&pac, ProviderKind::Sw);
    for _ in 0..2 {
        assert_eq!(stamped(sw.stamp(document(1)).await), pac.stamps()[0].xml);
    }
}

#[tokio::test]
async fn another_documents_stamp_is_no_stamp() {
    for kind in BOTH {
        let pac = stamping(Behaviour::then(Reply::Foreign));
        let account = account(&pac, kind);
        for _ in 0..2 {
            let outcome = account.stamp(document(1)).await;
            let StampOutcome::Unknown { reason } = outcome else { panic!("{outcome:?}") };
            assert_eq!(reason, Reason::OtherDocument.alone());
        }
    }
}

#[tokio::test]
async fn a_key_that_came_with_another_document_is_no_refusal() {
    let pac = FakePac::start();
    let sw = account(&pac, ProviderKind::Sw);
    stamped(sw.stamp(document(1)).await);
    let other = ToStamp { key: document(1).key, ..document(2) };
    assert_eq!(told(&sw.stamp(other).await), "unknown");
    pac.always(Call::Stamp, Behaviour::refuse("CFDI3307", "Timbre duplicado."));
    assert_eq!(sw.stamp(document(1)).await, StampOutcome::AlreadyStamped);
}

#[tokio::test]
async fn a_refusal_keeps_its_code_and_words() {
    let message = "El campo «Nombre» del receptor, debe pertenecer a <ÑANDÚ & CÍA>. \u{1F44E}";
    for kind in BOTH {
        for code in ["301", "302", "401", "402", "705", "CFDI40147", "CFDI40102", "CRP20101"] {
            let pac = stamping(Behaviour::refuse(code, message));
            let outcome = account(&pac, kind).stamp(document(1)).await;
            let words = match kind {
                ProviderKind::Sw => format!("{code} - {message}"),
                _ => message.to_owned(),
            };
            let expected = Rejection { code: code.to_owned(), message: words };
            assert_eq!(outcome, StampOutcome::Rejected(expected));
            assert_eq!((pac.stamps().len(), pac.count(Call::Stamped)), (0, 0));
        }
    }
}

#[tokio::test]
async fn what_does_not_speak_of_the_document_is_no_refusal() {
    use ProviderKind::{Finkok, Sw};

    for (kind, code, expected) in [
        (Sw, "AU4101", "unknown"),
        (Sw, "AU2000", "unknown"),
        (Sw, "CO1000", "unknown"),
        (Sw, "Error", "unknown"),
        (Finkok, "300", "not taken"),
        (Finkok, "501", "not taken"),
        (Finkok, "703", "not taken"),
        (Finkok, "718", "not taken"),
        (Finkok, "707", "already stamped"),
        (Finkok, "604", "unknown"),
        (Finkok, "709", "unknown"),
        (Finkok, "Error", "unknown"),
        (Finkok, "", "unknown"),
    ] {
        let pac = stamping(Behaviour::refuse(code, "algo pasó"));
        let outcome = account(&pac, kind).stamp(document(1)).await;
        assert_eq!(told(&outcome), expected, "{kind:?} {code}: {outcome:?}");
    }
}

#[tokio::test]
async fn large_documents_are_stamped() {
    let text = "Tornillo «M8» ".repeat(200_000);
    for kind in BOTH {
        let pac = FakePac::start();
        let request = document_with(1, &text);
        assert!(request.xml.len() > 3 << 20);
        let xml = stamped(account(&pac, kind).stamp(request).await);
        assert_eq!(xml, pac.stamps()[0].xml);
    }
}

#[tokio::test]
async fn what_is_not_sealed_or_has_no_key_is_not_sent() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        for xml in [
            "",
            "x",
            "<a/>",
            "<a Sello=\"\"/>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a Sello=\"&b;\"/>",
        ] {
            let request = ToStamp { xml: xml.to_owned(), ..document(1) };
            assert_eq!(told(&account.stamp(request).await), "not taken");
        }
        assert_eq!(pac.received().len(), 0);
    }
    let pac = FakePac::start();
    let request = ToStamp { key: "x".repeat(101), ..document(1) };
    assert_eq!(told(&account(&pac, ProviderKind::Sw).stamp(request).await), "not taken");
    assert_eq!(pac.received().len(), 0);
}

#[test]
fn an_account_needs_credentials_of_its_kind() {
    let pac = FakePac::start();
    let pacs = pacs(&pac.url(), super::support::SHORT);
    let user = |user: &str, password: &str| Credentials::User {
        user: user.to_owned(),
        password: password.to_owned(),
    };
    let token = |token: &str| Credentials::Token(token.to_owned());
    let of = |kind, credentials: Option<&Credentials>| pacs.provider(kind, credentials).err();
    assert_eq!(of(ProviderKind::Sw, Some(&credentials())), None);
    assert_eq!(of(ProviderKind::Sw, Some(&token(FakePac::TOKEN))), None);
    assert_eq!(of(ProviderKind::Finkok, Some(&credentials())), None);
    let sw = Reason::TokenOrUserMissing.alone();
    let finkok = Reason::UserMissing.alone();
    for missing in [None, Some(&user("", "x")), Some(&user("x", "")), Some(&token(""))] {
        assert_eq!(of(ProviderKind::Sw, missing), Some(sw.clone()));
        assert_eq!(of(ProviderKind::Finkok, missing), Some(finkok.clone()));
    }
    assert_eq!(of(ProviderKind::Finkok, Some(&token("x"))), Some(finkok));
    let odd = of(ProviderKind::Sw, Some(&token("geheim\n"))).unwrap();
    assert_eq!(odd, Reason::CredentialsUnsendable.alone());
    let sandbox = of(ProviderKind::Sandbox, Some(&credentials()));
    assert_eq!(sandbox.unwrap(), Reason::NotOverNetwork.kept("sandbox"));
}
