//! Recording reservations by one statement.

use std::collections::BTreeSet;

use ::invoices::{OrderId, Status};
use ::tasks::Task;
use diesel::{QueryResult, RunQueryDsl};
use kernel::Idempotency;

use super::Reserving;
use crate::{
    invoices::{credits::Entered, provider::ChoiceRow, together::postgres},
    statement::{Bound, Column, Statement},
    tasks,
    tx::Tx,
};

/// Writes everything, if all drafts are as they were looked at, their orders are their own and not cancelled, the credits are
/// there, whom each account calls is as it was looked at, and no request was answered before. Whoever chooses a provider
/// waits meanwhile. An account's first choice that is committed while this waits for it is not seen: without one a live
/// account is refused before, and a test account can choose what it has.
pub(super) fn record(steps: &[&Reserving], opened: &[Task], tx: &mut Tx<'_>) -> QueryResult<()> {
    if steps.is_empty() {
        return Ok(());
    }
    let accounts: BTreeSet<String> =
        steps.iter().map(|step| step.ctx.account.to_string()).collect();
    let accounts = vec![Column::Texts(accounts.into_iter().collect())];
    let changes = steps.iter().map(|step| (step.ctx.account, &step.reserved.credits, step.ctx.now));
    let Entered { entries, balances, accounts: charged } = Entered::of(tx.ids, changes);
    let billed = billed(steps);
    let values = [
        Bound::from(keys(steps)),
        cancelled(&billed).into(),
        held(&billed).into(),
        Status::Stamping.name().to_owned().into(),
        drafts(steps).into(),
        balances.into(),
        papers(steps).into(),
        entries.into(),
        tasks::columns(opened).into(),
        accounts.into(),
        callees(steps).into(),
        ((2 * steps.len() + charged + billed.len()) as i64).into(),
    ];
    let record = Statement::<()>::new(
        "WITH k AS (SELECT 1 FROM ? AS w (account, operation, key) JOIN idempotency_answers k \
         ON k.account_id = w.account AND k.operation = w.operation AND k.key = w.key \
         UNION ALL SELECT 1 FROM ? AS w (account, id) JOIN orders o \
         ON o.account_id = w.account AND o.id = w.id AND o.status IN ('cancelled')), \
         h AS (SELECT 1 FROM ? AS w (account, id, invoice) JOIN invoice_orders h \
         ON h.account_id = w.account AND h.order_id = w.id AND h.invoice_id = w.invoice), \
         i AS (UPDATE invoices i SET status = ?, total = w.total, document = w.document, applied_to = NULL, \
         last_error = NULL, updated_at = w.updated_at, version = w.version, \
         facts_version = CASE i.facts_version WHEN i.version THEN w.version ELSE i.facts_version END \
         FROM ? AS w (account, id, seen, total, document, updated_at, version) \
         WHERE i.account_id = w.account AND i.id = w.id AND w.seen = i.version RETURNING 1), \
         c AS (UPDATE credit_balances c SET available = c.available + w.available, reserved = c.reserved + w.reserved \
         FROM ? AS w (account, available, reserved) \
         WHERE c.account_id = w.account AND c.available + w.available >= 0 RETURNING 1), \
         d AS (INSERT INTO invoice_papers (account_id, invoice_id, certificate_number, seal, sealed_xml) \
         SELECT w.* FROM ? w ON CONFLICT (account_id, invoice_id) DO UPDATE SET \
         certificate_number = EXCLUDED.certificate_number, seal = EXCLUDED.seal, sealed_xml = EXCLUDED.sealed_xml, \
         stamped_xml = NULL, cancel_request = NULL, receipt = NULL), \
         e AS (INSERT INTO credit_entries (account_id, id, kind, amount, invoice_id, note, created_at, withholding_id) \
         SELECT w.* FROM ? w), \
         t AS (INSERT INTO tasks (account_id, id, kind, subject, exclusive_key, payload_version, payload, state, due_at, \
         attempts, is_doubtful, claim_id, claimed_until, is_cancel_requested, done, total, message, outcome, created_at, \
         updated_at, ended_at) SELECT w.* FROM ? w), \
         l AS (SELECT i.account_id FROM ? AS w (account) JOIN issuers i ON i.account_id = w.account \
         ORDER BY i.account_id, i.id FOR NO KEY UPDATE OF i), \
         p AS (SELECT p.account_id, p.kind, p.user_name, p.credentials, p.simulate, p.updated_at \
         FROM (SELECT DISTINCT l.account_id FROM l) o JOIN certification_providers p ON p.account_id = o.account_id \
         FOR SHARE OF p), \
         s AS (SELECT 1 FROM ? AS w (account, kind, user_name, credentials, simulate, updated_at) \
         LEFT JOIN p ON p.account_id = w.account WHERE p.kind IS NOT DISTINCT FROM w.kind \
         AND p.user_name IS NOT DISTINCT FROM w.user_name AND p.credentials IS NOT DISTINCT FROM w.credentials \
         AND p.simulate IS NOT DISTINCT FROM w.simulate AND p.updated_at IS NOT DISTINCT FROM w.updated_at) \
         SELECT CASE WHEN (SELECT count(*) FROM i) + (SELECT count(*) FROM c) + (SELECT count(*) FROM h) \
         + (SELECT 0 * count(*) FROM l) + (SELECT count(*) FROM s) = ? \
         AND NOT EXISTS (SELECT 1 FROM k) THEN 1 ELSE premises_changed() END",
        values,
    );
    record.execute(postgres(tx.db)?).map(drop)
}

