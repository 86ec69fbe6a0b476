//! Quotes: what a customer is offered at fixed prices until a certain day, and what becomes of it.
//!
//! A quote that was sent never changes: another offer is its next revision, under the same number and the same
//! link. Whoever accepts a quote names the revision that they have seen.

mod events;
mod lifecycle;
mod quote;
mod service;
mod zone;

pub use events::question as question_told;
pub use lifecycle::{
    Accepting, Placing, Sending, accept, accepted, change, draft, expire, refuse_sent, reject,
    revise, send, supersede,
};
pub use quote::{
    Acceptance, CustomerId, DAYS_DEFAULT, DAYS_MAX, DealId, NAME_CHARS_MAX, NOTES_CHARS_MAX,
    Offered, PaymentLinkId, Problem, ProblemCode, QUESTION_CHARS_MAX, Question, QuestionId, Quote,
    QuoteId, REASON_CHARS_MAX, Status, TITLE_CHARS_MAX, Via, number_in, number_text,
};
pub use service::{
    AcceptQuote, AskQuestion, NewQuote, PrintedQuote, QuoteChanges, QuoteError, QuoteFilter,
    QuotePrinter, QuoteQuery, Quotes, RejectQuote, SendQuote,
};
pub use zone::{ZONES, Zone, zone_name, zone_time};
