//! Withholdings over HTTP: from the draft to the receipt of a cancellation.

mod bad_drafts;
mod cancelling;
mod desk;
mod drafts;
mod lists;
mod simulated;
mod stamping;
