//! How refusals of commands are told.

use ::approvals::Refusal;
use ::orders::{PlaceError, ReturnError, UpdateError};
use ::payments::PaymentError;
use ::quotes::QuoteError;
use inventory::StockError;
use invoices::InvoiceError;
use kernel::Refused;

/// What the caller of a command would have been told, for the refusals of each kind of command.
#[derive(Clone, Copy)]
pub struct Wording {
    /// Of an order that was not placed.
    pub placing: fn(Refused<PlaceError>) -> Refusal,
    /// Of a quote that was not sent.
    pub sending: fn(Refused<QuoteError>) -> Refusal,
    /// Of an order that was not changed.
    pub changing: fn(Refused<UpdateError>) -> Refusal,
    /// Of money that was not given back.
    pub refunding: fn(Refused<PaymentError>) -> Refusal,
    /// Of goods that were not taken back.
    pub returning: fn(Refused<ReturnError>) -> Refusal,
    /// Of stock that was not corrected or sent.
    pub stocking: fn(Refused<StockError>) -> Refusal,
    /// Of an invoice that was not cancelled.
    pub cancelling: fn(Refused<InvoiceError>) -> Refusal,
}
