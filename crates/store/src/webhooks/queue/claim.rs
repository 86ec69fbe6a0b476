//! Claiming deliveries that are due.

use diesel::{
    PgConnection, SqliteConnection,
    prelude::*,
    sql_types::{BigInt, Text},
};
use kernel::{AccountId, Timestamp, id::EventId};
use webhooks::{Claim, ClaimId, Claimed, DeliveryId, SubscriptionId, Want};

use crate::{
    db::Db,
    endpoints::{Endpoints, Wanted},
    rows::read,
    statement::{Column, Statement},
    tx::Tx,
    unreadable::readable,
    vault::Vault,
};

/// Account, subscription, delivery, attempts, event, its name, entity and body, when it was due, and the version of the
/// subscription.
type Columns = (Text, Text, Text, BigInt, Text, Text, Text, Text, BigInt, BigInt);
type Row = (String, String, String, i64, String, String, String, String, i64, i64);

pub(super) fn claim(
    tx: &mut Tx<'_>,
    (vault, endpoints): (&Vault, &Endpoints),
    wants: &[Want],
    now: Timestamp,
    until: Timestamp,
) -> QueryResult<Claim> {
    let id = ClaimId::from_u128(tx.ids.next());
    let mut rows = match tx.db {
        Db::Postgres(conn) => postgres(conn, wants, id, now, until)?,
        Db::Sqlite(conn) => sqlite(conn, wants, id, now, until)?,
    };
    // By endpoint, the one due first in front.
    rows.sort_unstable_by(|a, b| (&a.0, &a.1, a.8, &a.2).cmp(&(&b.0, &b.1, b.8, &b.2)));
    let wanted = rows.iter().map(|row| ((row.0.clone(), row.1.clone()), row.9));
    let mut wanted: Vec<Wanted> = wanted.collect();
    wanted.dedup_by(|later, first| later.0 == first.0);
    let endpoints = endpoints.of(tx.db, vault, &wanted, now)?;
    // One that cannot be read stays claimed, so that those behind it have their turn.
    let deliveries = rows.into_iter().map(|row| ((row.0.clone(), row.2.clone()), claimed(row)));
    let deliveries = readable("delivery", deliveries)?;
    Ok(Claim { id, until, endpoints, deliveries })
}

fn claimed(row: Row) -> QueryResult<Claimed> {
    let (account, subscription, delivery, attempts, event, event_name, entity, body, _, _) = row;
    Ok(Claimed {
        account: read(&account, AccountId::parse)?,
        subscription: read(&subscription, SubscriptionId::parse)?,
        delivery: read(&delivery, DeliveryId::parse)?,
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
        event: read(&event, EventId::parse)?,
        event_name,
        entity,
        body,
    })
}

/// A row that changed between being seen and being locked is skipped: the update does not see its new
/// version. It is found at the next look.
fn postgres(
    conn: &mut PgConnection,
    wants: &[Want],
    id: ClaimId,
    now: Timestamp,
    until: Timestamp,
) -> QueryResult<Vec<Row>> {
    let wanted = vec![
        Column::Texts(wants.iter().map(|want| want.account.to_string()).collect()),
        Column::Texts(wants.iter().map(|want| want.subscription.to_string()).collect()),
        Column::Numbers(wants.iter().map(|want| i64::from(want.room)).collect()),
    ];
    let values = [
        wanted.into(),
        now.micros().into(),
        now.micros().into(),
        until.micros().into(),
        id.to_string().into(),
    ];
    Statement::<Columns>::new(
        "WITH picked AS (SELECT d.*, s.version FROM ? AS w (account, subscription, room) \
         JOIN subscriptions s ON s.account_id = w.account AND s.id = w.subscription \
         AND s.disabled_at IS NULL AND s.deleted_at IS NULL \
         CROSS JOIN LATERAL (SELECT q.ctid, q.next_attempt_at AS due, e.* \
         FROM deliveries q CROSS JOIN LATERAL (SELECT v.id AS event, v.name, v.entity_id, v.body FROM events v \
         WHERE v.account_id = q.account_id AND v.id = q.event_id LIMIT 1) e \
         WHERE q.account_id = w.account AND q.subscription_id = w.subscription \
         AND q.next_attempt_at <= ? AND (q.claimed_until IS NULL OR q.claimed_until <= ?) ORDER BY q.next_attempt_at, q.id LIMIT w.room \
         FOR UPDATE OF q SKIP LOCKED) d) \
         UPDATE deliveries d SET claimed_until = ?, claim_id = ? \
         FROM picked p WHERE d.ctid = p.ctid \
         RETURNING d.account_id, d.subscription_id, d.id, d.attempts, p.event, p.name, p.entity_id, p.body, p.due, \
         p.version",
        values,
    )
    .load(conn)
}

fn sqlite(
    conn: &mut SqliteConnection,
    wants: &[Want],
    id: ClaimId,
    now: Timestamp,
    until: Timestamp,
) -> QueryResult<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for want in wants {
        let values = [
            want.account.to_string().into(),
            want.subscription.to_string().into(),
            now.micros().into(),
            now.micros().into(),
            i64::from(want.room).into(),
        ];
        let due: Vec<Row> = Statement::<Columns>::new(
            "SELECT d.account_id, d.subscription_id, d.id, d.attempts, e.id, e.name, e.entity_id, e.body, \
             d.next_attempt_at, s.version FROM subscriptions s \
             CROSS JOIN deliveries d ON d.account_id = s.account_id AND d.subscription_id = s.id \
             CROSS JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id \
             WHERE s.account_id = ? AND s.id = ? AND s.disabled_at IS NULL AND s.deleted_at IS NULL \
             AND d.next_attempt_at <= ? AND (d.claimed_until IS NULL OR d.claimed_until <= ?) \
             ORDER BY d.next_attempt_at, d.id LIMIT ?",
            values,
        )
        .load(conn)?;
        rows.extend(due);
    }
    for row in &rows {
        let values = [
            until.micros().into(),
            id.to_string().into(),
            row.0.clone().into(),
            row.1.clone().into(),
            row.2.clone().into(),
        ];
        Statement::<()>::new(
            "UPDATE deliveries SET claimed_until = ?, claim_id = ? \
             WHERE account_id = ? AND subscription_id = ? AND id = ?",
            values,
        )
        .execute(conn)?;
    }
    Ok(rows)
}
