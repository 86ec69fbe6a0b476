//! Where deliveries go and what signs them: read once for each version of a subscription, and remembered.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use diesel::{
    PgConnection, QueryResult, RunQueryDsl, SqliteConnection,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::Timestamp;
use webhooks::{Endpoint, Secret, SubscriptionId};

use crate::{
    db::Db,
    lookups::Key,
    rows::{corrupt, read},
    statement::{Column, Statement},
    unreadable::if_readable,
    vault::Vault,
};

/// Endpoints that are remembered; when there are more, all are forgotten and read again as they come.
const REMEMBERED_MAX: usize = 10_000;

/// The endpoint of a subscription, by its key, and the version that it has now.
pub(crate) type Wanted = (Key, i64);

/// Account, subscription, version, address, secret, the one before it and until when that signs too.
type Columns = (Text, Text, BigInt, Text, Text, Nullable<Text>, Nullable<BigInt>);
type Row = (String, String, i64, String, String, Option<String>, Option<i64>);

/// The endpoints that deliveries were claimed for.
#[derive(Default)]
pub(crate) struct Endpoints(Mutex<HashMap<Key, Remembered>>);

struct Remembered {
    version: i64,
    endpoint: Endpoint,
    /// Until when the previous secret signs too.
    previous_until: Option<i64>,
}

impl Remembered {
    fn at(&self, now: Timestamp) -> Endpoint {
        let mut endpoint = self.endpoint.clone();
        if self.previous_until.is_none_or(|until| until <= now.micros()) {
            endpoint.previous_secret = None;
        }
        endpoint
    }
}

impl Endpoints {
    /// These endpoints, but those whose secret cannot be opened: they must not hold up everybody else's deliveries.
    pub(crate) fn of(
        &self,
        db: &mut Db,
        vault: &Vault,
        wanted: &[Wanted],
        now: Timestamp,
    ) -> QueryResult<Vec<Endpoint>> {
        let unknown = self.forget_all_but(wanted);
        let rows = match db {
            _ if unknown.is_empty() => Vec::new(),
            Db::Postgres(conn) => postgres(conn, &unknown)?,
            Db::Sqlite(conn) => sqlite(conn, &unknown)?,
        };
        let mut remembered = self.locked();
        for row in rows {
            let key = (row.0.clone(), row.1.clone());
            let endpoint = if_readable("subscription", &key.0, &key.1, opened(vault, row))?;
            if let Some(endpoint) = endpoint.flatten() {
                remembered.insert(key, endpoint);
            }
        }
        let known = wanted.iter().filter_map(|(key, _)| remembered.get(key));
        Ok(known.map(|endpoint| endpoint.at(now)).collect())
    }

    /// Forgets what has changed of these, and says which are not known.
    fn forget_all_but(&self, wanted: &[Wanted]) -> Vec<Key> {
        let mut remembered = self.locked();
        if remembered.len() > REMEMBERED_MAX {
            remembered.clear();
        }
        let mut unknown = Vec::new();
        for (key, version) in wanted {
            if remembered.get(key).is_none_or(|known| known.version != *version) {
                remembered.remove(key);
                unknown.push(key.clone());
            }
        }
        unknown
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Key, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn postgres(conn: &mut PgConnection, keys: &[Key]) -> QueryResult<Vec<Row>> {
    let (accounts, subscriptions): (Vec<String>, Vec<String>) = keys.iter().cloned().unzip();
    let keys = vec![Column::Texts(accounts), Column::Texts(subscriptions)];
    Statement::<Columns>::new(
        "SELECT s.account_id, s.id, s.version, s.url, s.secret, s.previous_secret, s.previous_secret_until \
         FROM ? AS w (account, subscription) CROSS JOIN LATERAL (SELECT q.* FROM subscriptions q \
         WHERE q.account_id = w.account AND q.id = w.subscription LIMIT 1) s",
        [keys.into()],
    )
    .load(conn)
}

fn sqlite(conn: &mut SqliteConnection, keys: &[Key]) -> QueryResult<Vec<Row>> {
    let mut rows = Vec::with_capacity(keys.len());
    for (account, subscription) in keys {
        let found: Vec<Row> = Statement::<Columns>::new(
            "SELECT account_id, id, version, url, secret, previous_secret, previous_secret_until \
             FROM subscriptions WHERE account_id = ? AND id = ?",
            [account.clone().into(), subscription.clone().into()],
        )
        .load(conn)?;
        rows.extend(found);
    }
    Ok(rows)
}

/// Where a secret is kept, as its seal has it.
pub(crate) fn place(account: &str, subscription: &str) -> String {
    format!("webhook {account} {subscription}")
}

/// Opens a kept secret.
pub(crate) fn open(vault: &Vault, place: &str, sealed: &str) -> QueryResult<Secret> {
    let text = vault.open(place, sealed)?;
    Secret::parse(&text).ok_or_else(|| corrupt(format!("no secret in {place}")))
}

/// An endpoint with its secrets opened; none when that is not possible.
fn opened(vault: &Vault, row: Row) -> QueryResult<Option<Remembered>> {
    let (account, id, version, url, secret, previous, previous_until) = row;
    let place = place(&account, &id);
    let subscription = read(&id, SubscriptionId::parse)?;
    let secret: Secret = match open(vault, &place, &secret) {
        Ok(secret) => secret,
        Err(error) => {
            tracing::error!(%error, subscription = id, "a webhook's secret cannot be opened");
            return Ok(None);
        }
    };
    let previous_secret = previous.and_then(|sealed| open(vault, &place, &sealed).ok());
    let endpoint = Endpoint { subscription, url, secret, previous_secret };
    Ok(Some(Remembered { version, endpoint, previous_until }))
}
