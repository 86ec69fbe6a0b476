//! Whether a certificate can seal a document.

use kernel::Timestamp;

use super::{
    case::Case,
    finding::{At, Finding, Findings, Shown},
};
use crate::{
    catalogs::zones::Zone,
    csd::{Certificate, CertificateKind},
    document::{Document, local_time},
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
    let mut found = Findings::default();
    owner(document, certificate, &mut found);
    name(document, certificate, &mut found);
    kind(certificate, &mut found);
    validity(&Case::new(document), certificate, now, &mut found);
    found.into_list()
}

/// The issuer's own (303).
fn owner(document: &Document, certificate: &Certificate, found: &mut Findings) {
    let (issuer, rfc) = (document.issuer.rfc.as_str(), certificate.rfc());
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
                "es {issuer}, pero el certificado {number} pertenece a {rfc}: selle con el \
                 certificado (CSD) del emisor, o corrija el RFC",
            ),
        );
    }
}

/// The name that the certificate has (40139), which is the registered one with the form of the company. Names are
/// compared by their words, since certificates spell Ñ and accents in several ways: half of them must be there.
fn name(document: &Document, certificate: &Certificate, found: &mut Findings) {
    let (issuer, holder) = (document.issuer.legal_name.as_str(), certificate.legal_name());
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
    if document.issuer.rfc != certificate.rfc() || theirs.is_empty() || shared * 2 >= own.len() {
        return;
    }
    let (issuer, holder, number) = (Shown(issuer), Shown(holder), certificate.number());
    found.add(
        "CFDI40139",
        &At::top("issuer").field("legalName"),
        format_args!(
            "is {issuer}, but certificate {number} was issued to {holder}: set the issuer's name \
             as registered with SAT, without the corporate suffix",
        ),
        format_args!(
            "es {issuer}, pero el certificado {number} se expidió a {holder}: indique el nombre \
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
            "es {number}, {spanish}, que no puede sellar: use un certificado de sello digital \
             (CSD), que el SAT expide en CertiSAT Web",
        ),
    );
}

/// Valid at the document's date (305), and still when it is stamped, or SAT no longer lists it (304).
fn validity(case: &Case<'_>, certificate: &Certificate, now: Timestamp, found: &mut Findings) {
    let zone = case.place.map_or(Zone::Central, |place| place.zone());
    let (number, moment) = (certificate.number(), zone.utc(case.document.issued_at));
    let local = |moment| local_time::to_text(zone.local(moment));
    let (from, until) = (local(certificate.not_before()), local(certificate.not_after()));
    if !certificate.is_valid_at(moment) {
        let issued = local_time::to_text(case.document.issued_at);
        found.add(
            "305",
            &At::top("issuedAt"),
            format_args!(
                "is {issued}, but certificate {number} is valid from {from} to {until}: seal with \
                 one that is valid on that date",
            ),
            format_args!(
                "es {issued}, pero el certificado {number} está vigente del {from} al {until}: \
                 selle con uno vigente en esa fecha",
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
                "es {number}, que venció el {until}: solicite un CSD nuevo en CertiSAT Web y selle \
                 con él",
            ),
        );
    }
}
