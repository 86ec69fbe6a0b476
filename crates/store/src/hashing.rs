//! Threads on which passwords are hashed: few at a time, beside lanes, readers and the event loop.

use std::sync::{Arc, OnceLock};

use engine::Engine;
use kernel::{
    Fault, Pending, Refused, Written,
    threads::{Full, Pool, PoolOptions},
};

/// A hash takes 19 MiB and 20 ms of a processor.
const AT_ONCE: usize = 2;
/// Who comes when so many wait is told to come again.
const WAITING_MAX: usize = 64;

/// What is done beside all else. Its threads are started when somebody signs in for the first time.
#[derive(Default)]
pub(crate) struct Hashing(OnceLock<Option<Pool>>);

impl Hashing {
    /// Does something that hashes, or waits for what was asked of the engine.
    pub(crate) fn run<T, E>(
        &self,
        engine: &Arc<Engine>,
        work: impl FnOnce(&Engine) -> Written<T, E> + Send + 'static,
    ) -> Pending<Written<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let Some(pool) = self.0.get_or_init(start) else {
            let fault = Fault::Unavailable("no thread to hash passwords on".to_owned());
            return Pending::ready(Err(fault.into()));
        };
        let (answer, pending) = Pending::channel();
        let engine = Arc::clone(engine);
        let job = move || {
            let outcome = work(&engine);
            // Whoever is answered may let go of the store, and expects it to be closed then.
            drop(engine);
            answer.send(outcome);
        };
        match pool.run(job) {
            Ok(()) => pending,
            Err(Full) => Pending::ready(Err(Refused::Busy)),
        }
    }
}

fn start() -> Option<Pool> {
    let options = PoolOptions {
        name: "passwords",
        threads: AT_ONCE,
        waiting_max: Some(WAITING_MAX),
        begin: || (),
        panicked: || tracing::error!("hashing a password panicked"),
    };
    Pool::start(options).ok()
}

/// Waits for what was asked of the engine.
pub(crate) fn waited<T>(pending: Pending<T>) -> Result<T, Fault> {
    pending.wait().ok_or_else(|| Fault::Unavailable("the store is closing".to_owned()))
}
