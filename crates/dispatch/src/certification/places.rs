//! How much of the engine each account's callers have.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::AccountId;

/// The places taken, by account.
pub(super) type Places = Arc<Mutex<HashMap<AccountId, usize>>>;

/// A place taken; dropping it gives it back.
pub(super) struct Place {
    places: Places,
    account: AccountId,
}

impl Place {
    /// A place, unless the account has `places_max` already.
    pub(super) fn take(places: &Places, account: AccountId, places_max: usize) -> Option<Self> {
        let mut taken = places.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.entry(account).or_default();
        if *own >= places_max {
            return None;
        }
        *own += 1;
        Some(Self { places: Arc::clone(places), account })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.account) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_so_many_places_and_gives_them_back() {
        let (places, one, other) =
            (Places::default(), AccountId::from_u128(1), AccountId::from_u128(2));
        let first = Place::take(&places, one, 2).unwrap();
        let second = Place::take(&places, one, 2).unwrap();
        assert!(Place::take(&places, one, 2).is_none());
        assert!(Place::take(&places, other, 2).is_some());
        drop(first);
        assert!(Place::take(&places, one, 2).is_some());
        drop(second);
        assert!(places.lock().unwrap().is_empty());
    }
}
