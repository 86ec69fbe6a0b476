//! The answers of commands sent with an idempotency key, kept in the transaction of their effect.

use diesel::{prelude::*, result::Error as DieselError};
use kernel::{Ctx, Done, Idempotency, Refused};

use crate::{
    error::Stop,
    lane::Tx,
    schema::idempotency_answers::{self, dsl},
    stored::{Stored, from_text, to_text},
};

#[derive(Insertable)]
#[diesel(table_name = idempotency_answers, treat_none_as_default_value = false)]
pub(crate) struct AnswerRow {
    pub(crate) account_id: String,
    pub(crate) operation: String,
    pub(crate) key: String,
    pub(crate) digest: String,
    pub(crate) answer: String,
    pub(crate) created_at: i64,
}

impl AnswerRow {
    pub(crate) fn new<T: Stored>(
        ctx: &Ctx,
        idempotency: &Idempotency,
        value: &T,
    ) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: ctx.account.to_string(),
            operation: idempotency.operation.clone(),
            key: idempotency.key.clone(),
            digest: idempotency.digest.clone(),
            answer: to_text(value)?,
            created_at: ctx.now.micros(),
        })
    }
}

/// Runs `work` unless an earlier command with the same key has done it; then repeats its answer.
pub(crate) fn once<T, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Stop<E>>,
) -> Result<Done<T>, Stop<E>>
where
    T: Stored,
{
    let Some(idempotency) = &ctx.idempotency else {
        return work(tx).map(Done::now);
    };
    if let Some((digest, answer)) = kept(tx, ctx, idempotency)? {
        return replay(idempotency, &digest, &answer);
    }
    let value = work(tx)?;
    let row = AnswerRow::new(ctx, idempotency, &value)?;
    diesel::insert_into(idempotency_answers::table).values(&row).execute(tx.db)?;
    Ok(Done::now(value))
}

/// The answer that an earlier command with the same key left, if any.
pub(crate) fn kept_answer<T, E>(tx: &mut Tx<'_>, ctx: &Ctx) -> Result<Option<Done<T>>, Stop<E>>
where
    T: Stored,
{
    let Some(idempotency) = &ctx.idempotency else { return Ok(None) };
    match kept(tx, ctx, idempotency)? {
        Some((digest, answer)) => replay(idempotency, &digest, &answer).map(Some),
        None => Ok(None),
    }
}

/// The kept answer, read back, or the refusal of another request under the same key. The command is not run
/// again when its answer cannot be read: it has had its effect.
pub(crate) fn replay<T: Stored, E>(
    idempotency: &Idempotency,
    digest: &str,
    answer: &str,
) -> Result<Done<T>, Stop<E>> {
    if digest != idempotency.digest {
        return Err(Refused::KeyReused.into());
    }
    let value = from_text(answer).map_err(|error| {
        let operation = &idempotency.operation;
        tracing::error!(operation, %error, "the answer kept for an idempotency key cannot be read");
        Refused::AnswerUnreadable
    })?;
    Ok(Done { value, replayed: true })
}

/// Digest and answer under the key; one past its time is removed and counts as none.
fn kept(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    idempotency: &Idempotency,
) -> QueryResult<Option<(String, String)>> {
    let account = ctx.account.to_string();
    let row = dsl::idempotency_answers
        .filter(dsl::account_id.eq(&account))
        .filter(dsl::operation.eq(&idempotency.operation))
        .filter(dsl::key.eq(&idempotency.key))
        .select((dsl::digest, dsl::answer, dsl::created_at))
        .first::<(String, String, i64)>(tx.db)
        .optional()?;
    let Some((digest, answer, created_at)) = row else { return Ok(None) };
    if created_at >= ctx.now.micros() - tx.retention {
        return Ok(Some((digest, answer)));
    }
    forget(tx, &account, &idempotency.operation, &idempotency.key)?;
    Ok(None)
}

pub(crate) fn forget(
    tx: &mut Tx<'_>,
    account: &str,
    operation: &str,
    key: &str,
) -> QueryResult<()> {
    let expired = dsl::idempotency_answers
        .filter(dsl::account_id.eq(account))
        .filter(dsl::operation.eq(operation))
        .filter(dsl::key.eq(key));
    diesel::delete(expired).execute(tx.db).map(drop)
}
