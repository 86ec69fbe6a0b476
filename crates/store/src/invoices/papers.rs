//! Receipts of payments, and credit notes of refunds and of what was never paid: drafted by their tasks.

mod cancelled;
mod given_back;
mod goods;
mod receipts;
mod refunds;
mod replacing;
mod standing;
mod turns;

use ::invoices::{
    Invoice, InvoiceError, InvoiceId, Status, credit_notes,
    papers::{self, PaperQueue, Step},
    provider::Rejection,
};
use ::orders::{OrderId, ReturnId};
use ::payments::RefundStatus;
use ::tasks::{End, Pause, Task};
use diesel::prelude::*;
use kernel::{
    AccountId, Done, Message, Pending, Refused, Timestamp, Written, message, reason::Reason,
};

use super::{global, known, rows, write};
use crate::{
    db::Db,
    error::Failure,
    orders::{note_order_credited, note_return_credited, order_of, return_by_id},
    payments::{self, papers::Gone},
    schema::invoices::{self, dsl},
    store::Store,
    tasks,
    tx::Tx,
};
use cancelled::cancelled_step;
use goods::goods_step;
use receipts::receipt_step;
use refunds::note_step;
pub(super) use replacing::successors;
use replacing::{hand_over, taken_up_again, wait_no_more, waits_anew};
use standing::{not_stamped, stands};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

impl PaperQueue for Store {
    fn step(&self, task: &Task, now: Timestamp) -> Pending<Written<Step, InvoiceError>> {
        let task = task.clone();
        self.engine.command(Some(task.account), move |tx| step(tx, &task, now).map(Done::now))
    }

