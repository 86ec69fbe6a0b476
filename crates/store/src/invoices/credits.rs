//! Credits: the ledger and its sum.

use ::invoices::{
    Balance, CreditEntry, CreditEntryId, CreditKind, InvoiceError, InvoiceId, Ledger, LedgerQuery,
    STAMP_COST,
};
use diesel::prelude::*;
use kernel::{AccountId, Refused, Timestamp};

use crate::{
    db::Db,
    error::Stop,
    lane::Tx,
    listing,
    lookups::Key,
    rows::{read, read_name},
    schema::{
        credit_balances as balances,
        credit_entries::{self, dsl},
    },
    unreadable::readable,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = credit_entries, treat_none_as_default_value = false)]
struct EntryRow {
    account_id: String,
    id: String,
    kind: String,
    amount: i64,
    invoice_id: Option<String>,
    note: Option<String>,
    created_at: i64,
}

impl EntryRow {
    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn entry(self) -> QueryResult<CreditEntry> {
        Ok(CreditEntry {
            id: read(&self.id, CreditEntryId::parse)?,
            kind: read_name(&self.kind, CreditKind::EVERY, CreditKind::name)?,
            amount: self.amount,
            invoice: self.invoice_id.map(|id| read(&id, InvoiceId::parse)).transpose()?,
            note: self.note,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

pub(super) fn balance(db: &mut Db, account: AccountId) -> QueryResult<Balance> {
    let row: Option<(i64, i64)> = balances::table
        .filter(balances::account_id.eq(account.to_string()))
        .select((balances::available, balances::reserved))
        .first(db)
        .optional()?;
    let (available, reserved) = row.unwrap_or_default();
    Ok(Balance { available, reserved })
}

pub(super) fn ledger(db: &mut Db, account: AccountId, query: &LedgerQuery) -> QueryResult<Ledger> {
    let matching = || {
        let mut rows =
            credit_entries::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
        if let Some(kind) = query.kind {
            rows = rows.filter(dsl::kind.eq(kind.name()));
        }
        if let Some(invoice) = query.invoice {
            rows = rows.filter(dsl::invoice_id.eq(invoice.to_string()));
        }
        rows
    };
    let total = matching().count().get_result(db)?;
    let mut rows = matching();
    if let Some(cursor) = &query.page.cursor {
        rows = rows.filter(dsl::id.lt(cursor.id.clone()));
    }
    let rows: Vec<EntryRow> = rows
        .order(dsl::id.desc())
        .offset(query.page.offset())
        .limit(listing::fetched(&query.page))
        .select(EntryRow::as_select())
        .load(db)?;
    listing::page_of(
        rows,
        &query.page,
        total,
        |row| listing::by_id(&row.id),
        |rows| readable("credit entry", rows.into_iter().map(|row| (row.key(), row.entry()))),
    )
}

/// Adds an entry to the ledger; what it changes of the balance is the caller's matter.
fn enter(
    tx: &mut Tx<'_>,
    account: AccountId,
    (kind, amount): (CreditKind, i64),
    invoice: Option<InvoiceId>,
    note: Option<String>,
    now: Timestamp,
) -> QueryResult<CreditEntry> {
    let id = CreditEntryId::from_u128(tx.ids.next());
    let row = EntryRow {
        account_id: account.to_string(),
        id: id.to_string(),
        kind: kind.name().to_owned(),
        amount,
        invoice_id: invoice.map(|id| id.to_string()),
        note,
        created_at: now.micros(),
    };
    diesel::insert_into(credit_entries::table).values(&row).execute(tx.db)?;
    row.entry()
}

/// Changes what is available and reserved; whether there was enough of both.
fn change(tx: &mut Tx<'_>, account: AccountId, available: i64, reserved: i64) -> QueryResult<bool> {
    let enough = balances::table
        .filter(balances::account_id.eq(account.to_string()))
        .filter((balances::available + available).ge(0))
        .filter((balances::reserved + reserved).ge(0));
    let changed = diesel::update(enough)
        .set((
            balances::available.eq(balances::available + available),
            balances::reserved.eq(balances::reserved + reserved),
        ))
        .execute(tx.db)?;
    Ok(changed > 0)
}

pub(super) fn grant(
    tx: &mut Tx<'_>,
    account: AccountId,
    amount: i64,
    note: Option<String>,
    now: Timestamp,
) -> QueryResult<CreditEntry> {
    if !change(tx, account, amount, 0)? {
        let row = (
            balances::account_id.eq(account.to_string()),
            balances::available.eq(amount),
            balances::reserved.eq(0),
        );
        diesel::insert_into(balances::table).values(row).execute(tx.db)?;
    }
    enter(tx, account, (CreditKind::Grant, amount), None, note, now)
}

/// Refuses when there is less than a stamp takes.
pub(super) fn demand(db: &mut Db, account: AccountId) -> Result<(), Stop<InvoiceError>> {
    let available = balance(db, account)?.available;
    if available < STAMP_COST {
        return Err(Refused::Rule(InvoiceError::InsufficientCredits { available }).into());
    }
    Ok(())
}

/// Sets aside what a stamp takes.
pub(super) fn reserve(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: InvoiceId,
    now: Timestamp,
) -> Result<(), Stop<InvoiceError>> {
    if !change(tx, account, -STAMP_COST, STAMP_COST)? {
        let available = balance(tx.db, account)?.available;
        return Err(Refused::Rule(InvoiceError::InsufficientCredits { available }).into());
    }
    enter(tx, account, (CreditKind::Reserve, -STAMP_COST), Some(invoice), None, now)?;
    Ok(())
}

/// Spends what was set aside.
pub(super) fn commit(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: InvoiceId,
    now: Timestamp,
) -> QueryResult<()> {
    settled(change(tx, account, 0, -STAMP_COST)?)?;
    enter(tx, account, (CreditKind::Commit, 0), Some(invoice), None, now).map(drop)
}

/// Gives back what was set aside.
pub(super) fn release(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: InvoiceId,
    now: Timestamp,
) -> QueryResult<()> {
    settled(change(tx, account, STAMP_COST, -STAMP_COST)?)?;
    enter(tx, account, (CreditKind::Release, STAMP_COST), Some(invoice), None, now).map(drop)
}

fn settled(enough: bool) -> QueryResult<()> {
    if enough { Ok(()) } else { Err(crate::rows::corrupt("fewer reserved credits than stamps")) }
}
