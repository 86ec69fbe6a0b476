//! Where a customer fills in their own tax data.

use askama::Template;
use kernel::Language;

use crate::{
    drawn,
    texts::{Texts, texts},
};

/// The page with the form.
pub struct TaxDataPage<'a> {
    /// The language it is in.
    pub language: Language,
    /// Whether what is invoiced with them is a trial.
    pub sandbox: bool,
    /// Who asks.
    pub merchant: &'a str,
    /// What is in the fields.
    pub values: Values,
    /// The regimes to choose from, by code.
    pub regimes: Vec<Choice<'a>>,
    /// The uses to choose from, by code.
    pub uses: Vec<Choice<'a>>,
    /// The countries that somebody abroad can reside in, by code.
    pub countries: Vec<Choice<'a>>,
    /// What became of the form.
    pub outcome: Outcome,
}

/// What is in the fields of the form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// RFC.
    pub rfc: String,
    /// Name as registered.
    pub legal_name: String,
    /// Postal code of the tax address.
    pub tax_zip: String,
    /// A code of c_RegimenFiscal.
    pub tax_regime: String,
    /// A code of c_UsoCFDI.
    pub cfdi_use: String,
    /// Country of residence of a foreigner, a code of c_Pais.
    pub tax_residence: String,
    /// Tax identifier of a foreigner there.
    pub foreign_tax_id: String,
    /// Email address.
    pub email: String,
}

impl Values {
    /// Tells these values from others, for whoever confirms them.
    #[must_use]
    pub fn digest(&self) -> String {
        let Self {
            rfc,
            legal_name,
            tax_zip,
            tax_regime,
            cfdi_use,
            tax_residence,
            foreign_tax_id,
            email,
        } = self;
        let all =
            [rfc, legal_name, tax_zip, tax_regime, cfdi_use, tax_residence, foreign_tax_id, email];
        format!("{:016x}", kernel::digest::of_text(&all.map(String::as_str).join("\n")))
    }
}

/// A code to choose, with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The code.
    pub code: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// What became of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was not sent yet.
    Blank,
    /// What was sent is saved.
    Saved,
    /// It was not saved, for these reasons.
    Refused(Vec<Fault>),
    /// It was not saved yet: this is probably a mistake.
    Doubted(Vec<Fault>),
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field's name in the form.
    pub field: String,
    /// What is wrong with it and how to cure it: a clause that follows the field's label.
    pub clause: String,
}

#[derive(Template)]
#[template(path = "tax_data.html", whitespace = "minimize")]
struct Form<'a> {
    t: &'static Texts,
    sandbox: bool,
    page: &'a TaxDataPage<'a>,
    faults: &'a [Fault],
}

impl TaxDataPage<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let faults = match &self.outcome {
            Outcome::Refused(faults) | Outcome::Doubted(faults) => faults.as_slice(),
            Outcome::Blank | Outcome::Saved => &[],
        };
        drawn(&Form { t: texts(self.language), sandbox: self.sandbox, page: self, faults })
    }

    fn is_saved(&self) -> bool {
        self.outcome == Outcome::Saved
    }

    fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Refused(_))
    }

    fn is_doubted(&self) -> bool {
        matches!(self.outcome, Outcome::Doubted(_))
    }
}

/// The RFC of everybody who resides abroad.
const FOREIGNER: &str = "XEXX010101000";

impl Form<'_> {
    /// What is wrong with a field, if anything.
    fn fault(&self, field: &str) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.field == field)
    }

    /// Whether what only foreigners have is filled in, or wrong, or is theirs to fill in.
    fn is_abroad(&self) -> bool {
        let Values { rfc, tax_residence, foreign_tax_id, .. } = &self.page.values;
        rfc.eq_ignore_ascii_case(FOREIGNER)
            || !tax_residence.is_empty()
            || !foreign_tax_id.is_empty()
            || ["taxResidence", "foreignTaxId"].iter().any(|field| self.fault(field).is_some())
    }

    /// What a field is called.
    fn label(&self, field: &str) -> &'static str {
        match field {
            "rfc" => self.t.rfc,
            "legalName" => self.t.legal_name,
            "taxZip" => self.t.tax_zip,
            "taxRegime" => self.t.tax_regime,
            "cfdiUse" => self.t.cfdi_use,
            "taxResidence" => self.t.tax_residence,
            "foreignTaxId" => self.t.foreign_tax_id,
            "email" => self.t.email,
            _ => "",
        }
    }
}
