//! Approvals: what may only happen once others have agreed.

mod deciding;
mod desk;
mod guarding;
mod invoicing;
mod refunding;
mod rules;
mod stocking;
mod troubles;

pub(crate) use desk::{Approver, Desk, level};
