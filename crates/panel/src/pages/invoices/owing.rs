//! What is owed of invoices by who pays them: less than their balances while what was paid has no stamped receipt yet.

use std::collections::HashMap;

use invoices::{Invoice, InvoiceId, Status};
use kernel::Amount;

use crate::{
    call::{Call, Member},
    failure::Failure,
    reply::answered,
};

/// What is still owed of an invoice, and what of its balance was paid without a stamped receipt yet.
#[derive(Clone, Copy)]
pub(super) struct Owed {
    pub(super) left: Amount,
    pub(super) unreceipted: Amount,
}

/// Of those of these invoices that are paid in parts.
pub(super) async fn owed(
    call: &Call<Member>,
    invoices: &[Invoice],
) -> Result<HashMap<InvoiceId, Owed>, Failure> {
    let balance = |invoice: &Invoice| Some((invoice.id, invoice.outstanding()?));
    let balances = invoices.iter().filter_map(balance);
    let whole = balances.map(|(id, left)| (id, Owed { left, unreceipted: Amount::ZERO }));
    let mut owed: HashMap<InvoiceId, Owed> = whole.collect();
    let stamped = invoices.iter().filter(|invoice| invoice.status == Status::Stamped);
    let open: Vec<(InvoiceId, Amount)> =
        stamped.filter_map(balance).filter(|(_, left)| *left > Amount::ZERO).collect();
    if open.is_empty() {
        return Ok(owed);
    }
    let named =
        |(id, left): &(InvoiceId, Amount)| (payments::InvoiceId::from_u128(id.to_u128()), *left);
    let asked = open.iter().map(named).collect();
    let unreceipted = call.services().payments.unreceipted(call.account(), asked);
    for ((id, left), unreceipted) in open.into_iter().zip(answered(unreceipted).await?) {
        let left = Amount::from_micros(left.micros() - unreceipted.micros());
        owed.insert(id, Owed { left, unreceipted });
    }
    Ok(owed)
}
