//! Threads of their own for what is read of large bodies.
//!
//! What a body was read into is kept by the heap of the thread that read it, so that these are few, and always the same.

use std::sync::LazyLock;

use kernel::threads::{Pool, PoolOptions, give_way};
use tokio::sync::oneshot;

use crate::turns::half_of_processors;

static POOL: LazyLock<Option<Pool>> = LazyLock::new(start);

/// What `work` reads on one of them, unless it panics. It is done also when nobody waits for it any more.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    let pool = POOL.as_ref()?;
    pool.run(move || drop(sender.send(work()))).ok()?;
    receiver.await.ok()
}

fn start() -> Option<Pool> {
    let options = PoolOptions {
        name: "bodies",
        threads: half_of_processors(),
        waiting_max: None,
        begin: give_way,
        panicked: || tracing::error!("the reading of a body panicked"),
    };
    let started = Pool::start(options);
    if let Err(error) = &started {
        tracing::error!(%error, "threads that read bodies could not be started");
    }
    started.ok()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[actix_web::test]
    async fn a_panic_costs_its_own_caller_an_answer_and_nobody_else_one() {
        for number in 0..2 * half_of_processors() {
            assert_eq!(run(|| -> usize { panic!("a body that cannot be read") }).await, None);
            assert_eq!(run(move || number).await, Some(number));
        }
    }

    #[actix_web::test]
    async fn it_is_always_the_same_few_threads() {
        let mut threads = Vec::new();
        for _ in 0..9 {
            let thread = run(|| thread::current().name().map(str::to_owned)).await.flatten();
            threads.push(thread.expect("they have names"));
        }
        threads.sort();
        threads.dedup();
        assert!(threads.len() <= half_of_processors(), "{threads:?}");
        assert!(threads.iter().all(|name| name.starts_with("bodies-")), "{threads:?}");
    }
}
