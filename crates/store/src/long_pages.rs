//! Accounts whose orders have many lines. On SQLite the usual page is read by the thread that is asked for it, since that is
//! quickest: not where it may have thousands of lines, since others wait for that thread.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use ::orders::Order;
use kernel::AccountId;

/// A page of more lines is long.
const LINES_QUICK: usize = 1_000;
/// How long it is remembered that one was.
const LATELY: Duration = Duration::from_secs(60);
/// Accounts from which on those are forgotten of which that is longer ago.
const ACCOUNTS_USUAL: usize = 1_024;

/// The accounts that have lately read a long page.
#[derive(Debug, Default)]
pub(crate) struct LongPages(Mutex<HashMap<AccountId, Instant>>);

impl LongPages {
    /// Whether an account has lately read one.
    pub(crate) fn has(&self, account: AccountId) -> bool {
        let accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.get(&account).is_some_and(|at| at.elapsed() < LATELY)
    }

    /// Remembers an account whose page this is, if it is long.
    pub(crate) fn note(&self, account: AccountId, page: &[Order]) {
        let lines: usize = page.iter().map(|order| order.items.len()).sum();
        if lines <= LINES_QUICK {
            return;
        }
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if accounts.len() >= ACCOUNTS_USUAL {
            accounts.retain(|_, at| at.elapsed() < LATELY);
        }
        accounts.insert(account, Instant::now());
    }
}
