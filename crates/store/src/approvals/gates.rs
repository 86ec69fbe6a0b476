//! What stands before commands: it asks for approval where rules want that.

mod cancelling;
mod discounting;
mod refunding;
mod returning;

use ::approvals::{
    Approval, ApprovalId, CommandKind, EntityType, Facts, Outcome, Passed, Person, Petition, Rule,
    ask,
};
use ::payments::PaymentId;
use diesel::{Connection, QueryResult, result::Error as DieselError};
use engine::answers::{self as kept_answers, AnswerForm};
use kernel::{Amount, Ctx, Done, Fault, Pending};

use super::{approvers, rows, rules, subjects};
use crate::{
    answers,
    db::Db,
    error::Failure,
    events, payments,
    readers::Cost,
    store::Store,
    stored::{Stored, Ticket, from_text, to_text},
    tx::{Effects, Tx},
};
pub(crate) use refunding::refuse_unasked;

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
            // One past its time costs a look and nothing else: whoever asks forgets it, and finds nothing to ask about.
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
