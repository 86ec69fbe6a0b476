//! What the papers of a sale wait for while its invoice and the one that takes its place both stand: they are made of the one
//! that stays.

use kernel::{message, reason::Reason};

use super::problem;
use crate::{Invoice, provider::Rejection};

/// The code of what is waited for, which nobody has refused.
const CODE: &str = "awaits_cancellation";

/// What a paper waits for, as its payment, refund or return keeps it.
#[must_use]
pub fn waits(replaced: &Invoice, replacement: &Invoice) -> String {
    let [old, new] = [replaced, replacement]
        .map(|invoice| invoice.number().unwrap_or_else(|| invoice.id.to_string()));
    problem(&Rejection {
        code: CODE.to_owned(),
        message: Reason::OwnWords.in_both(&message!(
            "waits until invoice {old} or its replacement {new} is cancelled",
            "espera a que se cancele la factura {old} o su sustituta {new}"
        )),
    })
}

/// Whether a problem that is kept is what a paper [waits] for.
#[must_use]
pub fn is_waiting(problem: &str) -> bool {
    problem.split_once(':').is_some_and(|(code, _)| code == CODE)
}
