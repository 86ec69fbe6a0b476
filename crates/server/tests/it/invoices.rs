//! Invoices over HTTP: from the issuer's certificate to the receipt of a cancellation.

mod at_once;
mod bad_drafts;
mod cancelling;
mod catalogs;
mod certificates;
mod crediting;
mod credits;
mod dated;
mod drafts;
mod edits;
mod emails;
mod from_orders;
mod issuer;
mod lists;
mod misplaced;
mod numbers;
pub(crate) mod office;
mod payments;
mod provider;
mod receivers;
mod related;
mod series;
mod signed;
mod simulated;
mod stamping;
mod told;
mod verdicts;
