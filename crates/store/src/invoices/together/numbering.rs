//! Folios: the next ones of their series, for every draft that waits for one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ::invoices::{Invoice, InvoiceError, STAMP_COST, credits::demand, drafting};
use diesel::{
    QueryResult, RunQueryDsl,
    sql_types::{BigInt, Integer, Nullable, Text},
};
use kernel::{Ctx, Done, Refused, Written};

use super::{Step, postgres, rows};
use crate::{
    error::Failure,
    invoices::{credits, folios},
    statement::{Bound, Column, Statement},
    tx::Tx,
};

/// Stands for a folio until it is taken.
const TO_BE_TAKEN: u64 = 0;

/// A draft that is to be given a folio.
pub(in crate::invoices) struct Numbering {
    pub(in crate::invoices) ctx: Ctx,
    /// The draft, which has none, as it was looked at.
    pub(in crate::invoices) seen: Invoice,
}

impl Step for Numbering {
    type Refusal = InvoiceError;
    type Value = Invoice;

    const IS_ONE_STATEMENT: bool = true;
    const NAME: &'static str = "folios";

    fn place(&self) -> (u128, u128) {
        (self.ctx.account.to_u128(), self.seen.id.to_u128())
    }

    fn alone(&self, tx: &mut Tx<'_>) -> Result<Done<Invoice>, Failure<InvoiceError>> {
        let Self { ctx, seen } = self;
        rows::lock(tx, ctx.account, seen)?;
        // It is not to be spent on what cannot be paid for.
        demand(credits::balance(tx.db, ctx.account)?)?;
        let numbered = drafting::number(seen, TO_BE_TAKEN, ctx.now)?;
        let folio = folios::take(tx, ctx.account, &seen.draft)?;
        let invoice = Invoice { folio: Some(folio), ..numbered };
        rows::save_folio(tx, ctx.account, &invoice)?;
        Ok(Done::now(invoice))
    }

    fn together(
        steps: &[&Self],
        tx: &mut Tx<'_>,
    ) -> QueryResult<Vec<Written<Invoice, InvoiceError>>> {
        let mut known = HashSet::new();
        let numbered = steps.iter().map(|step| match known.insert(step.key()) {
            true => drafting::number(&step.seen, TO_BE_TAKEN, step.ctx.now),
            // Whoever comes second finds another version.
            false => Err(Refused::Stale),
        });
        let numbered: Vec<Result<Invoice, Refused<InvoiceError>>> = numbered.collect();
        let mut folios = take(steps, &numbered, tx)?;
        let outcome = |(step, numbered): (&&Self, Result<Invoice, Refused<InvoiceError>>)| {
            let folio = folios.remove(&step.key());
            numbered.and_then(|invoice| {
                let folio = folio.ok_or(Refused::Stale)?.unsigned_abs();
                Ok(Done::now(Invoice { folio: Some(folio), ..invoice }))
            })
        };
        Ok(steps.iter().zip(numbered).map(outcome).collect())
    }
}

impl Numbering {
    fn key(&self) -> (String, String) {
        (self.ctx.account.to_string(), self.seen.id.to_string())
    }
}

