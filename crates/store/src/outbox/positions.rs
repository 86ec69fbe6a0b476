//! Where events lie in the feed of their account: each behind all that were committed before.
//!
//! On SQLite, where one writer commits after the other, the next position is the next number. On PostgreSQL it is told by a counter of
//! the account, which the statement that writes the events raises. Its row stays locked until the commit, so positions become
//! visible in their order. Whoever raises it locks nothing afterwards that another transaction may hold while it waits for
//! the counter, and raises those of several accounts in the order of the accounts: nobody waits in a circle.

use std::collections::BTreeMap;

use diesel::prelude::*;

use crate::{counters::Counter, schema::events::dsl, statement::Column};

/// The position of the last event of an account, on PostgreSQL.
pub(crate) const COUNTER: Counter = Counter("events");

/// Raises the counters of accounts by so many events, and says how far; takes the accounts, each once and in order.
macro_rules! raise {
    () => {
        "INSERT INTO counters AS n (account_id, name, value) SELECT w.account, 'events', w.events FROM ? \
         AS w (account, events) ON CONFLICT (account_id, name) DO UPDATE SET value = n.value + EXCLUDED.value \
         RETURNING n.account_id, n.value"
    };
}

/// The same statement: takes what [`Places::accounts`] has.
pub(crate) const RAISE: &str = raise!();

/// Writes events, and tells of their accounts how far the counter is and who subscribes, and of each subscriber how far what is still
/// to be opened of batches is. Takes [`Places::accounts`], and the events with [`Places::behind`].
pub(super) const INSERT: &str = concat!(
    "WITH n AS (",
    raise!(),
    "), e AS (INSERT INTO events (account_id, id, name, entity_id, body, created_at, batch, position) \
     SELECT w.account, w.id, w.name, w.entity, w.body, w.created_at, w.batch, n.value - w.behind FROM ? \
     AS w (account, id, name, entity, body, created_at, batch, behind) JOIN n ON n.account_id = w.account) \
     SELECT n.account_id, n.value, s.id, s.events, b.after_position, b.after_event, b.opened_at FROM n \
     JOIN subscriptions s ON s.account_id = n.account_id AND s.disabled_at IS NULL AND s.deleted_at IS NULL \
     LEFT JOIN backlogs b ON b.account_id = s.account_id AND b.subscription_id = s.id ORDER BY s.id"
);

/// How events that are written together on PostgreSQL get their positions: in the order in which they are given.
pub(crate) struct Places {
    /// Their accounts in order, and how many of the events each has.
    pub(crate) accounts: Vec<Column>,
    /// Of each event, how many of its account follow it.
    pub(crate) behind: Column,
}

impl Places {
    /// Takes the account of each event.
    pub(crate) fn of<'a>(events: impl DoubleEndedIterator<Item = &'a str>) -> Self {
        let mut counts = BTreeMap::<&str, i64>::new();
        let mut behind = Vec::new();
        for account in events.rev() {
            let count = counts.entry(account).or_default();
            behind.push(*count);
            *count += 1;
        }
        behind.reverse();
        let (accounts, counts): (Vec<String>, Vec<i64>) =
            counts.into_iter().map(|(account, count)| (account.to_owned(), count)).unzip();
        Self {
            accounts: vec![Column::Texts(accounts), Column::Numbers(counts)],
            behind: Column::Numbers(behind),
        }
    }
}

/// The position of an account's last event.
pub(crate) fn last_position(conn: &mut SqliteConnection, account: &str) -> QueryResult<i64> {
    dsl::events
        .filter(dsl::account_id.eq(account))
        .order((dsl::position.desc(), dsl::id.desc()))
        .select(dsl::position)
        .first(conn)
        .optional()
        .map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_several_accounts_lie_in_the_order_in_which_they_are_given() {
        let places = Places::of(["b", "a", "b", "b", "c", "a"].into_iter());
        let Column::Numbers(behind) = places.behind else { panic!("numbers") };
        assert_eq!(behind, [2, 1, 1, 0, 0, 0]);
        let [Column::Texts(accounts), Column::Numbers(counts)] = &places.accounts[..] else {
            panic!("accounts with numbers")
        };
        assert_eq!((accounts.join(" "), &counts[..]), ("a b c".to_owned(), &[2, 3, 1][..]));
    }
}
