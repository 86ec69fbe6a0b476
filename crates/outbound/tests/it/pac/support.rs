//! Accounts with providers on this machine, and documents for them.

use std::{sync::Arc, time::Duration};

use invoices::provider::{
    CancelOutcome, Credentials, Provider, ProviderKind, Providers, Recovery, Service, StampOutcome,
    ToCancel, ToStamp,
};
use outbound::{Pacs, pac::Settings};
use testkit::pac::{Behaviour, Call, FakePac};

/// Both kinds that are called.
pub(crate) const BOTH: [ProviderKind; 2] = [ProviderKind::Sw, ProviderKind::Finkok];

/// The limit of a use that is meant to run into it.
pub(crate) const SHORT: Duration = Duration::from_millis(400);

/// The right user and password.
pub(crate) fn credentials() -> Credentials {
    Credentials::User { user: FakePac::USER.to_owned(), password: FakePac::PASSWORD.to_owned() }
}

/// Providers at an address.
pub(crate) fn pacs(url: &str, timeout: Duration) -> Pacs {
    let url = url.to_owned();
    let settings = Settings {
        sw_url: url.clone(),
        finkok_url: url.clone(),
        sat_url: url,
        timeout,
        ca_file: None,
    };
    Pacs::new(&settings).unwrap()
}

/// An account at an address.
pub(crate) fn account_at(url: &str, kind: ProviderKind, timeout: Duration) -> Arc<dyn Provider> {
    pacs(url, timeout).provider(kind, Some(&credentials())).unwrap()
}

/// An account that has time.
pub(crate) fn account(pac: &FakePac, kind: ProviderKind) -> Arc<dyn Provider> {
    account_at(&pac.url(), kind, Duration::from_secs(30))
}

/// An account that gives up soon.
pub(crate) fn hasty(pac: &FakePac, kind: ProviderKind) -> Arc<dyn Provider> {
    account_at(&pac.url(), kind, SHORT)
}

/// Providers that meet stamping with this, always.
pub(crate) fn stamping(behaviour: Behaviour) -> FakePac {
    let pac = FakePac::start();
    pac.always(Call::Stamp, behaviour);
    pac
}

/// A sealed document; another for each number.
pub(crate) fn document(number: u32) -> ToStamp {
    document_with(number, "Camisa «niño» &amp;lt; 5 &#x2014; talla \u{1F455}")
}

/// A sealed document that says this.
pub(crate) fn document_with(number: u32, text: &str) -> ToStamp {
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cfdi:Comprobante xmlns:cfdi=\"http://www.sat.gob.mx/cfd/4\" \
         Version=\"4.0\" Folio=\"{number}\" Sello=\"c2VsbG8g{number:08}+/==\"><cfdi:Emisor Rfc=\"A&amp;B010101AAA\"/>\
         <cfdi:Conceptos><cfdi:Concepto Descripcion=\"{text}\"/></cfdi:Conceptos></cfdi:Comprobante>"
    );
    ToStamp { service: Service::Invoice, key: format!("inv_{number}"), xml }
}

/// A sealed withholding; another for each number.
pub(crate) fn withholding(number: u32) -> ToStamp {
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<retenciones:Retenciones \
         xmlns:retenciones=\"http://www.sat.gob.mx/esquemas/retencionpago/2\" Version=\"2.0\" FolioInt=\"{number}\" \
         Sello=\"cmV0ZW5j{number:08}+/==\"><retenciones:Emisor RfcE=\"A&amp;B010101AAA\"/>\
         <retenciones:Totales MontoTotRet=\"1000.00\"/></retenciones:Retenciones>"
    );
    ToStamp { service: Service::Withholding, key: format!("wth_{number}"), xml }
}

/// A signed request to cancel a withholding.
pub(crate) fn withholding_request(uuid: &str) -> ToCancel {
    let invoice = request(uuid);
    ToCancel {
        service: Service::Withholding,
        xml: invoice.xml.replace(
            "http://cancelacfd.sat.gob.mx",
            "http://www.sat.gob.mx/esquemas/retencionpago/1",
        ),
        ..invoice
    }
}

/// A signed request to cancel.
pub(crate) fn request(uuid: &str) -> ToCancel {
    ToCancel {
        service: Service::Invoice,
        issuer_rfc: "A&B010101AAA".to_owned(),
        uuid: uuid.to_owned(),
        xml: format!(
            "<Cancelacion xmlns=\"http://cancelacfd.sat.gob.mx\" RfcEmisor=\"A&amp;B010101AAA\"><Folios>\
             <Folio UUID=\"{uuid}\" Motivo=\"02\"/></Folios></Cancelacion>"
        ),
    }
}

/// The document that was stamped.
#[track_caller]
pub(crate) fn stamped(outcome: StampOutcome) -> String {
    match outcome {
        StampOutcome::Stamped { xml } => xml,
        other => panic!("{other:?}"),
    }
}

/// How an outcome is told, without its words.
pub(crate) fn told(outcome: &StampOutcome) -> &'static str {
    match outcome {
        StampOutcome::Stamped { .. } => "stamped",
        StampOutcome::AlreadyStamped => "already stamped",
        StampOutcome::Rejected(_) => "rejected",
        StampOutcome::NotTaken { .. } => "not taken",
        StampOutcome::Unknown { .. } => "unknown",
    }
}

/// The same of a recovery.
pub(crate) fn told_recovery(recovery: &Recovery) -> &'static str {
    match recovery {
        Recovery::Stamped { .. } => "stamped",
        Recovery::NotStamped => "not stamped",
        Recovery::Unknown { .. } => "unknown",
    }
}

/// The same of a cancellation.
pub(crate) fn told_cancel(outcome: &CancelOutcome) -> &'static str {
    match outcome {
        CancelOutcome::Received { .. } => "received",
        CancelOutcome::Rejected(_) => "rejected",
        CancelOutcome::NotTaken { .. } => "not taken",
        CancelOutcome::Unknown { .. } => "unknown",
    }
}