    fn give_up(
        &self,
        task: &Task,
        problem: Rejection,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>> {
        let task = task.clone();
        self.engine
            .command(Some(task.account), move |tx| give_up(tx, &task, &problem, now).map(Done::now))
    }

    fn end(
        &self,
        task: &Task,
        invoice: InvoiceId,
        error: Option<Rejection>,
        is_told: bool,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>> {
        let task = task.clone();
        self.engine.command(Some(task.account), move |tx| {
            end(tx, &task, invoice, (error.as_ref(), is_told), now).map(Done::now)
        })
    }
}

/// Keeps count of what credit notes of refunds take off an invoice; whether it has so much left.
pub(super) fn count(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: Option<&Invoice>,
    after: Option<&Invoice>,
) -> QueryResult<bool> {
    let (held, wanted) = (before.and_then(papers::held), after.and_then(papers::held));
    if held == wanted {
        return Ok(true);
    }
    let this = |uuid: &str| {
        invoices::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
    };
    if let Some((uuid, amount)) = held {
        // What an older release has deleted was not counted off.
        let amount = amount.micros();
        let freed = this(uuid).filter(dsl::credited.ge(amount));
        let freed = diesel::update(freed).set(dsl::credited.eq(dsl::credited - amount));
        freed.execute(tx.db)?;
    }
    let Some((uuid, amount)) = wanted else { return Ok(true) };
    let amount = amount.micros();
    let with_room = this(uuid).filter((dsl::credited + amount).le(dsl::total));
    let taken = diesel::update(with_room).set(dsl::credited.eq(dsl::credited + amount));
    // Of an invoice of elsewhere nothing is known.
    Ok(taken.execute(tx.db)? > 0 || rows::by_uuid(tx.db, account, uuid)?.is_none())
}

/// Tells the payment, refund, return or order of a paper that is gone.
pub(super) fn gone(
    tx: &mut Tx<'_>,
    account: AccountId,
    paper: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    let successors = successors(tx.db, account, paper)?;
    let named = |other: &Invoice| ::payments::InvoiceId::from_u128(other.id.to_u128());
    let successor = successors.first().map(named);
    let draft = &paper.draft;
    let is_shown = draft.payment.is_some() || draft.refund.is_some() || draft.goods.is_some();
    // Sales, and receipts and credit notes that somebody has made, show it nowhere.
    let waits = match successor {
        None if is_shown => waits_anew(tx.db, account, paper)?,
        _ => None,
    };
    let gone = Gone { paper: named(paper), successor, waits };
    if let Some(payment) = paper.draft.payment {
        let payment = ::payments::PaymentId::from_u128(payment.to_u128());
        payments::papers::receipt_gone(tx, account, payment, &gone, now)?;
    }
    if let Some(refund) = paper.draft.refund {
        let refund = ::payments::RefundId::from_u128(refund.to_u128());
        payments::papers::note_gone(tx, account, refund, &gone, now)?;
    }
    if let Some(goods) = paper.draft.goods {
        let goods = ReturnId::from_u128(goods.to_u128());
        let noted = return_by_id(tx.db, account, goods)?.and_then(|record| record.credit_note);
        if noted.is_some_and(|id| id.to_u128() == paper.id.to_u128()) {
            let successor = successor.map(|id| ::orders::InvoiceId::from_u128(id.to_u128()));
            let anew = gone.waits.map_or(Ok(successor), Err);
            note_return_credited(tx, account, goods, anew)?;
        }
    }
    if let Some(order) = paper.draft.cancelled_order {
        let order = OrderId::from_u128(order.to_u128());
        let noted = order_of(tx.db, account, order)?.and_then(|order| order.credit_note);
        if noted.is_some_and(|id| id.to_u128() == paper.id.to_u128()) {
            let successor = successor.map(|id| ::orders::InvoiceId::from_u128(id.to_u128()));
            note_order_credited(tx, account, order, successor, now)?;
        }
    }
    Ok(())
}

/// What follows for others from a step of an invoice: what it holds, and the papers that it was waited for with.
pub(super) fn followed(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: &Invoice,
    after: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    match (before.status, after.status) {
        (Status::Stamping, Status::Stamped) => {
            payments::papers::invoice_stamped(tx, account, after, now)?;
            payments::papers::note_receipt_due(tx, account, after)?;
            payments::papers::note_receipted(tx, account, after)?;
            for uuid in after.draft.replaces() {
                if let Some(replaced) = rows::by_uuid(tx.db, account, uuid)? {
                    hand_over(tx, account, (&replaced, after), now)?;
                }
            }
            for uuid in credit_notes::lowered(&after.draft) {
                if let Some(lowered) = rows::by_uuid(tx.db, account, uuid)? {
                    payments::settle_invoice(tx, account, &lowered, None, now)?;
                    payments::papers::note_receipt_due(tx, account, &lowered)?;
                }
            }
            stands(tx, account, after, None, now)
        }
        (Status::Stamping, Status::Draft) => {
            payments::papers::invoice_refused(tx, account, after, now)?;
            match &after.last_error {
                Some(error) => {
                    let problem = Some(papers::problem(&error.rejection));
                    stands(tx, account, after, problem, now)
                }
                None => Ok(()),
            }
        }
        (Status::Stamped, Status::Cancelled) => {
            // Invoices are locked before payments.
            for successor in successors(tx.db, account, after)? {
                payments::papers::lock(tx.db, account, &successor.id.to_string())?;
            }
            count(tx, account, Some(before), Some(after))?;
            // Orders are, too.
            payments::papers::redecide_withheld(tx, account, after, now)?;
            payments::settle_invoice(tx, account, after, None, now)?;
            // Of one that is cancelled nothing is owed, by which it would be told.
            payments::papers::note_receipt_due(tx, account, before)?;
            payments::papers::invoice_cancelled(tx, account, before, now)?;
            gone(tx, account, after, now)?;
            payments::papers::note_receipted(tx, account, after)?;
            for successor in successors(tx.db, account, after)? {
                hand_over(tx, account, (after, &successor), now)?;
            }
            taken_up_again(tx, account, after, now)?;
            wait_no_more(tx, account, after, now)
        }
        _ => Ok(()),
    }
}

fn step(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> Outcome<Step> {
    if let Some(step) = turns::waits(tx, task, now)? {
        return Ok(step);
    }
    if let Some(id) = ::payments::RefundId::parse(&task.subject) {
        return note_step(tx, task, id, now);
    }
    if let Some(id) = ReturnId::parse(&task.subject) {
        return goods_step(tx, task, id, now);
    }
    if let Some(id) = OrderId::parse(&task.subject) {
        return cancelled_step(tx, task, id, now);
    }
    match ::payments::PaymentId::parse(&task.subject) {
        Some(id) => receipt_step(tx, task, id, now),
        None => over(tx, task, now),
    }
}

fn over(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> Outcome<Step> {
    let Some(own) = tasks::held(tx, task)? else { return Ok(Step::Lost) };
    let after = own.clone().ended(End::Succeeded("{}".to_owned()), now);
    Ok(if saved(tx, &own, &after, now)? { Step::Ended } else { Step::Lost })
}

/// Saves a task after an attempt, and has the next paper of its invoice made if it has ended; whether its worker still held
/// it.
fn saved(tx: &mut Tx<'_>, own: &Task, after: &Task, now: Timestamp) -> QueryResult<bool> {
    let is_saved = tasks::save_over(tx, own, after)?;
    if is_saved && after.due_at.is_none() {
        turns::pass_on(tx, own, now)?;
    }
    Ok(is_saved)
}

/// The invoice as it is until the end of the transaction, if it is still stamped.
fn locked(tx: &mut Tx<'_>, account: AccountId, seen: Option<Invoice>) -> Outcome<Option<Invoice>> {
    let Some(seen) = seen else { return Ok(None) };
    let invoice: Invoice = rows::locked(tx, account, seen.id, None)?;
    if invoice.status == Status::Stamping {
        // Its stamp may be recorded at this moment, by another process that has not seen this money.
        return Err(Refused::Busy.into());
    }
    payments::papers::note_receipt_due(tx, account, &invoice)?;
    Ok(Some(invoice).filter(|invoice| invoice.status == Status::Stamped))
}

/// A paper as it is until the end of the transaction, if it is still there.
fn paper_locked(tx: &mut Tx<'_>, account: AccountId, id: InvoiceId) -> Outcome<Option<Invoice>> {
    match rows::locked::<InvoiceError>(tx, account, id, None) {
        Ok(paper) if paper.status == Status::Stamping => Err(Refused::Busy.into()),
        Ok(paper) => Ok(Some(paper)),
        Err(Failure::Refused(Refused::NotFound)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// What is left to be done with a paper that is there.
fn known_paper(
    tx: &mut Tx<'_>,
    task: &Task,
    id: InvoiceId,
    stamps: impl FnOnce(&::invoices::Issuer) -> bool,
    now: Timestamp,
) -> Outcome<Step> {
    if !is_to_be_stamped(tx.db, task.account, id, stamps)? {
        return over(tx, task, now);
    }
    match tasks::held(tx, task)? {
        Some(_) => Ok(Step::Stamp(id)),
        None => Ok(Step::Lost),
    }
}

/// Whether a paper that is there is a draft which its task stamps.
fn is_to_be_stamped(
    db: &mut Db,
    account: AccountId,
    id: InvoiceId,
    stamps: impl FnOnce(&::invoices::Issuer) -> bool,
) -> QueryResult<bool> {
    let paper = rows::by_id(db, account, id)?;
    let Some(paper) = paper.filter(|paper| paper.status == Status::Draft) else {
        return Ok(false);
    };
    let issuer = super::issuers::one(db, account, paper.draft.issuer)?;
    Ok(issuer.is_some_and(|issuer| stamps(&issuer)))
}

/// What follows when a draft is on record.
fn made(
    tx: &mut Tx<'_>,
    task: &Task,
    invoice: &Invoice,
    is_to_stamp: bool,
    now: Timestamp,
) -> Outcome<Step> {
    if tasks::held(tx, task)?.is_none() {
        // The draft goes with the transaction.
        return Err(Refused::Stale.into());
    }
    if is_to_stamp { Ok(Step::Stamp(invoice.id)) } else { over(tx, task, now) }
}

/// Counts what a credit note takes off its invoice.
pub(super) fn require_room(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: Option<&Invoice>,
    after: &Invoice,
) -> Outcome<()> {
    if count(tx, account, before, Some(after))? {
        return Ok(());
    }
    let Some((uuid, amount)) = papers::held(after) else { return Ok(()) };
    let left: Option<i64> = invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .select(dsl::total - dsl::credited)
        .first(tx.db)
        .optional()?;
    let left = kernel::Amount::from_micros(left.unwrap_or_default());
    Err(papers::exceeds((amount, left), after.draft.currency).into())
}

fn give_up(tx: &mut Tx<'_>, task: &Task, problem: &Rejection, now: Timestamp) -> Outcome<()> {
    let account = task.account;
    let said = papers::problem(problem);
    if let Some(id) = ::payments::RefundId::parse(&task.subject) {
        if let Some(refund) = payments::refund_locked(tx, account, id)? {
            payments::save_refund(tx, account, &refund.credited(Err(said), now))?;
        }
    } else if let Some(id) = ReturnId::parse(&task.subject) {
        note_return_credited(tx, account, id, Err(said))?;
    } else if let Some(id) = ::payments::PaymentId::parse(&task.subject) {
        receipts::give_up(tx, account, id, said, now)?;
    }
    let Some(own) = tasks::held(tx, task)? else { return Err(Refused::Stale.into()) };
    let after = own.clone().ended(End::Failed(problem.kept()), now);
    match saved(tx, &own, &after, now)? {
        true => Ok(()),
        false => Err(Refused::Stale.into()),
    }
}

fn end(
    tx: &mut Tx<'_>,
    task: &Task,
    invoice: InvoiceId,
    (error, is_told): (Option<&Rejection>, bool),
    now: Timestamp,
) -> Outcome<()> {
    let account = task.account;
    let payment = ::payments::PaymentId::parse(&task.subject);
    let is_unfit = match payment.filter(|_| error.is_some()) {
        Some(id) => receipts::is_unfit(tx.db, account, id)?,
        None => false,
    };
    if let Some(rejection) = error.filter(|_| !is_unfit) {
        if !is_told {
            global::tell(tx, account, invoice, rejection, now)?;
        }
        not_stamped(tx, account, (invoice, rejection), now)?;
    }
    let refund = match ::payments::RefundId::parse(&task.subject) {
        Some(id) => payments::refund_locked(tx, account, id)?,
        None => None,
    };
    let Some(own) = tasks::held(tx, task)? else { return Err(Refused::Stale.into()) };
    let is_reversed = refund.is_some_and(|refund| refund.status != RefundStatus::Succeeded);
    let again = |why: &Message| {
        let reason = Reason::OwnWords.in_both(why);
        own.clone().postponed(&Pause { seconds: 0, is_doubtful: false, reason }, now)
    };
    let after = match error {
        _ if is_reversed => again(&message!(
            "the refund has failed after all",
            "al final el reembolso no se realizó"
        )),
        _ if is_unfit => again(&message!(
            "less is owed of the invoice by now",
            "el saldo de la factura ya es menor"
        )),
        Some(error) => own.clone().ended(End::Failed(error.kept()), now),
        None => own.clone().ended(End::Succeeded("{}".to_owned()), now),
    };
    match saved(tx, &own, &after, now)? {
        true => Ok(()),
        false => Err(Refused::Stale.into()),
    }
}
