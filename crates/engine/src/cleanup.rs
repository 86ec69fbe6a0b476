//! Removing what has served its time, a slice at a time, so that nobody waits for it.
//!
//! A [`Chore`] is found out on a reader and carried out in a lane: a writer never looks for work. A walk over all
//! accounts is resumed where its last step ended, so it is never begun anew because it was long.

use diesel::{QueryResult, RunQueryDsl, sql_types::Text};
use kernel::{Done, Fault, Pending, Timestamp, Written};

use crate::{
    Engine, Failure, Tx,
    db::{Db, on},
    readers::Cost,
    statement::Statement,
};

/// Accounts, or what else a chore walks over, that one step looks at.
pub const LOOKED_AT_MAX: i64 = 200;
/// Rows that one command removes at most: what a lane can do in a few milliseconds.
pub const SLICE_ROWS: i64 = 50;

/// Something to be removed once its time is over.
pub trait Chore: Send + Sync {
    /// Looks at the next [`LOOKED_AT_MAX`] places after one and says which of them have something to remove.
    ///
    /// # Errors
    /// Those of the database.
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found>;

    /// Removes at most [`SLICE_ROWS`] rows in a place; says how many.
    ///
    /// # Errors
    /// Those of the database.
    fn remove(&self, tx: &mut Tx<'_>, place: &str, now: Timestamp) -> QueryResult<u64>;
}

/// What a look at some places has shown.
#[derive(Debug, Default)]
pub struct Found {
    /// Those with something to remove.
    pub places: Vec<String>,
    /// The last one looked at; `None` when there was none any more.
    pub last: Option<String>,
}

impl Found {
    /// What rows of a place and whether there is something to remove say.
    #[must_use]
    pub fn of(rows: Vec<(String, bool)>) -> Self {
        let last = rows.last().map(|(place, _)| place.clone());
        let places = rows.into_iter().filter(|(_, has_some)| *has_some).map(|(place, _)| place);
        Self { places: places.collect(), last }
    }
}

/// Where a walk over all chores stands; it begins with the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    chore: usize,
    after: String,
}

/// Something to be removed: what [`Engine::clean_up`] takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredRows {
    chore: usize,
    place: String,
}

/// A step of a walk.
#[derive(Debug)]
pub struct Step {
    /// What there is to be removed.
    pub expired: Vec<ExpiredRows>,
    /// Where the walk goes on; `None` at its end.
    pub next: Option<Walk>,
}

/// The chores of a program, in the order of the walk.
pub type Chores = std::sync::Arc<Vec<Box<dyn Chore>>>;

impl Engine {
    /// Takes the next step of a walk.
    pub fn find_expired(
        &self,
        chores: &Chores,
        walk: Walk,
        now: Timestamp,
    ) -> Pending<Result<Step, Fault>> {
        let chores = Chores::clone(chores);
        self.read(Cost::Large, move |db| {
            let Some(chore) = chores.get(walk.chore) else {
                return Ok(Step { expired: Vec::new(), next: None });
            };
            let Found { places, last } = chore.find(db, &walk.after, now)?;
            let expired = places.into_iter().map(|place| ExpiredRows { chore: walk.chore, place });
            let is_last_chore = walk.chore + 1 >= chores.len();
            let next = match last {
                Some(after) => Some(Walk { chore: walk.chore, after }),
                None if is_last_chore => None,
                None => Some(Walk { chore: walk.chore + 1, after: String::new() }),
            };
            Ok(Step { expired: expired.collect(), next })
        })
    }

    /// Removes a slice of what was found; says how many rows. Below [`SLICE_ROWS`] nothing is left.
    pub fn clean_up(
        &self,
        chores: &Chores,
        expired: ExpiredRows,
        now: Timestamp,
    ) -> Pending<Written<u64, ()>> {
        let chores = Chores::clone(chores);
        self.command(None, move |tx| match chores.get(expired.chore) {
            Some(chore) => {
                let removed = chore.remove(tx, &expired.place, now);
                removed.map(Done::now).map_err(Failure::Database)
            }
            None => Ok(Done::now(0)),
        })
    }
}

/// Rows of one table that are kept no longer; a place is an account.
pub struct RowsByAge {
    /// Whether each account has some: takes the oldest moment kept, the account to begin after and a limit, and gives
    /// accounts with `yes` or `no`.
    pub find: &'static str,
    /// Removes the oldest ones: takes the account twice, the oldest moment kept and a limit.
    pub remove: &'static str,
    /// How long they are kept, in microseconds.
    pub retention_micros: i64,
}

impl RowsByAge {
    /// Idempotency answers.
    #[must_use]
    pub const fn answers(retention_micros: i64) -> Self {
        Self {
            find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM idempotency_answers k \
                   WHERE k.account_id = a.id AND k.created_at < ?) THEN 'yes' ELSE 'no' END \
                   FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
            remove: "DELETE FROM idempotency_answers WHERE account_id = ? AND (operation, key) IN \
                     (SELECT k.operation, k.key FROM idempotency_answers k WHERE k.account_id = ? \
                     AND k.created_at < ? ORDER BY k.created_at LIMIT ?)",
            retention_micros,
        }
    }
}

impl Chore for RowsByAge {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let values = [oldest.into(), after.to_owned().into(), LOOKED_AT_MAX.into()];
        let rows: Vec<(String, String)> =
            on!(db, |conn| Statement::<(Text, Text)>::new(self.find, values).load(conn))?;
        Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, now: Timestamp) -> QueryResult<u64> {
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let account = || account.to_owned().into();
        let values = [account(), account(), oldest.into(), SLICE_ROWS.into()];
        let removed =
            on!(&mut *tx.db, |conn| Statement::<()>::new(self.remove, values).execute(conn))?;
        Ok(removed as u64)
    }
}
