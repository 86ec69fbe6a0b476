//! Turns at what costs much: the requests of one account wait for each other, not those of others for them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
};

use actix_web::http::header::RETRY_AFTER;
use kernel::{AccountId, message};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{ApiError, Code};

/// Turns that one account has at once, where there are few processors.
const MUCH_MIN: usize = 4;
/// Accounts from which on those without turns are forgotten.
const ACCOUNTS_USUAL: usize = 1_024;

/// The turns of all accounts at one kind of work.
pub(crate) struct Turns {
    /// How many one account has at once.
    own: usize,
    /// How many all have at once, if there is a limit.
    all: Option<Arc<Semaphore>>,
    accounts: Mutex<HashMap<AccountId, Weak<Semaphore>>>,
}

/// A turn, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Turn {
    _own: OwnedSemaphorePermit,
    _of_all: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// Turns at what takes much memory, held for as long as it does: whoever sends or reads slowly keeps a few at once.
    pub(crate) fn at_much() -> Self {
        Self::new(processors().max(MUCH_MIN), None)
    }

    /// Turns at computing, one for each account. Half of the processors compute at once; the others are left to
    /// everybody.
    pub(crate) fn at_computing() -> Self {
        Self::new(1, Some(half_of_processors()))
    }

    fn new(own: usize, all: Option<usize>) -> Self {
        let all = all.map(|all| Arc::new(Semaphore::new(all)));
        Self { own, all, accounts: Mutex::default() }
    }

    /// Waits for a turn. An account that waits keeps one place at most among the others.
    pub(crate) async fn take(&self, account: AccountId) -> Option<Turn> {
        // Semaphores are never closed, and serve in the order in which they were asked.
        let own = self.of(account).acquire_owned().await.ok()?;
        let of_all = match &self.all {
            Some(all) => Some(Arc::clone(all).acquire_owned().await.ok()?),
            None => None,
        };
        Some(Turn { _own: own, _of_all: of_all })
    }

    fn of(&self, account: AccountId) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = accounts.get(&account).and_then(Weak::upgrade) {
            return own;
        }
        if accounts.len() >= ACCOUNTS_USUAL {
            accounts.retain(|_, own| own.strong_count() > 0);
        }
        let own = Arc::new(Semaphore::new(self.own));
        accounts.insert(account, Arc::downgrade(&own));
        own
    }
}

/// The turns at large bodies. While one is received it takes memory, perhaps for long; then its request takes a
/// processor.
pub(crate) struct BodyTurns {
    receiving: Turns,
    handling: Turns,
}

impl BodyTurns {
    pub(crate) fn new() -> Self {
        Self { receiving: Turns::at_much(), handling: Turns::new(half_of_processors(), None) }
    }

    /// Waits for a turn at receiving a body.
    pub(crate) async fn receive(&self, account: AccountId) -> Option<Turn> {
        self.receiving.take(account).await
    }

    /// Waits for a turn at handling the request of one that has been received.
    pub(crate) async fn handle(&self, account: AccountId, received: Turn) -> Option<BodyTurn> {
        let handling = self.handling.take(account).await?;
        Some(BodyTurn { _received: received, _handling: handling })
    }
}

/// A turn at a large body, until its request is answered.
pub(crate) struct BodyTurn {
    _received: Turn,
    _handling: Turn,
}

/// The turn that a request waited for has not come.
pub(crate) fn busy() -> ApiError {
    let message = message!(
        "other lists, large bodies or computations of this account are still under way; wait for them, and send fewer at \
         once",
        "aún están en curso otras listas, cuerpos grandes o cálculos de esta cuenta; espere a que terminen y envíe menos \
         a la vez"
    );
    ApiError::new(Code::RateLimited, message).with(RETRY_AFTER, 1.into())
}

fn half_of_processors() -> usize {
    (processors() / 2).max(1)
}

fn processors() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn account(number: u128) -> AccountId {
        AccountId::from_u128(number)
    }

    fn now(turns: &Turns, number: u128) -> Option<Turn> {
        turns.take(account(number)).now_or_never().flatten()
    }

    #[test]
    fn an_account_waits_for_itself_and_no_other_for_it() {
        let turns = Turns::new(2, None);
        let (first, second) = (now(&turns, 1), now(&turns, 1));
        assert!(first.is_some() && second.is_some());
        assert!(now(&turns, 1).is_none());
        assert!(now(&turns, 2).is_some());
        drop(first);
        assert!(now(&turns, 1).is_some());
    }

    #[test]
    fn who_waits_for_itself_keeps_nobody_from_what_all_share() {
        let turns = Turns::new(1, Some(2));
        let first = now(&turns, 1).unwrap();
        let mut waiting: Vec<_> = (0..9).map(|_| Box::pin(turns.take(account(1)))).collect();
        assert!(waiting.iter_mut().all(|it| it.now_or_never().is_none()));
        let second = now(&turns, 2).unwrap();
        assert!(now(&turns, 3).is_none());
        drop(first);
        assert!(now(&turns, 3).is_some());
        drop(second);
    }

    #[test]
    fn accounts_without_turns_are_forgotten() {
        let turns = Turns::new(1, None);
        let held = now(&turns, 0).unwrap();
        (1..3_000).for_each(|number| drop(now(&turns, number)));
        assert!(turns.accounts.lock().unwrap().len() <= ACCOUNTS_USUAL);
        assert!(now(&turns, 0).is_none(), "a turn that is held is known");
        drop(held);
    }
}
