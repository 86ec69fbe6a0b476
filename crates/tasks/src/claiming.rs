//! Claims, and how they are shared fairly.

use std::collections::HashMap;

use kernel::{AccountId, Timestamp};

use crate::task::ClaimId;

/// Longer than any claim.
pub const CLAIM_SECONDS_MAX: i64 = 600;
/// By how much the clocks of nodes may differ. What was recorded later than that was recorded before the clock was set
/// back.
pub const CLOCK_SKEW_SECONDS: i64 = 60;

/// A worker's hold on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What fences it.
    pub id: ClaimId,
    /// When it runs out.
    pub until: Timestamp,
}

/// What a worker has room for, of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// The name of the kind.
    pub kind: &'static str,
    /// The newest version of payloads that it can read.
    pub version: u32,
    /// How many it takes.
    pub room: usize,
    /// How many of one account, together with what it has of that account already.
    pub room_per_account: usize,
    /// What it has of each account already.
    pub busy: HashMap<AccountId, usize>,
}

impl Want {
    /// Accounts of which it takes no more.
    #[must_use]
    pub fn saturated(&self) -> Vec<AccountId> {
        let full = self.busy.iter().filter(|(_, count)| **count >= self.room_per_account);
        full.map(|(account, _)| *account).collect()
    }
}

/// Of what is due, in that order, as much as a worker wants: the accounts take turns, and none gets more than its
/// share.
#[must_use]
pub fn fair<T>(due: Vec<T>, want: &Want, account_of: impl Fn(&T) -> AccountId) -> Vec<T> {
    let mut taken: HashMap<AccountId, usize> = want.busy.clone();
    let mut turns = Vec::new();
    for task in due {
        let turn = taken.entry(account_of(&task)).or_default();
        if *turn < want.room_per_account {
            turns.push((*turn, task));
            *turn += 1;
        }
    }
    // The sort is stable: within a turn the order of what is due stays.
    turns.sort_by_key(|(turn, _)| *turn);
    turns.truncate(want.room);
    turns.into_iter().map(|(_, task)| task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn want(room: usize, room_per_account: usize, busy: &[(u128, usize)]) -> Want {
        let busy = busy.iter().map(|(account, count)| (AccountId::from_u128(*account), *count));
        Want { kind: "a.b", version: 1, room, room_per_account, busy: busy.collect() }
    }

    fn chosen(due: &[(u128, u32)], want: &Want) -> Vec<(u128, u32)> {
        fair(due.to_vec(), want, |(account, _)| AccountId::from_u128(*account))
    }

    #[test]
    fn accounts_take_turns() {
        let due = [(1, 1), (1, 2), (1, 3), (2, 4), (3, 5)];
        assert_eq!(chosen(&due, &want(4, 9, &[])), [(1, 1), (2, 4), (3, 5), (1, 2)]);
    }

    #[test]
    fn no_account_gets_more_than_its_share() {
        let due = [(1, 1), (1, 2), (1, 3), (2, 4)];
        assert_eq!(chosen(&due, &want(9, 2, &[])), [(1, 1), (2, 4), (1, 2)]);
        assert_eq!(chosen(&due, &want(9, 2, &[(1, 1)])), [(2, 4), (1, 1)]);
        assert_eq!(chosen(&due, &want(9, 2, &[(1, 2)])), [(2, 4)]);
        assert_eq!(want(9, 2, &[(1, 2), (2, 1)]).saturated(), [AccountId::from_u128(1)]);
    }

    #[test]
    fn no_room_takes_nothing() {
        assert_eq!(chosen(&[(1, 1)], &want(0, 2, &[])), []);
    }
}
