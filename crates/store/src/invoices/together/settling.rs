//! Stamps that have come: kept, charged and told of, for all invoices that got theirs meanwhile.

use std::collections::HashSet;

use ::invoices::{
    Invoice, InvoiceError, InvoiceId, Status,
    calls::{ProviderCall, Recorded, Step as Asked},
    credits::CreditChange,
    settled::{Around, DocumentChange, Settled, TaskChange},
    stamping::{self, StampCall, Verdict},
};
use ::tasks::Task;
use diesel::{QueryResult, RunQueryDsl};
use kernel::{AccountId, Ctx, Done, Idempotency, Timestamp, Written};

use super::{Step, postgres, reserving::weight_of, rows, rows::StampedRow};
use crate::{
    answers,
    error::Failure,
    events::append,
    invoices::{
        credits,
        credits::Entered,
        documents, papers,
        settling::{end, keep_answer, open},
        stamping::record as record_verdict,
    },
    payments,
    statement::{Bound, Column, Statement},
    tasks,
    tx::Tx,
    under_way::Begun,
};

/// A stamp that is to be recorded, of an invoice that stands alone and was reserved here.
pub(in crate::invoices) struct Settling {
    call: ProviderCall<InvoiceId>,
    verdict: Verdict,
    idempotency: Option<Idempotency>,
    now: Timestamp,
    /// The invoice and its task as they were reserved.
    begun: Begun<Invoice>,
    /// What follows if they are still so: what is spent, the stamped document, and the task as it has ended.
    settled: Settled,
    spent: CreditChange,
    xml: String,
    ended: Task,
    row: StampedRow,
}

impl Settling {
    /// The step, if the answer is a stamp from which nothing follows but for the invoice.
    pub(in crate::invoices) fn of(
        begun: Begun<Invoice>,
        (call, verdict): (&ProviderCall<InvoiceId>, &Verdict),
        idempotency: Option<&Idempotency>,
        now: Timestamp,
    ) -> Option<Self> {
        let Asked::Stamp { seal, .. } = &call.step else { return None };
        let (task, provider) = (open(Some(&begun.task), call.claim), call.callee.provider);
        let stamp_call = StampCall { task, seal: Some(seal.as_str()), provider };
        let around = Around::default();
        let settled = stamping::settle(&begun.subject, verdict, stamp_call, &around, now).ok()?;
        let is_alone = begun.subject.draft.stands_alone()
            && settled.orders.is_empty()
            && settled.owing.is_empty()
            && settled.task == TaskChange::End
            && settled.is_answer;
        let Some(DocumentChange::Stamped(xml)) = &settled.documents else { return None };
        let (xml, spent) = (xml.clone(), settled.credits.clone().filter(|_| is_alone)?);
        let ended = begun.task.clone().ended(end(&begun.task, &settled.invoice), now);
        let row = StampedRow::of(&settled.invoice).ok()?;
        let (call, verdict, idempotency) = (call.clone(), verdict.clone(), idempotency.cloned());
        Some(Self { call, verdict, idempotency, now, begun, settled, spent, xml, ended, row })
    }

    const fn account(&self) -> AccountId {
        self.call.callee.account
    }

    fn recorded(&self) -> Recorded<Invoice> {
        Recorded { subject: self.settled.invoice.clone(), next: None }
    }

    /// Locks the invoice and ends the task, if both are as they were reserved; whether they were.
    fn stands(&self, tx: &mut Tx<'_>) -> QueryResult<bool> {
        match rows::lock::<InvoiceError>(tx, self.account(), &self.begun.subject) {
            Ok(()) => tasks::save_over(tx, &self.begun.task, &self.ended),
            Err(Failure::Refused(_)) => Ok(false),
            Err(Failure::Database(error)) => Err(error),
        }
    }
}

impl Step for Settling {
    type Refusal = InvoiceError;
    type Value = Recorded<Invoice>;

    /// Events are told, and requests answered, by statements of their own.
    const IS_ONE_STATEMENT: bool = false;
    const NAME: &'static str = "stamps";

