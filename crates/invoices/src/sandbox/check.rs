//! What the sandbox checks of a document before it stamps it.

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::{
    catalogs::postal_codes,
    csd::Certificate,
    document::{is_generic, local_time},
    stamp::CFDI,
};
use kernel::{Amount, Timestamp};
use ring::digest::{SHA256, digest};

use crate::provider::{Rejection, ToCancel};

/// What of a document decides how it is treated.
pub(super) struct Facts {
    /// The issuer's seal.
    pub(super) seal: String,
    /// Whether the receiver is asked before it is cancelled.
    pub(super) needs_acceptance: bool,
    issued_at: Option<Timestamp>,
    issuer_rfc: String,
    certificate_number: String,
    certificate: Option<Certificate>,
}

/// Documents are stamped within so many seconds of their date.
const AGE_SECONDS_MAX: i64 = 72 * 3_600;
/// How far a clock may be ahead, in seconds.
const AHEAD_SECONDS_MAX: i64 = 300;

/// Reads a sealed document; `None` when it is none.
pub(super) fn facts(xml: &str) -> Option<Facts> {
    let tree = roxmltree::Document::parse(xml).ok()?;
    let root = tree.root_element();
    if !root.has_tag_name((CFDI, "Comprobante")) {
        return None;
    }
    let child = |name| root.children().find(|node| node.has_tag_name((CFDI, name)));
    let (issuer, receiver) = (child("Emisor")?, child("Receptor")?);
    let zone = postal_codes::find(root.attribute("LugarExpedicion")?)?.zone();
    let issued_at = local_time::from_text(root.attribute("Fecha")?).map(|local| zone.utc(local));
    let certificate = STANDARD.decode(root.attribute("Certificado")?).ok();
    let total = Amount::parse(root.attribute("Total")?).ok()?;
    let receiver_rfc = receiver.attribute("Rfc")?;
    // Rule 2.7.1.35 of the RMF: without acceptance up to 1,000 pesos, credit notes and transfers, the
    // general public, foreigners.
    let small = total <= Amount::from_micros(1_000_000_000);
    let is_payment = root.attribute("TipoDeComprobante") == Some("P");
    let free_kind = matches!(root.attribute("TipoDeComprobante"), Some("E" | "T"));
    let generic = is_generic(receiver_rfc);
    Some(Facts {
        seal: root.attribute("Sello")?.to_owned(),
        needs_acceptance: !((small && !is_payment) || free_kind || generic),
        issued_at,
        issuer_rfc: issuer.attribute("Rfc")?.to_owned(),
        certificate_number: root.attribute("NoCertificado")?.to_owned(),
        certificate: certificate.and_then(|der| Certificate::parse(&der).ok()),
    })
}

/// Judges the envelope of a document as providers do: certificate, issuer, date.
pub(super) fn check(xml: &str, now: Timestamp) -> Result<Facts, Rejection> {
    let reject = |code: &str, message: &str| Rejection {
        code: code.to_owned(),
        message: message.to_owned(),
    };
    let Some(facts) = facts(xml) else {
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

/// A receipt in the form of the authority's.
pub(super) fn receipt(request: &ToCancel, now: Timestamp) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><Acuse xmlns="http://cancelacfd.sat.gob.mx" Fecha="{now}" RfcEmisor="{}" Leyenda="SANDBOX, SIN VALOR FISCAL"><Folios><UUID>{}</UUID><EstatusUUID>201</EstatusUUID></Folios></Acuse>"#,
        request.issuer_rfc.replace('&', "&amp;"),
        request.uuid,
    )
}
