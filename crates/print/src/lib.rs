//! The printed representation of a CFDI 4.0, or of a withholding 2.0, as PDF in letter size; and packing slips.
//!
//! It shows what article 29-A of the CFF and rule 2.7.1.7 of the RMF ask for, and names beside codes. The
//! same sheet always gives the same bytes: there is no clock and no chance in it.

mod block;
mod color;
mod figures;
mod flow;
mod fonts;
mod frame;
mod layout;
mod logo;
mod look;
mod names;
mod packing;
mod paint;
mod palette;
mod parts;
mod quote;
mod scaling;
mod table;
mod text;
mod texts;
mod words;

use std::fmt;

use block::Op;
use cfdi::{document::Document, stamp::Stamp, withholding::Withholding};
use frame::Frame;
use kernel::Language;
use krilla::{error::KrillaError, metadata::Metadata};
use palette::Palette;

pub use color::Color;
pub use logo::{LOGO_BYTES_MAX, LOGO_SIDE_MAX, LOGO_SIDE_MIN, logo_to_keep};
pub use look::{ADDRESS_LINES_MAX, Contact, ItemDetails, LogoPlace, Look};
pub use packing::{PackedItem, PackingSlip, packing_slip_pdf};
pub use quote::{QuoteLine, QuoteMark, QuoteSheet, quote_pdf};
pub use words::in_words;

/// What is printed.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Sheet<'a> {
    pub document: &'a Document,
    /// Its stamp. Without one it is a draft, and says so.
    pub stamp: Option<&'a Stamp>,
    /// The number of the issuer's certificate.
    pub certificate_number: Option<&'a str>,
    /// Whether it is only a trial, which every page then says.
    pub sandbox: bool,
    /// Whether it was cancelled, which every page then says.
    pub cancelled: bool,
    /// The issuer's logo, PNG or JPEG. One that cannot be read is left out, see [`logo_to_keep`].
    pub logo: Option<&'a [u8]>,
    /// What the issuer wants to add.
    pub notes: Option<&'a str>,
    pub look: &'a Look,
    /// The language of everything but the document's own texts and the names in SAT's catalogs.
    pub language: Language,
}

/// A withholding that is printed.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is as of a sheet")]
pub struct WithholdingSheet<'a> {
    pub withholding: &'a Withholding,
    /// Its stamp. Without one it is a draft, and says so.
    pub stamp: Option<&'a Stamp>,
    /// The number of the issuer's certificate.
    pub certificate_number: Option<&'a str>,
    /// Whether it is only a trial, which every page then says.
    pub sandbox: bool,
    /// Whether it was cancelled, which every page then says.
    pub cancelled: bool,
    /// The issuer's logo, PNG or JPEG. One that cannot be read is left out, see [`logo_to_keep`].
    pub logo: Option<&'a [u8]>,
    /// Of its details of items none are printed.
    pub look: &'a Look,
    /// The language of everything but the withholding's own texts and the names in SAT's catalogs.
    pub language: Language,
}

/// Why a sheet could not be printed: the cause lies in this program, not in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintError(String);

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot generate the PDF: {}", self.0)
    }
}

impl std::error::Error for PrintError {}

/// The PDF of a sheet.
///
/// # Errors
/// When a font cannot be embedded. No document and no logo is a reason.
pub fn pdf(sheet: &Sheet<'_>) -> Result<Vec<u8>, PrintError> {
    printed(&sheet.frame(), |logo| layout::pages(sheet, logo))
}

/// The PDF of a withholding.
///
/// # Errors
/// As of [`pdf`].
pub fn withholding_pdf(sheet: &WithholdingSheet<'_>) -> Result<Vec<u8>, PrintError> {
    printed(&sheet.frame(), |logo| layout::withholding_pages(sheet, logo))
}

/// Paints the pages that are laid out for a logo of that size in pixels.
fn printed(
    frame: &Frame<'_>,
    pages: impl Fn(Option<(u32, u32)>) -> Vec<Vec<Op>>,
) -> Result<Vec<u8>, PrintError> {
    let palette = Palette::of(frame.look.accent);
    let logo = frame.logo.and_then(logo::read);
    if let Some(logo) = &logo {
        let pages = pages(Some(logo.size()));
        match paint::paint(&pages, palette, Some(logo), metadata(frame)) {
            Err(KrillaError::Image(..) | KrillaError::SixteenBitImage(..)) => {}
            painted => return painted.map_err(|error| PrintError(error.to_string())),
        }
    }
    paint::paint(&pages(None), palette, None, metadata(frame))
        .map_err(|error| PrintError(error.to_string()))
}

/// What programs show of the PDF.
fn metadata(frame: &Frame<'_>) -> Metadata {
    let uuid = frame.stamp.map(|stamp| stamp.uuid.clone());
    let kind = frame.title.text(frame.language).to_owned();
    let parts = [Some(kind), frame.number.clone(), uuid.clone()];
    let title: Vec<_> = parts.into_iter().flatten().collect();
    let language = match frame.language {
        Language::English => "en-US",
        Language::Spanish => "es-MX",
    };
    let metadata = Metadata::new()
        .title(text::clean(&title.join(" ")))
        .authors(vec![text::clean(&frame.issuer.legal_name)])
        .description(parts::furniture::legend(frame).to_owned())
        .creator("Trastienda".to_owned())
        .language(language.to_owned());
    match uuid {
        Some(uuid) => metadata.document_id(uuid),
        None => metadata,
    }
}

#[cfg(test)]
mod tests;
