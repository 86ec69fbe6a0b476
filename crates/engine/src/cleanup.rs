//! Removing what has served its time, a slice at a time, so that nobody waits for it.
//!
//! A [`Chore`] is found out on a reader and carried out in a lane, on PostgreSQL in one that does nothing else: a writer
//! never looks for work. A walk over all accounts is resumed where its last step ended, so it is never begun anew because
//! it was long. Places with little to remove share a slice, so that many accounts cost few commits.

mod slices;

use std::time::{Duration, Instant};

use diesel::{QueryResult, RunQueryDsl, sql_types::Text};
use kernel::{Done, Fault, Pending, Timestamp, Written};

use crate::{
    Engine, Failure, Tx,
    db::{Db, on},
    readers::Cost,
    statement::Statement,
};

pub use slices::Slices;

/// Accounts, or what else a chore walks over, that one step looks at.
pub const LOOKED_AT_MAX: i64 = 200;
/// Rows that one command removes of a place at most, and from which on it begins with no other: what a lane can do in a few
/// milliseconds.
pub const SLICE_ROWS: i64 = 50;
/// After so long a command begins with no other place.
const SLICE_TIME: Duration = Duration::from_millis(5);

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

    /// Every how many minutes it is done.
    fn minutes(&self) -> u64 {
        1
    }

    /// Whether every node looks, because the look itself tells it something, and not just the one that keeps house.
    fn is_seen_by_all(&self) -> bool {
        false
    }
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

/// Where a walk over chores stands. By default it begins with the first of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    chore: usize,
    after: String,
    minute: u64,
    /// Whether somebody else removes what is found.
    only_looks: bool,
}

impl Walk {
    /// The walk of this minute, counted from any moment on: over the chores whose turn it is, and on a node that does not
    /// keep house over those that it has to see all the same.
    #[must_use]
    pub fn of_minute(minute: u64, keeps_house: bool) -> Self {
        Self { minute, only_looks: !keeps_house, ..Self::default() }
    }

    /// The walk without what is left of the chore at which it stands.
    #[must_use]
    pub fn passing_over(self) -> Self {
        Self { chore: self.chore + 1, after: String::new(), ..self }
    }

    /// The walk from the next chore on that belongs to it, this one included.
    fn entered(self, chores: &Chores) -> Option<Self> {
        let belongs = |chore: &dyn Chore| {
            self.minute.is_multiple_of(chore.minutes().max(1))
                && (!self.only_looks || chore.is_seen_by_all())
        };
        let found = chores.iter().skip(self.chore).position(|chore| belongs(&**chore))?;
        match found {
            0 => Some(self),
            passed => Some(Self { chore: self.chore + passed, after: String::new(), ..self }),
        }
    }
}

/// Something to be removed: what [`Engine::clean_up`] takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredRows {
    chore: usize,
    place: String,
}

/// What a slice has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Rows removed.
    pub removed: u64,
    /// Where there may be more.
    pub left: Vec<ExpiredRows>,
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
            let nothing = Step { expired: Vec::new(), next: None };
            let Some(walk) = walk.clone().entered(&chores) else { return Ok(nothing) };
            let Some(chore) = chores.get(walk.chore) else { return Ok(nothing) };
            let Found { places, last } = chore.find(db, &walk.after, now)?;
            let expired = if walk.only_looks { Vec::new() } else { places };
            let expired = expired.into_iter().map(|place| ExpiredRows { chore: walk.chore, place });
            let expired = expired.collect();
            let next = match last {
                Some(after) => Some(Walk { after, ..walk }),
                None => walk.passing_over().entered(&chores),
            };
            Ok(Step { expired, next })
        })
    }

    /// Removes a slice of what was found, one place after the other, and says what it has left.
    pub fn clean_up(
        &self,
        chores: &Chores,
        expired: Vec<ExpiredRows>,
        now: Timestamp,
    ) -> Pending<Written<Slice, ()>> {
        let chores = Chores::clone(chores);
        self.apart(move |tx| {
            slice(tx, &chores, &expired, now).map(Done::now).map_err(Failure::Database)
        })
    }
}