    fn place(&self) -> (u128, u128) {
        (self.account().to_u128(), self.begun.subject.id.to_u128())
    }

    fn weight(&self) -> u64 {
        weight_of(&self.xml)
    }

    fn alone(&self, tx: &mut Tx<'_>) -> Result<Done<Recorded<Invoice>>, Failure<InvoiceError>> {
        let (account, now, key) = (self.account(), self.now, self.idempotency.as_ref());
        if !self.stands(tx)? {
            // Somebody else has been at it: what of the answer counts is to be judged by what is on record.
            let subject = record_verdict(tx, &self.call, &self.verdict, key, now)?;
            return Ok(Done::now(Recorded { subject, next: None }));
        }
        let invoice = &self.settled.invoice;
        self.row.save(tx, account, invoice)?;
        let balance = credits::locked(tx, account)?;
        credits::enter(tx, account, (balance, &self.spent), now)?;
        documents::keep_stamped(tx, account, invoice.id, &self.xml)?;
        papers::followed(tx, account, &self.begun.subject, invoice, now)?;
        append(tx, account, now, self.settled.events.clone())?;
        keep_answer(tx, account, key, invoice, now)?;
        Ok(Done::now(self.recorded()))
    }

    fn together(
        steps: &[&Self],
        tx: &mut Tx<'_>,
    ) -> QueryResult<Vec<Written<Recorded<Invoice>, InvoiceError>>> {
        record(steps, tx)?;
        let stamped = steps.iter().map(|step| (step.account(), &step.settled.invoice));
        let stamped: Vec<(AccountId, &Invoice)> = stamped.collect();
        if let Some(now) = steps.iter().map(|step| step.now).max() {
            payments::papers::decide_withheld(tx, &stamped, now)?;
        }
        let mut answered = HashSet::new();
        for step in steps {
            let (account, now) = (step.account(), step.now);
            papers::followed(tx, account, &step.begun.subject, &step.settled.invoice, now)?;
            append(tx, account, now, step.settled.events.clone())?;
            // Of two invoices under one key the first is its answer.
            if let Some(key) = &step.idempotency
                && answered.insert((account, &key.operation, &key.key))
            {
                let idempotency = Some(key.clone());
                let ctx = Ctx { idempotency, ..Ctx::system(account, now) };
                answers::keep(tx, &ctx, &step.settled.invoice)?;
            }
        }
        Ok(steps.iter().map(|step| Ok(Done::now(step.recorded()))).collect())
    }
}

/// Records stamps, if all invoices and tasks are as they were reserved and no request was answered meanwhile.
fn record(steps: &[&Settling], tx: &mut Tx<'_>) -> QueryResult<()> {
    let changes = steps.iter().map(|step| (step.account(), &step.spent, step.now));
    let Entered { entries, balances, accounts } = Entered::of(tx.ids, changes);
    let values = [
        Bound::from(keys(steps)),
        Status::Stamped.name().to_owned().into(),
        stamped(steps).into(),
        ended(steps).into(),
        balances.into(),
        documents_of(steps).into(),
        entries.into(),
        ((3 * steps.len() + accounts) as i64).into(),
    ];
    let record = Statement::<()>::new(
        "WITH k AS (SELECT 1 FROM ? AS w (account, operation, key) JOIN idempotency_answers k \
         ON k.account_id = w.account AND k.operation = w.operation AND k.key = w.key), \
         i AS (UPDATE invoices i SET status = ?, uuid = w.uuid, stamp = w.stamp, stamped_at = w.stamped_at, \
         balance = w.balance, last_error = NULL, updated_at = w.updated_at, version = w.version, \
         facts_version = CASE i.facts_version WHEN i.version THEN w.version ELSE i.facts_version END \
         FROM ? AS w (account, id, seen, uuid, stamp, stamped_at, balance, updated_at, version) \
         WHERE i.account_id = w.account AND i.id = w.id AND w.seen = i.version RETURNING 1), \
         t AS (UPDATE tasks t SET state = w.state, due_at = NULL, attempts = w.attempts, claim_id = NULL, \
         claimed_until = NULL, exclusive_key = NULL, outcome = w.outcome, updated_at = w.ended_at, ended_at = w.ended_at \
         FROM ? AS w (account, id, seen, claim, state, attempts, outcome, ended_at) \
         WHERE t.account_id = w.account AND t.id = w.id AND t.attempts = w.seen AND t.claim_id = w.claim \
         AND t.due_at IS NOT NULL RETURNING 1), \
         c AS (UPDATE credit_balances c SET available = c.available + w.available, reserved = c.reserved + w.reserved \
         FROM ? AS w (account, available, reserved) \
         WHERE c.account_id = w.account AND c.reserved + w.reserved >= 0 RETURNING 1), \
         d AS (UPDATE invoice_papers d SET stamped_xml = w.xml FROM ? AS w (account, id, xml) \
         WHERE d.account_id = w.account AND d.invoice_id = w.id RETURNING 1), \
         e AS (INSERT INTO credit_entries (account_id, id, kind, amount, invoice_id, note, created_at, withholding_id) \
         SELECT w.* FROM ? w) \
         SELECT CASE WHEN (SELECT count(*) FROM i) + (SELECT count(*) FROM t) + (SELECT count(*) FROM c) \
         + (SELECT count(*) FROM d) = ? AND NOT EXISTS (SELECT 1 FROM k) THEN 1 ELSE premises_changed() END",
        values,
    );
    record.execute(postgres(tx.db)?).map(drop)
}