/// Takes a folio for each draft that may have one, and saves it with the draft. Drafts are locked before series, as by a step
/// that is carried out alone.
fn take(
    steps: &[&Numbering],
    numbered: &[Result<Invoice, Refused<InvoiceError>>],
    tx: &mut Tx<'_>,
) -> QueryResult<HashMap<(String, String), i64>> {
    // Series, too, are locked in the order of their keys.
    let mut series = BTreeMap::<(String, String), i64>::new();
    let mut drafts = Vec::new();
    // The last of a series gets its last folio.
    for (step, numbered) in steps.iter().zip(numbered).rev() {
        let Ok(invoice) = numbered else { continue };
        let draft = &step.seen.draft;
        let account = step.ctx.account;
        let key = folios::key_of(account, draft.issuer, &draft.series);
        let behind = series.entry((account.to_string(), key.clone())).or_default();
        drafts.push(DraftRow { step, invoice, series: key, behind: *behind });
        *behind += 1;
    }
    if drafts.is_empty() {
        return Ok(HashMap::new());
    }
    let accounts: BTreeSet<String> = series.keys().map(|(account, _)| account.clone()).collect();
    let found = (accounts.len() + drafts.len()) as i64;
    let accounts = Column::Texts(accounts.into_iter().collect());
    let wanted = vec![
        Column::Texts(series.keys().map(|(account, _)| account.clone()).collect()),
        Column::Texts(series.keys().map(|(_, key)| key.clone()).collect()),
        Column::Numbers(series.values().copied().collect()),
    ];
    // Which were gone through from the last to the first.
    drafts.reverse();
    let seen = vec![
        texts(&drafts, |row| row.step.ctx.account.to_string()),
        texts(&drafts, |row| row.step.seen.id.to_string()),
        numbers(&drafts, |row| row.step.seen.version),
    ];
    let values = [
        Bound::from(vec![accounts]),
        STAMP_COST.into(),
        seen.into(),
        wanted.into(),
        (drafts.len() as i64).into(),
        columns(&drafts).into(),
        found.into(),
    ];
    let take = Statement::<Taken>::new(
        "WITH b AS (SELECT 1 FROM ? AS w (account) JOIN credit_balances b \
         ON b.account_id = w.account AND b.available >= ?), \
         l AS (SELECT 1 FROM ? AS w (account, id, seen) JOIN invoices i \
         ON i.account_id = w.account AND i.id = w.id AND w.seen = i.version \
         ORDER BY i.account_id, i.id FOR NO KEY UPDATE OF i), \
         f AS (INSERT INTO invoice_folios AS f (account_id, series, last) SELECT w.account, w.series, w.wanted \
         FROM ? AS w (account, series, wanted) WHERE (SELECT count(*) FROM l) = ? \
         ON CONFLICT (account_id, series) DO UPDATE SET last = f.last + EXCLUDED.last \
         RETURNING f.account_id, f.series, f.last), \
         i AS (UPDATE invoices i SET folio = f.last - w.behind, updated_at = w.updated_at, version = w.version, \
         facts_version = CASE i.facts_version WHEN i.version THEN w.version ELSE i.facts_version END \
         FROM ? AS w (account, id, seen, series, behind, updated_at, version) \
         JOIN f ON f.account_id = w.account AND f.series = w.series \
         WHERE i.account_id = w.account AND i.id = w.id AND w.seen = i.version RETURNING i.account_id, i.id, i.folio) \
         SELECT p.stand, i.account_id, i.id, i.folio FROM \
         (SELECT CASE WHEN (SELECT count(*) FROM b) + (SELECT count(*) FROM i) = ? THEN 1 ELSE premises_changed() END \
         AS stand) p LEFT JOIN i ON TRUE",
        values,
    );
    let rows: Vec<TakenRow> = take.load(postgres(tx.db)?)?;
    let folios =
        rows.into_iter().filter_map(|(_, account, id, folio)| Some(((account?, id?), folio?)));
    Ok(folios.collect())
}

/// Whether the premises stand, account, invoice, folio.
type Taken = (Integer, Nullable<Text>, Nullable<Text>, Nullable<BigInt>);
type TakenRow = (i32, Option<String>, Option<String>, Option<i64>);

/// A draft with its place from the end among those of its series.
struct DraftRow<'a> {
    step: &'a Numbering,
    invoice: &'a Invoice,
    series: String,
    behind: i64,
}

fn texts(rows: &[DraftRow<'_>], text: fn(&DraftRow<'_>) -> String) -> Column {
    Column::Texts(rows.iter().map(text).collect())
}

fn numbers(rows: &[DraftRow<'_>], number: fn(&DraftRow<'_>) -> i64) -> Column {
    Column::Numbers(rows.iter().map(number).collect())
}

fn columns(rows: &[DraftRow<'_>]) -> Vec<Column> {
    vec![
        texts(rows, |row| row.step.ctx.account.to_string()),
        texts(rows, |row| row.step.seen.id.to_string()),
        numbers(rows, |row| row.step.seen.version),
        texts(rows, |row| row.series.clone()),
        numbers(rows, |row| row.behind),
        numbers(rows, |row| row.invoice.updated_at.micros()),
        numbers(rows, |row| row.invoice.version),
    ]
}
