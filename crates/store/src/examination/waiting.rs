//! What should have happened by now, and certificates that end.

use diesel::{
    QueryResult, RunQueryDsl,
    sql_types::{BigInt, Text},
};
use engine::db::{Db, on};
use kernel::Timestamp;

use super::{Finding, told};
use crate::statement::{Bound, Statement};

const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Whoever works on tasks and deliveries looks for them every few seconds.
const LATE: i64 = 15 * MINUTE;
/// Attempts from which on a task has most likely a cause that does not go away by itself.
const ATTEMPTS_MANY: i64 = 5;
/// A new certificate takes days to ask for and to hand in.
const CERTIFICATE_ENDS_WITHIN: i64 = 30 * DAY;

/// What waits, and what ends.
pub(super) fn examine(db: &mut Db, now: Timestamp) -> Vec<Finding> {
    let mut findings = vec![
        told("tasks", tasks(db, now.micros())),
        told("deliveries", deliveries(db, now.micros())),
    ];
    match certificates(db, now.micros()) {
        Ok(found) => findings.extend(found),
        Err(error) => findings.push(told("certificates", Err(error))),
    }
    findings
}

fn count(db: &mut Db, sql: &'static str, values: impl Into<Vec<Bound>>) -> QueryResult<i64> {
    let (count,): (i64,) =
        on!(db, |conn| Statement::<(BigInt,)>::new(sql, values).get_result(conn))?;
    Ok(count)
}

fn tasks(db: &mut Db, now: i64) -> QueryResult<Finding> {
    let late = "SELECT COUNT(*) FROM tasks WHERE due_at < ? AND COALESCE(claimed_until, 0) < ?";
    let late = count(db, late, [(now - LATE).into(), now.into()])?;
    let stuck = "SELECT COUNT(*) FROM tasks WHERE due_at IS NOT NULL AND attempts >= ?";
    let stuck = count(db, stuck, [ATTEMPTS_MANY.into()])?;
    Ok(if late > 0 {
        Finding::warning("tasks", late_text(late))
    } else if stuck > 0 {
        let text = format!(
            "{stuck} were tried {ATTEMPTS_MANY} times or more: see `trastienda tasks list --attempts-min {ATTEMPTS_MANY}`"
        );
        Finding::warning("tasks", text)
    } else {
        Finding::fine("tasks", "none is late or stuck")
    })
}

fn late_text(late: i64) -> String {
    format!(
        "{late} were due more than 15 minutes ago: is `serve` or `worker` running, and does it keep up?"
    )
}

fn deliveries(db: &mut Db, now: i64) -> QueryResult<Finding> {
    let late = "SELECT COUNT(*) FROM deliveries d JOIN subscriptions s ON s.account_id = d.account_id \
         AND s.id = d.subscription_id WHERE d.next_attempt_at < ? AND COALESCE(d.claimed_until, 0) < ? \
         AND s.disabled_reason IS NULL";
    let late = count(db, late, [(now - LATE).into(), now.into()])?;
    // Nothing of them has been opened for so long, as long as an endpoint takes nothing.
    let stuck = "SELECT COUNT(*) FROM backlogs b JOIN subscriptions s ON s.account_id = b.account_id \
         AND s.id = b.subscription_id WHERE COALESCE(b.opened_at, b.created_at) < ? AND s.disabled_at IS NULL";
    let stuck = count(db, stuck, [(now - HOUR).into()])?;
    Ok(if late > 0 {
        Finding::warning("deliveries", late_text(late))
    } else if stuck > 0 {
        let text = format!(
            "{stuck} webhooks have been told nothing more of an import for an hour: are their endpoints away?"
        );
        Finding::warning("deliveries", text)
    } else {
        Finding::fine("deliveries", "none is late")
    })
}

/// The seal certificates in use that have ended or end soon.
fn certificates(db: &mut Db, now: i64) -> QueryResult<Vec<Finding>> {
    let sql = "SELECT number, account_id, valid_until FROM issuer_certificates \
         WHERE is_active = 1 AND valid_until < ? ORDER BY valid_until, account_id";
    let until = now + CERTIFICATE_ENDS_WITHIN;
    let rows: Vec<(String, String, i64)> =
        on!(db, |conn| Statement::<(Text, Text, BigInt)>::new(sql, [until.into()]).load(conn))?;
    if rows.is_empty() {
        let text = "none in use ends within 30 days";
        return Ok(vec![Finding::fine("certificates", text)]);
    }
    let found = rows.into_iter().map(|(number, account, ends)| {
        let day = Timestamp::from_micros(ends).to_string();
        let day = day.split('T').next().unwrap_or_default();
        if ends < now {
            let text =
                format!("{number} of {account} ended on {day}: nothing can be stamped with it");
            Finding::failure("certificates", text)
        } else {
            let text = format!("{number} of {account} ends on {day}: ask SAT for another");
            Finding::warning("certificates", text)
        }
    });
    Ok(found.collect())
}
