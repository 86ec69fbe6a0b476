//! What stands before commands: it asks for approval where rules want that.

mod discounting;
mod returning;

use ::approvals::{
    Approval, ApprovalId, CommandKind, EntityType, Facts, Gate, Outcome, Passed, Person, Petition,
    Rule, ask,
};
use ::orders::{Order, OrderId, OrderStatus, ReviseOrder, UpdateError};
use ::payments::{NewRefund, Payment, PaymentError, PaymentId, Refund, RefundPayment, refund};
use diesel::{Connection, QueryResult, result::Error as DieselError};
use engine::answers::{self as kept_answers, AnswerForm};
use invoices::{CancelInvoice, Invoice, InvoiceError};
use kernel::{Amount, Ctx, Done, Fault, Pending, Refused, Written};

use super::{approvers, rows, rules, subjects};
use crate::{
    answers,
    db::Db,
    error::Failure,
    events,
    invoices::judge_cancelling,
    ordering::money::locked,
    orders::{order_by_id, order_update},
    payments,
    readers::Cost,
    store::Store,
    stored::{Stored, Ticket, from_text, to_text},
    tx::{Effects, Tx},
};

/// What kept answers say of approvals: those of calls that needed none say nothing, in whatever form they are.
const TICKETS: AnswerForm<Ticket> = AnswerForm {
    write: to_text::<Ticket>,
    read: |text| Ok(from_text::<Ticket>(text).unwrap_or_default()),
};

impl Store {
    pub(super) fn is_guarded_by(
        &self,
        entities: &'static [EntityType],
        ctx: &Ctx,
    ) -> Pending<Result<bool, Fault>> {
        let (account, key) = (ctx.account, ctx.idempotency.clone());
        self.engine.read(Cost::Small, move |db| {
            let is_repeated = match &key {
                Some(key) => kept_answers::is_kept(db, account, key)?,
                None => false,
            };
            Ok(is_repeated || rules::are_there(db, account, entities)?)
        })
    }
}

/// A command that could be carried out.
pub(super) struct Ready {
    petition: Petition,
    command: String,
    /// What is known besides, which rules are asked about as well.
    others: Vec<Facts>,
    /// What is set aside of payments meanwhile, which are locked.
    holds: Vec<(PaymentId, Amount)>,
}

