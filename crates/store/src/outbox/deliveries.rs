//! Who gets an event, and the delivery that is opened for each.

use diesel::prelude::*;
use kernel::{AccountId, Timestamp, id::IdSource};
use webhooks::{DeliveryId, DeliveryState, SubscriptionId, Topics};

use crate::{
    db::Db,
    rows::read,
    schema::deliveries,
    statement::{Bound, Statement, columns},
    stored::from_text,
    tx::Tx,
    unreadable::if_readable,
};

/// An enabled subscription, as far as a new event asks.
#[derive(Clone)]
pub(crate) struct Subscriber {
    pub(crate) id: SubscriptionId,
    pub(crate) topics: Topics,
}

impl Subscriber {
    /// One whose topics cannot be read gets no event: it must not keep its account from everything that
    /// records one. A replay makes up for what it has missed.
    pub(crate) fn of(account: &str, id: &str, topics: &str) -> QueryResult<Option<Self>> {
        if_readable("subscription", account, id, Self::read(id, topics))
    }

    fn read(id: &str, topics: &str) -> QueryResult<Self> {
        Ok(Self { id: read(id, SubscriptionId::parse)?, topics: from_text(topics)? })
    }
}

#[derive(Insertable, Clone)]
#[diesel(table_name = deliveries, treat_none_as_default_value = false)]
pub(crate) struct DeliveryRow {
    pub(crate) account_id: String,
    pub(crate) subscription_id: String,
    pub(crate) id: String,
    pub(crate) event_id: String,
    pub(crate) event_name: String,
    pub(crate) state: &'static str,
    pub(crate) attempts: i64,
    pub(crate) next_attempt_at: Option<i64>,
    pub(crate) retry_of: Option<String>,
    pub(crate) created_at: i64,
}

/// An event that is delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeliveredEvent<'a> {
    /// Its identifier.
    pub(crate) id: &'a str,
    /// What has happened, as the catalog of events names it.
    pub(crate) name: &'a str,
}

impl DeliveryRow {
    /// A new delivery, due at once.
    pub(crate) fn new(
        account: AccountId,
        subscription: SubscriptionId,
        event: DeliveredEvent<'_>,
        ids: &IdSource,
        now: Timestamp,
    ) -> Self {
        Self {
            account_id: account.to_string(),
            subscription_id: subscription.to_string(),
            id: DeliveryId::from_u128(ids.next()).to_string(),
            event_id: event.id.to_owned(),
            event_name: event.name.to_owned(),
            state: DeliveryState::Attempting.name(),
            attempts: 0,
            next_attempt_at: Some(now.micros()),
            retry_of: None,
            created_at: now.micros(),
        }
    }
}

/// The enabled subscriptions of an account, on a connection to either database.
macro_rules! enabled {
    ($conn:expr, $account:expr) => {{
        use diesel::prelude::*;
        use $crate::schema::subscriptions::dsl;
        dsl::subscriptions
            .filter(dsl::account_id.eq($account.to_string()))
            .filter(dsl::disabled_at.is_null())
            .filter(dsl::deleted_at.is_null())
            .select((dsl::id, dsl::events))
            .load::<(String, String)>($conn)
            .and_then(|rows| {
                $crate::outbox::deliveries::subscribers_of(&$account.to_string(), &rows)
            })
    }};
}
pub(crate) use enabled;

pub(crate) fn subscribers_of(
    account: &str,
    rows: &[(String, String)],
) -> QueryResult<Vec<Subscriber>> {
    let read = rows.iter().map(|(id, topics)| Subscriber::of(account, id, topics));
    read.filter_map(Result::transpose).collect()
}

/// The subscriptions that want events of that name.
pub(crate) fn wanting(
    subscribers: &[Subscriber],
    name: &str,
) -> impl Iterator<Item = SubscriptionId> {
    subscribers.iter().filter(move |one| one.topics.want(name)).map(|one| one.id)
}

/// Opens one delivery; the dispatcher hears of it once it is committed.
pub(crate) fn open(
    tx: &mut Tx<'_>,
    account: AccountId,
    subscription: SubscriptionId,
    event: DeliveredEvent<'_>,
    retry_of: Option<DeliveryId>,
    now: Timestamp,
) -> QueryResult<DeliveryRow> {
    let mut row = DeliveryRow::new(account, subscription, event, tx.ids, now);
    row.retry_of = retry_of.map(|id| id.to_string());
    insert(tx.db, std::slice::from_ref(&row))?;
    tx.effects.wake(crate::notifier::due(account, subscription));
    Ok(row)
}

/// Writes deliveries.
pub(crate) fn insert(db: &mut Db, rows: &[DeliveryRow]) -> QueryResult<()> {
    match db {
        Db::Sqlite(conn) => rows.iter().try_for_each(|row| {
            diesel::insert_into(deliveries::table).values(row).execute(conn).map(drop)
        }),
        Db::Postgres(_) if rows.is_empty() => Ok(()),
        Db::Postgres(conn) => {
            let columns = columns!(
                rows,
                Texts account_id, Texts subscription_id, Texts id, Texts event_id, Texts event_name, Texts state,
                Numbers attempts, OptionalNumbers next_attempt_at, OptionalTexts retry_of, Numbers created_at,
            );
            Statement::<()>::new(
                "INSERT INTO deliveries (account_id, subscription_id, id, event_id, event_name, state, attempts, \
                 next_attempt_at, retry_of, created_at) SELECT d.* FROM ? d",
                [Bound::from(columns)],
            )
            .execute(conn)
            .map(drop)
        }
    }
}
