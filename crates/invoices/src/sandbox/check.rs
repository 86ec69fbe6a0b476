//! What the sandbox checks of a document before it stamps it.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use cfdi::{
    catalogs::postal_codes,
    csd::Certificate,
    document::{is_generic, local_time},
    stamp::{CFDI, RETENCIONES},
};
use kernel::{Amount, Timestamp};
use roxmltree::Node;

use super::certificates::Certificates;
use crate::provider::{Rejection, Service, ToCancel, ToStamp};

/// What of a document decides how it is treated.
pub(super) struct Facts {
    /// The issuer's seal.
    pub(super) seal: String,
    /// Whether the receiver is asked before it is cancelled.
    pub(super) needs_acceptance: bool,
    issued_at: Option<Timestamp>,
    issuer_rfc: String,
    certificate_number: String,
    certificate: Option<Arc<Certificate>>,
}

/// Documents are stamped within so many seconds of their date.
const AGE_SECONDS_MAX: i64 = 72 * 3_600;
/// How far a clock may be ahead, in seconds.
const AHEAD_SECONDS_MAX: i64 = 300;

/// What a kind of document calls what every document states.
struct Names {
    namespace: &'static str,
    root: &'static str,
    place: &'static str,
    issued_at: &'static str,
    issuer_rfc: &'static str,
}

const fn names(service: Service) -> Names {
    match service {
        Service::Invoice => Names {
            namespace: CFDI,
            root: "Comprobante",
            place: "LugarExpedicion",
            issued_at: "Fecha",
            issuer_rfc: "Rfc",
        },
        Service::Withholding => Names {
            namespace: RETENCIONES,
            root: "Retenciones",
            place: "LugarExpRetenc",
            issued_at: "FechaExp",
            issuer_rfc: "RfcE",
        },
    }
}

/// Reads a sealed document; `None` when it is none of its kind.
pub(super) fn facts(request: &ToStamp, certificates: &Certificates) -> Option<Facts> {
    let names = names(request.service);
    let tree = roxmltree::Document::parse(&request.xml).ok()?;
    let root = tree.root_element();
    if !root.has_tag_name((names.namespace, names.root)) {
        return None;
    }
    let zone = postal_codes::find(root.attribute(names.place)?)?.zone();
    let issued_at = local_time::from_text(root.attribute(names.issued_at)?);
    let certificate = root.attribute("Certificado")?;
    let needs_acceptance = match request.service {
        Service::Invoice => needs_acceptance(root)?,
        Service::Withholding => asks_nobody(root)?,
    };
    Some(Facts {
        seal: root.attribute("Sello")?.to_owned(),
        needs_acceptance,
        issued_at: issued_at.map(|local| zone.utc(local)),
        issuer_rfc: child(root, "Emisor")?.attribute(names.issuer_rfc)?.to_owned(),
        certificate_number: root.attribute("NoCertificado")?.to_owned(),
        certificate: certificates.read(certificate),
    })
}

/// A child of the document's own namespace.
fn child<'a, 'i>(root: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    let named = (root.tag_name().namespace()?, name);
    root.children().find(|node| node.has_tag_name(named))
}

/// Whether the receiver of an invoice is asked (rule 2.7.1.35 of the RMF): not up to 1,000 pesos, nor of credit notes and
/// transfers, nor the general public and foreigners.
fn needs_acceptance(root: Node<'_, '_>) -> Option<bool> {
    let total = Amount::parse(root.attribute("Total")?).ok()?;
    let receiver_rfc = child(root, "Receptor")?.attribute("Rfc")?;
    let small = total <= Amount::from_micros(1_000_000_000);
    let is_payment = root.attribute("TipoDeComprobante") == Some("P");
    let free_kind = matches!(root.attribute("TipoDeComprobante"), Some("E" | "T"));
    Some(!((small && !is_payment) || free_kind || is_generic(receiver_rfc)))
}

/// The receivers of withholdings are not asked, if it has what a withholding must have.
fn asks_nobody(root: Node<'_, '_>) -> Option<bool> {
    for name in ["Receptor", "Periodo", "Totales"] {
        child(root, name)?;
    }
    Some(false)
}

/// Judges the envelope of a document as providers do: certificate, issuer, date.
pub(super) fn check(
    request: &ToStamp,
    certificates: &Certificates,
    now: Timestamp,
) -> Result<Facts, Rejection> {
    let reject = |code: &str, message: &str| Rejection {
        code: code.to_owned(),
        message: message.to_owned(),
    };
    let Some(facts) = facts(request, certificates) else {
        return Err(reject("301", "XML mal formado"));
    };
    let (Some(certificate), Some(issued_at)) = (&facts.certificate, facts.issued_at) else {
        return Err(reject("301", "XML mal formado"));
    };
    if certificate.number() != facts.certificate_number || facts.seal.is_empty() {
        return Err(reject("302", "Sello mal formado o inválido"));
    }
    if certificate.rfc() != facts.issuer_rfc {
        return Err(reject("303", "Sello no corresponde a emisor"));
    }
    if !certificate.is_valid_at(issued_at) {
        return Err(reject(
            "305",
            "La fecha de emisión no esta dentro de la vigencia del CSD del Emisor",
        ));
    }
    let age = (now.micros() - issued_at.micros()) / 1_000_000;
    if !(-AHEAD_SECONDS_MAX..=AGE_SECONDS_MAX).contains(&age) {
        return Err(reject("401", "Fecha y hora de generación fuera de rango"));
    }
    Ok(facts)
}

/// A fiscal folio that follows from the seal, in the form of a random UUID (RFC 9562, version 4).
pub(super) fn uuid(seal: &str) -> String {
    let digest = digest(&SHA256, seal.as_bytes());
    let mut bytes = [0u8; 16];
    for (byte, from) in bytes.iter_mut().zip(digest.as_ref()) {
        *byte = *from;
    }
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| hex.get(range).unwrap_or(""));
    parts.join("-")
}

/// The authority's codes of a request to cancel.
pub(super) struct Codes {
    /// It was not asked for before.
    pub(super) received: &'static str,
    /// It was.
    pub(super) repeated: &'static str,
    /// There is no such document.
    pub(super) unknown: &'static str,
}

/// The codes for that kind of document.
pub(super) const fn codes(service: Service) -> Codes {
    match service {
        Service::Invoice => Codes { received: "201", repeated: "202", unknown: "205" },
        Service::Withholding => Codes { received: "1201", repeated: "1202", unknown: "1205" },
    }
}

/// A receipt in the form of the authority's.
pub(super) fn receipt(request: &ToCancel, code: &str, now: Timestamp) -> String {
    let namespace = match request.service {
        Service::Invoice => "http://cancelacfd.sat.gob.mx",
        Service::Withholding => "http://www.sat.gob.mx/esquemas/retencionpago/1",
    };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><Acuse xmlns="{namespace}" Fecha="{now}" RfcEmisor="{}" Leyenda="SANDBOX, SIN VALOR FISCAL"><Folios><UUID>{}</UUID><EstatusUUID>{code}</EstatusUUID></Folios></Acuse>"#,
        request.issuer_rfc.replace('&', "&amp;"),
        request.uuid,
    )
}
