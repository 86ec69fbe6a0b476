//! Replays: deliveries of past events, opened little by little.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use kernel::{AccountId, Ctx, FieldFault, Timestamp, message};
use webhooks::{Replay, ReplayCommand, ReplayId, SubscriptionId, WebhookError};

use super::{feed, subscriptions};
use crate::{
    counters,
    db::{Db, on},
    error::Failure,
    outbox::{deliveries as outbox, positions},
    rows::read,
    schema::{
        deliveries,
        replays::{self, dsl},
    },
    statement::Statement,
    stored::{from_text, to_text},
    tx::Tx,
    unreadable::if_readable,
};

/// Deliveries that one step opens at most.
const STEP_MAX: i64 = 200;
/// A replay waits while its endpoint has so many deliveries waiting, so that new events do not queue up
/// behind the past.
pub(super) const WAITING_MAX: i64 = 500;
/// Replays known to one round, and those moved on by it, at most.
const ROWS_MAX: i64 = 1_000;
const STEPS_MAX: u32 = 5;
/// Events looked at in one step at most.
pub(super) const LOOKED_AT_MAX: i64 = 2_000;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = replays, treat_none_as_default_value = false)]
struct ReplayRow {
    account_id: String,
    id: String,
    subscription_id: String,
    since: i64,
    until: i64,
    events: String,
    after_position: i64,
    after_event: String,
    /// The position of the last event that may belong to it; see [`end`].
    until_position: i64,
    created_at: i64,
}

pub(super) fn start(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &ReplayCommand,
) -> Result<Replay, Failure<WebhookError>> {
    let subscription = subscriptions::locked(tx, ctx.account, command.subscription, None)?;
    if !subscription.is_enabled() {
        return Err(kernel::Refused::Rule(WebhookError::Disabled).into());
    }
    let events = match &command.events {
        Some(wanted) => subscription.events.common(wanted),
        None => subscription.events.wanted(),
    };
    if events.is_empty() {
        let none = FieldFault::new(
            "events",
            message!(
                "names no event that this webhook wants",
                "no incluye ningún evento que este webhook reciba"
            ),
        );
        return Err(kernel::Refused::Invalid(vec![none]).into());
    }
    let replay = Replay {
        id: ReplayId::from_u128(tx.ids.next()),
        subscription: subscription.id,
        since: command.since,
        until: command.until.unwrap_or(ctx.now).min(ctx.now),
        events: events.into_iter().map(str::to_owned).collect(),
        created_at: ctx.now,
    };
    let row = ReplayRow {
        account_id: ctx.account.to_string(),
        id: replay.id.to_string(),
        subscription_id: replay.subscription.to_string(),
        since: replay.since.micros(),
        until: replay.until.micros(),
        events: to_text(&replay.events)?,
        after_position: feed::first_position(tx.db, ctx.account, replay.since)? - 1,
        after_event: String::new(),
        until_position: unsettled(tx.db, ctx.account)?,
        created_at: ctx.now.micros(),
    };
    diesel::insert_into(replays::table).values(&row).execute(tx.db)?;
    // Dispatchers look for replays when they are woken, too.
    tx.effects.wake(crate::notifier::due(ctx.account, subscription.id));
    Ok(replay)
}

/// Opens the next deliveries of some replays; says how many events were looked at, none when no replay can go
/// on.
pub(super) fn advance(tx: &mut Tx<'_>, now: Timestamp) -> QueryResult<u64> {
    let rows: Vec<ReplayRow> = match tx.db {
        Db::Postgres(conn) => dsl::replays
            .order(dsl::id)
            .limit(ROWS_MAX)
            .select(ReplayRow::as_select())
            .for_update()
            .skip_locked()
            .load(conn)?,
        Db::Sqlite(conn) => {
            dsl::replays.order(dsl::id).limit(ROWS_MAX).select(ReplayRow::as_select()).load(conn)?
        }
    };
    // One step for each, so that none waits for the end of another.
    let (mut looked_at, mut steps) = (0, 0);
    for row in rows {
        if steps < STEPS_MAX && waiting(tx.db, &row.account_id, &row.subscription_id)? < WAITING_MAX
        {
            // One that cannot be read waits for a release that can, and holds up no other.
            let seen = step(tx, &row, now);
            let seen = if_readable("replay", &row.account_id, &row.id, seen)?.unwrap_or_default();
            looked_at += seen;
            steps += u32::from(seen > 0);
        }
    }
    Ok(looked_at)
}

