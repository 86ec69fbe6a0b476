//! What the steps of stamping change of an invoice's row. Its other columns are not written again: drafts are long, and on
//! SQLite an update touches the index of every column that it names.

use ::invoices::{Invoice, invoice::amount_of};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Refused};

use crate::{
    db::{first_locked, on},
    error::{Failure, refuse_stale},
    rows::corrupt,
    schema::invoices::{self, dsl},
    statement::{Bound, Statement},
    stored::to_text,
    tx::Tx,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = invoices)]
struct VersionRow {
    version: i64,
}

/// Locks an invoice until the end of the transaction, if it is still as it was seen.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::Stale`].
pub(super) fn lock<E>(
    tx: &mut Tx<'_>,
    account: AccountId,
    seen: &Invoice,
) -> Result<(), Failure<E>> {
    let row = first_locked!(
        tx.db,
        VersionRow,
        invoices::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(seen.id.to_string()))
    )?;
    let row = row.ok_or(Refused::NotFound)?;
    refuse_stale(Some(seen.version), row.version)
}

/// Saves the folio that a draft was given.
pub(super) fn save_folio(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<()> {
    let folio = invoice.folio.map(|folio| i64::try_from(folio).unwrap_or(i64::MAX));
    save(
        tx,
        "UPDATE invoices SET folio = ?, updated_at = ?, version = ?, \
         facts_version = CASE facts_version WHEN version THEN ? ELSE facts_version END \
         WHERE account_id = ? AND id = ?",
        vec![Bound::from(folio)],
        (account, invoice),
    )
}

/// What sealing a draft changes.
pub(super) struct SealedRow {
    pub(super) total: i64,
    pub(super) document: String,
}

impl SealedRow {
    pub(super) fn of(invoice: &Invoice) -> QueryResult<Self> {
        Ok(Self {
            total: amount_of(&invoice.document).micros(),
            document: to_text(&invoice.document)?,
        })
    }

    /// Saves a draft that was sealed, and takes nothing off others.
    pub(super) fn save(
        &self,
        tx: &mut Tx<'_>,
        account: AccountId,
        invoice: &Invoice,
    ) -> QueryResult<()> {
        let values = vec![
            Bound::from(invoice.status.name().to_owned()),
            self.total.into(),
            self.document.clone().into(),
        ];
        save(
            tx,
            "UPDATE invoices SET status = ?, total = ?, document = ?, applied_to = NULL, last_error = NULL, \
             updated_at = ?, version = ?, \
             facts_version = CASE facts_version WHEN version THEN ? ELSE facts_version END \
             WHERE account_id = ? AND id = ?",
            values,
            (account, invoice),
        )
    }
}

/// What a stamp changes.
pub(super) struct StampedRow {
    pub(super) uuid: String,
    pub(super) stamp: String,
    pub(super) stamped_at: i64,
    pub(super) balance: Option<i64>,
}

impl StampedRow {
    pub(super) fn of(invoice: &Invoice) -> QueryResult<Self> {
        let stamped =
            invoice.stamp.as_ref().ok_or_else(|| corrupt("a stamped invoice without its stamp"))?;
        Ok(Self {
            uuid: stamped.stamp.uuid.clone(),
            stamp: to_text(stamped)?,
            stamped_at: stamped.at.micros(),
            balance: invoice.outstanding().map(Amount::micros),
        })
    }

    /// Saves an invoice that was stamped.
    pub(super) fn save(
        &self,
        tx: &mut Tx<'_>,
        account: AccountId,
        invoice: &Invoice,
    ) -> QueryResult<()> {
        let values = vec![
            Bound::from(invoice.status.name().to_owned()),
            self.uuid.clone().into(),
            self.stamp.clone().into(),
            self.stamped_at.into(),
            self.balance.into(),
        ];
        save(
            tx,
            "UPDATE invoices SET status = ?, uuid = ?, stamp = ?, stamped_at = ?, balance = ?, last_error = NULL, \
             updated_at = ?, version = ?, \
             facts_version = CASE facts_version WHEN version THEN ? ELSE facts_version END \
             WHERE account_id = ? AND id = ?",
            values,
            (account, invoice),
        )
    }
}

/// Saves what has changed, when, and that it has.
fn save(
    tx: &mut Tx<'_>,
    sql: &'static str,
    mut values: Vec<Bound>,
    (account, invoice): (AccountId, &Invoice),
) -> QueryResult<()> {
    values.extend([
        Bound::from(invoice.updated_at.micros()),
        invoice.version.into(),
        invoice.version.into(),
        account.to_string().into(),
        invoice.id.to_string().into(),
    ]);
    let update = Statement::<()>::new(sql, values);
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}
