//! The limits, and how much of them is used: in all, by account, and by what is known of the endpoints.

use std::collections::HashMap;

use kernel::AccountId;

use super::queue::Standing;

/// How much may be under way at once, and how long a claim must still last to be used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// To all endpoints together.
    pub(crate) in_flight: usize,
    /// To the endpoints of one account.
    pub(crate) account: usize,
    /// To one endpoint.
    pub(crate) endpoint: usize,
}

impl Limits {
    /// What endpoints in doubt may have under way, so that those in good health always have room.
    fn doubtful(&self, standing: Standing) -> usize {
        match standing {
            Standing::Trusted => self.in_flight,
            Standing::New => (self.in_flight / 2).max(1),
            Standing::Suspect => (self.in_flight / 4).max(1),
        }
    }
}

/// A number of deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Being sent.
    pub(super) in_flight: usize,
    /// Claimed and not sent.
    pub(super) waiting: usize,
    /// Wanted by the claim under way.
    pub(super) asked: usize,
}

impl Counts {
    pub(super) const fn held(self) -> usize {
        self.in_flight + self.waiting + self.asked
    }

    const fn unsent(self) -> usize {
        self.waiting + self.asked
    }

    const fn plus(self, other: Self) -> Self {
        Self {
            in_flight: self.in_flight + other.in_flight,
            waiting: self.waiting + other.waiting,
            asked: self.asked + other.asked,
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            in_flight: self.in_flight.saturating_sub(other.in_flight),
            waiting: self.waiting.saturating_sub(other.waiting),
            asked: self.asked.saturating_sub(other.asked),
        }
    }
}

/// A value for each standing.
#[derive(Default)]
pub(super) struct ByStanding<T> {
    trusted: T,
    new: T,
    suspect: T,
}

impl<T> ByStanding<T> {
    pub(super) const fn get(&self, standing: Standing) -> &T {
        match standing {
            Standing::Trusted => &self.trusted,
            Standing::New => &self.new,
            Standing::Suspect => &self.suspect,
        }
    }

    pub(super) const fn get_mut(&mut self, standing: Standing) -> &mut T {
        match standing {
            Standing::Trusted => &mut self.trusted,
            Standing::New => &mut self.new,
            Standing::Suspect => &mut self.suspect,
        }
    }
}

/// How much of the limits is used.
pub(super) struct Tallies {
    limits: Limits,
    pub(super) total: Counts,
    standings: ByStanding<Counts>,
    accounts: HashMap<AccountId, Counts>,
}

impl Tallies {
    pub(super) fn new(limits: Limits) -> Self {
        let (total, standings) = (Counts::default(), ByStanding::default());
        Self { limits, total, standings, accounts: HashMap::new() }
    }

    /// Counts a change of one endpoint of `account`.
    pub(super) fn change(
        &mut self,
        account: AccountId,
        before: (Standing, Counts),
        after: (Standing, Counts),
    ) {
        if before == after {
            return;
        }
        let changed = |counts: Counts| counts.plus(after.1).minus(before.1);
        self.total = changed(self.total);
        let standing = self.standings.get_mut(after.0);
        *standing = standing.plus(after.1);
        let standing = self.standings.get_mut(before.0);
        *standing = standing.minus(before.1);
        let counts = self.accounts.entry(account).or_default();
        *counts = changed(*counts);
        if *counts == Counts::default() {
            self.accounts.remove(&account);
        }
    }

    /// Whether one more delivery may be sent to an endpoint of this standing.
    pub(super) fn may_send(&self, standing: Standing) -> bool {
        let used = self.doubtful(standing).in_flight;
        self.total.in_flight < self.limits.in_flight && used < self.limits.doubtful(standing)
    }

    /// Whether one more delivery may be sent to an endpoint of this account.
    pub(super) fn account_may_send(&self, account: AccountId) -> bool {
        self.account(account).in_flight < self.limits.account
    }

    /// How many more deliveries may be claimed for endpoints of this standing. Those in doubt have nothing
    /// waiting here that could not be sent at once.
    pub(super) fn room(&self, standing: Standing) -> usize {
        let room = self.limits.in_flight.saturating_mul(2).saturating_sub(self.total.unsent());
        if standing == Standing::Trusted {
            return room;
        }
        let used = self.doubtful(standing).held();
        room.min(self.limits.doubtful(standing).saturating_sub(used))
    }

    /// How many more deliveries may be claimed for an account.
    pub(super) fn account_room(&self, account: AccountId) -> usize {
        self.limits.account.saturating_mul(2).saturating_sub(self.account(account).held())
    }

    fn account(&self, account: AccountId) -> Counts {
        self.accounts.get(&account).copied().unwrap_or_default()
    }

    /// What counts against the limit of a standing: suspects against that of new endpoints too.
    fn doubtful(&self, standing: Standing) -> Counts {
        let counts = *self.standings.get(standing);
        match standing {
            Standing::New => counts.plus(*self.standings.get(Standing::Suspect)),
            Standing::Trusted | Standing::Suspect => counts,
        }
    }
}
