//! Threads of their own for what is read of large bodies.
//!
//! What a body was read into is kept by the heap of the thread that read it, so that these are few, and always the same.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use kernel::threads::give_way;
use tokio::sync::oneshot;

use crate::turns::half_of_processors;

type Job = Box<dyn FnOnce() + Send>;

static JOBS: LazyLock<Sender<Job>> = LazyLock::new(start);

/// What `work` reads on one of them, unless it panics. It is done also when nobody waits for it any more.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    JOBS.send(Box::new(move || drop(sender.send(work())))).ok()?;
    receiver.await.ok()
}

fn start() -> Sender<Job> {
    let (sender, receiver) = channel();
    let jobs = Arc::new(Mutex::new(receiver));
    for number in 0..half_of_processors() {
        let jobs = Arc::clone(&jobs);
        let thread = thread::Builder::new().name(format!("bodies-{number}"));
        if let Err(error) = thread.spawn(move || serve(&jobs)) {
            tracing::error!(%error, "a thread that reads bodies could not be started");
        }
    }
    sender
}

fn serve(jobs: &Mutex<Receiver<Job>>) {
    give_way();
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A panic costs its own caller an answer, not everybody a thread.
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            tracing::error!("the reading of a body panicked");
        }
    }
}

#[cfg(test)]
mod tests {
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
