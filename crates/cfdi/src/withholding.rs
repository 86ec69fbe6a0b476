//! Withholdings: SAT's *Comprobante fiscal digital que ampara retenciones e información de pagos* 2.0, a document of its
//! own beside the invoice (Anexo 20, section II; retencionpagov2.xsd).
//!
//! Whoever withholds taxes from somebody, or must inform of what was paid, certifies it to them for a period of one
//! fiscal year, in pesos. It is checked by [`check_withholding`](crate::rules::check_withholding), sealed by
//! [`seal_withholding`](crate::seal::seal_withholding) and stamped like an invoice.
//!
//! Of SAT's complements it has those that a business issues: dividends, interest, payments abroad, leases in trust, sales of
//! shares, prizes and services sold through platforms. Those of trustees, retirement plans, mortgages, derivatives and the financial
//! sector are left out, and so are the kinds of withholding that need them.

mod complements;
mod parties;
mod platform;
mod totals;

use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

pub use complements::{
    Beneficiary, Complements, Distribution, Dividends, ForeignPayment, Interest, NonBeneficiary,
    Origin, Prize, Remainder, ShareSale, TrustLease,
};
pub use parties::{Foreign, National, Receiver};
pub use platform::{
    Contribution, Fee, PlatformService, PlatformServices, PlatformTotals, ServiceTax,
};
pub use totals::{Totals, WithheldTax};

use crate::{
    decimal,
    document::{Issuer, local_time},
    tax::Tax,
};

/// A withholding to be sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withholding {
    /// The issuer's own number of it: letters without accents, and digits (`FolioInt`).
    pub folio: Option<String>,
    /// When it was issued: whole seconds of the local time at [`place_of_issue`](Self::place_of_issue).
    #[serde(with = "local_time")]
    pub issued_at: PrimitiveDateTime,
    /// The postal code where it is issued.
    pub place_of_issue: String,
    /// What is withheld from, a code of c_CveRetenc.
    pub code: String,
    /// The same in words, which code 25 needs.
    pub description: Option<String>,
    /// The withholding that it refers to.
    pub related: Option<Related>,
    /// Who withholds.
    pub issuer: Issuer,
    /// From whom.
    pub receiver: Receiver,
    /// Of which months.
    pub period: Period,
    /// What was paid and withheld.
    pub totals: Totals,
    /// The taxes that were withheld; none when it only informs of payments.
    pub taxes: Vec<WithheldTax>,
    /// What else it states.
    #[serde(default)]
    pub complements: Complements,
}

/// The withholding that another one refers to, such as the one it replaces (`CfdiRetenRelacionados`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Related {
    /// Why, a code of c_TipoRelacion.
    pub relation: String,
    /// Its fiscal folio.
    pub uuid: String,
}

/// The months of one year that a withholding is of (`Periodo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// The first month, from 1 (c_Periodo).
    pub first_month: u8,
    /// The last month.
    pub last_month: u8,
    /// The fiscal year (c_Ejercicio).
    pub year: u16,
}

impl Withholding {
    /// What was withheld in all, as its taxes sum up.
    #[must_use]
    pub fn withheld(&self) -> Amount {
        decimal::sum(self.taxes.iter().map(|tax| tax.amount))
    }

    /// What was withheld of one tax.
    #[must_use]
    pub fn withheld_of(&self, tax: Tax) -> Amount {
        decimal::sum(self.taxes.iter().filter(|each| each.tax == Some(tax)).map(|tax| tax.amount))
    }

    /// The sums of what was sold through a platform, if anything was.
    #[must_use]
    pub fn platform_totals(&self) -> Option<PlatformTotals> {
        let services = self.complements.platform_services.as_ref()?;
        Some(services.totals(self.withheld_of(Tax::Iva), self.withheld_of(Tax::Isr)))
    }
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
