//! Threads that let others go first.

use std::cell::Cell;

/// How far behind others a thread stands that gives way: it gets a tenth of a processor that both want.
const NICE: i32 = 10;

/// How far before others a thread stands that goes first.
const NICE_FIRST: i32 = -5;

thread_local! {
    static GIVES_WAY: Cell<bool> = const { Cell::new(false) };
}

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
