//! Recording attempts that have ended.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::{
    PgConnection, SqliteConnection,
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use kernel::Timestamp;
use webhooks::{DeliveryState, Ended, Next, SubscriptionId};

use super::judging;
use crate::{
    db::Db,
    statement::{Statement, columns},
    stored,
    tx::Tx,
};

/// An ended attempt as columns.
struct Row {
    account: String,
    subscription: String,
    delivery: String,
    claim: String,
    state: &'static str,
    next_at: Option<i64>,
    finished_at: Option<i64>,
    number: i64,
    started_at: i64,
    duration_ms: i64,
    status: Option<i64>,
    error: Option<String>,
    answer: Option<String>,
}

impl Row {
    fn of(ended: &Ended, now: Timestamp) -> QueryResult<Self> {
        let (state, next_at) = match ended.next {
            Next::Delivered => (DeliveryState::Delivered, None),
            Next::Failed => (DeliveryState::Failed, None),
            Next::Again(at) => (DeliveryState::Attempting, Some(at.micros())),
        };
        let record = &ended.attempt.record;
        Ok(Self {
            account: ended.account.to_string(),
            subscription: ended.subscription.to_string(),
            delivery: ended.delivery.to_string(),
            claim: ended.claim.to_string(),
            state: state.name(),
            next_at,
            finished_at: next_at.is_none().then_some(now.micros()),
            number: i64::from(ended.attempt.number),
            started_at: ended.attempt.started_at.micros(),
            duration_ms: i64::from(ended.attempt.duration_ms),
            status: record.status.map(i64::from),
            error: record.error.as_ref().map(stored::to_text).transpose()?,
            answer: record.answer.clone(),
        })
    }
}

pub(super) fn complete(
    tx: &mut Tx<'_>,
    ended: &[Ended],
    failures_max: u32,
    now: Timestamp,
) -> QueryResult<Vec<SubscriptionId>> {
    let rows = ended.iter().map(|one| Row::of(one, now)).collect::<QueryResult<Vec<Row>>>()?;
    let recorded = match tx.db {
        Db::Postgres(conn) => postgres(conn, &rows)?,
        Db::Sqlite(conn) => sqlite(conn, &rows)?,
    };
    let (mut runs, mut ailing) = (BTreeMap::<_, Vec<bool>>::new(), BTreeSet::new());
    for (one, row) in ended.iter().zip(&rows) {
        let Some(has_failed) = recorded.get(&row.delivery) else { continue };
        let endpoint = (one.account, one.subscription);
        runs.entry(endpoint).or_default().push(one.next == Next::Delivered);
        if *has_failed || one.next != Next::Delivered {
            ailing.insert(endpoint);
        }
    }
    // Endpoints in good health stay as they are.
    runs.retain(|endpoint, _| ailing.contains(endpoint));
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    // Nobody has begun a transaction for what was delivered; those that have recovered are judged in one of their own.
    tx.db.transaction(|db| judging::judge(db, &runs, failures_max, now))
}

/// The deliveries whose attempts were recorded, and whether the last attempts at their endpoints had failed before.
type Recorded = HashMap<String, bool>;

/// Updates the deliveries that are still under their claim, and logs their attempts. A row that changes between being seen and
/// being updated has moved from where it was seen, so it is left alone without being locked first, which would be one more write
/// for each. Endpoints are only looked at: whoever locks several of them does so in one order.
fn postgres(conn: &mut PgConnection, rows: &[Row]) -> QueryResult<Recorded> {
    let columns = columns!(
        rows,
        Texts account, Texts subscription, Texts delivery, Texts claim, Texts state, OptionalNumbers next_at,
        OptionalNumbers finished_at, Numbers number, Numbers started_at, Numbers duration_ms,
        OptionalNumbers status, OptionalTexts error, OptionalTexts answer,
    );
    let recorded: Vec<(String, bool)> = Statement::<(Text, Bool)>::new(
        "WITH ended AS (SELECT * FROM ? AS w (account, subscription, delivery, claim, state, next_at, \
         finished_at, number, started_at, duration_ms, status, error, answer)), \
         updated AS (UPDATE deliveries d SET state = w.state, attempts = w.number, next_attempt_at = w.next_at, \
         claim_id = NULL, claimed_until = NULL, finished_at = w.finished_at FROM ended w CROSS JOIN LATERAL \
         (SELECT q.ctid FROM deliveries q WHERE q.account_id = w.account AND q.subscription_id = w.subscription \
         AND q.id = w.delivery AND q.claim_id = w.claim LIMIT 1) q WHERE d.ctid = q.ctid \
         RETURNING w.*), \
         logged AS (INSERT INTO attempts (account_id, delivery_id, number, started_at, duration_ms, status, \
         error, answer) SELECT account, delivery, number, started_at, duration_ms, status, error, answer \
         FROM updated) \
         SELECT u.delivery, EXISTS (SELECT 1 FROM subscriptions s WHERE s.account_id = u.account \
         AND s.id = u.subscription AND s.consecutive_failures > 0) FROM updated u",
        [columns.into()],
    )
    .load(conn)?;
    Ok(recorded.into_iter().collect())
}

fn sqlite(conn: &mut SqliteConnection, rows: &[Row]) -> QueryResult<Recorded> {
    let mut recorded = Recorded::new();
    let mut asked: HashMap<(&str, &str), bool> = HashMap::new();
    for row in rows {
        let values = [
            row.state.to_owned().into(),
            row.number.into(),
            row.next_at.into(),
            row.finished_at.into(),
            row.account.clone().into(),
            row.subscription.clone().into(),
            row.delivery.clone().into(),
            row.claim.clone().into(),
        ];
        let updated = Statement::<()>::new(
            "UPDATE deliveries SET state = ?, attempts = ?, next_attempt_at = ?, claim_id = NULL, \
             claimed_until = NULL, finished_at = ? WHERE account_id = ? AND subscription_id = ? AND id = ? AND claim_id = ?",
            values,
        )
        .execute(conn)?;
        if updated == 0 {
            continue;
        }
        let values = [
            row.account.clone().into(),
            row.delivery.clone().into(),
            row.number.into(),
            row.started_at.into(),
            row.duration_ms.into(),
            row.status.into(),
            row.error.clone().into(),
            row.answer.clone().into(),
        ];
        Statement::<()>::new(
            "INSERT INTO attempts (account_id, delivery_id, number, started_at, duration_ms, status, error, \
             answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        .execute(conn)?;
        let endpoint = (row.account.as_str(), row.subscription.as_str());
        let has_failed = match asked.get(&endpoint) {
            Some(known) => *known,
            None => has_failed(conn, endpoint)?,
        };
        asked.insert(endpoint, has_failed);
        recorded.insert(row.delivery.clone(), has_failed);
    }
    Ok(recorded)
}

fn has_failed(
    conn: &mut SqliteConnection,
    (account, subscription): (&str, &str),
) -> QueryResult<bool> {
    let values = [account.to_owned().into(), subscription.to_owned().into()];
    let found: Option<i64> = Statement::<BigInt>::new(
        "SELECT 1 FROM subscriptions WHERE account_id = ? AND id = ? AND consecutive_failures > 0",
        values,
    )
    .get_result(conn)
    .optional()?;
    Ok(found.is_some())
}
