//! Stampings that were begun here and are with their provider: recording what comes of them need not read them again.
//!
//! Nothing depends on it. What is recorded rests on the rows being as they are remembered; what is not remembered is read.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use ::invoices::{Invoice, InvoiceId};
use ::tasks::{ClaimId, Task};
use kernel::{AccountId, Timestamp};

/// How many are remembered.
const REMEMBERED_MAX: usize = 1_024;

/// A stamping as it was reserved.
#[derive(Clone, Debug)]
pub(crate) struct Begun<T> {
    pub(crate) subject: T,
    pub(crate) task: Task,
}

/// Stampings that are remembered.
#[derive(Debug)]
pub(crate) struct UnderWay<T = Invoice>(Mutex<HashMap<(AccountId, InvoiceId), Begun<T>>>);

impl<T> Default for UnderWay<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> UnderWay<T> {
    /// Remembers one. Whenever there are twice as many those are forgotten whose claim has run out: somebody else goes on with
    /// them.
    pub(crate) fn remember(&self, id: InvoiceId, begun: Begun<T>, now: Timestamp) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len().is_power_of_two() {
            all.retain(|_, begun| begun.task.is_held(now));
        }
        if all.len() < REMEMBERED_MAX {
            all.insert((begun.task.account, id), begun);
        }
    }

    /// Takes out what is remembered of an invoice, if it is with whoever holds this claim.
    pub(crate) fn take(
        &self,
        account: AccountId,
        invoice: InvoiceId,
        claim: ClaimId,
    ) -> Option<Begun<T>> {
        let begun =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&(account, invoice));
        begun.filter(|begun| begun.task.claim.is_some_and(|own| own.id == claim))
    }
}

#[cfg(test)]
mod tests {
    use ::tasks::{Claim, NewTask, Payload, TaskId, kind::STAMP};

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_795_000_000_000_000);

    /// Remembers a stamping of the account's invoice of that number.
    fn remember(all: &UnderWay<()>, number: u128, until: Timestamp, now: Timestamp) {
        let account = AccountId::from_u128(1);
        let claim = Claim { id: ClaimId::from_u128(number), until };
        let new = NewTask {
            kind: STAMP.name,
            subject: number.to_string(),
            exclusive_key: None,
            payload: Payload::none(),
            due_at: NOW,
            claim: Some(claim),
        };
        let task = Task::open(account, TaskId::from_u128(number), new, NOW);
        all.remember(InvoiceId::from_u128(number), Begun { subject: (), task }, now);
    }

    fn take(all: &UnderWay<()>, number: u128) -> Option<Begun<()>> {
        let (id, claim) = (InvoiceId::from_u128(number), ClaimId::from_u128(number));
        all.take(AccountId::from_u128(1), id, claim)
    }

    #[test]
    fn a_stamping_is_remembered_once_and_for_its_claim_alone() {
        let all = UnderWay::default();
        remember(&all, 1, NOW.plus_seconds(60), NOW);
        assert!(take(&all, 1).is_some());
        assert!(take(&all, 1).is_none());
        remember(&all, 2, NOW.plus_seconds(60), NOW);
        let (account, other) = (AccountId::from_u128(1), ClaimId::from_u128(9));
        assert!(all.take(account, InvoiceId::from_u128(2), other).is_none());
    }

    #[test]
    fn those_whose_claim_has_run_out_make_room() {
        let all = UnderWay::default();
        let max = REMEMBERED_MAX as u128;
        for number in 0..max {
            let seconds = if number == 0 { 10 } else { 60 };
            remember(&all, number, NOW.plus_seconds(seconds), NOW);
        }
        remember(&all, max, NOW.plus_seconds(60), NOW);
        assert!(take(&all, max).is_none(), "there is no room");
        remember(&all, max, NOW.plus_seconds(60), NOW.plus_seconds(20));
        assert!(take(&all, max).is_some() && take(&all, 0).is_none() && take(&all, 1).is_some());
    }
}
