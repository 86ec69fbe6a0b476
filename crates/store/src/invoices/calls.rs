//! Calls to providers under way: their tasks, and what each asks of whom.

use std::fmt::Display;

use ::invoices::{
    calls::{Callee, ProviderCall, Step},
    issuer::responsible,
    provider::ToStamp,
};
use ::tasks::{Claim, ClaimId, NewTask, Payload, Task, TaskKind, kind};
use diesel::prelude::*;
use kernel::{AccountId, Timestamp};

use super::{kept::Kept, provider};
use crate::{db::Db, rows::corrupt, tasks, tx::Tx, vault::Vault};

/// An invoice or withholding is being worked on by one task at most.
fn key(id: impl Display) -> String {
    id.to_string()
}

/// Opens the task of a call, held by whoever begins it.
pub(super) fn open(
    tx: &mut Tx<'_>,
    (account, id): (AccountId, impl Display),
    kind: &'static TaskKind,
    now: Timestamp,
    until: Timestamp,
) -> QueryResult<Task> {
    let claim = claim(tx, until);
    tasks::open(tx, account, new_task(id, kind, claim, now), now)
}

/// The task of a call, held by whoever begins it.
pub(super) fn new_task(
    id: impl Display,
    kind: &'static TaskKind,
    claim: Claim,
    now: Timestamp,
) -> NewTask {
    NewTask {
        kind: kind.name,
        subject: id.to_string(),
        exclusive_key: Some(key(id)),
        // Of invoices, those of version 1 are of releases that do not know what credit notes take off.
        payload: Payload { version: kind.version, ..Payload::none() },
        due_at: now,
        claim: Some(claim),
    }
}

/// A new claim.
pub(super) fn claim(tx: &mut Tx<'_>, until: Timestamp) -> Claim {
    Claim { id: ClaimId::from_u128(tx.ids.next()), until }
}

/// The open task of an invoice or withholding, locked until the end of the transaction: nobody takes it over meanwhile.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: impl Display,
) -> QueryResult<Option<Task>> {
    tasks::locked_by_key(tx, account, &key(id))
}

/// Whether anything of an account is being stamped.
pub(super) fn is_stamping(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    Ok(tasks::has_open(db, account, kind::STAMP.name)?
        || tasks::has_open(db, account, kind::STAMP_WITHHOLDING.name)?)
}

/// What the claimed task of an invoice or withholding asks of whom, unless the claim has passed to another.
pub(super) fn under_claim<T: Kept>(
    db: &mut Db,
    vault: &Vault,
    (account, id): (AccountId, T::Id),
    claim: ClaimId,
) -> QueryResult<Option<ProviderCall<T::Id>>> {
    let task = tasks::by_key(db, account, &key(id))?;
    let own = task.filter(|task| task.claim.is_some_and(|own| own.id == claim));
    own.map(|task| call::<T>(db, vault, id, &task)).transpose()
}

/// What a task to stamp asks that was opened and claimed for a document in this very transaction.
pub(super) fn stamping<I>(
    db: &mut Db,
    vault: &Vault,
    id: I,
    task: &Task,
    (document, seal): (ToStamp, &str),
) -> QueryResult<ProviderCall<I>> {
    let callee = provider::opened(db, vault, task.account)?;
    stamping_by(id, task, callee, (document, seal))
}

/// The same of whom it is known already.
pub(super) fn stamping_by<I>(
    id: I,
    task: &Task,
    callee: Callee,
    (document, seal): (ToStamp, &str),
) -> QueryResult<ProviderCall<I>> {
    asked(id, task, callee, Step::Stamp { document, seal: seal.to_owned() })
}

/// What a claimed task asks of whom.
pub(super) fn call<T: Kept>(
    db: &mut Db,
    vault: &Vault,
    id: T::Id,
    task: &Task,
) -> QueryResult<ProviderCall<T::Id>> {
    let account = task.account;
    let chosen = provider::opened(db, vault, account)?;
    let (step, stamper) = T::step(db, account, id, &task.kind)?;
    let (provider, credentials) = responsible((chosen.provider, chosen.credentials), stamper);
    asked(id, task, Callee { provider, credentials, ..chosen }, step)
}

/// A step that a claimed task asks of a provider.
fn asked<I>(id: I, task: &Task, callee: Callee, step: Step) -> QueryResult<ProviderCall<I>> {
    let claim = task.claim.ok_or_else(|| corrupt("a task that nobody holds"))?;
    Ok(ProviderCall {
        subject: id,
        claim: claim.id,
        attempts: task.attempts,
        doubtful: task.is_doubtful,
        callee,
        step,
    })
}
