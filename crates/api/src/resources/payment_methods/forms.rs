//! What the endpoint of payment methods reads.

use intake::{Check, Fields, Form, checks::currency};
use kernel::Currency;

pub(super) const LIST: Form<Currency> = Form::query(read_query);

fn read_query(fields: &mut Fields<'_>) -> Option<Currency> {
    let currency = currency().about("Currency to be paid in; defaults to `MXN`.");
    Some(fields.change("currency", currency).unwrap_or(Currency::MXN))
}
