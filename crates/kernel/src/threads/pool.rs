//! Work beside all else, on a few threads of its own.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

type Job = Box<dyn FnOnce() + Send>;

/// A few threads, always the same, that do one job after the other for as long as this lives.
pub struct Pool(Sender<Job>);

/// How a [`Pool`] is made.
#[derive(Clone, Copy, Debug)]
pub struct PoolOptions {
    /// What its threads are called, each with its number behind it.
    pub name: &'static str,
    /// How many threads it has.
    pub threads: usize,
    /// How many jobs may wait, if not any number.
    pub waiting_max: Option<usize>,
    /// What each thread does first.
    pub begin: fn(),
    /// What is done when a job panics.
    pub panicked: fn(),
}

/// So many jobs wait as may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system does not give all of them.
    pub fn start(options: PoolOptions) -> io::Result<Self> {
        let (sender, receiver) = options.waiting_max.map_or_else(unbounded, bounded);
        for number in 0..options.threads {
            let jobs = receiver.clone();
            let thread = thread::Builder::new().name(format!("{}-{number}", options.name));
            thread.spawn(move || serve(&jobs, options))?;
        }
        Ok(Self(sender))
    }

    /// Has a job done as soon as a thread is free for it.
    ///
    /// # Errors
    /// [`Full`], and nothing is done.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        self.0.try_send(Box::new(job)).map_err(|_| Full)
    }
}

fn serve(jobs: &Receiver<Job>, PoolOptions { begin, panicked, .. }: PoolOptions) {
    begin();
    for job in jobs {
        // A panic costs its own caller an answer, not everybody a thread.
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            panicked();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::{
            atomic::{AtomicUsize, Ordering},
            mpsc::channel,
        },
    };

    use super::*;

    const OPTIONS: PoolOptions =
        PoolOptions { name: "pool", threads: 2, waiting_max: None, begin: || (), panicked: || () };

    #[test]
    fn a_few_threads_do_all_jobs() {
        let pool = Pool::start(OPTIONS).unwrap();
        let (sender, receiver) = channel();
        for _ in 0..9 {
            let sender = sender.clone();
            let name = move || drop(sender.send(thread::current().name().map(str::to_owned)));
            pool.run(name).unwrap();
        }
        let names: BTreeSet<_> = receiver.iter().take(9).map(Option::unwrap).collect();
        assert!(names.iter().all(|name| name == "pool-0" || name == "pool-1"), "{names:?}");
    }

    #[test]
    fn a_panic_costs_no_thread() {
        static PANICS: AtomicUsize = AtomicUsize::new(0);
        let panicked = || {
            let _ = PANICS.fetch_add(1, Ordering::Relaxed);
        };
        let pool = Pool::start(PoolOptions { threads: 1, panicked, ..OPTIONS }).unwrap();
        let (sender, receiver) = channel();
        for _ in 0..3 {
            pool.run(|| panic!("a job that cannot be done")).unwrap();
        }
        pool.run(move || sender.send(()).unwrap()).unwrap();
        receiver.recv().unwrap();
        assert_eq!(PANICS.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn no_more_wait_than_may() {
        let options = PoolOptions { threads: 1, waiting_max: Some(1), ..OPTIONS };
        let pool = Pool::start(options).unwrap();
        let (begun, has_begun) = channel();
        let (go_on, goes_on) = channel::<()>();
        let hold = move || {
            begun.send(()).unwrap();
            let _ = goes_on.recv();
        };
        pool.run(hold).unwrap();
        has_begun.recv().unwrap();
        assert_eq!(pool.run(|| ()), Ok(()));
        assert_eq!(pool.run(|| ()), Err(Full));
        drop(go_on);
    }
}
