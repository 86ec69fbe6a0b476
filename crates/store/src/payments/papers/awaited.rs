//! Whether the receipt of a payment is awaited, as its invoice has it noted.

use std::collections::BTreeSet;

use ::invoices::Invoice;
use diesel::{prelude::*, sql_types::Text};
use kernel::AccountId;

use super::lock;
use crate::{
    db::{Db, on},
    statement::{Bound, Statement},
    tx::Tx,
};

/// Whether money came for an invoice paid in parts that no stamped receipt tells of, of an invoice that is still owed: by its
/// payments, which name it or an order that it bills. SQLite is to go from the orders to their payments, and to look for none of
/// them by its status.
macro_rules! receipt_due {
    ($invoice:literal, $account:literal, $id:literal) => {
        concat!(
            "CASE WHEN ",
            $invoice,
            "status = 'stamped' AND ",
            $invoice,
            "balance > 0 AND (EXISTS \
             (SELECT 1 FROM payments p LEFT JOIN invoices r ON r.account_id = p.account_id AND r.id = p.receipt_id \
             WHERE p.account_id = ",
            $account,
            " AND p.invoice_id = ",
            $id,
            " AND p.status = 'paid' AND (r.id IS NULL OR r.status <> 'stamped')) OR EXISTS \
             (SELECT 1 FROM invoice_orders h CROSS JOIN payments p \
             LEFT JOIN invoices r ON r.account_id = p.account_id AND r.id = p.receipt_id WHERE h.account_id = ",
            $account,
            " AND h.invoice_id = ",
            $id,
            " AND p.account_id = h.account_id AND p.order_id = h.order_id \
             AND p.status || '' = 'paid' AND (r.id IS NULL OR r.status <> 'stamped'))) THEN 1 ELSE 0 END"
        )
    };
}
/// Takes the account and the invoice twice for its payments, and once for itself.
const RECEIPT_DUE: &str = concat!(
    "UPDATE invoices SET receipt_due = ",
    receipt_due!("", "?", "?"),
    " WHERE account_id = ? AND id = ?"
);
/// Invoices of which something else is noted. Takes the account, the invoice behind which they are, and how many.
const MISJUDGED: &str = concat!(
    "SELECT i.id FROM invoices i WHERE i.account_id = ? AND i.id > ? \
     AND (i.receipt_due = 1 OR i.status = 'stamped' AND i.balance > 0) AND i.receipt_due <> ",
    receipt_due!("i.", "i.account_id", "i.id"),
    " ORDER BY i.id LIMIT ?"
);

/// Takes down of an invoice, which is locked, whether a receipt of its payments is due.
pub(crate) fn note_receipt_due(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<()> {
    match invoice.balance {
        Some(_) => note_receipt_due_of(tx.db, account, &invoice.id.to_string()),
        None => Ok(()),
    }
}

/// The same of what a receipt pays, once it is stamped or is none any more: it has been taken off the balance before.
pub(crate) fn note_receipted(
    tx: &mut Tx<'_>,
    account: AccountId,
    receipt: &Invoice,
) -> QueryResult<()> {
    // In one order, whichever receipts are recorded at once.
    let paid: BTreeSet<_> = receipt.draft.paid_invoices().collect();
    paid.into_iter().try_for_each(|id| note_receipt_due_of(tx.db, account, &id.to_string()))
}

fn note_receipt_due_of(db: &mut Db, account: AccountId, id: &str) -> QueryResult<()> {
    let own = account.to_string();
    let key = || [Bound::from(own.clone()), Bound::from(id.to_owned())];
    let values: Vec<Bound> = [key(), key(), key()].into_iter().flatten().collect();
    on!(db, |conn| Statement::<()>::new(RECEIPT_DUE, values).execute(conn)).map(drop)
}

/// The next invoices behind one of which it is noted wrongly whether a receipt is due: nodes of a release that does not know of it
/// stamp and cancel without noting it.
pub(crate) fn misjudged(
    db: &mut Db,
    account: AccountId,
    after: &str,
    most: i64,
) -> QueryResult<Vec<String>> {
    let values = [account.to_string().into(), after.to_owned().into(), most.into()];
    let rows: Vec<(String,)> =
        on!(db, |conn| Statement::<(Text,)>::new(MISJUDGED, values).load(conn))?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Locks an invoice and notes anew whether a receipt of its payments is due.
pub(crate) fn note_anew(db: &mut Db, account: AccountId, id: &str) -> QueryResult<()> {
    lock(db, account, id)?;
    note_receipt_due_of(db, account, id)
}
