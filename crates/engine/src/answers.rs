//! The answers of commands sent with an idempotency key, kept in the transaction of their effect.

use std::collections::HashMap;

use diesel::{
    prelude::*,
    result::Error as DieselError,
    sql_types::{BigInt, Text},
};
use kernel::{AccountId, Ctx, Done, Idempotency, Refused};

use crate::{
    db::{Db, on},
    error::Failure,
    schema::idempotency_answers::{self, dsl},
    statement::{Bound, Column, Statement, columns},
    tx::{Late, Tx},
};

/// How an answer is kept: whoever keeps it writes it as text and reads it back.
#[derive(Debug)]
pub struct AnswerForm<T> {
    /// Writes it.
    pub write: fn(&T) -> QueryResult<String>,
    /// Reads it.
    pub read: fn(&str) -> QueryResult<T>,
}

impl<T> Clone for AnswerForm<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AnswerForm<T> {}

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
    pub fn new<T>(
        ctx: &Ctx,
        idempotency: &Idempotency,
        form: AnswerForm<T>,
        value: &T,
    ) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: ctx.account.to_string(),
            operation: idempotency.operation.clone(),
            key: idempotency.key.clone(),
            digest: idempotency.digest.clone(),
            answer: (form.write)(value)?,
            created_at: ctx.now.micros(),
        })
    }
}

/// Runs `work` unless an earlier command with the same key has done it; then repeats its answer.
///
/// # Errors
/// Those of the work, and when the key was used for another request or its answer cannot be read.
pub fn once<T, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    form: AnswerForm<T>,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Failure<E>>,
) -> Result<Done<T>, Failure<E>> {
    let Some(idempotency) = &ctx.idempotency else {
        return work(tx).map(Done::now);
    };
    if let Some((digest, answer)) = kept(tx, ctx, idempotency)? {
        return replay(idempotency, form, &digest, &answer);
    }
    let value = work(tx)?;
    keep(tx, ctx, form, &value)?;
    Ok(Done::now(value))
}

/// Keeps what repeats of a command are answered with.
///
/// # Errors
/// Those of the database; a conflict when another has kept an answer under the key meanwhile.
pub fn keep<T>(tx: &mut Tx<'_>, ctx: &Ctx, form: AnswerForm<T>, value: &T) -> QueryResult<()> {
    let Some(idempotency) = &ctx.idempotency else { return Ok(()) };
    let row = AnswerRow::new(ctx, idempotency, form, value)?;
    tx.effects.leave(vec![row]);
    Ok(())
}

/// Requests with the same key take turns, and whoever is faster on another node has its answer: the database refuses a second.
impl Late for AnswerRow {
    fn write(rows: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        match tx.db {
            Db::Sqlite(conn) => rows.iter().try_for_each(|row| {
                diesel::insert_into(idempotency_answers::table).values(row).execute(conn).map(drop)
            }),
            Db::Postgres(conn) => {
                let columns = columns!(
                    rows,
                    Texts account_id, Texts operation, Texts key, Texts digest, Texts answer, Numbers created_at,
                );
                Statement::<()>::new(
                    "INSERT INTO idempotency_answers (account_id, operation, key, digest, answer, created_at) \
                     SELECT w.* FROM ? w",
                    [Bound::from(columns)],
                )
                .execute(conn)
                .map(drop)
            }
        }
    }
}

/// The answer that an earlier command with the same key left, if any.
///
/// # Errors
/// As of [`once`].
pub fn kept_answer<T, E>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    form: AnswerForm<T>,
) -> Result<Option<Done<T>>, Failure<E>> {
    let Some(idempotency) = &ctx.idempotency else { return Ok(None) };
    match kept(tx, ctx, idempotency)? {
        Some((digest, answer)) => replay(idempotency, form, &digest, &answer).map(Some),
        None => Ok(None),
    }
}

/// The kept answer, read back, or the refusal of another request under the same key. The command is not run
/// again when its answer cannot be read: it has had its effect.
///
/// # Errors
/// When the request was another, or the answer cannot be read.
pub fn replay<T, E>(
    idempotency: &Idempotency,
    form: AnswerForm<T>,
    digest: &str,
    answer: &str,
) -> Result<Done<T>, Failure<E>> {
    if digest != idempotency.digest {
        return Err(Refused::KeyReused.into());
    }
    let value = (form.read)(answer).map_err(|error| {
        let operation = &idempotency.operation;
        tracing::error!(operation, %error, "the answer kept for an idempotency key cannot be read");
        Refused::AnswerUnreadable
    })?;
    Ok(Done { value, replayed: true })
}

