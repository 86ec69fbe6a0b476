//! How the stamping of an invoice or a withholding begins, or goes on, and what repeats of a request are answered with.

use std::ops::RangeInclusive;

use ::invoices::{
    Certified, InvoiceError, Status,
    calls::{Begun, Step},
    provider::ProviderKind,
};
use diesel::QueryResult;
use kernel::{AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use super::calls;
use crate::{
    answers,
    db::Db,
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
    stored::Stored,
    tasks,
    tx::Tx,
    vault::Vault,
};

/// How often a draft that changes while it is being sealed is sealed anew.
const TRIES_MAX: usize = 3;

/// What providers stamp and cancel, as it is kept here.
pub(super) trait Kept: Certified + Stored {
    /// What sealing it needs to know.
    type Look: Send + 'static;

    /// Looks at it before it is sealed.
    fn look(
        db: &mut Db,
        vault: &Vault,
        account: AccountId,
        id: Self::Id,
    ) -> QueryResult<Option<Self::Look>>;

    /// What was looked at.
    fn seen(look: &Self::Look) -> &Self;

    /// The versions of it that are of the draft that it has now: attempts to stamp it make others, too.
    fn versions_alike(
        db: &mut Db,
        account: AccountId,
        id: Self::Id,
    ) -> QueryResult<RangeInclusive<i64>>;

    /// Seals a draft on this thread, since a signature takes its time, and sets the credits aside if the draft
    /// is still the same.
    fn seal_and_reserve(
        store: &Store,
        ctx: &Ctx,
        look: Self::Look,
        until: Timestamp,
    ) -> Written<Begun<Self>, InvoiceError>;

    /// It, locked until the end of the transaction.
    fn locked(
        tx: &mut Tx<'_>,
        account: AccountId,
        id: Self::Id,
    ) -> Result<Self, Failure<InvoiceError>>;

    /// What its task of that kind asks, and who has stamped it.
    fn step(
        db: &mut Db,
        account: AccountId,
        id: Self::Id,
        kind: &str,
    ) -> QueryResult<(Step, Option<ProviderKind>)>;

    /// The refusal of what takes a draft.
    fn not_draft(status: Status) -> InvoiceError;
}

/// Begins to stamp, or takes over what was begun; of a draft that has been changed since the version that the caller has
/// seen, nothing.
pub(super) fn begin_stamping<T: Kept>(
    store: &Store,
    ctx: &Ctx,
    (id, version): (T::Id, Option<i64>),
    until: Timestamp,
) -> Written<Begun<T>, InvoiceError> {
    for _ in 0..TRIES_MAX {
        let looked = looked::<T>(store, ctx.account, id, version)?;
        let (look, is_as_seen) = looked.ok_or(Refused::NotFound)?;
        if !is_as_seen {
            return unless_repeated(store, ctx, || Refused::Stale);
        }
        let begun = match T::seen(&look).status() {
            Status::Stamped => return already(store, ctx, T::seen(&look).clone()),
            status @ Status::Cancelled => {
                return unless_repeated(store, ctx, move || Refused::Rule(T::not_draft(status)));
            }
            Status::Stamping => take_over::<T>(store, ctx, id, until),
            Status::Draft => T::seal_and_reserve(store, ctx, look, until),
        };
        match begun {
            Err(Refused::Stale) => {}
            outcome => return outcome,
        }
    }
    Err(Refused::Rule(InvoiceError::UnderWay))
}

/// A look at it, and whether its draft is still the one of the version that the caller has seen.
fn looked<T: Kept>(
    store: &Store,
    account: AccountId,
    id: T::Id,
    version: Option<i64>,
) -> Result<Option<(T::Look, bool)>, Fault> {
    let vault = store.engine.vault();
    let query = move |db: &mut Db| {
        snapshot(db, |db| {
            let Some(look) = T::look(db, &vault, account, id)? else { return Ok(None) };
            let is_as_seen = match version {
                Some(version) => T::versions_alike(db, account, id)?.contains(&version),
                None => true,
            };
            Ok(Some((look, is_as_seen)))
        })
    };
    // Look-ups by key, on a thread that may wait.
    store.engine.read(Cost::Small, query).wait().unwrap_or_else(|| Err(super::gone()))
}

pub(super) fn waited<T>(pending: Pending<Written<T, InvoiceError>>) -> Written<T, InvoiceError> {
    pending.wait().unwrap_or_else(|| Err(Refused::Fault(super::gone())))
}

/// What needs no call, kept as the answer of this request.
pub(super) fn already<T: Kept>(
    store: &Store,
    ctx: &Ctx,
    subject: T,
) -> Written<Begun<T>, InvoiceError> {
    let write = store.write(ctx.clone(), move |_, _| Ok(subject.clone()));
    waited(write).map(begun)
}

/// Refuses, unless this request has been answered before.
fn unless_repeated<T: Kept>(
    store: &Store,
    ctx: &Ctx,
    refusal: impl Fn() -> Refused<InvoiceError> + Send + 'static,
) -> Written<Begun<T>, InvoiceError> {
    let write = store.write(ctx.clone(), move |_, _| Err::<T, _>(Failure::from(refusal())));
    waited(write).map(begun)
}

/// The answer to an earlier request with the same key: a repeat asks for nothing anew.
pub(super) fn answered_before<T: Kept>(
    store: &Store,
    ctx: &Ctx,
) -> Result<Option<Done<Begun<T>>>, Refused<InvoiceError>> {
    if ctx.idempotency.is_none() {
        return Ok(None);
    }
    let ctx = ctx.clone();
    let pending = store.engine.command(Some(ctx.account), move |tx| {
        let kept: Option<Done<T>> = answers::kept_answer(tx, &ctx)?;
        Ok(Done::now(kept))
    });
    Ok(waited(pending)?.value.map(begun))
}

pub(super) fn begun<T: Kept>(Done { value, replayed }: Done<T>) -> Done<Begun<T>> {
    Done { value: Begun::Already(Box::new(value)), replayed }
}

fn take_over<T: Kept>(
    store: &Store,
    ctx: &Ctx,
    id: T::Id,
    until: Timestamp,
) -> Written<Begun<T>, InvoiceError> {
    let (vault, ctx) = (store.engine.vault(), ctx.clone());
    waited(store.engine.command(Some(ctx.account), move |tx| {
        let subject = T::locked(tx, ctx.account, id)?;
        // Whoever was at it has ended it meanwhile: it is to be looked at anew.
        let task = calls::locked(tx, ctx.account, id)?.ok_or(Refused::Stale)?;
        if subject.status() != Status::Stamping {
            return Err(Refused::Stale.into());
        }
        if task.is_held(ctx.now) {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        let taken = task.clone().claimed(calls::claim(tx, until));
        if !tasks::save_over(tx, &task, &taken)? {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        Ok(Done::now(Begun::Call(Box::new(calls::call::<T>(tx.db, &vault, id, &taken)?))))
    }))
}
