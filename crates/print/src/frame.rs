//! What stands around the content of every sheet, whatever it prints.

use cfdi::{document::Issuer, stamp::Stamp};
use kernel::Language;
use time::PrimitiveDateTime;

use crate::{
    Sheet, WithholdingSheet,
    look::Look,
    names,
    texts::{self, Label},
};

/// Who issues which document, and how its sheet looks.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'a> {
    /// What people call the document.
    pub(crate) title: Label,
    /// The issuer's own number of it.
    pub(crate) number: Option<String>,
    /// What that number is called.
    pub(crate) number_name: Label,
    /// What the sheet is, once the document is stamped.
    pub(crate) legend: Label,
    pub(crate) issuer: &'a Issuer,
    pub(crate) place_of_issue: &'a str,
    pub(crate) issued_at: PrimitiveDateTime,
    pub(crate) stamp: Option<&'a Stamp>,
    pub(crate) certificate_number: Option<&'a str>,
    pub(crate) sandbox: bool,
    pub(crate) cancelled: bool,
    pub(crate) logo: Option<&'a [u8]>,
    pub(crate) look: &'a Look,
    pub(crate) language: Language,
}

impl<'a> Sheet<'a> {
    pub(crate) fn frame(&self) -> Frame<'a> {
        let document = self.document;
        Frame {
            title: names::title(document),
            number: names::number(document.series.as_deref(), document.folio.as_deref()),
            number_name: texts::NUMBER,
            legend: texts::LEGEND,
            issuer: &document.issuer,
            place_of_issue: &document.place_of_issue,
            issued_at: document.issued_at,
            stamp: self.stamp,
            certificate_number: self.certificate_number,
            sandbox: self.sandbox,
            cancelled: self.cancelled,
            logo: self.logo,
            look: self.look,
            language: self.language,
        }
    }
}

impl<'a> WithholdingSheet<'a> {
    pub(crate) fn frame(&self) -> Frame<'a> {
        let withholding = self.withholding;
        Frame {
            title: texts::WITHHOLDING,
            number: withholding.folio.clone(),
            number_name: texts::WITHHOLDING_NUMBER,
            legend: texts::LEGEND_WITHHOLDING,
            issuer: &withholding.issuer,
            place_of_issue: &withholding.place_of_issue,
            issued_at: withholding.issued_at,
            stamp: self.stamp,
            certificate_number: self.certificate_number,
            sandbox: self.sandbox,
            cancelled: self.cancelled,
            logo: self.logo,
            look: self.look,
            language: self.language,
        }
    }
}
