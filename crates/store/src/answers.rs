//! Answers kept for idempotency keys, in the forms that they are stored in.

use engine::{
    Failure, Tx,
    answers::{self, AnswerForm},
};
use kernel::{Ctx, Done, Idempotency, Pending, Written};

use crate::{
    store::Store,
    stored::{Stored, from_text, to_text},
};

pub(crate) use engine::answers::AnswerRow;

const fn form<T: Stored>() -> AnswerForm<T> {
    AnswerForm { write: to_text::<T>, read: from_text::<T> }
}

impl Store {
    /// Runs a command of an account, once for every idempotency key.
    pub(crate) fn write<T, E, F>(&self, ctx: Ctx, work: F) -> Pending<Written<T, E>>
    where
        T: Stored + Send + 'static,
        E: Send + 'static,
        F: Fn(&mut Tx<'_>, &Ctx) -> Result<T, Failure<E>> + Send + 'static,
    {
        self.engine.write(ctx, form(), work)
    }
}

/// The answer of a command as a row.
pub(crate) fn row<T: Stored>(
    ctx: &Ctx,
    idempotency: &Idempotency,
    value: &T,
) -> diesel::QueryResult<AnswerRow> {
    AnswerRow::new(ctx, idempotency, form(), value)
}

/// Runs `work` unless an earlier command with the same key has done it; then repeats its answer.
pub(crate) fn once<T: Stored, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Failure<E>>,
) -> Result<Done<T>, Failure<E>> {
    answers::once(tx, ctx, form(), work)
}

/// The answer that an earlier command with the same key left, if any.
pub(crate) fn kept_answer<T: Stored, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
) -> Result<Option<Done<T>>, Failure<E>> {
    answers::kept_answer(tx, ctx, form())
}

/// The answers that earlier commands with the same keys left, one for each command.
pub(crate) fn kept_answers<T: Stored, E>(
    tx: &mut Tx<'_>,
    commands: &[&Ctx],
) -> diesel::QueryResult<Vec<answers::Kept<T, E>>> {
    answers::kept_answers(tx, commands, form())
}

/// Keeps what repeats of a command are answered with.
pub(crate) fn keep<T: Stored>(tx: &mut Tx<'_>, ctx: &Ctx, value: &T) -> diesel::QueryResult<()> {
    answers::keep(tx, ctx, form(), value)
}

/// Forgets the answer under a command's key, which is then carried out as a new one.
pub(crate) fn forget(tx: &mut Tx<'_>, ctx: &Ctx) -> diesel::QueryResult<()> {
    let Some(Idempotency { operation, key, .. }) = &ctx.idempotency else { return Ok(()) };
    answers::forget(tx, &ctx.account.to_string(), operation, key)
}

/// A kept answer, read back.
pub(crate) fn replay<T: Stored, E>(
    idempotency: &Idempotency,
    digest: &str,
    answer: &str,
) -> Result<Done<T>, Failure<E>> {
    answers::replay(idempotency, form(), digest, answer)
}
