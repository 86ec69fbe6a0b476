//! What the tax authority says of documents.

use invoices::provider::{Expression, FiscalStatus, ProviderKind, StatusOutcome};
use testkit::pac::{Behaviour, Call, FakePac, Reply, Status};

use super::support::{BOTH, account, document, hasty, request};

fn expression(uuid: &str) -> Expression {
    Expression {
        uuid: uuid.to_owned(),
        issuer_rfc: "A&B010101AAA".to_owned(),
        receiver_rfc: "ÑAÑ010101AAA".to_owned(),
        total: "1160.00".to_owned(),
        seal_end: "je/w+g==".to_owned(),
    }
}

fn known(state: &str, cancellable: Option<&str>, cancellation: Option<&str>) -> StatusOutcome {
    StatusOutcome::Known(FiscalStatus {
        state: state.to_owned(),
        cancellable: cancellable.map(str::to_owned),
        cancellation: cancellation.map(str::to_owned),
    })
}

#[tokio::test]
async fn a_status_is_told_in_the_authoritys_words() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        let missing = "6A1B2C3D-0000-4000-8000-000000000000";
        let found = account.status(expression(missing)).await;
        assert_eq!(found, known("No Encontrado", None, None));
        account.stamp(document(1)).await;
        let uuid = pac.stamps()[0].uuid.clone();
        let freely = Some("Cancelable sin aceptación");
        let found = account.status(expression(&uuid)).await;
        assert_eq!(found, known("Vigente", freely, None));
        pac.set_status(&uuid, Status::new("Vigente", "Cancelable con aceptación", "En proceso"));
        let found = account.status(expression(&uuid)).await;
        let asked = Some("Cancelable con aceptación");
        assert_eq!(found, known("Vigente", asked, Some("En proceso")));
    }
    let pac = FakePac::start();
    let account = account(&pac, ProviderKind::Sw);
    account.stamp(document(1)).await;
    let uuid = pac.stamps()[0].uuid.clone();
    account.cancel(request(&uuid)).await;
    let freely = (Some("Cancelable sin aceptación"), Some("Cancelado sin aceptación"));
    let found = account.status(expression(&uuid)).await;
    assert_eq!(found, known("Cancelado", freely.0, freely.1));
}

#[tokio::test]
async fn the_authority_is_asked_as_documented() {
    let pac = FakePac::start();
    account(&pac, ProviderKind::Finkok).status(expression("U")).await;
    let call = &pac.received_of(Call::Status)[0];
    assert_eq!(call.path, "/ConsultaCFDIService.svc");
    let action = "\"http://tempuri.org/IConsultaCFDIService/Consulta\"";
    assert_eq!(call.header("soapaction"), Some(action));
    let sent =
        "?re=A&amp;amp;B010101AAA&amp;rr=ÑAÑ010101AAA&amp;tt=1160.00&amp;id=U&amp;fe=je/w+g==";
    assert!(call.body.contains(&format!("<o:expresionImpresa>{sent}</o:expresionImpresa>")));
    assert_eq!(call.header("authorization"), None);
    assert!(!call.body.contains(FakePac::USER));
}

#[tokio::test]
async fn anything_else_is_unknown() {
    let pac = FakePac::start();
    let account = hasty(&pac, ProviderKind::Sw);
    for reply in [
        Reply::Hidden,
        Reply::Refuse("601".to_owned(), "La expresión impresa no es válida.".to_owned()),
        Reply::Hang,
        Reply::Close,
        Reply::Reset,
        Reply::Half,
        Reply::Http(200, String::new()),
        Reply::Http(200, "<html>".to_owned()),
        Reply::Http(200, "<a xmlns=\"b\"><Body><ConsultaResult/></Body></a>".to_owned()),
        Reply::Http(500, "<html>".to_owned()),
        Reply::Http(503, String::new()),
        Reply::Http(429, String::new()),
        Reply::Header(302, "location", "/".to_owned()),
    ] {
        pac.always(Call::Status, Behaviour::then(reply.clone()));
        let found = account.status(expression("U")).await;
        assert!(matches!(found, StatusOutcome::Unknown { .. }), "{reply:?}: {found:?}");
    }
}
