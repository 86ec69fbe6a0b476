//! What of an order is paid, and what is still due.

use kernel::Amount;
use serde::Serialize;

use crate::{Order, OrderStatus};

/// How far an order is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// Nothing is paid.
    Unpaid,
    /// All of it is paid, or it costs nothing.
    Paid,
}

impl PaymentStatus {
    /// Every status.
    pub const EVERY: &'static [Self] = &[Self::Unpaid, Self::Paid];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
        }
    }
}

impl Order {
    /// How far it is paid.
    #[must_use]
    pub const fn payment_status(&self) -> PaymentStatus {
        match self.paid_at.is_some() || self.total.micros() == 0 {
            true => PaymentStatus::Paid,
            false => PaymentStatus::Unpaid,
        }
    }

    /// What was paid for it.
    #[must_use]
    pub const fn amount_paid(&self) -> Amount {
        match self.payment_status() {
            PaymentStatus::Paid => self.total,
            PaymentStatus::Unpaid => Amount::ZERO,
        }
    }

    /// What is still to be paid; nothing of a cancelled order.
    #[must_use]
    pub fn amount_due(&self) -> Amount {
        match (self.status, self.payment_status()) {
            (OrderStatus::Cancelled, _) | (_, PaymentStatus::Paid) => Amount::ZERO,
            _ => self.total,
        }
    }
}
