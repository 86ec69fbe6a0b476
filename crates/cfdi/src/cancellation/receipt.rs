//! Receipts: what SAT answers to a request.

use std::fmt;

use roxmltree::{Document, Node};
use time::{PrimitiveDateTime, format_description::well_known::Iso8601};

/// The largest receipt that is read; those of SAT are of a few kilobytes.
const RECEIPT_BYTES_MAX: usize = 1024 * 1024;

/// The elements that SAT gives its answer in.
const ELEMENTS: [&str; 2] = ["Acuse", "CancelaCFDResult"];

/// SAT's receipt (*acuse*) of a cancellation request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// When SAT received the request, in local time of central Mexico.
    pub date: PrimitiveDateTime,
    /// The issuer of the documents. Refusals of a whole request may lack it.
    pub issuer_rfc: Option<String>,
    /// The code of the request as a whole, which receipts have only when it was refused.
    pub code: Option<String>,
    /// What became of each document.
    pub folios: Vec<ReceivedFolio>,
}

/// What became of the request for one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedFolio {
    /// The document, in upper case.
    pub uuid: String,
    /// SAT's code (`EstatusUUID`), such as `201`, or `1201` of a withholding. From 207 to 999 its meaning depends on the
    /// provider.
    pub status: String,
}

/// Why a text is no receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadReceipt {
    /// It is not XML, or too long.
    NotXml,
    /// It holds no answer to a cancellation request.
    NoReceipt,
    /// Its date cannot be read.
    BadDate {
        /// What stands there.
        text: String,
    },
}

impl Receipt {
    /// Reads the XML of a receipt, bare or in the SOAP envelope of SAT's service.
    ///
    /// Its signature is not verified: it is made with a secret of SAT.
    ///
    /// # Errors
    /// [`BadReceipt`].
    pub fn parse(xml: &str) -> Result<Self, BadReceipt> {
        if xml.len() > RECEIPT_BYTES_MAX {
            return Err(BadReceipt::NotXml);
        }
        let document = Document::parse(xml.trim_start_matches('\u{feff}').trim_start())
            .map_err(|_| BadReceipt::NotXml)?;
        let answer = document.descendants().find(is_answer).ok_or(BadReceipt::NoReceipt)?;
        let date = answer.attribute("Fecha").unwrap_or_default();
        Ok(Self {
            date: PrimitiveDateTime::parse(date, &Iso8601::DEFAULT)
                .map_err(|_| BadReceipt::BadDate { text: date.to_owned() })?,
            issuer_rfc: answer.attribute("RfcEmisor").map(str::to_owned),
            code: answer.attribute("CodEstatus").map(str::to_owned),
            folios: answer.descendants().filter_map(received).collect(),
        })
    }

    /// SAT's code for a document, if the receipt is of it.
    #[must_use]
    pub fn status_of(&self, uuid: &str) -> Option<&str> {
        let folio = self.folios.iter().find(|folio| folio.uuid.eq_ignore_ascii_case(uuid));
        folio.map(|folio| folio.status.as_str())
    }
}

impl ReceivedFolio {
    /// Whether SAT has the request, now (`201`, `1201`) or since an earlier one (`202`, `1202`).
    #[must_use]
    pub fn is_received(&self) -> bool {
        matches!(self.status.as_str(), "201" | "202" | "1201" | "1202")
    }
}

fn is_answer(node: &Node<'_, '_>) -> bool {
    ELEMENTS.contains(&node.tag_name().name()) && node.has_attribute("Fecha")
}

/// The document of which an element `EstatusUUID` tells: that of the `UUID` beside it.
fn received(status: Node<'_, '_>) -> Option<ReceivedFolio> {
    if !is_named(&status, "EstatusUUID") {
        return None;
    }
    let uuid = status.parent()?.children().find(|node| is_named(node, "UUID"))?;
    let trimmed = |node: Node<'_, '_>| node.text().unwrap_or_default().trim().to_owned();
    Some(ReceivedFolio { uuid: trimmed(uuid).to_uppercase(), status: trimmed(status) })
}

fn is_named(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

impl fmt::Display for BadReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotXml => f.write_str("the receipt is not XML"),
            Self::NoReceipt => f.write_str("the XML holds no cancellation receipt"),
            Self::BadDate { text } => write!(f, "the receipt's date cannot be read: {text:?}"),
        }
    }
}

impl std::error::Error for BadReceipt {}
