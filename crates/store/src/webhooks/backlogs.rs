//! Deliveries of many events at once, opened little by little.

use diesel::{
    dsl::max,
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{AccountId, Timestamp};
use webhooks::{SubscriptionId, Topics};

use super::{
    replays::{LOOKED_AT_MAX, WAITING_MAX, waiting},
    subscriptions,
};
use crate::{
    db::{Db, on},
    outbox::deliveries::{self, DeliveryRow},
    rows::read,
    schema::backlogs::dsl,
    statement::Statement,
    stored::from_text,
    tx::Tx,
    unreadable::if_readable,
};

/// Deliveries that one step opens at most.
const STEP_MAX: usize = 200;
/// Those that one round looks at, and those that it moves on, at most.
const ROWS_MAX: usize = 50;
const STEPS_MAX: usize = 5;

/// Those whose turn it is, of each subscription the oldest: takes a limit. What waits for a disabled one waits until it is
/// enabled.
macro_rules! next {
    () => {
        "SELECT b.account_id, b.subscription_id, b.version, b.events, b.after_position, b.after_event, \
         b.until_position, b.opened_at FROM backlogs b \
         WHERE NOT EXISTS (SELECT 1 FROM backlogs o WHERE o.account_id = b.account_id \
         AND o.subscription_id = b.subscription_id AND o.version < b.version) \
         AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.account_id = b.account_id AND s.id = b.subscription_id \
         AND s.disabled_at IS NOT NULL AND s.deleted_at IS NULL) \
         ORDER BY b.turn, b.account_id, b.subscription_id LIMIT ?"
    };
}
const NEXT: &str = next!();
/// The same, which no other node moves on meanwhile.
const NEXT_LOCKED: &str = concat!(next!(), " FOR UPDATE OF b SKIP LOCKED");

type BacklogColumns = (Text, Text, BigInt, Text, BigInt, Text, BigInt, Nullable<BigInt>);

/// What is still to be opened for a subscription, as it was at one of its versions.
#[derive(Queryable)]
struct Backlog {
    account_id: String,
    subscription_id: String,
    version: i64,
    events: String,
    after_position: i64,
    after_event: String,
    until_position: i64,
    opened_at: Option<i64>,
}

/// Opens the next deliveries of some; says how many events were looked at, none when nothing can go on.
pub(super) fn advance(tx: &mut Tx<'_>, now: Timestamp) -> QueryResult<u64> {
    let rows = next(tx.db)?;
    if rows.is_empty() {
        return Ok(0);
    }
    let are_more = rows.len() == ROWS_MAX;
    let last: Option<i64> = dsl::backlogs.select(max(dsl::turn)).first(tx.db)?;
    let turn = last.unwrap_or_default().saturating_add(1);
    let (mut looked_at, mut steps) = (0, 0);
    for row in rows {
        if steps == STEPS_MAX {
            break;
        }
        let mut seen = 0;
        if waiting(tx.db, &row.account_id, &row.subscription_id)? < WAITING_MAX {
            // One that cannot be read waits for a release that can, and holds up no other.
            let step = step(tx, &row, now);
            seen = if_readable("backlog", &row.account_id, &row.subscription_id, step)?
                .unwrap_or_default();
        }
        looked_at += seen;
        steps += usize::from(seen > 0);
        // Behind all others, so that none waits for the end of another.
        if seen > 0 || are_more {
            diesel::update(dsl::backlogs.find((
                &row.account_id,
                &row.subscription_id,
                row.version,
            )))
            .set(dsl::turn.eq(turn))
            .execute(tx.db)?;
        }
    }
    Ok(looked_at)
}

fn next(db: &mut Db) -> QueryResult<Vec<Backlog>> {
    let limit = i64::try_from(ROWS_MAX).unwrap_or(i64::MAX);
    match db {
        Db::Sqlite(conn) => Statement::<BacklogColumns>::new(NEXT, [limit.into()]).load(conn),
        Db::Postgres(conn) => {
            Statement::<BacklogColumns>::new(NEXT_LOCKED, [limit.into()]).load(conn)
        }
    }
}

fn step(tx: &mut Tx<'_>, row: &Backlog, now: Timestamp) -> QueryResult<u64> {
    let account = read(&row.account_id, AccountId::parse)?;
    let subscription = read(&row.subscription_id, SubscriptionId::parse)?;
    let wanted: Topics = from_text(&row.events)?;
    let kept = subscriptions::by_id(tx.db, account, subscription)?.is_some();
    let looked_at = if kept { look(tx.db, row)? } else { Vec::new() };
    let (mut opened, mut seen, mut last) = (Vec::new(), 0, None);
    for (position, id, name, batch) in looked_at {
        seen += 1;
        if batch.is_some() && wanted.want(&name) {
            let delivered = deliveries::DeliveredEvent { id: &id, name: &name };
            opened.push(DeliveryRow::new(account, subscription, delivered, tx.ids, now));
        }
        last = Some((position, id));
        if opened.len() == STEP_MAX {
            break;
        }
    }
    let opened_at = if opened.is_empty() { row.opened_at } else { Some(now.micros()) };
    if !opened.is_empty() {
        deliveries::insert(tx.db, &opened)?;
        tx.effects.wake(crate::notifier::due(account, subscription));
    }
    let this = dsl::backlogs.find((&row.account_id, &row.subscription_id, row.version));
    match last {
        Some((position, event)) => diesel::update(this)
            .set((
                dsl::after_position.eq(position),
                dsl::after_event.eq(event),
                dsl::opened_at.eq(opened_at),
            ))
            .execute(tx.db)?,
        None => diesel::delete(this).execute(tx.db)?,
    };
    Ok(seen.max(1))
}

/// Position, event, its name, and its batch.
type LookedAt = (i64, String, String, Option<String>);

/// The next events, in the order of the feed.
fn look(db: &mut Db, row: &Backlog) -> QueryResult<Vec<LookedAt>> {
    type Columns = (BigInt, Text, Text, Nullable<Text>);
    const SQL: &str = "SELECT position, id, name, batch FROM events \
         WHERE account_id = ? AND position <= ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT ?";
    let values = [
        row.account_id.clone().into(),
        row.until_position.into(),
        row.after_position.into(),
        row.after_event.clone().into(),
        LOOKED_AT_MAX.into(),
    ];
    on!(db, |conn| Statement::<Columns>::new(SQL, values).load(conn))
}
