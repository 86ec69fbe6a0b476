//! Sealing: the last step of a document before it is sent to be stamped.

use crate::{
    csd::{Csd, SigningFailed},
    document::Document,
    emit::{Signature, cadena, xml},
    withholding::Withholding,
};

/// A sealed document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The XML.
    pub xml: String,
    /// The seal in base64.
    pub seal: String,
    /// What was sealed.
    pub cadena: String,
}

/// Seals a document. The same document and certificate always give the same bytes.
///
/// # Errors
/// When the key cannot sign.
pub fn seal(document: &Document, csd: &Csd) -> Result<Sealed, SigningFailed> {
    let cadena = cadena(document, csd.certificate().number());
    sealed(cadena, csd, |signature| xml(document, signature))
}

/// Seals a withholding, as [`seal`] does a document.
///
/// # Errors
/// When the key cannot sign.
pub fn seal_withholding(withholding: &Withholding, csd: &Csd) -> Result<Sealed, SigningFailed> {
    let cadena = withholding.cadena(csd.certificate().number());
    sealed(cadena, csd, |signature| withholding.xml(signature))
}

fn sealed(
    cadena: String,
    csd: &Csd,
    xml: impl FnOnce(&Signature<'_>) -> String,
) -> Result<Sealed, SigningFailed> {
    let certificate = csd.certificate();
    let seal = csd.seal(&cadena)?;
    let signature = Signature {
        certificate_number: certificate.number(),
        certificate: &certificate.base64(),
        seal: &seal,
    };
    let xml = xml(&signature);
    Ok(Sealed { xml, seal, cadena })
}
