//! The engine on a SQLite file, without any domain.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails loudly, at the line that is wrong"
)]

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use diesel::connection::SimpleConnection;
use engine::{
    AfterCommit, Engine, Failure, Parts, Settings, Tx, Wakeup,
    db::{Db, on},
    readers::Cost,
};
use kernel::{AccountId, Done, Fault, Refused, Written};

/// Remembers who was woken.
#[derive(Default)]
struct Woken(Mutex<Vec<Wakeup>>);

impl AfterCommit for Woken {
    fn committed(&self, wakeups: &BTreeSet<Wakeup>) {
        self.0.lock().unwrap().extend(wakeups);
    }
}

struct World {
    engine: Engine,
    woken: Arc<Woken>,
    _folder: tempfile::TempDir,
}

impl World {
    /// An engine on a database with one table, whose key is unique.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        std::fs::File::create(&path).unwrap();
        let settings = Settings {
            url: format!("sqlite://{}", path.display()),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(2),
            idle_in_transaction_timeout: Duration::from_secs(2),
            writers: 1,
            readers: 1,
            idempotency_retention: Duration::from_secs(60),
            master_keys: Vec::new(),
        };
        let woken = Arc::new(Woken::default());
        let parts = Parts {
            check: |_| Ok(()),
            secrets: &[],
            relaxed_lanes: &[],
            after_commit: woken.clone(),
        };
        let engine = Engine::open(&settings, parts).unwrap();
        let world = Self { engine, woken, _folder: folder };
        world.run("CREATE TABLE things (name TEXT PRIMARY KEY) STRICT").unwrap();
        world
    }

    fn run(&self, sql: &'static str) -> Written<(), ()> {
        self.engine.command(None, move |tx| execute(tx, sql)).wait().unwrap()
    }
}

fn execute(tx: &mut Tx<'_>, sql: &str) -> Result<Done<()>, Failure<()>> {
    on!(&mut *tx.db, |conn| conn.batch_execute(sql))?;
    Ok(Done::now(()))
}

fn due(subject: u128) -> Wakeup {
    Wakeup { queue: "tests", account: AccountId::from_u128(1), subject }
}

#[test]
fn the_same_duplicate_twice_is_an_answer_and_not_tried_for_ever() {
    let world = World::new();
    world.run("INSERT INTO things VALUES ('here')").unwrap();
    let tries = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&tries);
    let refused = world
        .engine
        .command::<(), (), _>(None, move |tx| {
            counted.fetch_add(1, Ordering::Relaxed);
            execute(tx, "INSERT INTO things VALUES ('here')")
        })
        .wait()
        .unwrap();
    assert!(matches!(refused, Err(Refused::Fault(Fault::Internal(_)))), "{refused:?}");
    assert_eq!(tries.load(Ordering::Relaxed), 2);
}

#[test]
fn a_defect_is_not_tried_again() {
    let world = World::new();
    let tries = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&tries);
    let refused = world
        .engine
        .command::<(), (), _>(None, move |tx| {
            counted.fetch_add(1, Ordering::Relaxed);
            execute(tx, "INSERT INTO things VALUES (NULL)")
        })
        .wait()
        .unwrap();
    assert!(matches!(refused, Err(Refused::Fault(Fault::Internal(_)))), "{refused:?}");
    assert_eq!(tries.load(Ordering::Relaxed), 1);
}

#[test]
fn only_what_is_committed_wakes_somebody() {
    let world = World::new();
    let refused = world.engine.command::<(), u8, _>(None, |tx| {
        tx.effects.wake(due(1));
        Err(Refused::Rule(7).into())
    });
    assert!(matches!(refused.wait().unwrap(), Err(Refused::Rule(7))));
    let done = world.engine.command::<(), (), _>(None, |tx| {
        tx.effects.wake(due(2));
        tx.effects.count("things", 3);
        Ok(Done::now(()))
    });
    done.wait().unwrap().unwrap();
    assert_eq!(*world.woken.0.lock().unwrap(), [due(2)]);
    assert_eq!(world.engine.figure("things"), 3);
}

#[test]
fn closing_commits_what_waits_and_refuses_what_comes() {
    let world = World::new();
    let queued: Vec<_> =
        (0..100).map(|_| world.engine.command(None, |tx| execute(tx, "SELECT 1"))).collect();
    world.engine.close();
    assert!(queued.into_iter().all(|pending| pending.wait().is_some_and(|done| done.is_ok())));
    let late = world.run("INSERT INTO things VALUES ('late')");
    assert!(matches!(late, Err(Refused::Fault(Fault::Unavailable(_)))), "{late:?}");
    let read = world.engine.read(Cost::Large, |_: &mut Db| Ok(1)).wait();
    assert!(!matches!(read, Some(Ok(_))), "{read:?}");
    world.engine.close();
}