/// Whom each step is going to call, as it was on record when its draft was looked at.
fn callees(steps: &[&Reserving]) -> Vec<Column> {
    let choices = || steps.iter().map(|step| step.on_record.chosen());
    let texts = |text: fn(&ChoiceRow) -> Option<String>| {
        Column::OptionalTexts(choices().map(|choice| choice.and_then(text)).collect())
    };
    vec![
        Column::Texts(steps.iter().map(|step| step.ctx.account.to_string()).collect()),
        texts(|(kind, ..)| Some(kind.clone())),
        texts(|(_, user, ..)| user.clone()),
        texts(|(_, _, credentials, ..)| credentials.clone()),
        texts(|(.., simulate, _)| Some(simulate.clone())),
        Column::OptionalNumbers(choices().map(|choice| choice.map(|(.., at)| *at)).collect()),
    ]
}

/// The keys under which no answer may be kept.
fn keys(steps: &[&Reserving]) -> Vec<Column> {
    let keyed = || {
        steps.iter().filter_map(|step| step.ctx.idempotency.as_ref().map(|key| (&step.ctx, key)))
    };
    vec![
        Column::Texts(keyed().map(|(ctx, _)| ctx.account.to_string()).collect()),
        Column::Texts(
            keyed().map(|(_, Idempotency { operation, .. })| operation.clone()).collect(),
        ),
        Column::Texts(keyed().map(|(_, Idempotency { key, .. })| key.clone()).collect()),
    ]
}

/// The orders that drafts bill, with the accounts and the drafts.
fn billed(steps: &[&Reserving]) -> BTreeSet<(String, String, String)> {
    let of_step = |step: &&Reserving| {
        let (account, invoice) = (step.ctx.account.to_string(), step.seen.id.to_string());
        let row = move |order: &OrderId| (account.clone(), order.to_string(), invoice.clone());
        step.seen.draft.orders.iter().map(row).collect::<Vec<_>>()
    };
    steps.iter().flat_map(of_step).collect()
}

fn cancelled(billed: &BTreeSet<(String, String, String)>) -> Vec<Column> {
    vec![
        Column::Texts(billed.iter().map(|(account, ..)| account.clone()).collect()),
        Column::Texts(billed.iter().map(|(_, order, _)| order.clone()).collect()),
    ]
}

fn held(billed: &BTreeSet<(String, String, String)>) -> Vec<Column> {
    let invoices = Column::Texts(billed.iter().map(|(.., invoice)| invoice.clone()).collect());
    let mut columns = cancelled(billed);
    columns.push(invoices);
    columns
}

fn drafts(steps: &[&Reserving]) -> Vec<Column> {
    let texts = |text: fn(&Reserving) -> String| {
        Column::Texts(steps.iter().map(|step| text(step)).collect())
    };
    let numbers = |number: fn(&Reserving) -> i64| {
        Column::Numbers(steps.iter().map(|step| number(step)).collect())
    };
    vec![
        texts(|step| step.ctx.account.to_string()),
        texts(|step| step.seen.id.to_string()),
        numbers(|step| step.seen.version),
        numbers(|step| step.row.total),
        texts(|step| step.row.document.clone()),
        numbers(|step| step.reserved.invoice.updated_at.micros()),
        numbers(|step| step.reserved.invoice.version),
    ]
}

fn papers(steps: &[&Reserving]) -> Vec<Column> {
    let texts = |text: fn(&Reserving) -> String| {
        Column::Texts(steps.iter().map(|step| text(step)).collect())
    };
    vec![
        texts(|step| step.ctx.account.to_string()),
        texts(|step| step.draft.id.to_string()),
        texts(|step| step.draft.number.clone()),
        texts(|step| step.draft.sealed.seal.clone()),
        texts(|step| step.draft.sealed.xml.clone()),
    ]
}
