//! To whom abroad was paid: the complement *Pagos a extranjeros* (pagosaextranjeros.xsd).

use serde::{Deserialize, Serialize};

/// Whom a payment abroad benefits, which SAT is told by `EsBenefEfectDelCobro`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ForeignPayment {
    /// The receiver, who is represented in Mexico.
    Beneficiary(Beneficiary),
    /// Somebody else.
    NonBeneficiary(NonBeneficiary),
}

/// Who represents the beneficiary in Mexico (`Beneficiario`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beneficiary {
    /// Tax identifier.
    pub rfc: String,
    /// Population registry code.
    pub curp: String,
    /// Name.
    pub legal_name: String,
    /// What kind of taxpayer is paid, a code of c_TipoContribuyenteSujetoRetencion.
    pub payee: String,
    /// What is paid for.
    pub description: String,
}

/// The resident abroad who is paid without benefiting (`NoBeneficiario`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NonBeneficiary {
    /// Where they reside, a code of the catalog of
    /// [withholdings](crate::catalogs::withholdings::countries).
    pub tax_residence: String,
    /// What kind of taxpayer is paid, a code of c_TipoContribuyenteSujetoRetencion.
    pub payee: String,
    /// What is paid for.
    pub description: String,
}
