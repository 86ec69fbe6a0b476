//! The facts of invoices: what follows from their drafts, kept beside them for searches.

use ::invoices::Invoice;
use diesel::{prelude::*, upsert::excluded};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::{AccountId, Timestamp};

use super::rows::InvoiceRow;
use crate::{
    db::{Db, first_locked, on},
    schema::{
        invoice_facts::{self, dsl},
        invoices,
    },
    tx::Tx,
    unreadable::if_readable,
};

/// Keeps the facts of an invoice that is new, or whose draft has changed.
pub(super) fn keep(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> QueryResult<()> {
    let row = (
        dsl::account_id.eq(account.to_string()),
        dsl::id.eq(invoice.id.to_string()),
        dsl::search_text.eq(invoice.terms().joined()),
    );
    on!(tx.db, |conn| diesel::insert_into(invoice_facts::table)
        .values(row)
        .on_conflict((dsl::account_id, dsl::id))
        .do_update()
        .set(dsl::search_text.eq(excluded(dsl::search_text)))
        .execute(conn))
    .map(drop)
}

/// Makes the facts of rows anew that are from before, or from a release that does not know of them. A place is an account.
pub(crate) struct MakeAnew;

impl Chore for MakeAnew {
    fn find(&self, db: &mut Db, after: &str, _: Timestamp) -> QueryResult<Found> {
        let accounts: Vec<String> = invoices::table
            .filter(invoices::account_id.gt(after))
            .filter(invoices::facts_version.ne(invoices::version))
            .select(invoices::account_id)
            .distinct()
            .order(invoices::account_id)
            .limit(LOOKED_AT_MAX)
            .load(db)?;
        Ok(Found::of(accounts.into_iter().map(|account| (account, true)).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, _: Timestamp) -> QueryResult<u64> {
        let ids: Vec<String> = invoices::table
            .filter(invoices::account_id.eq(account))
            .filter(invoices::facts_version.ne(invoices::version))
            .order(invoices::id)
            .limit(SLICE_ROWS)
            .select(invoices::id)
            .load(tx.db)?;
        let mut made = 0;
        for id in ids {
            made += u64::from(make_anew(tx, account, &id)?);
        }
        Ok(made)
    }
}

/// Makes those of one invoice anew, unless it cannot be read: that waits for a release that reads it.
fn make_anew(tx: &mut Tx<'_>, account: &str, id: &str) -> QueryResult<bool> {
    let this = invoices::table.filter(invoices::account_id.eq(account)).filter(invoices::id.eq(id));
    let Some(row) = first_locked!(tx.db, InvoiceRow, this)? else { return Ok(false) };
    let account_id = row.account()?;
    let Some(invoice) = if_readable("invoice", account, id, row.invoice())? else {
        return Ok(false);
    };
    keep(tx, account_id, &invoice)?;
    diesel::update(this).set(invoices::facts_version.eq(invoice.version)).execute(tx.db)?;
    Ok(true)
}
