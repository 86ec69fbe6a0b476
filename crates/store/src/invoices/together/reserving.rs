//! Reservations: everything that must be on record before a provider is called, for all drafts that were sealed meanwhile.

mod record;

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
};

use ::invoices::{
    Balance, Debts, Holder, Invoice, InvoiceError, InvoiceId, STAMP_COST,
    calls::{Callee, ProviderCall},
    credits::demand,
    provider::ProviderKind,
    settled::Around,
    stamping::{self, Reserved, Sealing, Sources},
};
use ::tasks::{Task, TaskId, kind::STAMP};
use cfdi::{document::Document, seal::Sealed};
use diesel::{QueryResult, result::Error as DieselError};
use kernel::{Ctx, Done, Refused, Timestamp, Written};

use super::{Step, rows, rows::SealedRow};
use crate::{
    answers,
    error::{Failure, fault},
    invoices::{
        around, calls, credits, documents, holders, issuers, provider, provider::OnRecord, steps,
    },
    tasks,
    tx::Tx,
    vault::Vault,
};
use record::record;

/// What a document weighs as one more, in bytes.
const BYTES_PER_WEIGHT: usize = 16 * 1024;

/// What a document of so many bytes weighs in a batch.
pub(super) fn weight_of(xml: &str) -> u64 {
    (1 + xml.len() / BYTES_PER_WEIGHT) as u64
}

/// A draft that was sealed outside of any transaction.
pub(in crate::invoices) struct SealedDraft {
    pub(in crate::invoices) id: InvoiceId,
    /// The version that was sealed.
    pub(in crate::invoices) version: i64,
    pub(in crate::invoices) document: Document,
    pub(in crate::invoices) debts: Debts,
    pub(in crate::invoices) provider: ProviderKind,
    /// The number of the certificate.
    pub(in crate::invoices) number: String,
    pub(in crate::invoices) sealed: Sealed,
}

/// What comes of a reservation.
pub(in crate::invoices) enum Reservation {
    /// The request was answered before.
    Already(Box<Invoice>),
    /// The call to be made, with the invoice and the task as they are on record.
    Made(Box<Made>),
}

/// A reservation on record.
pub(in crate::invoices) struct Made {
    pub(in crate::invoices) call: ProviderCall<InvoiceId>,
    pub(in crate::invoices) invoice: Invoice,
    pub(in crate::invoices) task: Task,
}

/// A sealed draft that stands alone and is to be reserved.
pub(in crate::invoices) struct Reserving {
    ctx: Ctx,
    vault: Arc<Vault>,
    /// The draft as it was looked at.
    seen: Invoice,
    draft: SealedDraft,
    /// Whom the account called then, and as it was on record.
    callee: Callee,
    on_record: OnRecord,
    until: Timestamp,
    /// What is around it, if its orders are its own.
    around: Around,
    /// What is to be recorded, if there are credits for it, what is around it is as expected, and its orders are not cancelled.
    reserved: Reserved,
    row: SealedRow,
    /// The task of its call, held from the beginning: the same however often it is tried, so that it is known again.
    task: OnceLock<Task>,
}

impl Reserving {
    /// The step of a draft that stands alone: nothing changes with it but the credits of its account.
    ///
    /// # Errors
    /// What the rules refuse it for, but for a lack of credits and what has become of its orders: that is seen when it is
    /// recorded.
    pub(in crate::invoices) fn of(
        (ctx, vault): (&Ctx, Arc<Vault>),
        seen: Invoice,
        draft: SealedDraft,
        on_record: OnRecord,
        until: Timestamp,
    ) -> Result<Self, Refused<InvoiceError>> {
        let broken = |error: DieselError| Refused::Fault(fault(&error));
        let balance = Balance { available: STAMP_COST, reserved: 0 };
        let holder = Holder { invoice: seen.id, uuid: None };
        let holders = seen.draft.orders.iter().map(|order| (*order, holder.clone())).collect();
        let around = Around { holders, ..Around::default() };
        let reserved = reserve(&seen, &draft, (&Sources::default(), &around), balance, ctx.now)?;
        let row = SealedRow::of(&reserved.invoice).map_err(broken)?;
        let callee = on_record.callee(&vault, ctx.account).map_err(broken)?;
        let ctx = ctx.clone();
        let task = OnceLock::new();
        Ok(Self { ctx, vault, seen, draft, callee, on_record, until, around, reserved, row, task })
    }

    /// The call to make under a task.
    fn call(&self, task: &Task, callee: Callee) -> QueryResult<ProviderCall<InvoiceId>> {
        let Sealed { xml, seal, .. } = &self.draft.sealed;
        let document = steps::document(self.draft.id, xml.clone());
        calls::stamping_by(self.draft.id, task, callee, (document, seal))
    }

    /// What is answered once it is on record.
    fn made(&self, task: &Task, callee: Callee) -> QueryResult<Reservation> {
        let call = self.call(task, callee)?;
        let invoice = self.reserved.invoice.clone();
        Ok(Reservation::Made(Box::new(Made { call, invoice, task: task.clone() })))
    }

