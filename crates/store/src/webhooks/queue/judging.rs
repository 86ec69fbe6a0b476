//! How many attempts in a row have failed at an endpoint, and whether it is disabled for that: for all endpoints of a batch
//! by one statement each way on PostgreSQL.

use std::collections::BTreeMap;

use diesel::{
    PgConnection, QueryResult, RunQueryDsl, SqliteConnection,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{AccountId, Timestamp};
use webhooks::{DisabledReason, SubscriptionId, health};

use crate::{
    db::Db,
    lookups::Key,
    statement::{Column, Statement, columns},
};

/// Attempts that ended, by endpoint: whether each delivered.
type Runs = BTreeMap<(AccountId, SubscriptionId), Vec<bool>>;

/// Account, subscription, failures in a row, and since when it is disabled.
type Columns = (Text, Text, BigInt, Nullable<BigInt>);
type Row = (String, String, i64, Option<i64>);

/// What becomes of an endpoint.
struct Verdict {
    account: String,
    subscription: String,
    failures: i64,
    disabled_at: Option<i64>,
    reason: Option<String>,
}

/// Keeps count of what failed; names the endpoints that are disabled now.
pub(super) fn judge(
    db: &mut Db,
    runs: &Runs,
    failures_max: u32,
    now: Timestamp,
) -> QueryResult<Vec<SubscriptionId>> {
    let keys = runs.keys().map(|(account, id)| (account.to_string(), id.to_string()));
    let keys: Vec<Key> = keys.collect();
    let known = match db {
        Db::Postgres(conn) => locked(conn, &keys)?,
        Db::Sqlite(conn) => read(conn, &keys)?,
    };
    let (mut verdicts, mut disabled) = (Vec::new(), Vec::new());
    for (key, ((_, subscription), run)) in keys.iter().zip(runs) {
        let own = known.iter().find(|row| (&row.0, &row.1) == (&key.0, &key.1));
        let Some((_, _, failures, disabled_at)) = own else { continue };
        let failures = u32::try_from(*failures).unwrap_or(u32::MAX);
        let record = health::after(failures, run.iter().copied(), failures_max);
        let disable = record.disable && disabled_at.is_none();
        if disable {
            disabled.push(*subscription);
        }
        verdicts.push(Verdict {
            account: key.0.clone(),
            subscription: key.1.clone(),
            failures: i64::from(record.failures),
            disabled_at: disable.then_some(now.micros()),
            reason: disable.then(|| DisabledReason::Failures.name().to_owned()),
        });
    }
    match db {
        Db::Postgres(conn) => record(conn, &verdicts)?,
        Db::Sqlite(conn) => record_each(conn, verdicts)?,
    }
    Ok(disabled)
}

/// In one order, so that nodes do not wait for each other in a circle.
fn locked(conn: &mut PgConnection, keys: &[Key]) -> QueryResult<Vec<Row>> {
    let (accounts, subscriptions): (Vec<String>, Vec<String>) = keys.iter().cloned().unzip();
    let keys = vec![Column::Texts(accounts), Column::Texts(subscriptions)];
    Statement::<Columns>::new(
        "SELECT s.account_id, s.id, s.consecutive_failures, s.disabled_at \
         FROM ? AS w (account, subscription) CROSS JOIN LATERAL (SELECT q.* FROM subscriptions q \
         WHERE q.account_id = w.account AND q.id = w.subscription LIMIT 1 FOR UPDATE) s",
        [keys.into()],
    )
    .load(conn)
}

fn read(conn: &mut SqliteConnection, keys: &[Key]) -> QueryResult<Vec<Row>> {
    let mut rows = Vec::with_capacity(keys.len());
    for (account, subscription) in keys {
        let found: Vec<Row> = Statement::<Columns>::new(
            "SELECT account_id, id, consecutive_failures, disabled_at FROM subscriptions \
             WHERE account_id = ? AND id = ?",
            [account.clone().into(), subscription.clone().into()],
        )
        .load(conn)?;
        rows.extend(found);
    }
    Ok(rows)
}

fn record(conn: &mut PgConnection, verdicts: &[Verdict]) -> QueryResult<()> {
    let columns = columns!(
        verdicts,
        Texts account, Texts subscription, Numbers failures, OptionalNumbers disabled_at, OptionalTexts reason,
    );
    Statement::<()>::new(
        "UPDATE subscriptions s SET consecutive_failures = w.failures, \
         disabled_at = COALESCE(w.disabled_at, s.disabled_at), \
         disabled_reason = COALESCE(w.reason, s.disabled_reason) \
         FROM ? AS w (account, subscription, failures, disabled_at, reason) \
         WHERE s.account_id = w.account AND s.id = w.subscription",
        [columns.into()],
    )
    .execute(conn)
    .map(drop)
}

fn record_each(conn: &mut SqliteConnection, verdicts: Vec<Verdict>) -> QueryResult<()> {
    for Verdict { account, subscription, failures, disabled_at, reason } in verdicts {
        let values = [
            failures.into(),
            disabled_at.into(),
            reason.into(),
            account.into(),
            subscription.into(),
        ];
        Statement::<()>::new(
            "UPDATE subscriptions SET consecutive_failures = ?, disabled_at = COALESCE(?, disabled_at), \
             disabled_reason = COALESCE(?, disabled_reason) WHERE account_id = ? AND id = ?",
            values,
        )
        .execute(conn)?;
    }
    Ok(())
}
