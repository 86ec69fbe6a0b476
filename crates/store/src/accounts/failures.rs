//! Failures to sign in, and how long nobody may try after them.

use ::accounts::{
    PeopleError, UserId, Visit,
    audit::{Act, Action},
    throttle::{AT_HOME_SECONDS, Counted, FAILURE_SECONDS, Failures, counted},
};
use diesel::prelude::*;
use engine::cleanup::RowsByAge;
use kernel::{Actor, Refused, Timestamp};

use super::audit;
use crate::{
    db::{Db, on},
    schema::{sign_in_failures as table, sign_in_failures::dsl, user_networks},
    tx::Tx,
};

/// Where users have not signed in from for long; here a place is a user.
pub(crate) const LEFT: RowsByAge = RowsByAge {
    find: "SELECT u.id, CASE WHEN EXISTS (SELECT 1 FROM user_networks n \
           WHERE n.user_id = u.id AND n.seen_at < ?) THEN 'yes' ELSE 'no' END \
           FROM users u WHERE u.id > ? ORDER BY u.id LIMIT ?",
    remove: "DELETE FROM user_networks WHERE user_id = ? AND network IN \
             (SELECT n.network FROM user_networks n WHERE n.user_id = ? \
             AND n.seen_at < ? ORDER BY n.network LIMIT ?)",
    retention_micros: AT_HOME_SECONDS * 1_000_000,
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

/// Whether a user has signed in from where they are, lately.
fn is_at_home(db: &mut Db, user: UserId, visit: &Visit) -> QueryResult<bool> {
    let this = user_networks::table.find((user.to_string(), visit.network()));
    let seen: Option<i64> = this.select(user_networks::seen_at).first(db).optional()?;
    Ok(seen.is_some())
}

/// Until when somebody may not try to sign in, if they may not now. Where the user has signed in from lately, failures that
/// others make elsewhere do not count: nobody is shut out by strangers.
pub(super) fn until(
    db: &mut Db,
    email: &str,
    user: Option<UserId>,
    visit: &Visit,
) -> QueryResult<Option<Timestamp>> {
    let mut latest: Option<Timestamp> = None;
    for (what, name) in counted(email, &visit.network()) {
        let failures = of(db, &name)?;
        let is_shut_out = failures.and_then(|failures| failures.until(what, visit.now));
        if let (Counted::Email | Counted::Network, Some(user), Some(_)) = (what, user, is_shut_out)
            && is_at_home(db, user, visit)?
        {
            continue;
        }
        latest = latest.max(is_shut_out);
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
        let failures = Failures::and_one(of(tx.db, &name)?, what, visit.now);
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

/// Forgets failures of a user from where they have now signed in, and remembers that it was from there.
pub(super) fn forget(tx: &mut Tx<'_>, user: UserId, email: &str, visit: &Visit) -> QueryResult<()> {
    let seen_at = user_networks::seen_at.eq(visit.now.micros());
    let place = || {
        let user = user_networks::user_id.eq(user.to_string());
        (user, user_networks::network.eq(visit.network()))
    };
    on!(&mut *tx.db, |conn| diesel::insert_into(user_networks::table)
        .values((place(), seen_at))
        .on_conflict((user_networks::user_id, user_networks::network))
        .do_update()
        .set(user_networks::seen_at.eq(visit.now.micros()))
        .execute(conn))?;
    for (what, name) in counted(email, &visit.network()) {
        if what == Counted::EmailFromNetwork {
            diesel::delete(table::table.find(&name)).execute(tx.db)?;
        }
    }
    Ok(())
}