/// The keys under which no answer may be kept.
fn keys(steps: &[&Settling]) -> Vec<Column> {
    let keyed = || {
        steps.iter().filter_map(|step| step.idempotency.as_ref().map(|key| (step.account(), key)))
    };
    vec![
        Column::Texts(keyed().map(|(account, _)| account.to_string()).collect()),
        Column::Texts(keyed().map(|(_, key)| key.operation.clone()).collect()),
        Column::Texts(keyed().map(|(_, key)| key.key.clone()).collect()),
    ]
}

fn texts(steps: &[&Settling], text: fn(&Settling) -> String) -> Column {
    Column::Texts(steps.iter().map(|step| text(step)).collect())
}

fn numbers(steps: &[&Settling], number: fn(&Settling) -> i64) -> Column {
    Column::Numbers(steps.iter().map(|step| number(step)).collect())
}

fn stamped(steps: &[&Settling]) -> Vec<Column> {
    vec![
        texts(steps, |step| step.account().to_string()),
        texts(steps, |step| step.begun.subject.id.to_string()),
        numbers(steps, |step| step.begun.subject.version),
        texts(steps, |step| step.row.uuid.clone()),
        texts(steps, |step| step.row.stamp.clone()),
        numbers(steps, |step| step.row.stamped_at),
        Column::OptionalNumbers(steps.iter().map(|step| step.row.balance).collect()),
        numbers(steps, |step| step.settled.invoice.updated_at.micros()),
        numbers(steps, |step| step.settled.invoice.version),
    ]
}

fn ended(steps: &[&Settling]) -> Vec<Column> {
    let claim = |step: &&Settling| step.begun.task.claim.map(|claim| claim.id.to_string());
    vec![
        texts(steps, |step| step.account().to_string()),
        texts(steps, |step| step.begun.task.id.to_string()),
        numbers(steps, |step| i64::from(step.begun.task.attempts)),
        Column::OptionalTexts(steps.iter().map(claim).collect()),
        texts(steps, |step| step.ended.state.name().to_owned()),
        numbers(steps, |step| i64::from(step.ended.attempts)),
        Column::OptionalTexts(steps.iter().map(|step| step.ended.outcome.clone()).collect()),
        numbers(steps, |step| step.ended.updated_at.micros()),
    ]
}

fn documents_of(steps: &[&Settling]) -> Vec<Column> {
    vec![
        texts(steps, |step| step.account().to_string()),
        texts(steps, |step| step.begun.subject.id.to_string()),
        texts(steps, |step| step.xml.clone()),
    ]
}