/// How many deliveries of a subscription wait, as far as that matters.
pub(super) fn waiting(db: &mut Db, account: &str, subscription: &str) -> QueryResult<i64> {
    let waiting = deliveries::table
        .filter(deliveries::account_id.eq(account))
        .filter(deliveries::subscription_id.eq(subscription))
        .filter(deliveries::next_attempt_at.is_not_null())
        .select(deliveries::id)
        .limit(WAITING_MAX);
    let waiting: Vec<String> = waiting.load(db)?;
    Ok(i64::try_from(waiting.len()).unwrap_or(WAITING_MAX))
}

fn step(tx: &mut Tx<'_>, row: &ReplayRow, now: Timestamp) -> QueryResult<u64> {
    let account = read(&row.account_id, AccountId::parse)?;
    let subscription = read(&row.subscription_id, SubscriptionId::parse)?;
    let names: Vec<String> = from_text(&row.events)?;
    let kept = subscriptions::by_id(tx.db, account, subscription)?.is_some();
    let end = end(tx.db, account, row)?;
    let looked_at = look(tx.db, row, end.unwrap_or(i64::MAX))?;
    let (mut opened, mut seen, mut last) = (0, 0, None);
    for (position, id, name, created_at) in looked_at.into_iter().filter(|_| kept) {
        seen += 1;
        if (row.since..row.until).contains(&created_at) && names.contains(&name) {
            let delivered = outbox::DeliveredEvent { id: &id, name: &name };
            outbox::open(tx, account, subscription, delivered, None, now)?;
            opened += 1;
        }
        last = Some((position, id));
        if opened == STEP_MAX {
            break;
        }
    }
    let this = dsl::replays.filter(dsl::account_id.eq(&row.account_id)).filter(dsl::id.eq(&row.id));
    match last {
        Some((position, event)) => diesel::update(this)
            .set((dsl::after_position.eq(position), dsl::after_event.eq(event)))
            .execute(tx.db)?,
        None if kept && end.is_none() => return Ok(0),
        None => diesel::delete(this).execute(tx.db)?,
    };
    Ok(seen.max(1))
}

/// What a new replay has for its end. On PostgreSQL others may be about to record events that happened before, for the webhooks that
/// there were when they began; this one need not be among them. Until they are over the end is open, and this is the number
/// of the transaction, below 0.
fn unsettled(db: &mut Db, account: AccountId) -> QueryResult<i64> {
    match db {
        Db::Sqlite(conn) => positions::last_position(conn, &account.to_string()),
        Db::Postgres(conn) => {
            const SQL: &str = "SELECT -(pg_current_xact_id()::text::bigint)";
            Statement::<BigInt>::new(SQL, []).get_result(conn)
        }
    }
}

/// The position of the last event that may belong to a replay, once all transactions are over that had begun to write before it
/// was started: at another server, before the database was restored, they are.
fn end(db: &mut Db, account: AccountId, row: &ReplayRow) -> QueryResult<Option<i64>> {
    const OVER: &str = "SELECT ? NOT BETWEEN pg_snapshot_xmin(s.s)::text::bigint AND pg_snapshot_xmax(s.s)::text::bigint - 1 \
         FROM (SELECT pg_current_snapshot() AS s) s";
    let Db::Postgres(conn) = db else { return Ok(Some(row.until_position)) };
    if row.until_position >= 0 {
        return Ok(Some(row.until_position));
    }
    let began = row.until_position.saturating_neg();
    if !Statement::<Bool>::new(OVER, [began.into()]).get_result::<bool>(conn)? {
        return Ok(None);
    }
    let end = counters::value(db, account, positions::COUNTER)?;
    let this = dsl::replays.filter(dsl::account_id.eq(&row.account_id)).filter(dsl::id.eq(&row.id));
    diesel::update(this).set(dsl::until_position.eq(end)).execute(db)?;
    Ok(Some(end))
}

/// Position, event, its name, and when it happened.
type LookedAt = (i64, String, String, i64);

/// The next events, in the order of the feed.
fn look(db: &mut Db, row: &ReplayRow, end: i64) -> QueryResult<Vec<LookedAt>> {
    const SQL: &str = "SELECT position, id, name, created_at FROM events \
         WHERE account_id = ? AND position <= ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT ?";
    let values = [
        row.account_id.clone().into(),
        end.into(),
        row.after_position.into(),
        row.after_event.clone().into(),
        LOOKED_AT_MAX.into(),
    ];
    on!(db, |conn| Statement::<(BigInt, Text, Text, BigInt)>::new(SQL, values).load(conn))
}
