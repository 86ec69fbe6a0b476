//! What companies distribute among their owners: the complement *Dividendos* (dividendos.xsd).

use kernel::Amount;
use serde::{Deserialize, Serialize};

/// Dividends, or what is left to be distributed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dividends {
    /// Dividends or profits that were distributed (`DividOUtil`).
    pub distribution: Option<Distribution>,
    /// What a civil association distributes of its remainder (`Remanente`).
    pub remainder: Option<Remainder>,
}

/// Dividends or profits that were distributed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Distribution {
    /// What they are paid out of, a code of c_TipoDividendoOUtilidadDistribuida.
    pub kind: String,
    /// Income tax withheld in Mexico that can be credited (`MontISRAcredRetMexico`).
    pub isr_withheld_in_mexico: Amount,
    /// Income tax withheld abroad that can be credited (`MontISRAcredRetExtranjero`).
    pub isr_withheld_abroad: Amount,
    /// What was withheld abroad from dividends of foreign companies (`MontRetExtDivExt`).
    pub withheld_from_foreign_dividends: Option<Amount>,
    /// Where the company that distributes them is from.
    pub company: Origin,
    /// Income tax of the company that can be credited (`MontISRAcredNal`).
    pub creditable_isr: Option<Amount>,
    /// What counts as income of a Mexican company's dividend (`MontDivAcumNal`).
    pub national_income: Option<Amount>,
    /// What counts as income of a foreign company's dividend (`MontDivAcumExt`).
    pub foreign_income: Option<Amount>,
}

/// Where a company is from (`TipoSocDistrDiv`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Mexico.
    National,
    /// Abroad.
    Foreign,
}

/// What a civil association distributes of its remainder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remainder {
    /// The receiver's share of it, in percent (`ProporcionRem`).
    pub percentage: Option<Amount>,
}

impl Origin {
    /// Both.
    pub const EVERY: &'static [Self] = &[Self::National, Self::Foreign];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::National => "national",
            Self::Foreign => "foreign",
        }
    }

    /// What SAT calls a company from there.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::National => "Sociedad Nacional",
            Self::Foreign => "Sociedad Extranjera",
        }
    }
}
