//! Keys whose request is being answered at this moment, in this process.
//!
//! Whoever repeats a request while it is under way waits for it, and then finds its kept answer; whoever
//! would wait for too long is told so.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kernel::{AccountId, message};
use tokio::{sync::OwnedMutexGuard, time::timeout};

use crate::error::{ApiError, Code};

/// A key with everything that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Holder {
    pub(crate) account: AccountId,
    pub(crate) operation: String,
    pub(crate) key: String,
}

type Turns = HashMap<Holder, Arc<tokio::sync::Mutex<()>>>;

/// The keys under way.
#[derive(Default)]
pub(crate) struct UnderWay {
    turns: Mutex<Turns>,
}

/// A key under way: nobody else's request under it is answered until this is dropped.
pub(crate) struct Held {
    all: Arc<UnderWay>,
    holder: Holder,
    turn: Option<OwnedMutexGuard<()>>,
}

impl UnderWay {
    /// Takes the key, after whoever holds it.
    ///
    /// # Errors
    /// `idempotency_key_in_use` when that takes longer than `limit`.
    pub(crate) async fn hold(
        self: &Arc<Self>,
        holder: Holder,
        limit: Duration,
    ) -> Result<Held, ApiError> {
        let turn = Arc::clone(self.turns().entry(holder.clone()).or_default());
        let mut held = Held { all: Arc::clone(self), holder, turn: None };
        // Dropping what is held, also when it never came to be, forgets a key that nobody waits for.
        held.turn = Some(timeout(limit, turn.lock_owned()).await.map_err(|_| in_use())?);
        Ok(held)
    }

    fn turns(&self) -> std::sync::MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.turn.take());
        let mut turns = self.all.turns();
        // One is the map's own; whoever holds or awaits the key has another.
        if turns.get(&self.holder).is_some_and(|turn| Arc::strong_count(turn) == 1) {
            turns.remove(&self.holder);
        }
    }
}

fn in_use() -> ApiError {
    let message = message!(
        "a request with this Idempotency-Key is still under way; try again shortly",
        "una solicitud con esta Idempotency-Key sigue en curso; intente de nuevo en breve"
    );
    ApiError::new(Code::IdempotencyKeyInUse, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(key: &str) -> Holder {
        let account = AccountId::from_u128(1);
        Holder { account, operation: "POST /orders".to_owned(), key: key.to_owned() }
    }

    #[tokio::test]
    async fn a_twin_waits_its_turn_and_no_longer_than_it_may() {
        let all = Arc::new(UnderWay::default());
        let (limit, moment) = (Duration::from_secs(5), Duration::from_millis(20));
        let first = all.hold(holder("k"), limit).await.ok().unwrap();
        assert!(all.hold(holder("other"), limit).await.is_ok(), "keys do not wait for others");

        let refused = all.hold(holder("k"), moment).await.err().unwrap();
        assert_eq!(refused.code, Code::IdempotencyKeyInUse);

        let twin = tokio::spawn({
            let all = Arc::clone(&all);
            async move { all.hold(holder("k"), limit).await.is_ok() }
        });
        tokio::time::sleep(moment).await;
        assert!(!twin.is_finished());
        drop(first);
        assert!(twin.await.unwrap());
        assert!(all.turns().is_empty(), "nothing is remembered of what is over");
    }
}
