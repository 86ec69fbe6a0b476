//! Certificates that cannot seal.

use kernel::Timestamp;
use time::macros::datetime;

use super::{assert_readable, now, samples::invoice};
use crate::{csd::Certificate, document::Document, rules::check_certificate};

macro_rules! certificate {
    ($file:literal) => {
        Certificate::parse(include_bytes!(concat!("../../../fixtures/csd/", $file))).unwrap()
    };
}

#[track_caller]
fn codes(document: &Document, certificate: &Certificate, now: Timestamp) -> Vec<String> {
    let findings = check_certificate(document, certificate, now);
    findings.iter().for_each(assert_readable);
    findings.iter().map(|finding| format!("{} {}", finding.code, finding.field)).collect()
}

#[test]
fn the_issuers_own_certificate_seals() {
    assert!(codes(&invoice(), &certificate!("EKU9003173C9.cer"), now()).is_empty());
}

#[test]
fn others_do_not() {
    let document = invoice();
    let of_a_person = certificate!("CACX7605101P8.cer");
    assert_eq!(codes(&document, &of_a_person, now()), ["303 issuer.rfc"]);
    let fiel = certificate!("EKU9003173C9_fiel.cer");
    assert_eq!(codes(&document, &fiel, now()), ["306 certificate"]);
    let expired = certificate!("EKU9003173C9_expired.cer");
    assert_eq!(codes(&document, &expired, now()), ["305 issuedAt"]);
}

#[test]
fn the_issuer_has_the_name_of_the_certificate() {
    let named = |name: &str| {
        let mut document = invoice();
        name.clone_into(&mut document.issuer.legal_name);
        codes(&document, &certificate!("EKU9003173C9.cer"), now())
    };
    for registered in ["ESCUELA KEMPER URGATE", "ESCUELA KÉMPER URGÄTE", "ESCUELA KEMPER UGARTE"]
    {
        assert!(named(registered).is_empty(), "{registered}");
    }
    for other in ["XENON INDUSTRIAL ARTICLES", "FLORES DEL SUR", "SA DE URGATE X Y Z U"] {
        assert_eq!(named(other), ["CFDI40139 issuer.legalName"], "{other}");
    }
}

#[test]
fn validity_is_that_of_the_documents_date_at_its_place() {
    let certificate = certificate!("EKU9003173C9.cer");
    let last = certificate.not_after();
    assert_eq!(last, Timestamp::parse("2035-01-01T06:00:00Z").unwrap());
    let issued = |issued_at| Document { issued_at, ..invoice() };
    assert!(codes(&issued(datetime!(2035-01-01 00:00:00)), &certificate, last).is_empty());
    let late = codes(&issued(datetime!(2035-01-01 00:00:01)), &certificate, last);
    assert_eq!(late, ["305 issuedAt"]);
    let early = codes(&issued(datetime!(2022-12-31 23:59:59)), &certificate, last);
    assert_eq!(early, ["305 issuedAt"]);
    let stamped_late = last.plus_seconds(60);
    let document = issued(datetime!(2034-12-31 23:59:59));
    assert_eq!(codes(&document, &certificate, stamped_late), ["304 certificate"]);
}
