//! Credits: the ledger and its sum.

use std::collections::BTreeMap;

use ::invoices::{
    Balance, CreditEntry, CreditEntryId, CreditKind, InvoiceId, Ledger, LedgerQuery,
    credits::{Charged, CreditChange},
    withholding::WithholdingId,
};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use kernel::{AccountId, Timestamp, id::IdSource};

use crate::{
    db::{Db, first_locked, on},
    listing::{self, newest_first},
    lookups::Key,
    rows::{corrupt, read, read_name},
    schema::{
        credit_balances as balances,
        credit_entries::{self, dsl},
    },
    statement::{Column, Statement, columns},
    tx::Tx,
};

/// Entries that are few beside those of stampings, as their index has them.
const SELDOM: &str = "credit_entries.kind IN ('grant', 'release')";

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
    withholding_id: Option<String>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = balances)]
struct BalanceRow {
    available: i64,
    reserved: i64,
}

impl EntryRow {
    /// The entry of a change.
    fn of(ids: &IdSource, account: AccountId, change: &CreditChange, now: Timestamp) -> Self {
        let id = CreditEntryId::from_u128(ids.next());
        let (invoice, withholding) = match change.charged {
            None => (None, None),
            Some(Charged::Invoice(id)) => (Some(id.to_string()), None),
            Some(Charged::Withholding(id)) => (None, Some(id.to_string())),
        };
        Self {
            account_id: account.to_string(),
            id: id.to_string(),
            kind: change.kind.name().to_owned(),
            amount: change.available,
            invoice_id: invoice,
            note: change.note.clone(),
            created_at: now.micros(),
            withholding_id: withholding,
        }
    }

    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn entry(self) -> QueryResult<CreditEntry> {
        Ok(CreditEntry {
            id: read(&self.id, CreditEntryId::parse)?,
            kind: read_name(&self.kind, CreditKind::EVERY, CreditKind::name)?,
            amount: self.amount,
            invoice: self.invoice_id.map(|id| read(&id, InvoiceId::parse)).transpose()?,
            withholding: self
                .withholding_id
                .map(|id| read(&id, WithholdingId::parse))
                .transpose()?,
            note: self.note,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

pub(super) fn balance(db: &mut Db, account: AccountId) -> QueryResult<Balance> {
    let row = on!(db, |conn| balances::table
        .filter(balances::account_id.eq(account.to_string()))
        .select((balances::available, balances::reserved))
        .first::<(i64, i64)>(conn)
        .optional())?;
    let (available, reserved) = row.unwrap_or_default();
    Ok(Balance { available, reserved })
}

pub(super) fn ledger(db: &mut Db, account: AccountId, query: &LedgerQuery) -> QueryResult<Ledger> {
    let matching = || {
        let mut rows =
            credit_entries::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
        if let Some(kind) = query.kind {
            if matches!(kind, CreditKind::Grant | CreditKind::Release) {
                // As the index has it: SQLite does not see that from a parameter.
                rows = rows.filter(sql::<Bool>(SELDOM));
            }
            rows = rows.filter(dsl::kind.eq(kind.name()));
        }
        if let Some(invoice) = query.invoice {
            rows = rows.filter(dsl::invoice_id.eq(invoice.to_string()));
        }
        if let Some(withholding) = query.withholding {
            rows = rows.filter(dsl::withholding_id.eq(withholding.to_string()));
        }
        rows
    };
    let total = listing::total(&query.page, || matching().count().get_result(db))?;
    let rows = newest_first!(db, EntryRow, dsl::id, query.page, matching())?;
    listing::newest_page(rows, &query.page, total, "credit entry", EntryRow::key, EntryRow::entry)
}

/// The balance, locked until the end of the transaction.
pub(super) fn locked(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Balance> {
    let own = balances::table.filter(balances::account_id.eq(account.to_string()));
    let row: Option<BalanceRow> = first_locked!(tx.db, BalanceRow, own)?;
    let row = row.map(|row| Balance { available: row.available, reserved: row.reserved });
    Ok(row.unwrap_or_default())
}

/// Enters a change into the ledger and the balance, which is locked and was seen as `before`.
pub(super) fn enter(
    tx: &mut Tx<'_>,
    account: AccountId,
    (before, change): (Balance, &CreditChange),
    now: Timestamp,
) -> QueryResult<CreditEntry> {
    let short = || corrupt(format!("a balance of credits too small for a {}", change.kind.name()));
    save(tx, account, before, before.after(change).ok_or_else(short)?)?;
    let row = EntryRow::of(tx.ids, account, change, now);
    on!(tx.db, |conn| diesel::insert_into(credit_entries::table).values(&row).execute(conn))?;
    row.entry()
}

/// Changes of balances as columns of a batch, on PostgreSQL.
pub(super) struct Entered {
    /// Of the ledger: account_id, id, kind, amount, invoice_id, note, created_at, withholding_id.
    pub(super) entries: Vec<Column>,
    /// Of the balances: account_id, and by how much available and reserved change.
    pub(super) balances: Vec<Column>,
    /// How many balances change.
    pub(super) accounts: usize,
}

impl Entered {
    pub(super) fn of<'a>(
        ids: &IdSource,
        changes: impl IntoIterator<Item = (AccountId, &'a CreditChange, Timestamp)>,
    ) -> Self {
        let mut rows = Vec::new();
        // By account: they are locked in this order where each is looked up, which is how commands plan.
        let mut sums = BTreeMap::<String, (i64, i64)>::new();
        for (account, change, now) in changes {
            rows.push(EntryRow::of(ids, account, change, now));
            let sum = sums.entry(account.to_string()).or_default();
            sum.0 += change.available;
            sum.1 += change.reserved;
        }
        let entries = columns!(
            rows,
            Texts account_id, Texts id, Texts kind, Numbers amount, OptionalTexts invoice_id, OptionalTexts note,
            Numbers created_at, OptionalTexts withholding_id,
        );
        let accounts = sums.len();
        let balances = vec![
            Column::Texts(sums.keys().cloned().collect()),
            Column::Numbers(sums.values().map(|sum| sum.0).collect()),
            Column::Numbers(sums.values().map(|sum| sum.1).collect()),
        ];
        Self { entries, balances, accounts }
    }
}

/// Saves by how much the balance changes: as long as there is none, it cannot be locked, and others may enter the first
/// credits at the same moment.
fn save(tx: &mut Tx<'_>, account: AccountId, before: Balance, after: Balance) -> QueryResult<()> {
    let values = [
        account.to_string().into(),
        after.available.into(),
        after.reserved.into(),
        (after.available - before.available).into(),
        (after.reserved - before.reserved).into(),
    ];
    let save = Statement::<()>::new(
        "INSERT INTO credit_balances (account_id, available, reserved) VALUES (?, ?, ?) \
         ON CONFLICT (account_id) DO UPDATE SET available = credit_balances.available + ?, \
         reserved = credit_balances.reserved + ?",
        values,
    );
    on!(tx.db, |conn| save.execute(conn)).map(drop)
}
