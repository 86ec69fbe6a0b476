//! Drafts as they are now: what follows from a draft changes with its issuer, and with what is owed of what
//! it pays.

use ::invoices::{Invoice, Status, drafting::refreshed, issuer::named};
use diesel::prelude::*;
use kernel::AccountId;

use super::{issuers, known};
use crate::{db::Db, unreadable::if_readable};

/// The invoices as they are now; what is sealed stays as it was sealed. A draft is shown as it was last when
/// what it is built from cannot be read.
pub(super) fn seen(
    db: &mut Db,
    account: AccountId,
    invoices: Vec<Invoice>,
) -> QueryResult<Vec<Invoice>> {
    if !invoices.iter().any(is_draft) {
        return Ok(invoices);
    }
    let key = account.to_string();
    let known = issuers::readable(db, account)?;
    let mut seen = |invoice: Invoice| {
        let issuer = named(&known, invoice.draft.issuer).filter(|_| is_draft(&invoice));
        let Some(issuer) = issuer else { return Ok(invoice) };
        let debts = known::debts(db, account, &invoice.draft);
        let paid_by = invoice.id.to_string();
        match if_readable("invoice paid by a draft", &key, &paid_by, debts)? {
            Some(debts) => Ok(refreshed(invoice, issuer, &debts)),
            None => Ok(invoice),
        }
    };
    invoices.into_iter().map(&mut seen).collect()
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
