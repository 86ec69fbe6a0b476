//! Requests: the XML `Cancelacion` with its XML signature.
//!
//! Everything is written in the canonical form (inclusive Canonical XML 1.0: attributes in order, no
//! empty-element tags, no space between elements), so the digest is taken of the text as it is sent.

use std::fmt::Write;

use base64::{Engine, prelude::BASE64_STANDARD};
use rsa::rand_core::CryptoRngCore;
use sha1::{Digest, Sha1};
use time::PrimitiveDateTime;

use super::canonical;
use crate::{
    csd::{Certificate, Csd, SigningFailed},
    document::local_time,
};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The namespaces in force inside `Cancelacion`, which SAT wants declared although nothing uses them.
const SCHEMA_NAMESPACES: &str = "xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" \
     xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";

/// The namespace of requests that are of invoices.
const OF_DOCUMENTS: &str = "http://cancelacfd.sat.gob.mx";
/// The namespace of those that are of withholdings: that of the earlier version of their schema, also for the present one.
const OF_WITHHOLDINGS: &str = "http://www.sat.gob.mx/esquemas/retencionpago/1";

const SIGNATURE_NAMESPACE: &str = "xmlns=\"http://www.w3.org/2000/09/xmldsig#\"";

/// Why a document is cancelled (c_MotivoCancelacion).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// `01`: it has errors, and another document, already stamped, replaces it.
    Replaced {
        /// The UUID of the substitute.
        by: String,
    },
    /// `02`: it has errors, and nothing replaces it.
    Mistaken,
    /// `03`: the operation did not take place.
    NotCarriedOut,
    /// `04`: the operation was part of a global invoice and is now invoiced by name.
    InGlobalInvoice,
}

impl Reason {
    /// SAT's code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Replaced { .. } => "01",
            Self::Mistaken => "02",
            Self::NotCarriedOut => "03",
            Self::InGlobalInvoice => "04",
        }
    }
}

/// A document to be cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folio {
    /// Its UUID, in any case; sent in upper case, as SAT compares it.
    pub uuid: String,
    /// Why.
    pub reason: Reason,
}

/// The request to cancel documents, at least one, of the CSD's holder: a whole XML document in UTF-8.
///
/// `date` is the local time at which it is sent, cut to seconds. The same arguments always give the
/// same text; the random source only protects the key.
///
/// # Errors
/// [`SigningFailed`], which no correct key on a sound machine causes.
pub fn sign(
    csd: &Csd,
    date: PrimitiveDateTime,
    folios: &[Folio],
    rng: &mut impl CryptoRngCore,
) -> Result<String, SigningFailed> {
    sign_in(OF_DOCUMENTS, csd, (date, folios), rng)
}

/// The request to cancel withholdings, as [`sign`] makes that for other documents. They are part of no global invoice.
///
/// # Errors
/// [`SigningFailed`], which no correct key on a sound machine causes.
pub fn sign_withholdings(
    csd: &Csd,
    date: PrimitiveDateTime,
    folios: &[Folio],
    rng: &mut impl CryptoRngCore,
) -> Result<String, SigningFailed> {
    sign_in(OF_WITHHOLDINGS, csd, (date, folios), rng)
}

fn sign_in(
    namespace: &str,
    csd: &Csd,
    (date, folios): (PrimitiveDateTime, &[Folio]),
    rng: &mut impl CryptoRngCore,
) -> Result<String, SigningFailed> {
    let start = start_tag(namespace, csd.certificate().rfc(), date);
    let folios: String = folios.iter().map(folio).collect();
    let digest = Sha1::digest(format!("{start}{folios}</Cancelacion>"));
    let info = signed_info(&BASE64_STANDARD.encode(digest));
    // Alone, this element is canonical with the namespaces that it inherits in the document.
    let scope = format!("{SIGNATURE_NAMESPACE} {SCHEMA_NAMESPACES}");
    let message = format!("<SignedInfo {scope}>{info}</SignedInfo>");
    let signature = BASE64_STANDARD.encode(csd.sign_sha1(message.as_bytes(), rng)?);
    Ok(format!(
        "{DECLARATION}{start}{folios}<Signature {SIGNATURE_NAMESPACE}>\
         <SignedInfo>{info}</SignedInfo><SignatureValue>{signature}</SignatureValue>\
         {key_info}</Signature></Cancelacion>",
        key_info = key_info(csd.certificate()),
    ))
}

fn start_tag(namespace: &str, rfc: &str, date: PrimitiveDateTime) -> String {
    format!(
        "<Cancelacion xmlns=\"{namespace}\" {SCHEMA_NAMESPACES} \
         Fecha=\"{date}\" RfcEmisor=\"{rfc}\">",
        date = local_time::to_text(date),
        rfc = canonical::attribute(rfc),
    )
}

/// Each in a `Folios` of its own, as SAT's schema has it.
fn folio(folio: &Folio) -> String {
    let mut out = String::from("<Folios><Folio");
    let mut put = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = write!(out, " {name}=\"{}\"", canonical::attribute(value));
    };
    if let Reason::Replaced { by } = &folio.reason {
        put("FolioSustitucion", &by.to_uppercase());
    }
    put("Motivo", folio.reason.code());
    put("UUID", &folio.uuid.to_uppercase());
    out.push_str("></Folio></Folios>");
    out
}

fn signed_info(digest: &str) -> String {
    format!(
        "<CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\">\
         </CanonicalizationMethod>\
         <SignatureMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#rsa-sha1\">\
         </SignatureMethod>\
         <Reference URI=\"\"><Transforms>\
         <Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\">\
         </Transform></Transforms>\
         <DigestMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#sha1\"></DigestMethod>\
         <DigestValue>{digest}</DigestValue></Reference>"
    )
}

fn key_info(certificate: &Certificate) -> String {
    format!(
        "<KeyInfo><X509Data><X509IssuerSerial><X509IssuerName>{issuer}</X509IssuerName>\
         <X509SerialNumber>{serial}</X509SerialNumber></X509IssuerSerial>\
         <X509Certificate>{certificate}</X509Certificate></X509Data></KeyInfo>",
        issuer = canonical::text(certificate.issuer()),
        serial = certificate.serial(),
        certificate = certificate.base64(),
    )
}