    /// Whom the account calls, as it is on record now: which is as it was looked at, unless another was chosen since. A choice
    /// is changed and never taken back.
    fn callee_now(&self, tx: &mut Tx<'_>) -> QueryResult<Callee> {
        let found = provider::on_record(tx.db, self.ctx.account)?;
        if found == self.on_record || found.chosen().is_none() {
            return Ok(self.callee.clone());
        }
        found.callee(&self.vault, self.ctx.account)
    }
}

fn reserve(
    seen: &Invoice,
    draft: &SealedDraft,
    (sources, around): (&Sources, &Around),
    balance: Balance,
    now: Timestamp,
) -> Result<Reserved, Refused<InvoiceError>> {
    let SealedDraft { document, debts, provider, .. } = draft;
    let provider = *provider;
    stamping::reserve(seen, &Sealing { document, debts, sources, around, balance, provider }, now)
}

impl Step for Reserving {
    type Refusal = InvoiceError;
    type Value = Reservation;

    const IS_ONE_STATEMENT: bool = true;
    const NAME: &'static str = "reservations";

    fn place(&self) -> (u128, u128) {
        (self.ctx.account.to_u128(), self.draft.id.to_u128())
    }

    fn weight(&self) -> u64 {
        weight_of(&self.draft.sealed.xml)
    }

    fn alone(&self, tx: &mut Tx<'_>) -> Result<Done<Reservation>, Failure<InvoiceError>> {
        let Self { ctx, draft, .. } = self;
        if let Some(Done { value, replayed }) = answers::kept_answer(tx, ctx)? {
            return Ok(Done { value: Reservation::Already(Box::new(value)), replayed });
        }
        match rows::lock::<InvoiceError>(tx, ctx.account, &self.seen) {
            Err(Failure::Refused(Refused::Stale)) if self.is_on_record(tx)? => {
                let callee = self.callee_now(tx)?;
                return Ok(Done::now(self.made(self.task(tx), callee)?));
            }
            locked => locked?,
        }
        let around = around::load(tx, ctx.account, &self.seen)?;
        let sources = around::sources(tx, ctx.account, &self.seen, &around)?;
        let balance = credits::locked(tx, ctx.account)?;
        let judged_now;
        let reserved = if around == self.around && sources == Sources::default() {
            demand(balance)?;
            &self.reserved
        } else {
            let premises = (&sources, &around);
            judged_now = reserve(&self.seen, draft, premises, balance, ctx.now)?;
            &judged_now
        };
        holders::apply(tx, ctx.account, &reserved.orders)?;
        credits::enter(tx, ctx.account, (balance, &reserved.credits), ctx.now)?;
        self.row.save(tx, ctx.account, &reserved.invoice)?;
        documents::keep_sealed(tx, ctx.account, draft.id, &draft.number, &draft.sealed)?;
        issuers::lock(tx, ctx.account)?;
        let task = self.task(tx);
        tasks::insert(tx, task, ctx.now)?;
        let callee = self.callee_now(tx)?;
        Ok(Done::now(self.made(task, callee)?))
    }

    fn together(
        steps: &[&Self],
        tx: &mut Tx<'_>,
    ) -> QueryResult<Vec<Written<Reservation, InvoiceError>>> {
        let mut known = HashSet::new();
        // Whoever comes second finds another version.
        let is_first = |step: &&Self| known.insert((step.ctx.account, step.draft.id));
        let firsts: Vec<bool> = steps.iter().map(is_first).collect();
        let fresh: Vec<&Self> =
            steps.iter().zip(&firsts).filter(|(_, first)| **first).map(|(step, _)| *step).collect();
        let tasks: Vec<Task> = fresh.iter().map(|step| step.task(tx).clone()).collect();
        record(&fresh, &tasks, tx)?;
        for task in tasks.iter().filter(|task| task.is_due(task.created_at)) {
            tasks::wake(tx, task.account);
        }
        let mut tasks = tasks.into_iter();
        let outcome = |(step, is_first): (&&Self, bool)| -> Written<Reservation, InvoiceError> {
            let task = is_first.then(|| tasks.next()).flatten().ok_or(Refused::Stale)?;
            let made = step.made(&task, step.callee.clone());
            made.map(Done::now).map_err(|error| Refused::Fault(fault(&error)))
        };
        Ok(steps.iter().zip(firsts).map(outcome).collect())
    }
}

impl Reserving {
    /// The task of its call.
    fn task(&self, tx: &mut Tx<'_>) -> &Task {
        self.task.get_or_init(|| {
            let claim = calls::claim(tx, self.until);
            let new = calls::new_task(self.draft.id, &STAMP, claim, self.ctx.now);
            Task::open(self.ctx.account, TaskId::from_u128(tx.ids.next()), new, self.ctx.now)
        })
    }

    /// Whether it was recorded before, though the answer was lost, and nobody else has been at it since.
    fn is_on_record(&self, tx: &mut Tx<'_>) -> QueryResult<bool> {
        let Some(own) = self.task.get() else { return Ok(false) };
        let found = tasks::by_id(tx.db, self.ctx.account, own.id)?;
        Ok(found.is_some_and(|task| task.due_at.is_some() && task.claim == own.claim))
    }
}
