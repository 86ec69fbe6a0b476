//! The facts of invoices: what follows from their drafts, kept beside them for searches and sums.

use ::invoices::{Invoice, sums::Figures};
use diesel::prelude::*;
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::{AccountId, Sum, Timestamp};

use super::rows::InvoiceRow;
use crate::{
    db::{Db, first_locked, on},
    schema::{
        invoice_facts::{self, dsl},
        invoices,
    },
    search,
    statement::{Bound, Statement},
    tx::Tx,
    unreadable::if_readable,
};

struct FactsRow {
    account_id: String,
    id: String,
    search_text: String,
    subtotal: i64,
    discount: i64,
    transferred_iva: i64,
    transferred_ieps: i64,
    withheld_isr: i64,
    withheld_iva: i64,
    withheld_ieps: i64,
    local_charged: i64,
    local_withheld: i64,
    search_version: i64,
}

impl FactsRow {
    fn of(account: AccountId, invoice: &Invoice) -> Self {
        let figures = Figures::of(&invoice.totals());
        // Those of one invoice are amounts.
        let micros = |sum: Sum| i64::try_from(sum.micros()).unwrap_or(i64::MAX);
        Self {
            account_id: account.to_string(),
            id: invoice.id.to_string(),
            search_text: invoice.terms().joined(),
            subtotal: micros(figures.subtotal),
            discount: micros(figures.discount),
            transferred_iva: micros(figures.transferred_iva),
            transferred_ieps: micros(figures.transferred_ieps),
            withheld_isr: micros(figures.withheld_isr),
            withheld_iva: micros(figures.withheld_iva),
            withheld_ieps: micros(figures.withheld_ieps),
            local_charged: micros(figures.local_charged),
            local_withheld: micros(figures.local_withheld),
            search_version: search::VERSION,
        }
    }
}

/// Written out, since diesel would prepare it anew for every draft.
const KEEP: &str = "INSERT INTO invoice_facts (account_id, id, search_text, subtotal, discount, transferred_iva, \
    transferred_ieps, withheld_isr, withheld_iva, withheld_ieps, local_charged, local_withheld, search_version) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, id) DO UPDATE SET \
    search_text = excluded.search_text, subtotal = excluded.subtotal, discount = excluded.discount, \
    transferred_iva = excluded.transferred_iva, transferred_ieps = excluded.transferred_ieps, \
    withheld_isr = excluded.withheld_isr, withheld_iva = excluded.withheld_iva, \
    withheld_ieps = excluded.withheld_ieps, local_charged = excluded.local_charged, \
    local_withheld = excluded.local_withheld, search_version = excluded.search_version";

/// Keeps the facts of an invoice that is new, or whose draft has changed.
pub(super) fn keep(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> QueryResult<()> {
    let FactsRow {
        account_id,
        id,
        search_text,
        subtotal,
        discount,
        transferred_iva,
        transferred_ieps,
        withheld_isr,
        withheld_iva,
        withheld_ieps,
        local_charged,
        local_withheld,
        search_version,
    } = FactsRow::of(account, invoice);
    let numbers = [
        subtotal,
        discount,
        transferred_iva,
        transferred_ieps,
        withheld_isr,
        withheld_iva,
        withheld_ieps,
        local_charged,
        local_withheld,
        search_version,
    ];
    let texts = [account_id, id, search_text].map(Bound::Text);
    let values: Vec<Bound> = texts.into_iter().chain(numbers.map(Bound::Number)).collect();
    on!(tx.db, |conn| Statement::<()>::new(KEEP, values).execute(conn)).map(drop)
}

/// Makes the facts of rows anew that are from before, or from a release that does not know of them; whether it has changed their
/// drafts is not known either. A place is an account.
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

/// Makes the facts of an invoice anew whose terms are of older rules. What cannot be read keeps the terms that it has.
pub(crate) fn renew_terms(tx: &mut Tx<'_>, account: &str, id: &str) -> QueryResult<()> {
    make_anew(tx, account, id)?;
    diesel::update(invoice_facts::table.find((account, id)))
        .set(dsl::search_version.eq(search::VERSION))
        .execute(tx.db)
        .map(drop)
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
    let of_now =
        (invoices::facts_version.eq(invoice.version), invoices::draft_version.eq(invoice.version));
    diesel::update(this).set(of_now).execute(tx.db)?;
    Ok(true)
}
