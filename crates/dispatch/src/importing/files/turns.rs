//! Turns at sending files: what is on its way is bounded, too, before it is on record.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::AccountId;

/// So many files of an account are on their way at once,
const OF_ACCOUNT_MAX: usize = 4;
/// and so many of all of them.
const OF_ALL_MAX: usize = 32;

/// How many files are on their way, by account.
#[derive(Default)]
pub(super) struct Turns(Mutex<HashMap<AccountId, usize>>);

/// A turn of an account, given back when it is dropped.
pub(super) struct Turn {
    of: Arc<Turns>,
    account: AccountId,
}

impl Turns {
    /// A turn, if there is one.
    pub(super) fn take(self: &Arc<Self>, account: AccountId) -> Option<Turn> {
        let mut under_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, own) = (under_way.values().sum::<usize>(), under_way.get(&account).copied());
        let own = own.unwrap_or_default();
        if all >= OF_ALL_MAX || own >= OF_ACCOUNT_MAX {
            return None;
        }
        let _ = under_way.insert(account, own + 1);
        Some(Turn { of: Arc::clone(self), account })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut under_way = self.of.0.lock().unwrap_or_else(PoisonError::into_inner);
        match under_way.get_mut(&self.account) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(under_way.remove(&self.account)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_and_all_of_them_send_so_much_at_once() {
        let (turns, account) = (Arc::new(Turns::default()), AccountId::from_u128);
        let mut own: Vec<_> = (0..OF_ACCOUNT_MAX).map(|_| turns.take(account(1))).collect();
        assert!(own.iter().all(Option::is_some) && turns.take(account(1)).is_none());
        drop(own.pop());
        own.push(turns.take(account(1)));
        assert!(own.iter().all(Option::is_some) && turns.take(account(1)).is_none());
        let others = OF_ALL_MAX - OF_ACCOUNT_MAX;
        let others: Vec<_> = (2..).take(others).map(|number| turns.take(account(number))).collect();
        assert!(others.iter().all(Option::is_some) && turns.take(account(1_000)).is_none());
        drop((own, others));
        assert!(turns.take(account(1)).is_some() && turns.0.lock().unwrap().is_empty());
    }
}