/// Asks for the approval of a command by the rules about `entities`, unless it was asked for before. `look` says what it is about; `None` when it needs
/// no approval whatever rules say. What needs none is carried out by `finish`, which gives nothing where others do that.
pub(super) fn asked<T: Stored, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    entities: &[EntityType],
    look: impl FnOnce(&mut Tx<'_>) -> Result<Option<Ready>, Failure<E>>,
    finish: impl FnOnce(&mut Tx<'_>) -> Result<Option<T>, Failure<E>>,
) -> Result<Done<Passed<T>>, Failure<E>> {
    if let Some(Done { value, replayed }) = kept_answers::kept_answer(tx, ctx, TICKETS)? {
        // What was carried out is repeated by whoever does such things.
        let value = value.approval.map_or(Passed::Free, Passed::Asked);
        return Ok(Done { value, replayed });
    }
    let rules = rules::about(tx.db, ctx.account, entities)?;
    if rules.is_empty() {
        return Ok(Done::now(Passed::Free));
    }
    if let Some(ready) = look(tx)?
        && let Some(id) = waiting(tx, ctx, &rules, ready)?
    {
        answers::keep(tx, ctx, &Ticket { approval: Some(id) })?;
        return Ok(Done::now(Passed::Asked(id)));
    }
    let Some(made) = finish(tx)? else { return Ok(Done::now(Passed::Free)) };
    answers::keep(tx, ctx, &made)?;
    Ok(Done::now(Passed::Done(made)))
}

/// The request that a command waits for, if any rule wants to be asked about it.
fn waiting(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    rules: &[Rule],
    Ready { petition, command, others, holds }: Ready,
) -> QueryResult<Option<ApprovalId>> {
    let all = || std::iter::once(&petition.facts).chain(&others);
    let wanting: Vec<&Rule> =
        rules.iter().filter(|rule| all().any(|facts| rule.wants(facts))).collect();
    if wanting.is_empty() {
        return Ok(None);
    }
    let named = (petition.entity_id.as_str(), command.as_str(), petition.digest.as_str());
    // Two refunds of one amount are two; two cancellations of one thing are one.
    let waiting = match petition.entity {
        EntityType::Refund => None,
        _ => rows::waiting(tx.db, ctx.account, named, ctx.now)?,
    };
    match waiting {
        Some(id) => Ok(Some(id)),
        None => {
            let asking = (petition.by, ctx.now);
            let staffed = approvers::staffed(tx.db, ctx.account, &wanting, asking)?;
            let wanting: Vec<&Rule> = staffed.iter().collect();
            let id = opened(tx, ctx, ask(petition, &wanting, new_id(tx), ctx.now), command)?;
            if let Some(id) = id {
                payments::hold(tx, ctx.account, &id.to_string(), &holds, ctx.now)?;
            }
            Ok(id)
        }
    }
}

fn new_id(tx: &Tx<'_>) -> ApprovalId {
    ApprovalId::from_u128(tx.ids.next())
}

fn opened(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    asked: Option<::approvals::Asked>,
    command: String,
) -> QueryResult<Option<ApprovalId>> {
    let Some(asked) = asked else { return Ok(None) };
    let id = asked.approval.id;
    let kept = rows::Kept { approval: asked.approval, command: Some(command) };
    rows::insert(tx, ctx.account, &kept)?;
    events::append(tx, ctx.account, ctx.now, asked.events)?;
    Ok(Some(id))
}

/// What an approved command has made.
pub(super) fn made<T: Stored>(
    approval: &Approval,
    kinds: &[CommandKind],
) -> Result<Option<T>, Fault> {
    match &approval.outcome {
        Some(Outcome::Made(text)) if approval.command.is_some_and(|kind| kinds.contains(&kind)) => {
            from_text(text).map(Some).map_err(|error| Fault::Internal(error.to_string()))
        }
        _ => Ok(None),
    }
}

/// A command that waits for an approval of its subject.
pub(super) fn ready<E>(
    kind: CommandKind,
    entity_id: String,
    subject: subjects::Subject,
    (reason, by): (Option<String>, Person),
    command: &impl Stored,
) -> Result<Ready, Failure<E>> {
    let subjects::Subject { facts, digest, others } = subject;
    let entity = kind.entity();
    let petition = Petition { command: Some(kind), entity, entity_id, facts, digest, reason, by };
    Ok(Ready { petition, command: to_text(command)?, others, holds: Vec::new() })
}

impl Gate<ReviseOrder, Order, UpdateError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::OrderCancellation, EntityType::Refund], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: ReviseOrder,
    ) -> Pending<Written<Passed<Order>, UpdateError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| changing(tx, &ctx, by, &command);
            // What is given back by it is guarded as any refund is.
            let entities: &[EntityType] = match command.changes.refund {
                true => &[EntityType::OrderCancellation, EntityType::Refund],
                false => &[EntityType::OrderCancellation],
            };
            asked(tx, &ctx, entities, look, |tx| order_update(tx, &ctx, &command).map(Some))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Order>, Fault> {
        made(approval, &[CommandKind::CancelOrder])
    }
}

fn changing(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    by: Person,
    command: &ReviseOrder,
) -> Result<Option<Ready>, Failure<UpdateError>> {
    let id = command.id.to_string();
    let before = order_by_id(tx.db, &ctx.account.to_string(), &id)?.ok_or(Refused::NotFound)?;
    let is_cancellation = command.changes.status == Some(OrderStatus::Cancelled);
    let has_money = before.paid_at.is_some() || before.amount_kept() > Amount::ZERO;
    if !is_cancellation || !has_money || before.status == OrderStatus::Cancelled {
        return Ok(None);
    }
    let payments = payments_of(tx, ctx, before.id)?;
    undone(tx, |tx| order_update(tx, ctx, command))?;
    let reason = command.changes.reason.clone();
    // What the caller has seen counts now; by what is decided later, the digest does.
    let kept = ReviseOrder { version: None, ..command.clone() };
    if !command.changes.refund {
        let subject = subjects::of_order(&before)?;
        return ready(CommandKind::CancelOrder, id, subject, (reason, by), &kept).map(Some);
    }
    let known = payments::without_holds(tx.db, ctx.account, payments.clone())?;
    // What waits elsewhere is asked about, too: it may never be given back there.
    let owed = known.iter().map(|payment| payment.refundable().micros()).sum();
    let owed = Amount::from_micros(owed);
    let holds = parts(&payments, owed, ctx);
    let payments = known;
    let refund = (owed, reason.clone());
    let subject = subjects::of_refunded_order(tx.db, ctx, (&before, &payments), refund)?;
    let ready = ready(CommandKind::CancelOrder, id, subject, (reason, by), &kept)?;
    Ok(Some(Ready { holds, ..ready }))
}

