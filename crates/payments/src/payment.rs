//! What a payment is.

use std::fmt;

use kernel::{Amount, Currency, Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{PaymentLinkId, ProviderKind};

kernel::ids! {
    /// A payment's identifier.
    PaymentId = "pay";
    /// The identifier of an order, as payments name it.
    OrderId = "ord";
    /// The identifier of a customer, as payments name it.
    CustomerId = "cus";
    /// The identifier of an invoice, as payments name it.
    InvoiceId = "inv";
}

/// The most characters of a description or reference.
pub const LINE_CHARS_MAX: usize = 200;

/// Declares an enumeration whose values have names that are stored and shown.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$of])* #[serde(rename = $text)] $value,)+ }

        impl $name {
            /// Every value.
            pub const EVERY: &'static [Self] = &[$(Self::$value,)+];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $text,)+ }
            }
        }
    };
}
pub(crate) use named;

named! {
    /// Where a payment stands.
    Status {
        /// The provider has not answered yet.
        Pending = "pending",
        /// The payer has something to do: confirm, transfer, pay at a counter.
        RequiresAction = "requires_action",
        /// The provider works on it.
        Processing = "processing",
        /// The money is set aside and can be captured.
        Authorized = "authorized",
        /// The money was received. Refunds never change that.
        Paid = "paid",
        /// It was refused.
        Failed = "failed",
        /// It was called off before anything was paid.
        Canceled = "canceled",
        /// The time to pay has passed.
        Expired = "expired",
    }
}

impl Status {
    /// Whether nothing was paid and nothing is expected any more.
    #[must_use]
    pub(crate) const fn is_unpaid_end(self) -> bool {
        matches!(self, Self::Failed | Self::Canceled | Self::Expired)
    }

    /// Whether it may still be paid.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::RequiresAction | Self::Processing | Self::Authorized)
    }
}

named! {
    /// How a payer pays.
    Method {
        /// By credit, debit or prepaid card.
        Card = "card",
        /// By interbank transfer to an account of the payment's own (SPEI).
        Spei = "spei",
        /// In cash at a shop, with a reference.
        Oxxo = "oxxo",
        /// By the central bank's charge to a mobile phone (`CoDi`).
        Codi = "codi",
        /// In cash to the merchant.
        Cash = "cash",
        /// By transfer to the merchant's account.
        Transfer = "transfer",
        /// By check.
        Check = "check",
        /// By an electronic wallet.
        Wallet = "wallet",
        /// In any other way.
        Other = "other",
    }
}

named! {
    /// What a card is paid from.
    Funding {
        /// A credit line.
        Credit = "credit",
        /// A bank account.
        Debit = "debit",
        /// What was paid in before.
        Prepaid = "prepaid",
    }
}

named! {
    /// What somebody should look at.
    Flag {
        /// The money came after the payment had ended, or for a cancelled order.
        Late = "late",
        /// More was paid than was due.
        Excess = "excess",
        /// Less was paid than was asked for.
        Short = "short",
        /// The provider shows another amount or currency; nothing of it is counted.
        Conflict = "conflict",
    }
}

/// What is known of a card: nothing that could be paid with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Its scheme, e.g. `visa`.
    pub brand: Option<String>,
    /// Its last four digits.
    pub last4: Option<String>,
    /// What it is paid from.
    pub funding: Option<Funding>,
}

/// How the payer pays what waits for them. Debug output does not tell the client secret.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    /// The account to transfer to: 18 digits.
    pub clabe: Option<String>,
    /// The bank of that account.
    pub bank: Option<String>,
    /// What to say at the counter.
    pub reference: Option<String>,
    /// What the barcode of the slip says.
    pub barcode: Option<String>,
    /// Where to go on.
    pub url: Option<String>,
    /// What the provider's own script in the payer's browser needs to take the card. It is for that payer alone.
    pub client_secret: Option<String>,
}

impl fmt::Debug for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instructions")
            .field("clabe", &self.clabe)
            .field("bank", &self.bank)
            .field("reference", &self.reference)
            .field("barcode", &self.barcode)
            .field("url", &self.url)
            .field("client_secret", &self.client_secret.as_ref().map(|_| ".."))
            .finish()
    }
}

