//! Replays as rows: deliveries of past events, and of many new ones at once, which are opened little by little as their endpoint
//! takes them.

use diesel::prelude::*;
use kernel::{AccountId, Timestamp};
use webhooks::ReplayId;

use super::{deliveries::Subscriber, events};
use crate::{
    db::Db,
    schema::replays::{self, dsl},
    stored::to_text,
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = replays, treat_none_as_default_value = false)]
pub(crate) struct ReplayRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) subscription_id: String,
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) events: String,
    pub(crate) after_position: i64,
    pub(crate) after_event: String,
    pub(crate) until_position: i64,
    pub(crate) created_at: i64,
    /// Those of this batch alone.
    pub(crate) batch: Option<String>,
}

/// Where the events lie that a transaction has just written for an account, so many: behind one position, up to another.
pub(super) fn written(db: &mut Db, account: AccountId, events: usize) -> QueryResult<(i64, i64)> {
    match db {
        Db::Sqlite(conn) => {
            let last = events::last_position(conn, &account.to_string())?;
            Ok((last.saturating_sub(i64::try_from(events).unwrap_or(i64::MAX)), last))
        }
        Db::Postgres(conn) => {
            let own = events::own_position(conn)?;
            Ok((own - 1, own))
        }
    }
}

/// Leaves the deliveries of events of a batch that lie there to be opened for a subscriber.
pub(super) fn open_later(
    tx: &mut Tx<'_>,
    account: AccountId,
    subscriber: &Subscriber,
    (batch, (after, until)): (&str, (i64, i64)),
    now: Timestamp,
) -> QueryResult<()> {
    let (account, subscription) = (account.to_string(), subscriber.id.to_string());
    let under_way = dsl::replays
        .filter(dsl::account_id.eq(account.clone()))
        .filter(dsl::subscription_id.eq(subscription.clone()))
        .filter(dsl::batch.eq(batch.to_owned()));
    let known = diesel::update(under_way).set(dsl::until_position.eq(until)).execute(tx.db)?;
    // None any more where all that was there is opened.
    if known > 0 {
        return Ok(());
    }
    let wanted: Vec<String> = subscriber.topics.wanted().into_iter().map(str::to_owned).collect();
    let row = ReplayRow {
        account_id: account,
        id: ReplayId::from_u128(tx.ids.next()).to_string(),
        subscription_id: subscription,
        since: 0,
        until: i64::MAX,
        events: to_text(&wanted)?,
        after_position: after,
        after_event: String::new(),
        until_position: until,
        created_at: now.micros(),
        batch: Some(batch.to_owned()),
    };
    diesel::insert_into(replays::table).values(&row).execute(tx.db).map(drop)
}
