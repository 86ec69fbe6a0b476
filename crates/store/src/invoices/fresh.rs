//! Drafts as they are now: what follows from a draft changes with its issuer, and with what is owed of what
//! it pays.

use ::invoices::{Invoice, Status, build};
use diesel::prelude::*;
use kernel::AccountId;

use super::{issuer, known};
use crate::{db::Db, unreadable::if_readable};

/// The invoices as they are now; what is sealed stays as it was sealed. A draft is shown as it was last when
/// what it is built from cannot be read.
pub(super) fn seen(
    db: &mut Db,
    account: AccountId,
    mut invoices: Vec<Invoice>,
) -> QueryResult<Vec<Invoice>> {
    if !invoices.iter().any(is_draft) {
        return Ok(invoices);
    }
    let key = account.to_string();
    let issuer = if_readable("issuer", &key, &key, issuer::by_account(db, account))?;
    let Some(issuer) = issuer.flatten() else { return Ok(invoices) };
    for invoice in invoices.iter_mut().filter(|invoice| is_draft(invoice)) {
        let debts = known::debts(db, account, &invoice.draft);
        let paid_by = invoice.id.to_string();
        let Some(debts) = if_readable("invoice paid by a draft", &key, &paid_by, debts)? else {
            continue;
        };
        // One that is no document any more, since more was paid than is owed, is shown as it was last.
        if let Ok(document) =
            build(&invoice.draft, &issuer, invoice.folio, &debts, invoice.updated_at)
        {
            invoice.document = document;
        }
    }
    Ok(invoices)
}

/// One invoice as it is now.
pub(super) fn seen_one(
    db: &mut Db,
    account: AccountId,
    invoice: Option<Invoice>,
) -> QueryResult<Option<Invoice>> {
    Ok(seen(db, account, invoice.into_iter().collect())?.pop())
}

fn is_draft(invoice: &Invoice) -> bool {
    invoice.status == Status::Draft
}
