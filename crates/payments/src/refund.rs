//! Refunds: money given back. What a refund asks for is set aside in its payment before anybody is called, so that all
//! refunds together never exceed what was captured.

use kernel::{Amount, Currency, NewEvent, Timestamp};

use crate::{Failure, InvoiceId, OrderId, Payment, PaymentId, calls::Call, payment::named};

mod asking;
mod following;
mod spreading;

pub use asking::{hold, let_go, reserve};
pub use following::{absent, external, failed, settle, shown};
pub use spreading::spread;

kernel::ids! {
    /// A refund's identifier.
    RefundId = "rfd";
}

/// The most characters of a reason or note.
pub const REASON_CHARS_MAX: usize = 500;

named! {
    /// Where a refund stands.
    RefundStatus {
        /// The provider has not answered yet.
        Pending = "pending",
        /// It works on it.
        Processing = "processing",
        /// The payer has something to do to get the money.
        RequiresAction = "requires_action",
        /// The money has been given back.
        Succeeded = "succeeded",
        /// It could not be given back.
        Failed = "failed",
        /// It was called off.
        Canceled = "canceled",
    }
}

named! {
    /// Who wanted a refund.
    Origin {
        /// Whoever asked for it.
        Api = "api",
        /// A return of goods.
        Return = "return",
        /// The cancellation of an order.
        Cancellation = "cancellation",
        /// It was made at the provider.
        External = "external",
    }
}

/// A refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// Its identifier.
    pub id: RefundId,
    /// The payment that is given back.
    pub payment: PaymentId,
    /// The order of that payment.
    pub order: Option<OrderId>,
    /// How much.
    pub amount: Amount,
    /// The currency of the payment.
    pub currency: Currency,
    /// Where it stands.
    pub status: RefundStatus,
    /// Who wanted it.
    pub origin: Origin,
    /// Whether the merchant gives the money back, and the provider is not called.
    pub is_manual: bool,
    /// Its identifier at the provider.
    pub provider_ref: Option<String>,
    /// Why, as the payer may be told.
    pub reason: Option<String>,
    /// For the merchant.
    pub note: Option<String>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// The credit note (CFDI of type E) that was made of it.
    pub credit_note: Option<InvoiceId>,
    /// Why no credit note could be made of it, or what is to be done about the one that was.
    pub credit_note_problem: Option<String>,
    /// The call to the provider.
    pub call: Call,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When the money was given back.
    pub succeeded_at: Option<Timestamp>,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Refund {
    /// The same refund, with its credit note, or with why it has none.
    #[must_use]
    pub fn credited(mut self, note: Result<InvoiceId, String>, now: Timestamp) -> Self {
        let (note, problem) = match note {
            Ok(id) => (Some(id), None),
            Err(problem) => (self.credit_note, Some(problem)),
        };
        if (&self.credit_note, &self.credit_note_problem) != (&note, &problem) {
            (self.credit_note, self.credit_note_problem) = (note, problem);
            self.changed(now);
        }
        self
    }

    /// The same refund, whose credit note was deleted.
    #[must_use]
    pub fn without_credit_note(mut self, now: Timestamp) -> Self {
        (self.credit_note, self.credit_note_problem) = (None, None);
        self.changed(now);
        self
    }

    fn changed(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version += 1;
    }
}

/// A refund that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRefund {
    /// How much; everything that is left if absent.
    pub amount: Option<Amount>,
    /// Whether the merchant gives the money back.
    pub is_manual: bool,
    /// Who wants it.
    pub origin: Origin,
    /// Why, as the payer may be told.
    pub reason: Option<String>,
    /// For the merchant.
    pub note: Option<String>,
}

/// A refund of a payment, to be made when somebody says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundPayment {
    /// The payment.
    pub payment: PaymentId,
    /// The refund.
    pub new: NewRefund,
}

/// Why nothing is refunded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundRefusal {
    /// The amount is not above zero, or has more decimals than its currency.
    Amount {
        /// The most decimals that it may have.
        decimals: u32,
    },
    /// More is asked for than is left.
    Exceeds {
        /// What is left.
        refundable: Amount,
    },
    /// The provider does not give this method back, or not in part, or not any more.
    NotRefundable {
        /// Why.
        cause: Unrefundable,
    },
}

/// Why a provider does not give something back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrefundable {
    /// Nothing that is paid by this method.
    Method,
    /// Only all of it.
    Part,
    /// It is too long ago.
    Age {
        /// For how many days it gives back.
        days: i64,
    },
}

/// What comes of a refund: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundStep {
    /// The payment.
    pub payment: Payment,
    /// The refund.
    pub refund: Refund,
    /// What the order has lost by it; below zero what has come back to it.
    pub given_back: Amount,
    /// What is told.
    pub events: Vec<NewEvent>,
}

#[cfg(test)]
mod tests;
