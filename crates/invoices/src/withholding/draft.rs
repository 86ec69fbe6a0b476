//! Drafts of withholdings.

use cfdi::withholding::{Complements, Period, Receiver, Related, WithheldTax};
use kernel::{Amount, Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{CustomerId, IssuerId};

/// The most taxes of one withholding. SAT knows no limit, but there are three taxes and four kinds of payment.
pub const TAXES_MAX: usize = 100;

/// What the maker of a withholding decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Who issues it.
    pub issuer: IssuerId,
    /// From whom taxes are withheld, where it is a customer.
    pub customer: Option<CustomerId>,
    /// The issuer's own number of it (`FolioInt`).
    pub folio: Option<String>,
    /// When it is issued; when it is stamped, unless this is told.
    pub issued_at: Option<Timestamp>,
    /// Where it is issued; where the issuer is, unless this is told.
    pub place_of_issue: Option<String>,
    /// What is withheld from, a code of c_CveRetenc.
    pub code: String,
    /// The same in words.
    pub description: Option<String>,
    /// The withholding that it refers to.
    pub related: Option<Related>,
    /// From whom taxes are withheld.
    pub receiver: Receiver,
    /// Of which months.
    pub period: Period,
    /// What was paid.
    pub totals: DraftTotals,
    /// What was withheld.
    pub taxes: Vec<WithheldTax>,
    /// What else it states.
    pub complements: Complements,
    /// The caller's own notes.
    pub metadata: Metadata,
}

/// What was paid, in pesos and cents. What was withheld of it follows from the taxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftTotals {
    /// All of it; the next two together, unless this is told.
    pub operation: Option<Amount>,
    /// The part of it that is taxed.
    pub taxed: Amount,
    /// The part of it that is exempt.
    pub exempt: Amount,
    /// The profit of two months, for code 28.
    pub bimonthly_profit: Option<Amount>,
    /// The income tax on that profit.
    pub bimonthly_isr: Option<Amount>,
}
