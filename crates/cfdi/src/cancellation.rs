//! Cancellation: the signed request that SAT takes, and the receipt (*acuse*) that it gives.
//!
//! A receipt says that SAT received the request, not that the document is cancelled: its receiver may
//! have to agree first, and only SAT's status service knows.

mod canonical;
mod receipt;
mod request;

pub use receipt::{BadReceipt, Receipt, ReceivedFolio};
pub use request::{Folio, Reason, sign, sign_withholdings};

#[cfg(test)]
mod tests;
