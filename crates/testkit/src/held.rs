//! A transaction of somebody else that is left open, so that what a test starts waits where it wants it to.

use std::{
    thread,
    time::{Duration, Instant},
};

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl,
    connection::{Instrumentation, SimpleConnection},
    sql_query,
    sql_types::BigInt,
};

use crate::{Database, DatabaseKind};

/// How long a test waits for somebody to wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sessions that wait for this one, and those that wait for them.
const WAITERS: &str = "WITH RECURSIVE w (pid) AS (SELECT pg_backend_pid() UNION SELECT l.pid FROM pg_locks l, w \
    WHERE NOT l.granted AND w.pid = ANY(pg_blocking_pids(l.pid))) SELECT COUNT(*) - 1 AS waiters FROM w";

#[derive(QueryableByName)]
struct Waiters {
    #[diesel(sql_type = BigInt)]
    waiters: i64,
}

/// What is locked until it is dropped.
pub struct Held(PgConnection);

impl Database {
    /// Holds what a statement locks on PostgreSQL.
    ///
    /// # Panics
    /// On SQLite, where one writer at a time has everything.
    #[must_use]
    pub fn hold(&self, sql: &str) -> Held {
        assert_eq!(self.kind, DatabaseKind::Postgres);
        let mut conn = PgConnection::establish(&self.url).expect("the database opens");
        conn.set_instrumentation(None::<Box<dyn Instrumentation>>);
        conn.batch_execute(&format!("BEGIN; {sql}")).expect("it is locked");
        Held(conn)
    }
}

impl Held {
    /// Waits until so many sessions wait for it, or something is over.
    ///
    /// # Panics
    /// When neither happens.
    pub fn wait_for(&mut self, sessions: i64, is_over: impl Fn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while self.waiters() < sessions && !is_over() {
            assert!(Instant::now() < deadline, "nobody waits");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Goes on in the same transaction.
    ///
    /// # Panics
    /// When the database refuses, as where two wait for each other.
    pub fn go_on(&mut self, sql: &str) {
        self.0.batch_execute(sql).expect("the transaction goes on");
    }

    /// Lets it happen.
    ///
    /// # Panics
    /// When the database refuses.
    pub fn commit(mut self) {
        self.go_on("COMMIT");
    }

    fn waiters(&mut self) -> i64 {
        let counted = sql_query(WAITERS).get_result::<Waiters>(&mut self.0);
        counted.expect("the locks are listed").waiters
    }
}
