//! What stands before commands: it asks for approval where rules want that.

use ::approvals::{
    Approval, ApprovalId, CommandKind, EntityType, Facts, Gate, Outcome, Passed, Person, Petition,
    Rule, ask,
};
use ::orders::{
    Order, OrderId, OrderStatus, PlaceError, PlaceOrder, Return, ReturnError, ReturnItems,
    ReviseOrder, UpdateError,
};
use ::payments::{Payment, PaymentError, Refund, RefundPayment};
use diesel::{Connection, QueryResult, result::Error as DieselError};
use engine::answers::{self as kept_answers, AnswerForm};
use invoices::{CancelInvoice, Invoice, InvoiceError};
use kernel::{Amount, Ctx, Done, Fault, Pending, Refused, Written};

use super::{rows, rules, subjects};
use crate::{
    answers,
    db::Db,
    error::Failure,
    events,
    invoices::judge_cancelling,
    orders::{
        order_by_id, order_update,
        place::{self, Settled},
        return_items,
    },
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
    fn is_guarded_by(
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
struct Ready {
    petition: Petition,
    command: String,
    /// What is known besides, which rules are asked about as well.
    others: Vec<Facts>,
}

/// Asks for the approval of a command by the rules about `entities`, unless it was asked for before. `look` says what it is about; `None` when it needs
/// no approval whatever rules say. What needs none is carried out by `finish`, which gives nothing where others do that.
fn asked<T: Stored, E>(
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
    Ready { petition, command, others }: Ready,
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
        None => opened(tx, ctx, ask(petition, &wanting, new_id(tx), ctx.now), command),
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
fn made<T: Stored>(approval: &Approval, kinds: &[CommandKind]) -> Result<Option<T>, Fault> {
    match &approval.outcome {
        Some(Outcome::Made(text)) if approval.command.is_some_and(|kind| kinds.contains(&kind)) => {
            from_text(text).map(Some).map_err(|error| Fault::Internal(error.to_string()))
        }
        _ => Ok(None),
    }
}

impl Gate<PlaceOrder, Order, PlaceError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::OrderDiscount], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: PlaceOrder,
    ) -> Pending<Written<Passed<Order>, PlaceError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let settled = Settled { id: OrderId::from_u128(tx.ids.next()), at: ctx.now };
            let look = |tx: &mut Tx<'_>| placing(tx, &ctx, (by, settled.id), &command);
            asked(tx, &ctx, &[EntityType::OrderDiscount], look, |tx| {
                place::place_alone(tx, &ctx, &command, settled).map(Some)
            })
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Order>, Fault> {
        made(approval, &[CommandKind::PlaceOrder, CommandKind::CancelOrder])
    }
}

fn placing(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (by, id): (Person, OrderId),
    command: &PlaceOrder,
) -> Result<Option<Ready>, Failure<PlaceError>> {
    let judged = place::judge(tx, ctx, command, id)?;
    let Some(subject) = subjects::of_judged(&judged)? else { return Ok(None) };
    let reason = command.discount.as_ref().and_then(|discount| discount.reason.clone());
    ready(CommandKind::PlaceOrder, id.to_string(), subject, (reason, by), command).map(Some)
}

fn ready<E>(
    kind: CommandKind,
    entity_id: String,
    subject: subjects::Subject,
    (reason, by): (Option<String>, Person),
    command: &impl Stored,
) -> Result<Ready, Failure<E>> {
    let subjects::Subject { facts, digest, others } = subject;
    let entity = kind.entity();
    let petition = Petition { command: Some(kind), entity, entity_id, facts, digest, reason, by };
    Ok(Ready { petition, command: to_text(command)?, others })
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
    undone(tx, |tx| order_update(tx, ctx, command))?;
    let reason = command.changes.reason.clone();
    let subject = match command.changes.refund {
        true => {
            let payments = payments_of(tx, ctx, before.id)?;
            let owed = payments.iter().map(|payment| payment.refundable().micros()).sum();
            let refund = (Amount::from_micros(owed), reason.clone());
            subjects::of_refunded_order(&before, &payments, refund, ctx.now)?
        }
        false => subjects::of_order(&before)?,
    };
    // What the caller has seen counts now; by what is decided later, the digest does.
    let command = ReviseOrder { version: None, ..command.clone() };
    ready(CommandKind::CancelOrder, id, subject, (reason, by), &command).map(Some)
}

fn payments_of(tx: &mut Tx<'_>, ctx: &Ctx, order: OrderId) -> QueryResult<Vec<Payment>> {
    payments::of_order(tx.db, ctx.account, ::payments::OrderId::from_u128(order.to_u128()))
}

/// What a command would lead to; nothing of it stays.
fn undone<T, E>(
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
    let (ids, retention) = (tx.ids, tx.retention);
    let rolled_back: Result<(), Undone<T, E>> = tx.db.transaction(|db: &mut Db| {
        let mut tx = Tx { db, ids, retention, effects: Effects::default() };
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
                undone(tx, |tx| payments::refund_payment(tx, &ctx, &command))?;
                let payment = payments::payment_by_id(tx.db, ctx.account, command.payment)?;
                let payment = payment.ok_or(Refused::NotFound)?;
                let subject = subjects::of_refund(&payment, Some(&command.new), ctx.now)?;
                let (id, reason) = (payment.id.to_string(), command.new.reason.clone());
                ready(CommandKind::RefundPayment, id, subject, (reason, by), &command).map(Some)
            };
            // Its provider is asked by whoever does that for all.
            asked(tx, &ctx, &[EntityType::Refund], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Refund>, Fault> {
        made(approval, &[CommandKind::RefundPayment])
    }
}

impl Gate<ReturnItems, Return, ReturnError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::Refund], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: ReturnItems,
    ) -> Pending<Written<Passed<Return>, ReturnError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| returning(tx, &ctx, by, &command);
            asked(tx, &ctx, &[EntityType::Refund], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Return>, Fault> {
        made(approval, &[CommandKind::ReturnItems])
    }
}

/// Of a return what it gives back is to be approved.
fn returning(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    by: Person,
    command: &ReturnItems,
) -> Result<Option<Ready>, Failure<ReturnError>> {
    let id = command.order.to_string();
    let before = order_by_id(tx.db, &ctx.account.to_string(), &id)?.ok_or(Refused::NotFound)?;
    let unkept = Ctx { idempotency: None, ..ctx.clone() };
    let returned = undone(tx, |tx| return_items(tx, &unkept, command))?.value;
    if returned.refund == Amount::ZERO {
        return Ok(None);
    }
    let payments = payments_of(tx, ctx, before.id)?;
    let reason = Some(command.new.reason.clone());
    let refund = (returned.refund, reason.clone());
    let subject = subjects::of_refunded_order(&before, &payments, refund, ctx.now)?;
    ready(CommandKind::ReturnItems, id, subject, (reason, by), command).map(Some)
}
