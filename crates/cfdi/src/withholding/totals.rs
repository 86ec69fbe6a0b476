//! What was paid, and what was withheld of it, in pesos and cents.

use kernel::Amount;
use serde::{Deserialize, Serialize};

use crate::tax::Tax;

/// The sums of a withholding (`Totales`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// What was paid: the next two together.
    pub operation: Amount,
    /// The part of it that is taxed.
    pub taxed: Amount,
    /// The part of it that is exempt.
    pub exempt: Amount,
    /// What was withheld: the sum of the taxes.
    pub withheld: Amount,
    /// The profit of two months, for code 28 (`UtilidadBimestral`).
    pub bimonthly_profit: Option<Amount>,
    /// The income tax on that profit (`ISRCorrespondiente`).
    pub bimonthly_isr: Option<Amount>,
}

/// A tax that was withheld (`ImpRetenidos`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WithheldTax {
    /// What it was reckoned on; of IVA, the IVA that was charged.
    pub base: Option<Amount>,
    /// Which tax.
    pub tax: Option<Tax>,
    /// How much.
    pub amount: Amount,
    /// What it counts as for the receiver, a code of c_TipoPagoRet.
    pub payment_kind: String,
}
