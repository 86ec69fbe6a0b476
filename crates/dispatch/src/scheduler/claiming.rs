//! What to claim, and where to put what was claimed.

use std::{collections::HashMap, sync::Arc};

use kernel::AccountId;
use webhooks::{Claim, Claimed, Endpoint, SubscriptionId, Unsent, Want};

use super::{
    Key, Scheduler,
    queue::{Standing, Waiting},
    tallies::ByStanding,
};

/// Deliveries wanted by one claim at most.
const CLAIM_MAX: usize = 256;

/// How much of one claim is whose.
#[derive(Default)]
struct Share {
    /// An account's, for all its endpoints.
    account: usize,
    /// An endpoint's at least. A healthy one has two: most often one delivery is due, and wanting a single
    /// one would leave open whether there are more.
    least: usize,
    /// What accounts have left of it.
    left: HashMap<AccountId, usize>,
}

impl Scheduler {
    /// What to claim now; nothing when nobody has both something due and room. Those that are named are
    /// not named again before [`Scheduler::claimed`] or [`Scheduler::claim_failed`].
    pub(crate) fn wants(&mut self) -> Vec<Want> {
        let mut left = CLAIM_MAX;
        let mut wants = Vec::new();
        let mut shares = self.shares();
        while left > 0
            && let Some((standing, key)) = self.next_asking()
        {
            let share = shares.get_mut(standing);
            let for_account = share.left.entry(key.0).or_insert(share.account);
            let others = self.asking.get(standing).endpoints_of(key.0);
            let most = [
                left,
                (*for_account / (others + 1)).max(share.least),
                self.tallies.room(standing),
                self.tallies.account_room(key.0),
            ];
            let most = most.into_iter().min().unwrap_or(0);
            let asked = self.change(key, |queue, _| {
                let wanted = queue.standing == standing && queue.wants_more();
                let asked = if wanted { queue.room().min(most) } else { 0 };
                queue.asked += asked;
                asked
            });
            let asked = asked.unwrap_or(0);
            if asked == 0 {
                // Its standing has changed since it was listed, or it wants nothing any more.
                self.list_asking(key);
                continue;
            }
            let (account, subscription) = key;
            wants.push(Want { account, subscription, room: u32::try_from(asked).unwrap_or(0) });
            *for_account = for_account.saturating_sub(asked);
            left -= asked;
        }
        wants
    }

    /// Takes in what the store gave for `wants`, and gives what is to be given back.
    #[must_use = "to be given back"]
    pub(crate) fn claimed(&mut self, wants: &[Want], claim: Claim) -> Vec<Unsent> {
        let Claim { id, until, endpoints, deliveries } = claim;
        let endpoints: HashMap<SubscriptionId, Arc<Endpoint>> = endpoints
            .into_iter()
            .map(|endpoint| (endpoint.subscription, Arc::new(endpoint)))
            .collect();
        let known = |delivery: &&Claimed| endpoints.contains_key(&delivery.subscription);
        let mut given: HashMap<Key, usize> = HashMap::new();
        // Those without an endpoint are given back: to ask for them again at once would go on for ever.
        for delivery in deliveries.iter().filter(known) {
            *given.entry((delivery.account, delivery.subscription)).or_default() += 1;
        }
        for want in wants {
            let key = (want.account, want.subscription);
            let given = given.get(&key).copied().unwrap_or(0);
            self.update(key, |queue, _| {
                // Fewer than wanted: there are no more, but for those that came meanwhile.
                queue.due = queue.hinted || given >= queue.asked;
                (queue.asked, queue.hinted) = (0, false);
            });
        }
        let mut unplaced = Vec::new();
        for delivery in deliveries {
            let key = (delivery.account, delivery.subscription);
            let Some(endpoint) = endpoints.get(&delivery.subscription) else {
                let (account, subscription) = key;
                let delivery = delivery.delivery;
                unplaced.push(Unsent { account, subscription, delivery, claim: id });
                continue;
            };
            self.know(key);
            self.update(key, |queue, _| {
                queue.endpoint = Some(Arc::clone(endpoint));
                queue.waiting.push_back(Waiting { claim: id, until, delivery });
            });
        }
        unplaced
    }

    /// The store gave no answer: all are still wanted.
    pub(crate) fn claim_failed(&mut self, wants: &[Want]) {
        for want in wants {
            self.update((want.account, want.subscription), |queue, _| {
                (queue.asked, queue.hinted) = (0, false);
            });
        }
    }

    /// How much each may want when many do.
    fn shares(&self) -> ByStanding<Share> {
        let mut shares = ByStanding::default();
        for standing in Standing::EVERY {
            let room = self.tallies.room(standing).min(CLAIM_MAX);
            let account = room / self.asking.get(standing).accounts().max(1);
            let least = if standing == Standing::Trusted { 2 } else { 1 };
            *shares.get_mut(standing) = Share { account, least, left: HashMap::new() };
        }
        shares
    }

    fn next_asking(&mut self) -> Option<(Standing, Key)> {
        for _ in Standing::EVERY {
            let standing = self.next_standing();
            if self.tallies.room(standing) > 0 {
                let may = |account| self.tallies.account_room(account) > 0;
                if let Some(key) = self.asking.get_mut(standing).next(may) {
                    return Some((standing, key));
                }
            }
        }
        None
    }
}
