//! Where forms of the panel led, so that one that is sent again leads there, too.

use kernel::{Ctx, Fault, Pending, Written};

/// Under which operation it is remembered where the form of an operation led.
#[must_use]
pub fn of_result(operation: &str) -> String {
    format!("{operation} (result)")
}

/// Remembers where forms led, as long as idempotency keys count.
pub trait FormResults: Send + Sync {
    /// Where the form of this call led, if it was sent before: under its idempotency key, with the same content.
    fn form_result(&self, ctx: Ctx) -> Pending<Result<Option<String>, Fault>>;

    /// Remembers where it led; what was remembered first stays.
    fn keep_form_result(&self, ctx: Ctx, location: String) -> Pending<Written<String, ()>>;
}