/// The payments of an order, which is locked with them.
fn payments_of(tx: &mut Tx<'_>, ctx: &Ctx, order: OrderId) -> QueryResult<Vec<Payment>> {
    locked(tx, ctx.account, order)?;
    let order = ::payments::OrderId::from_u128(order.to_u128());
    payments::of_locked_order(tx, ctx.account, order, ctx.now)
}

/// What is given back of which payment.
fn parts(payments: &[Payment], owed: Amount, ctx: &Ctx) -> Vec<(PaymentId, Amount)> {
    let parts = refund::spread(payments, owed, ctx.now).into_iter();
    parts.map(|(payment, amount, _)| (payment, amount)).collect()
}

/// What a command would lead to; nothing of it stays.
pub(super) fn undone<T, E>(
    tx: &mut Tx<'_>,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Failure<E>>,
) -> Result<T, Failure<E>> {
    enum Undone<T, E> {
        Would(T),
        Failed(Failure<E>),
    }
    impl<T, E> From<DieselError> for Undone<T, E> {
        fn from(error: DieselError) -> Self {
            Self::Failed(Failure::Database(error))
        }
    }
    let (ids, retention, held) = (tx.ids, tx.retention, tx.held.clone());
    let rolled_back: Result<(), Undone<T, E>> = tx.db.transaction(|db: &mut Db| {
        let mut tx = Tx { db, ids, retention, effects: Effects::default(), held };
        Err(work(&mut tx).map_or_else(Undone::Failed, Undone::Would))
    });
    match rolled_back {
        Ok(()) => Err(DieselError::RollbackTransaction.into()),
        Err(Undone::Would(value)) => Ok(value),
        Err(Undone::Failed(failure)) => Err(failure),
    }
}

impl Gate<CancelInvoice, Invoice, InvoiceError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::InvoiceCancellation], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: CancelInvoice,
    ) -> Pending<Written<Passed<Invoice>, InvoiceError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| {
                let invoice = judge_cancelling(tx, &vault, &ctx, &command)?;
                let Some(invoice) = invoice else { return Ok(None) };
                let subject = subjects::of_invoice(&invoice, Some(command.reason), ctx.now)?;
                let id = invoice.id.to_string();
                ready(CommandKind::CancelInvoice, id, subject, (None, by), &command).map(Some)
            };
            // Its provider is asked by whoever does that for all.
            asked(tx, &ctx, &[EntityType::InvoiceCancellation], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Invoice>, Fault> {
        made(approval, &[CommandKind::CancelInvoice])
    }
}

impl Gate<RefundPayment, Refund, PaymentError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::Refund], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: RefundPayment,
    ) -> Pending<Written<Passed<Refund>, PaymentError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| {
                let account = ctx.account;
                let payment = payments::lock_payment(tx, account, command.payment, ctx.now)?;
                undone(tx, |tx| payments::refund_payment(tx, &ctx, &command))?;
                // All that is left is what is left now.
                let amount = command.new.amount.unwrap_or_else(|| payment.refundable());
                let new = NewRefund { amount: Some(amount), ..command.new.clone() };
                let holds = vec![(payment.id, amount)];
                let (id, reason) = (payment.id.to_string(), new.reason.clone());
                let netted = payments::without_holds(tx.db, account, vec![payment])?.pop();
                let payment = netted.ok_or(Refused::NotFound)?;
                let subject = subjects::of_refund(&payment, Some(&new), ctx.now)?;
                let kept = RefundPayment { payment: payment.id, new };
                let ready = ready(CommandKind::RefundPayment, id, subject, (reason, by), &kept)?;
                Ok(Some(Ready { holds, ..ready }))
            };
            // Its provider is asked by whoever does that for all.
            asked(tx, &ctx, &[EntityType::Refund], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Refund>, Fault> {
        made(approval, &[CommandKind::RefundPayment])
    }
}
