//! Failures to sign in, and how long nobody may try after them.

use ::accounts::{
    PeopleError, UserId, Visit,
    audit::{Act, Action},
    throttle::{Counted, FAILURE_SECONDS, Failures, counted},
};
use diesel::prelude::*;
use engine::cleanup::RowsByAge;
use kernel::{Actor, Refused, Timestamp};

use super::audit;
use crate::{
    db::{Db, on},
    schema::{sign_in_failures as table, sign_in_failures::dsl},
    tx::Tx,
};

/// The figure of failures.
pub(super) const FAILED: &str = "sign-ins failed";

/// Failures that do not count any more; here a place is what is counted.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT f.name, CASE WHEN f.last_at < ? THEN 'yes' ELSE 'no' END \
           FROM sign_in_failures f WHERE f.name > ? ORDER BY f.name LIMIT ?",
    remove: "DELETE FROM sign_in_failures WHERE name IN (SELECT f.name FROM sign_in_failures f \
             WHERE f.name = ? AND f.name = ? AND f.last_at < ? LIMIT ?)",
    retention_micros: FAILURE_SECONDS * 1_000_000,
};

fn of(db: &mut Db, name: &str) -> QueryResult<Option<Failures>> {
    let row: Option<(i64, i64)> =
        table::table.find(name).select((dsl::count, dsl::last_at)).first(db).optional()?;
    Ok(row.map(|(count, last_at)| Failures {
        count: u32::try_from(count).unwrap_or(u32::MAX),
        last_at: Timestamp::from_micros(last_at),
    }))
}

/// Until when somebody may not try to sign in, if they may not now.
pub(super) fn until(db: &mut Db, email: &str, visit: &Visit) -> QueryResult<Option<Timestamp>> {
    let mut latest: Option<Timestamp> = None;
    for (what, name) in counted(email, &visit.network()) {
        let failures = of(db, &name)?;
        latest = latest.max(failures.and_then(|failures| failures.until(what, visit.now)));
    }
    Ok(latest)
}

/// The same as a refusal.
pub(super) fn refusal(until: Timestamp) -> Refused<PeopleError> {
    Refused::Rule(PeopleError::Throttled { until })
}

/// Counts a failure, of a user if there is one of the address. Few of a run are recorded where the user is a member.
pub(super) fn count(
    tx: &mut Tx<'_>,
    email: &str,
    user: Option<UserId>,
    visit: &Visit,
) -> QueryResult<()> {
    let mut is_told = false;
    for (what, name) in counted(email, &visit.network()) {
        let failures = Failures::and_one(of(tx.db, &name)?, visit.now);
        is_told |= failures.is_told(what);
        let (times, last_at) = (i64::from(failures.count), visit.now.micros());
        let values = || (dsl::count.eq(times), dsl::last_at.eq(last_at));
        on!(&mut *tx.db, |conn| diesel::insert_into(table::table)
            .values((dsl::name.eq(&name), values()))
            .on_conflict(dsl::name)
            .do_update()
            .set(values())
            .execute(conn))?;
    }
    tx.effects.count(FAILED, 1);
    match user {
        Some(user) if is_told => {
            let act = Act::new(Action::UserSignInFailed, &user);
            audit::record_of_user(tx, user, &Actor::Public, visit, &act)
        }
        _ => Ok(()),
    }
}

/// Forgets failures of a user from where they have now signed in.
pub(super) fn forget(tx: &mut Tx<'_>, email: &str, visit: &Visit) -> QueryResult<()> {
    for (what, name) in counted(email, &visit.network()) {
        if what == Counted::EmailFromNetwork {
            diesel::delete(table::table.find(&name)).execute(tx.db)?;
        }
    }
    Ok(())
}
