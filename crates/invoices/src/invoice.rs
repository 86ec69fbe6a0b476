//! An invoice and its life: draft, stamping, stamped, cancelled.

use cfdi::{document::Document, stamp::Stamp, totals::Totals};
use kernel::{Amount, Currency, Timestamp, reason::Reason};
use serde::{Deserialize, Serialize};

use crate::{
    Applied, Draft,
    cancel::Cancellation,
    draft::Owed,
    provider::{ProviderKind, Rejection},
    stamping::NOT_TAKEN,
};

kernel::ids! {
    /// An invoice's identifier.
    InvoiceId = "inv";
    /// The identifier of a customer, as invoices name it.
    CustomerId = "cus";
    /// The identifier of an order, as invoices name it.
    OrderId = "ord";
    /// The identifier of a product, as invoices name it.
    ProductId = "prd";
    /// The identifier of a payment, as invoices name it.
    PaymentId = "pay";
    /// The identifier of a refund, as invoices name it.
    RefundId = "rfd";
    /// The identifier of a return of goods, as invoices name it.
    ReturnId = "ret";
}

/// The status of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It can be changed, and deleted.
    Draft,
    /// It is sealed, and a provider is asked to stamp it.
    Stamping,
    /// It is stamped: a fiscal document.
    Stamped,
    /// It was stamped, and is cancelled before the tax authority.
    Cancelled,
}

impl Status {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Draft, Self::Stamping, Self::Stamped, Self::Cancelled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Stamping => "stamping",
            Self::Stamped => "stamped",
            Self::Cancelled => "cancelled",
        }
    }
}

/// An invoice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invoice {
    /// Its identifier.
    pub id: InvoiceId,
    /// Its status.
    pub status: Status,
    /// What its maker decided.
    pub draft: Draft,
    /// What follows from it: while a draft as it would be now, later as it was sealed.
    pub document: Document,
    /// Its number within the series, from the first attempt to stamp it.
    pub folio: Option<u64>,
    /// Its stamp.
    pub stamp: Option<Stamped>,
    /// What is still owed of one that is paid in parts (PPD), in its currency; below zero when more was paid and
    /// credited than it amounts to.
    pub balance: Option<Amount>,
    /// The number of the last payment of it that is receipted.
    pub installments: u32,
    /// What it takes off other invoices, of a credit note; fixed when it is sealed.
    pub applied_to: Vec<Applied>,
    /// Its cancellation, when one was asked for.
    pub cancellation: Option<Cancellation>,
    /// Why the last attempt to stamp it failed.
    pub last_error: Option<LastError>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// The stamp of an invoice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamped {
    /// The stamp.
    pub stamp: Stamp,
    /// Who stamped it.
    pub provider: ProviderKind,
    /// When the answer was recorded.
    pub at: Timestamp,
}

/// Why an attempt to stamp failed, or would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastError {
    /// When.
    pub at: Timestamp,
    /// The provider's code and words.
    pub rejection: Rejection,
}

impl LastError {
    /// Whether it is what was found wrong with the draft before any provider was called, as the payment form that a
    /// receipt lacks. A change of the draft looks again.
    #[must_use]
    pub fn is_of_findings(&self) -> bool {
        Reason::DraftFindings.is_of(&self.rejection.message)
    }

    /// Whether nobody has rejected anything: the provider did not look at it.
    #[must_use]
    pub fn is_of_absence(&self) -> bool {
        self.rejection.code == NOT_TAKEN
    }
}

impl Invoice {
    /// The version of a draft as it was made.
    pub const FIRST_VERSION: i64 = 1;

    /// Counts a change. A clock that was set back does not set back when it was last changed.
    pub(crate) fn touch(&mut self, now: Timestamp) {
        self.updated_at = self.updated_at.max(now);
        self.version += 1;
    }

    /// Its sums.
    #[must_use]
    pub fn totals(&self) -> Totals {
        Totals::of(&self.document)
    }

    /// What it amounts to: its total, or for a receipt of payments what was paid, in pesos.
    #[must_use]
    pub fn amount(&self) -> Amount {
        amount_of(&self.document)
    }

    /// Series and folio, once it has one: `F-123`.
    #[must_use]
    pub fn number(&self) -> Option<String> {
        self.folio.map(|folio| format!("{}-{folio}", self.draft.series))
    }

    /// Its fiscal folio.
    #[must_use]
    pub fn uuid(&self) -> Option<&str> {
        self.stamp.as_ref().map(|stamped| stamped.stamp.uuid.as_str())
    }
}

impl Invoice {
    /// What is still to be paid of one that is paid in parts.
    #[must_use]
    pub fn outstanding(&self) -> Option<Amount> {
        self.balance.map(|balance| balance.max(Amount::ZERO))
    }

    /// The code of c_ObjetoImp that it is of as a whole, if all of its items have the same.
    fn tax_object(&self) -> Option<String> {
        let mut codes = self.document.items.iter().map(|item| item.tax_object.as_str());
        let first = codes.next()?;
        codes.all(|code| code == first).then(|| first.to_owned())
    }

    /// What is owed of it, if it is one whose payments get receipts.
    #[must_use]
    pub fn owed(&self) -> Option<Owed> {
        let (stamped, balance) = (self.stamp.as_ref()?, self.outstanding()?);
        let taxes = self.document.items.iter().flat_map(|item| &item.taxes).copied();
        let (withheld, transferred): (Vec<_>, Vec<_>) =
            cfdi::totals::summed(taxes).into_iter().partition(|tax| tax.rate.withheld);
        Some(Owed {
            uuid: stamped.stamp.uuid.clone(),
            series: self.document.series.clone(),
            folio: self.document.folio.clone(),
            currency: self.document.currency.unwrap_or(Currency::MXN),
            total: self.totals().total,
            balance,
            installments: self.installments,
            // Those of its summary are rounded, which a receipt of its whole total would show.
            taxes: transferred.into_iter().chain(withheld).collect(),
            tax_object: self.tax_object(),
            place: None,
        })
    }
}

/// What a document amounts to.
#[must_use]
pub fn amount_of(document: &Document) -> Amount {
    if document.payments.is_empty() {
        Totals::of(document).total
    } else {
        cfdi::payments::PaymentTotals::of(&document.payments).amount
    }
}