fn slice(
    tx: &mut Tx<'_>,
    chores: &Chores,
    expired: &[ExpiredRows],
    now: Timestamp,
) -> QueryResult<Slice> {
    let started = Instant::now();
    let full = SLICE_ROWS.unsigned_abs();
    let (mut removed, mut done) = (0, 0);
    for ExpiredRows { chore, place } in expired {
        if removed >= full || (done > 0 && started.elapsed() >= SLICE_TIME) {
            break;
        }
        let of_place = match chores.get(*chore) {
            Some(chore) => chore.remove(tx, place, now)?,
            None => 0,
        };
        removed += of_place;
        if of_place >= full {
            break;
        }
        done += 1;
    }
    Ok(Slice { removed, left: expired.get(done..).unwrap_or_default().to_vec() })
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

    /// What is kept for hours is kept for some minutes more: looking at every account takes time, too.
    fn minutes(&self) -> u64 {
        10
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        sync::{Mutex, PoisonError},
    };

    use diesel::{Connection, SqliteConnection};
    use kernel::id::IdSource;

    use super::*;
    use crate::tx::Effects;

    /// So many rows in each place.
    struct Pretended {
        rows: Mutex<BTreeMap<&'static str, u64>>,
        minutes: u64,
        is_seen_by_all: bool,
    }

    impl Chore for Pretended {
        fn find(&self, _: &mut Db, _: &str, _: Timestamp) -> QueryResult<Found> {
            Ok(Found::default())
        }

        fn remove(&self, _: &mut Tx<'_>, place: &str, _: Timestamp) -> QueryResult<u64> {
            let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
            let left = rows.get_mut(place).unwrap();
            let removed = (*left).min(SLICE_ROWS.unsigned_abs());
            *left -= removed;
            Ok(removed)
        }

        fn minutes(&self) -> u64 {
            self.minutes
        }

        fn is_seen_by_all(&self) -> bool {
            self.is_seen_by_all
        }
    }

    fn chores(all: Vec<Pretended>) -> Chores {
        Chores::new(all.into_iter().map(|chore| Box::new(chore) as Box<dyn Chore>).collect())
    }

    fn pretended(minutes: u64, is_seen_by_all: bool) -> Pretended {
        Pretended { rows: Mutex::default(), minutes, is_seen_by_all }
    }

    #[test]
    fn places_with_little_share_a_slice_and_one_with_much_takes_several() {
        let places: [(&str, u64); 5] = [("a", 20), ("b", 0), ("c", 20), ("d", 120), ("e", 1)];
        let chores =
            chores(vec![Pretended { rows: Mutex::new(places.into()), ..pretended(1, false) }]);
        let mut left: Vec<ExpiredRows> = places
            .iter()
            .map(|(place, _)| ExpiredRows { chore: 0, place: (*place).to_owned() })
            .collect();
        let mut db = Db::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        let ids = IdSource::default();
        let (mut removed, mut slices) = (0, 0);
        while !left.is_empty() {
            let mut tx = Tx {
                db: &mut db,
                ids: &ids,
                retention: 0,
                effects: Effects::default(),
                held: Default::default(),
            };
            let slice = slice(&mut tx, &chores, &left, Timestamp::from_micros(0)).unwrap();
            assert!(slice.removed < 2 * SLICE_ROWS.unsigned_abs());
            assert!(slice.removed > 0 || slice.left.len() < left.len());
            (removed, slices, left) = (removed + slice.removed, slices + 1, slice.left);
        }
        assert_eq!(removed, 161);
        // However slow the machine is, a slice does at least one place.
        assert!((3..=7).contains(&slices), "{slices}");
    }

    #[test]
    fn a_walk_passes_over_what_is_not_its_own() {
        let chores = chores(vec![pretended(1, false), pretended(10, true), pretended(1, true)]);
        for (minute, keeps_house, own) in [
            (0, true, vec![0, 1, 2]),
            (3, true, vec![0, 2]),
            (10, true, vec![0, 1, 2]),
            (0, false, vec![1, 2]),
            (3, false, vec![2]),
        ] {
            let mut walk = Walk::of_minute(minute, keeps_house).entered(&chores);
            let mut walked = Vec::new();
            while let Some(at) = walk {
                walked.push(at.chore);
                walk = at.passing_over().entered(&chores);
            }
            assert_eq!(walked, own, "{minute} {keeps_house}");
        }
        let within = Walk { after: "acc_1".to_owned(), ..Walk::default() };
        assert_eq!(within.clone().entered(&chores), Some(within));
    }
}