/// Why a payment was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A code that is the same for all providers where they mean the same, e.g. `card_declined`.
    pub code: String,
    /// What the provider says, in its words.
    pub message: String,
    /// Whether the payer may try again.
    pub is_retryable: bool,
}

/// Who pays, as far as a provider must know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payer {
    /// Their name.
    pub name: Option<String>,
    /// Their e-mail address.
    pub email: Option<String>,
    /// Their telephone number, E.164.
    pub phone: Option<String>,
}

/// Money that a provider shows and that is not what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The amount that it shows.
    pub amount: Amount,
    /// The currency that it shows.
    pub currency: Currency,
    /// What of it was received there.
    pub captured: Amount,
    /// Whether somebody has decided that it counts for nothing.
    pub is_rejected: bool,
}

/// A payment. `refunded + refund_pending <= captured <= authorized`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Its identifier.
    pub id: PaymentId,
    /// The order that it is for, if any.
    pub order: Option<OrderId>,
    /// The invoice that it is for, if any; an order that this invoice bills is then the payment's, too.
    pub invoice: Option<InvoiceId>,
    /// The customer who pays, if known.
    pub customer: Option<CustomerId>,
    /// The link that it was begun by, if any.
    pub link: Option<PaymentLinkId>,
    /// Through whom it is made.
    pub provider: ProviderKind,
    /// How it is made.
    pub method: Method,
    /// Where it stands.
    pub status: Status,
    /// What is asked for.
    pub amount: Amount,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// What has arrived at the provider and does not count yet, since it is not all that was asked for.
    pub received: Amount,
    /// What was set aside for us, in all.
    pub authorized: Amount,
    /// What of that was taken.
    pub captured: Amount,
    /// What of that was given back.
    pub refunded: Amount,
    /// What is set aside for refunds under way.
    pub refund_pending: Amount,
    /// Whether money is captured as soon as it is authorized.
    pub is_captured_at_once: bool,
    /// Whether it may bring more than is due.
    pub allows_overpayment: bool,
    /// Its identifier at the provider.
    pub provider_ref: Option<String>,
    /// How the payer pays.
    pub instructions: Option<Instructions>,
    /// Why it was refused, or why the last try was.
    pub failure: Option<Failure>,
    /// The card that was used.
    pub card: Option<Card>,
    /// The numbers of monthly installments without interest that the payer may choose from; none if it is paid in one.
    pub installments: Vec<u8>,
    /// What the payer has chosen of them.
    pub installments_chosen: Option<u8>,
    /// The tracking key of the transfer (`clave de rastreo`).
    pub tracking_key: Option<String>,
    /// What of it the provider keeps.
    pub fee: Option<Amount>,
    /// What somebody should look at.
    pub flags: Vec<Flag>,
    /// What the provider shows instead of what was asked for.
    pub conflict: Option<Conflict>,
    /// Who pays.
    pub payer: Payer,
    /// What it is for, as the payer reads it.
    pub description: Option<String>,
    /// The merchant's own reference, e.g. the number of a slip.
    pub reference: Option<String>,
    /// Where the payer is sent after confirming.
    pub return_url: Option<String>,
    /// SAT's payment form (`c_FormaPago`), where it is not what follows from the method.
    pub sat_payment_form: Option<String>,
    /// Pesos for one unit of its currency on the day it came, as told; none for pesos.
    pub exchange_rate: Option<Amount>,
    /// The receipt (CFDI of type P) that was made of it.
    pub receipt: Option<InvoiceId>,
    /// Why no receipt could be made of it, or why the one that was made is still a draft.
    pub receipt_problem: Option<String>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    /// Whether a call is open of which nobody knows whether it had an effect.
    pub is_outcome_unknown: bool,
    /// When the money was received.
    pub paid_at: Option<Timestamp>,
    /// Until when it can be paid.
    pub expires_at: Option<Timestamp>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Payment {
    /// What can still be refunded.
    #[must_use]
    pub fn refundable(&self) -> Amount {
        less(less(self.captured, self.refunded), self.refund_pending)
    }

    /// What of its order it may still pay: what it has asked for and neither received nor given up.
    #[must_use]
    pub fn in_progress(&self) -> Amount {
        match self.status {
            Status::Processing | Status::Authorized => less(self.amount, self.captured),
            _ => Amount::ZERO,
        }
    }

    /// SAT's payment form: the one stated, or what follows from the method.
    #[must_use]
    pub fn payment_form(&self) -> Option<&str> {
        let funding = self.card.as_ref().and_then(|card| card.funding);
        self.sat_payment_form.as_deref().or_else(|| crate::sat::form(self.method, funding))
    }

    /// Whether it is to be called off once its order is paid or cancelled.
    #[must_use]
    pub const fn is_called_off_when_settled(&self) -> bool {
        let is_open =
            matches!(self.status, Status::RequiresAction | Status::Processing | Status::Authorized);
        is_open && !self.allows_overpayment
    }

    /// The same payment as one of many: without what is for its payer alone.
    #[must_use]
    pub fn among_others(mut self) -> Self {
        if let Some(how) = &mut self.instructions {
            how.client_secret = None;
        }
        self
    }

    /// The same payment, marked for somebody to look at.
    #[must_use]
    pub fn flagged(mut self, flag: Flag) -> Self {
        self.flag(flag);
        self
    }

    /// The same payment, with a call open of which nobody knows whether it had an effect, or none.
    #[must_use]
    pub fn with_unknown_outcome(mut self, is_unknown: bool, now: Timestamp) -> Self {
        if self.is_outcome_unknown != is_unknown {
            self.is_outcome_unknown = is_unknown;
            self.changed(now);
        }
        self
    }

    /// The same payment, with its receipt, or with why it has none or only a draft.
    #[must_use]
    pub fn receipted(mut self, receipt: Result<InvoiceId, String>, now: Timestamp) -> Self {
        let (receipt, problem) = match receipt {
            Ok(id) => (Some(id), None),
            Err(problem) => (self.receipt, Some(problem)),
        };
        if (&self.receipt, &self.receipt_problem) != (&receipt, &problem) {
            (self.receipt, self.receipt_problem) = (receipt, problem);
            self.changed(now);
        }
        self
    }

    /// The same payment, whose receipt was deleted.
    #[must_use]
    pub fn without_receipt(mut self, now: Timestamp) -> Self {
        (self.receipt, self.receipt_problem) = (None, None);
        self.changed(now);
        self
    }

    /// The same payment, of the invoice that has taken the place of the one that it paid.
    #[must_use]
    pub fn handed_over(mut self, invoice: InvoiceId, now: Timestamp) -> Self {
        self.invoice = Some(invoice);
        self.changed(now);
        self
    }

    /// Marks it for somebody to look at.
    pub(crate) fn flag(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    /// The same payment, changed at `now`.
    pub(crate) fn changed(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version += 1;
    }
}

/// How the largest of these payments was made, a code of c_FormaPago; of equal ones the first.
#[must_use]
pub fn largest_form(payments: &[Payment]) -> Option<&str> {
    let paid = payments.iter().filter(|payment| payment.status == Status::Paid);
    let kept = |payment: &Payment| less(payment.captured, payment.refunded);
    let largest = paid.reduce(|best, next| if kept(next) > kept(best) { next } else { best });
    largest.and_then(Payment::payment_form)
}

/// The difference of two amounts, nothing where it is below zero.
pub(crate) fn less(amount: Amount, other: Amount) -> Amount {
    Amount::from_micros(amount.micros().saturating_sub(other.micros()).max(0))
}

/// The sum of two amounts.
pub(crate) fn plus(amount: Amount, other: Amount) -> Amount {
    Amount::from_micros(amount.micros().saturating_add(other.micros()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::tests::opened;

    #[test]
    fn the_client_secret_is_shown_with_its_payment_alone() {
        let secret = Some("pi_1_secret_2".to_owned());
        let how = Instructions { client_secret: secret, ..Instructions::default() };
        let payment = opened(ProviderKind::Sandbox, Method::Card, Amount::from_micros(1_000_000));
        let payment = Payment { instructions: Some(how), ..payment };
        assert!(!format!("{payment:?}").contains("secret_2"));
        let how = payment.among_others().instructions;
        assert_eq!(how, Some(Instructions::default()));
    }
}
