//! From whom taxes are withheld.

use serde::{Deserialize, Serialize};

/// From whom taxes are withheld (`Receptor`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Receiver {
    /// Somebody with an RFC.
    National(National),
    /// Somebody who resides abroad.
    Foreign(Foreign),
}

/// A receiver in Mexico (`Nacional`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct National {
    /// Tax identifier.
    pub rfc: String,
    /// Name as registered, without the company's form.
    pub legal_name: String,
    /// The population registry code (CURP) of a natural person.
    pub curp: Option<String>,
    /// Postal code of the tax address.
    pub tax_zip: String,
}

/// A receiver abroad (`Extranjero`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Foreign {
    /// Tax identifier in the country of residence.
    pub foreign_tax_id: Option<String>,
    /// Name.
    pub legal_name: String,
}

impl Receiver {
    /// What SAT calls a receiver of that kind (`NacionalidadR`).
    #[must_use]
    pub const fn nationality(&self) -> &'static str {
        match self {
            Self::National(_) => "Nacional",
            Self::Foreign(_) => "Extranjero",
        }
    }

    /// Whether it resides abroad.
    #[must_use]
    pub const fn is_foreign(&self) -> bool {
        matches!(self, Self::Foreign(_))
    }
}
