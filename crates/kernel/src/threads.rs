//! Threads that let others go first, threads that everybody waits for, and a few for work beside all else.

mod pool;

pub use pool::{Full, Pool, PoolOptions};

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

/// How far behind others a thread stands that gives way: it gets a tenth of a processor that both want.
const NICE: i32 = 10;

/// How far before others a thread stands that goes first.
const NICE_FIRST: i32 = -5;

thread_local! {
    static GIVES_WAY: Cell<bool> = const { Cell::new(false) };
    static IS_WAITED_FOR: Cell<bool> = const { Cell::new(false) };
}

static LONG: AtomicU64 = AtomicU64::new(0);
static LONG_MISPLACED: AtomicU64 = AtomicU64::new(0);

/// From now on this thread is given a processor before others that want one, where the system allows it: to root and to who
/// has CAP_SYS_NICE.
pub fn go_first() {
    #[cfg(target_os = "linux")]
    {
        use rustix::{process::setpriority_process, thread::gettid};
        let _ = setpriority_process(Some(gettid()), NICE_FIRST);
    }
}

/// From now on, whatever this thread does waits while the processors are wanted for something else. Costs nothing when
/// it is asked for again.
///
/// Without effect where priorities are those of processes, as POSIX has them: on Linux each thread has its own
/// (setpriority(2)).
pub fn give_way() {
    if GIVES_WAY.replace(true) {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::{process::setpriority_process, thread::gettid};
        // A system that refuses has its reasons, and goes on as before.
        let _ = setpriority_process(Some(gettid()), NICE);
    }
}

/// From now on everybody waits for this thread: one that writes for all accounts, or answers their requests. What takes as
/// long as numbers of a caller say is not to be computed on it.
pub fn everybody_waits() {
    IS_WAITED_FOR.set(true);
}

/// Notes that something is computed that takes as long as numbers of a caller say: rounds of a key, pixels, pages.
pub fn computes_long() {
    LONG.fetch_add(1, Ordering::Relaxed);
    if IS_WAITED_FOR.get() {
        LONG_MISPLACED.fetch_add(1, Ordering::Relaxed);
    }
}

/// How many such computations there were in this process, and how many of them on threads that everybody waits for.
#[must_use]
pub fn long_computations() -> (u64, u64) {
    (LONG.load(Ordering::Relaxed), LONG_MISPLACED.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn long_computations_are_counted_where_they_are_done() {
        let (all, misplaced) = long_computations();
        thread::spawn(computes_long).join().unwrap();
        assert_eq!(long_computations(), (all + 1, misplaced));
        let waited_for = || {
            everybody_waits();
            computes_long();
        };
        thread::spawn(waited_for).join().unwrap();
        assert_eq!(long_computations(), (all + 2, misplaced + 1));
    }
}
