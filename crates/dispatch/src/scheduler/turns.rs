//! Whose turn it is: accounts go round, and within an account its endpoints do.

use std::collections::{HashMap, HashSet, VecDeque, hash_map::Entry};

use kernel::AccountId;
use webhooks::SubscriptionId;

use super::Key;

/// Endpoints that wait for their turn. One that is taken must be added again to have another.
#[derive(Default)]
pub(super) struct Turns {
    accounts: VecDeque<AccountId>,
    endpoints: HashMap<AccountId, VecDeque<SubscriptionId>>,
    listed: HashSet<Key>,
}

impl Turns {
    /// Puts an endpoint behind the others of its account, unless it waits already.
    pub(super) fn add(&mut self, key: Key) {
        if !self.listed.insert(key) {
            return;
        }
        let (account, subscription) = key;
        let endpoints = self.endpoints.entry(account).or_default();
        if endpoints.is_empty() {
            self.accounts.push_back(account);
        }
        endpoints.push_back(subscription);
    }

    /// Takes out the endpoint whose turn it is, passing over accounts that may not.
    pub(super) fn next(&mut self, may: impl Fn(AccountId) -> bool) -> Option<Key> {
        for _ in 0..self.accounts.len() {
            let account = self.accounts.pop_front()?;
            if !may(account) {
                self.accounts.push_back(account);
                continue;
            }
            let Entry::Occupied(mut endpoints) = self.endpoints.entry(account) else { continue };
            let next = endpoints.get_mut().pop_front();
            if endpoints.get().is_empty() {
                endpoints.remove();
            } else {
                self.accounts.push_back(account);
            }
            if let Some(subscription) = next {
                self.listed.remove(&(account, subscription));
                return Some((account, subscription));
            }
        }
        None
    }

    /// How many accounts have an endpoint that waits.
    pub(super) fn accounts(&self) -> usize {
        self.accounts.len()
    }

    /// How many endpoints of an account wait.
    pub(super) fn endpoints_of(&self, account: AccountId) -> usize {
        self.endpoints.get(&account).map_or(0, VecDeque::len)
    }
}
