//! Whether a certificate can seal a document.

use kernel::Timestamp;
use time::PrimitiveDateTime;

use super::finding::{At, Finding, Findings, Shown};
use crate::{
    catalogs::{postal_codes, zones::Zone},
    csd::{Certificate, CertificateKind},
    document::{Document, Issuer, local_time},
    withholding::Withholding,
};

/// What SAT or a provider would refuse `document` for if it were sealed with `certificate` and stamped at
/// `now`. Whether SAT has revoked the certificate or issued it at all is not judged.
///
/// `certificate` is a field of no document: it stands for the certificate itself.
#[must_use]
pub fn check_certificate(
    document: &Document,
    certificate: &Certificate,
    now: Timestamp,
) -> Vec<Finding> {
    let Document { issuer, issued_at, place_of_issue, .. } = document;
    check((issuer, "CFDI40139"), (*issued_at, place_of_issue), certificate, now)
}

/// What SAT or a provider would refuse `withholding` for if it were sealed with `certificate`, as
/// [`check_certificate`] finds it for a document.
#[must_use]
pub fn check_withholding_certificate(
    withholding: &Withholding,
    certificate: &Certificate,
    now: Timestamp,
) -> Vec<Finding> {
    let Withholding { issuer, issued_at, place_of_issue, .. } = withholding;
    check((issuer, "Reten20110"), (*issued_at, place_of_issue), certificate, now)
}

/// The findings on the certificate of an issuer, with the code for another name, when it issues at that time and place.
fn check(
    (issuer, code): (&Issuer, &'static str),
    (issued_at, place): (PrimitiveDateTime, &str),
    certificate: &Certificate,
    now: Timestamp,
) -> Vec<Finding> {
    let mut found = Findings::default();
    owner(issuer, certificate, &mut found);
    name((issuer, code), certificate, &mut found);
    kind(certificate, &mut found);
    let zone = postal_codes::find(place).map_or(Zone::Central, |place| place.zone());
    validity((issued_at, zone), certificate, now, &mut found);
    found.into_list()
}

/// The issuer's own (303).
fn owner(issuer: &Issuer, certificate: &Certificate, found: &mut Findings) {
    let (issuer, rfc) = (issuer.rfc.as_str(), certificate.rfc());
    if issuer != rfc {
        let (issuer, rfc, number) = (Shown(issuer), Shown(rfc), certificate.number());
        found.add(
            "303",
            &At::top("issuer").field("rfc"),
            format_args!(
                "is {issuer}, but certificate {number} belongs to {rfc}: seal with the issuer's \
                 own certificate (CSD), or correct the RFC",
            ),
            format_args!(
                "es {issuer}, pero el certificado {number} pertenece a {rfc}: sellar con el \
                 certificado (CSD) del emisor, o corregir el RFC",
            ),
        );
    }
}

/// The name that the certificate has (40139, Reten20110), which is the registered one with the form of the company. Names are
/// compared by their words, since certificates spell Ñ and accents in several ways: half of them must be there.
fn name((of, code): (&Issuer, &'static str), certificate: &Certificate, found: &mut Findings) {
    let (issuer, holder) = (of.legal_name.as_str(), certificate.legal_name());
    let words = |text: &str| -> Vec<String> {
        let folded = kernel::text::folded(text);
        folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (own, theirs) = (words(issuer), words(holder));
    let shared = own.iter().filter(|word| theirs.contains(word)).count();
    if of.rfc != certificate.rfc() || theirs.is_empty() || shared * 2 >= own.len() {
        return;
    }
    let (issuer, holder, number) = (Shown(issuer), Shown(holder), certificate.number());
    found.add(
        code,
        &At::top("issuer").field("legalName"),
        format_args!(
            "is {issuer}, but certificate {number} was issued to {holder}: set the issuer's name \
             as registered with SAT, without the corporate suffix",
        ),
        format_args!(
            "es {issuer}, pero el certificado {number} se expidió a {holder}: indicar el nombre \
             del emisor como está registrado en el SAT, sin el régimen societario",
        ),
    );
}

/// A digital seal certificate (306).
fn kind(certificate: &Certificate, found: &mut Findings) {
    let number = certificate.number();
    let (english, spanish) = match certificate.kind() {
        CertificateKind::Csd => return,
        CertificateKind::Fiel => ("an e.firma (FIEL)", "una e.firma (FIEL)"),
        CertificateKind::Other => {
            ("a certificate not issued to taxpayers", "un certificado que no es de contribuyentes")
        }
    };
    found.add(
        "306",
        &At::top("certificate"),
        format_args!(
            "is {number}, {english}, which cannot seal: use a digital seal certificate (CSD), \
             issued by SAT through CertiSAT Web",
        ),
        format_args!(
            "es {number}, {spanish}, que no puede sellar: usar un certificado de sello digital \
             (CSD), que el SAT expide en CertiSAT Web",
        ),
    );
}

/// Valid at the document's date (305), and still when it is stamped, or SAT no longer lists it (304).
fn validity(
    (issued_at, zone): (PrimitiveDateTime, Zone),
    certificate: &Certificate,
    now: Timestamp,
    found: &mut Findings,
) {
    let (number, moment) = (certificate.number(), zone.utc(issued_at));
    let local = |moment| local_time::to_text(zone.local(moment));
    let (from, until) = (local(certificate.not_before()), local(certificate.not_after()));
    if !certificate.is_valid_at(moment) {
        let issued = local_time::to_text(issued_at);
        found.add(
            "305",
            &At::top("issuedAt"),
            format_args!(
                "is {issued}, but certificate {number} is valid from {from} to {until}: seal with \
                 one that is valid on that date",
            ),
            format_args!(
                "es {issued}, pero el certificado {number} está vigente del {from} al {until}: \
                 sellar con uno vigente en esa fecha",
            ),
        );
    } else if now > certificate.not_after() {
        found.add(
            "304",
            &At::top("certificate"),
            format_args!(
                "is {number}, which expired at {until}: request a new CSD through CertiSAT Web and \
                 seal with it",
            ),
            format_args!(
                "es {number}, que venció el {until}: solicitar un CSD nuevo en CertiSAT Web y sellar \
                 con él",
            ),
        );
    }
}
