//! A document walked once, in the order of the *cadena original*: one sink makes XML of it, the other
//! the text that is sealed, so that the two cannot drift apart.

mod cadena;
mod complements;
mod comprobante;
mod withholding;
mod xml;

use crate::document::Document;

pub(crate) use xml::escaped;

/// The namespace by which documents say where their schemas are.
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// What the walk tells.
trait Sink {
    /// An element begins.
    fn open(&mut self, name: &'static str);
    /// An attribute of it, in the order of the cadena.
    fn attribute(&mut self, name: &'static str, value: &str);
    /// The element ends.
    fn close(&mut self, name: &'static str);
    /// An attribute that only the XML has, or has at this place.
    fn xml_only(&mut self, _name: &'static str, _value: &str) {}
    /// A value that the cadena has at another place than the XML.
    fn cadena_only(&mut self, _value: &str) {}

    /// An attribute, if there is one.
    fn optional(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.attribute(name, value);
        }
    }
}

/// The certificate and seal of a document's issuer.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// The certificate's number, 20 digits.
    pub certificate_number: &'a str,
    /// The certificate in base64.
    pub certificate: &'a str,
    /// The seal in base64.
    pub seal: &'a str,
}

/// The *cadena original* of a document: what its issuer seals (Anexo 20, section I.D).
#[must_use]
pub fn cadena(document: &Document, certificate_number: &str) -> String {
    let mut sink = cadena::Cadena::new();
    let signature = Signature { certificate_number, certificate: "", seal: "" };
    comprobante::walk(document, &signature, &mut sink);
    sink.finish()
}

/// The XML of a sealed document.
#[must_use]
pub fn xml(document: &Document, signature: &Signature<'_>) -> String {
    let mut sink = xml::Xml::new();
    comprobante::walk(document, signature, &mut sink);
    sink.finish()
}
