//! The stamp (Timbre Fiscal Digital 1.1): what a certification provider adds to a sealed document.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use crate::{
    catalogs::zones::Zone,
    document::{Document, local_time},
    emit::escaped,
    totals::Totals,
    withholding::{Receiver, Withholding},
};

/// The stamp of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stamp {
    /// The fiscal folio, upper case.
    pub uuid: String,
    /// When it was stamped, in the time of [`ZONE`](Self::ZONE).
    #[serde(with = "local_time")]
    pub stamped_at: PrimitiveDateTime,
    /// The provider's RFC.
    pub provider_rfc: String,
    /// What the provider has to say.
    pub legend: Option<String>,
    /// The issuer's seal, which the stamp confirms.
    pub issuer_seal: String,
    /// The number of the provider's certificate.
    pub certificate_number: String,
    /// The provider's seal.
    pub seal: String,
}

/// Why an XML shows no stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StampProblem {
    /// It is not XML, or neither CFDI nor withholding.
    NotADocument,
    /// There is no stamp in it.
    Unstamped,
    /// The stamp lacks what it must have.
    Incomplete,
}

impl fmt::Display for StampProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotADocument => "the answer is no CFDI",
            Self::Unstamped => "the document has no stamp",
            Self::Incomplete => "the stamp is not complete",
        })
    }
}

impl std::error::Error for StampProblem {}

/// The namespace of documents.
pub const CFDI: &str = "http://www.sat.gob.mx/cfd/4";
/// The namespace of withholdings.
pub const RETENCIONES: &str = "http://www.sat.gob.mx/esquemas/retencionpago/2";
/// The namespace of stamps.
pub const TFD: &str = "http://www.sat.gob.mx/TimbreFiscalDigital";

impl Stamp {
    /// Whose time stamps state, wherever the document was issued (TFD 1.1, `FechaTimbrado`).
    pub const ZONE: Zone = Zone::Central;

    /// The stamp of a stamped document.
    ///
    /// # Errors
    /// When there is none.
    pub fn read(xml: &str) -> Result<Self, StampProblem> {
        // Some providers put a byte order mark in front.
        let xml = xml.trim_start_matches('\u{feff}');
        let tree = roxmltree::Document::parse(xml).map_err(|_| StampProblem::NotADocument)?;
        let root = tree.root_element();
        let known = [(CFDI, "Comprobante"), (RETENCIONES, "Retenciones")];
        if !known.into_iter().any(|name| root.has_tag_name(name)) {
            return Err(StampProblem::NotADocument);
        }
        let stamp = tree
            .descendants()
            .find(|node| node.has_tag_name((TFD, "TimbreFiscalDigital")))
            .ok_or(StampProblem::Unstamped)?;
        let required = |name| stamp.attribute(name).ok_or(StampProblem::Incomplete);
        Ok(Self {
            uuid: required("UUID")?.to_ascii_uppercase(),
            stamped_at: local_time::from_text(required("FechaTimbrado")?)
                .ok_or(StampProblem::Incomplete)?,
            provider_rfc: required("RfcProvCertif")?.to_owned(),
            legend: stamp.attribute("Leyenda").map(str::to_owned),
            issuer_seal: required("SelloCFD")?.to_owned(),
            certificate_number: required("NoCertificadoSAT")?.to_owned(),
            seal: required("SelloSAT")?.to_owned(),
        })
    }

    /// What the provider seals (Anexo 20, section III.C).
    #[must_use]
    pub fn cadena(&self) -> String {
        let moment = local_time::to_text(self.stamped_at);
        let mut values = vec!["1.1", &self.uuid, &moment, &self.provider_rfc];
        values.extend(self.legend.as_deref());
        values.extend([self.issuer_seal.as_str(), &self.certificate_number]);
        format!("||{}||", values.join("|"))
    }

