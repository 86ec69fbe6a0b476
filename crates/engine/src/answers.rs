//! The answers of commands sent with an idempotency key, kept in the transaction of their effect.

use diesel::{prelude::*, result::Error as DieselError};
use kernel::{Ctx, Done, Idempotency, Refused};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Failure, Tx,
    rows::{from_json, json},
    schema::idempotency_answers::{self, dsl},
};

/// A kept answer as a row.
#[derive(Insertable)]
#[diesel(table_name = idempotency_answers, treat_none_as_default_value = false)]
#[allow(missing_docs)]
pub struct AnswerRow {
    pub account_id: String,
    pub operation: String,
    pub key: String,
    pub digest: String,
    pub answer: String,
    pub created_at: i64,
}

impl AnswerRow {
    /// The answer of a command.
    ///
    /// # Errors
    /// When the value cannot be written down.
    pub fn new<T: Serialize>(
        ctx: &Ctx,
        idempotency: &Idempotency,
        value: &T,
    ) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: ctx.account.to_string(),
            operation: idempotency.operation.clone(),
            key: idempotency.key.clone(),
            digest: idempotency.digest.clone(),
            answer: json(value)?,
            created_at: ctx.now.micros(),
        })
    }
}

/// Runs `work` unless an earlier command with the same key has done it; then repeats its answer.
pub fn once<T, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Failure<E>>,
) -> Result<Done<T>, Failure<E>>
where
    T: Serialize + DeserializeOwned,
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
pub fn kept_answer<T, E>(tx: &mut Tx<'_>, ctx: &Ctx) -> Result<Option<Done<T>>, Failure<E>>
where
    T: DeserializeOwned,
{
    let Some(idempotency) = &ctx.idempotency else { return Ok(None) };
    match kept(tx, ctx, idempotency)? {
        Some((digest, answer)) => replay(idempotency, &digest, &answer).map(Some),
        None => Ok(None),
    }
}

/// The kept answer, read back, or the refusal of another request under the same key.
pub fn replay<T: DeserializeOwned, E>(
    idempotency: &Idempotency,
    digest: &str,
    answer: &str,
) -> Result<Done<T>, Failure<E>> {
    if digest != idempotency.digest {
        return Err(Refused::KeyReused.into());
    }
    Ok(Done { value: from_json(answer)?, replayed: true })
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

/// Removes the answer under a key.
///
/// # Errors
/// Those of the database.
pub fn forget(tx: &mut Tx<'_>, account: &str, operation: &str, key: &str) -> QueryResult<()> {
    let expired = dsl::idempotency_answers
        .filter(dsl::account_id.eq(account))
        .filter(dsl::operation.eq(operation))
        .filter(dsl::key.eq(key));
    diesel::delete(expired).execute(tx.db).map(drop)
}