/// Whether an answer is kept under a key, of whatever age.
///
/// # Errors
/// Those of the database.
pub fn is_kept(db: &mut Db, account: AccountId, idempotency: &Idempotency) -> QueryResult<bool> {
    let row = dsl::idempotency_answers
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::operation.eq(&idempotency.operation))
        .filter(dsl::key.eq(&idempotency.key))
        .select(dsl::key)
        .first::<String>(db);
    Ok(row.optional()?.is_some())
}

/// Whether a command is a repeat of one whose answer still counts.
///
/// # Errors
/// Those of the database.
pub(crate) fn is_answered(db: &mut Db, ctx: &Ctx, retention: i64) -> QueryResult<bool> {
    let Some(Idempotency { operation, key, .. }) = &ctx.idempotency else { return Ok(false) };
    let row = dsl::idempotency_answers
        .filter(dsl::account_id.eq(ctx.account.to_string()))
        .filter(dsl::operation.eq(operation))
        .filter(dsl::key.eq(key))
        .filter(dsl::created_at.ge(ctx.now.micros() - retention))
        .select(dsl::key)
        .first::<String>(db);
    Ok(row.optional()?.is_some())
}

/// The answer that an earlier command has left, if any.
pub type Kept<T, E> = Result<Option<Done<T>>, Failure<E>>;

/// The answers that earlier commands with the same keys left, one for each command: on PostgreSQL by one statement.
///
/// # Errors
/// Those of the database; within, as of [`once`].
pub fn kept_answers<T, E>(
    tx: &mut Tx<'_>,
    commands: &[&Ctx],
    form: AnswerForm<T>,
) -> QueryResult<Vec<Kept<T, E>>> {
    let Db::Postgres(conn) = tx.db else {
        return Ok(commands.iter().map(|ctx| kept_answer(tx, ctx, form)).collect());
    };
    let named = commands.iter().filter_map(|ctx| ctx.idempotency.as_ref().map(|key| (*ctx, key)));
    let (mut accounts, mut operations, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    for (ctx, Idempotency { operation, key, .. }) in named {
        accounts.push(ctx.account.to_string());
        operations.push(operation.clone());
        keys.push(key.clone());
    }
    if keys.is_empty() {
        return Ok(commands.iter().map(|_| Ok(None)).collect());
    }
    let wanted = [accounts, operations, keys].map(Column::Texts);
    let rows: Vec<KeptRow> = Statement::<(Text, Text, Text, Text, Text, BigInt)>::new(
        "SELECT a.account_id, a.operation, a.key, a.digest, a.answer, a.created_at \
         FROM ? AS w (account, operation, key) JOIN LATERAL (SELECT * FROM idempotency_answers a \
         WHERE a.account_id = w.account AND a.operation = w.operation AND a.key = w.key LIMIT 1) a ON true",
        [Bound::from(Vec::from(wanted))],
    )
    .load(conn)?;
    let mut kept: HashMap<(String, String, String), (String, String, i64)> = rows
        .into_iter()
        .map(|(account, operation, key, digest, answer, created_at)| {
            ((account, operation, key), (digest, answer, created_at))
        })
        .collect();
    commands
        .iter()
        .map(|ctx| {
            let Some(idempotency) = &ctx.idempotency else { return Ok(Ok(None)) };
            let Idempotency { operation, key, .. } = idempotency;
            let name = (ctx.account.to_string(), operation.clone(), key.clone());
            Ok(match in_time(tx, ctx, idempotency, kept.remove(&name))? {
                Some((digest, answer)) => replay(idempotency, form, &digest, &answer).map(Some),
                None => Ok(None),
            })
        })
        .collect()
}

/// Account, operation, key, digest, answer, moment.
type KeptRow = (String, String, String, String, String, i64);

/// Digest and answer under the key; one past its time is removed and counts as none.
fn kept(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    idempotency: &Idempotency,
) -> QueryResult<Option<(String, String)>> {
    let account = ctx.account.to_string();
    let row = on!(tx.db, |conn| dsl::idempotency_answers
        .filter(dsl::account_id.eq(&account))
        .filter(dsl::operation.eq(&idempotency.operation))
        .filter(dsl::key.eq(&idempotency.key))
        .select((dsl::digest, dsl::answer, dsl::created_at))
        .first::<(String, String, i64)>(conn)
        .optional())?;
    in_time(tx, ctx, idempotency, row)
}

/// Digest and answer, unless they are past their time.
fn in_time(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    idempotency: &Idempotency,
    row: Option<(String, String, i64)>,
) -> QueryResult<Option<(String, String)>> {
    let Some((digest, answer, created_at)) = row else { return Ok(None) };
    if created_at >= ctx.now.micros() - tx.retention {
        return Ok(Some((digest, answer)));
    }
    let account = ctx.account.to_string();
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
