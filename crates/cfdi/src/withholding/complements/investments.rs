//! What is earned by interest, trusts, shares and prizes: the complements *Intereses*, *Arrendamiento en fideicomiso*,
//! *Enajenación de acciones* and *Premios* (intereses.xsd, arrendamientoenfideicomiso.xsd, enajenaciondeacciones.xsd,
//! premios.xsd).

use kernel::Amount;
use serde::{Deserialize, Serialize};

/// Interest that was earned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Interest {
    /// Whether the financial system pays it (`SistFinanciero`).
    pub from_financial_system: bool,
    /// Whether it was withdrawn (`RetiroAORESRetInt`).
    pub withdrawn: bool,
    /// Whether it is of financial derivatives (`OperFinancDerivad`).
    pub from_derivatives: bool,
    /// How much.
    pub nominal: Amount,
    /// How much after inflation, less than zero where inflation was more.
    pub real: Amount,
    /// What was lost.
    pub loss: Amount,
}

/// What a trust earned by letting property, among them FIBRAs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrustLease {
    /// What the trustee paid to the lessor (`PagProvEfecPorFiduc`).
    pub paid_by_trustee: Amount,
    /// What was earned (`RendimFideicom`).
    pub yielded: Amount,
    /// What may be deducted (`DeduccCorresp`).
    pub deductions: Amount,
    /// What was withheld (`MontTotRet`).
    pub withheld: Option<Amount>,
    /// The fiscal result that a FIBRA distributed (`MontResFiscDistFibras`).
    pub distributed_result: Option<Amount>,
    /// What else was distributed (`MontOtrosConceptDistr`).
    pub other_distributions: Option<Amount>,
    /// What that is (`DescrMontOtrosConceptDistr`).
    pub other_description: Option<String>,
}

/// Shares or other securities that were sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShareSale {
    /// The contract with the broker, in words (`ContratoIntermediacion`).
    pub contract: String,
    /// What was gained.
    pub gain: Amount,
    /// What was lost.
    pub loss: Amount,
}

/// A prize that was won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prize {
    /// The state where it is paid, a code of c_EntidadesFederativas.
    pub state: String,
    /// What is paid: the next two together.
    pub paid: Amount,
    /// The part of it that is taxed.
    pub taxed: Amount,
    /// The part of it that is exempt.
    pub exempt: Amount,
}