    /// A sealed document with this stamp in it.
    #[must_use]
    pub fn attached_to(&self, sealed_xml: &str) -> String {
        const OF_WITHHOLDINGS: &str = "</retenciones:Retenciones>";
        let (prefix, end) = if sealed_xml.ends_with(OF_WITHHOLDINGS) {
            ("retenciones", OF_WITHHOLDINGS)
        } else {
            ("cfdi", "</cfdi:Comprobante>")
        };
        let (element, complement) = (self.element(), format!("</{prefix}:Complemento>"));
        if let Some((before, after)) = sealed_xml.rsplit_once(&complement) {
            return format!("{before}{element}{complement}{after}");
        }
        let before = sealed_xml.strip_suffix(end).unwrap_or(sealed_xml);
        format!("{before}<{prefix}:Complemento>{element}{complement}{end}")
    }

    fn element(&self) -> String {
        let moment = local_time::to_text(self.stamped_at);
        let legend = self.legend.as_deref().map(escaped);
        let legend = legend.map(|text| format!(r#" Leyenda="{text}""#)).unwrap_or_default();
        format!(
            r#"<tfd:TimbreFiscalDigital xmlns:tfd="{TFD}" xsi:schemaLocation="{TFD} http://www.sat.gob.mx/sitio_internet/cfd/TimbreFiscalDigital/TimbreFiscalDigitalv11.xsd" Version="1.1" UUID="{}" FechaTimbrado="{moment}" RfcProvCertif="{}"{legend} SelloCFD="{}" NoCertificadoSAT="{}" SelloSAT="{}"/>"#,
            self.uuid, self.provider_rfc, self.issuer_seal, self.certificate_number, self.seal,
        )
    }
}

/// The address that the QR code of a printed document holds (Anexo 20, section I.E): anyone can check the
/// document there.
#[must_use]
pub fn verification_url(document: &Document, stamp: &Stamp) -> String {
    let total = total_of(document);
    let end = seal_end(&stamp.issuer_seal);
    format!(
        "https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id={}&re={}&rr={}&tt={total}&fe={}",
        stamp.uuid,
        in_url(&document.issuer.rfc),
        in_url(&document.receiver.rfc),
        in_url(end),
    )
}

/// The address that the QR code of a printed withholding holds (Anexo 20, section II.D). A foreign receiver is named by its
/// tax identifier, filled up with zeros to twenty characters.
#[must_use]
pub fn withholding_verification_url(withholding: &Withholding, stamp: &Stamp) -> String {
    let total = crate::decimal::digits(withholding.totals.operation, 2);
    let receiver = match &withholding.receiver {
        Receiver::National(national) => format!("rr={}", in_url(&national.rfc)),
        Receiver::Foreign(foreign) => {
            let id = foreign.foreign_tax_id.as_deref().unwrap_or_default();
            format!("nr={}", encoded(&format!("{id:0>20}")))
        }
    };
    format!(
        "https://prodretencionverificacion.clouda.sat.gob.mx/?id={}&re={}&{receiver}&tt={total}&fe={}",
        stamp.uuid,
        in_url(&withholding.issuer.rfc),
        in_url(seal_end(&stamp.issuer_seal)),
    )
}

/// The total as the document writes it.
#[must_use]
pub fn total_of(document: &Document) -> String {
    crate::decimal::digits(Totals::of(document).total, document.decimals())
}

/// The part of the issuer's seal that a document is asked after by: its last eight characters.
#[must_use]
pub fn seal_end(seal: &str) -> &str {
    seal.get(seal.len().saturating_sub(8)..).unwrap_or(seal)
}

/// A text of any characters in a query (RFC 3986, section 2.3).
fn encoded(text: &str) -> impl fmt::Display + '_ {
    const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, &RESERVED)
}

/// What may not stand in a query as it is, of the characters that an RFC or base64 can have.
fn in_url(text: &str) -> String {
    text.replace('&', "%26").replace('Ñ', "%C3%91").replace('+', "%2B")
}
