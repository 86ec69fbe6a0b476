//! The life of an invoice: draft, stamping, cancellation, and the credits that stamping takes.
//!
//! Plain types and rules; what a document says and how it is sealed is the crate `cfdi`'s matter.

pub mod provider;
