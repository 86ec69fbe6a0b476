//! Rows about placing orders: how many a second, and how long the slowest take.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::shop::Shop;
use crate::benchmark::stage::Stage;
use crate::database::Database;
use crate::disk;
use crate::http::{Request, Response};
use crate::limits::pgbench::Pgbench;
use crate::limits::sqlite_rows::SqliteRows;
use crate::load::Script;
use crate::random::SplitMix64;

pub(crate) const CONNECTIONS: usize = 64;
/// What is measured in turn: a database plans a statement by what it was first executed with, so what comes first tells on
/// what follows.
const SEQUENCES: [([usize; 3], &str); 2] =
    [([CONNECTIONS, 16, 1], "most first"), ([1, 16, CONNECTIONS], "fewest first")];

/// A number of its own for every script, so that no two runs share an idempotency key.
static SCRIPTS: AtomicU64 = AtomicU64::new(0);

/// The fastest way to write the same rows to the same kind of database.
enum Limit {
    Sqlite(RefCell<SqliteRows>),
    Postgres(Pgbench),
}

impl Limit {
    fn prepare(database: &Database, folder: &Path) -> anyhow::Result<Self> {
        Ok(match database {
            Database::Sqlite { .. } => {
                Self::Sqlite(RefCell::new(SqliteRows::prepare(&folder.join("limit.db"))?))
            }
            Database::Postgres { tools, .. } => Self::Postgres(Pgbench::prepare(tools, folder)?),
        })
    }

    fn rate(&self, stage: &Stage<'_>, connections: usize) -> anyhow::Result<f64> {
        match self {
            // One commit for as many orders as can wait for it.
            Self::Sqlite(rows) => rows.borrow_mut().rate(connections, stage.bench.plan.duration()),
            Self::Postgres(pgbench) => pgbench.rate(connections, stage.bench.plan.seconds),
        }
    }

    const fn goal(&self, connections: usize) -> Option<Goal> {
        match (self, connections) {
            (Self::Sqlite(_), 64) => Some(Goal::AtLeast(0.5)),
            (Self::Postgres(_), 64) => Some(Goal::AtLeast(2.0)),
            (Self::Postgres(_), 16) => Some(Goal::AtLeast(1.1)),
            (Self::Postgres(_), 1) => Some(Goal::AtLeast(0.6)),
            _ => None,
        }
    }
}

/// Orders of two lines at three numbers of connections, from the most to the fewest and back, each time by a server that has
/// just started.
pub(crate) fn rates(stage: &mut Stage<'_>) -> anyhow::Result<Vec<Line>> {
    let limit = Limit::prepare(stage.database, &stage.folder)?;
    let mut lines = Vec::new();
    let options = stage.options.clone();
    for (sequence, order) in SEQUENCES {
        stage.restart(&options)?;
        for connections in sequence {
            let script = |_| OrderScript::new(&stage.shop);
            let service = || stage.closed(connections, script);
            let rounds =
                Rounds::alternate(&stage.bench.plan, service, || limit.rate(stage, connections))?;
            let what = format!("POST order of 2 lines, {connections} connections, {order}");
            lines.push(rounds.rate_line(stage, what, limit.goal(connections))?);
            if connections == CONNECTIONS {
                stage.orders_per_second = Some(rounds.rate());
            }
        }
    }
    Ok(lines)
}

/// The slowest hundredth of orders at half the maximum rate, over one durable write.
pub(crate) fn latency(stage: &mut Stage<'_>) -> anyhow::Result<Line> {
    let script = |_| OrderScript::new(&stage.shop);
    let maximum = match stage.orders_per_second {
        Some(rate) => rate,
        None => {
            stage.closed(CONNECTIONS, script)?;
            stage.closed(CONNECTIONS, script)?.tally.rate()
        }
    };
    let half = maximum / 2.0;
    let commit_micros = || Ok(disk::commit_time(&stage.folder)?.as_secs_f64() * 1e6);
    let service = || stage.open(CONNECTIONS, half, script);
    let rounds = Rounds::alternate(&stage.bench.plan, service, commit_micros)?;
    let what = format!("p99 of POST order at {half:.0}/s over fdatasync");
    rounds.latency_line(stage, what, Goal::AtMost(20.0))
}

/// Places orders of two random products, each with a key of its own.
pub(crate) struct OrderScript {
    shop: Arc<Shop>,
    random: SplitMix64,
    script: u64,
    orders: u64,
    key: String,
    body: String,
}

impl OrderScript {
    pub(crate) fn new(shop: &Arc<Shop>) -> Self {
        let script = SCRIPTS.fetch_add(1, Ordering::Relaxed);
        Self {
            shop: Arc::clone(shop),
            random: SplitMix64::new(script),
            script,
            orders: 0,
            key: String::new(),
            body: String::new(),
        }
    }
}

impl Script for OrderScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let products = self.shop.ordered_products();
        let (first, second) = self.random.pair(products.len());
        let id = |index: usize| products.get(index).map_or("", String::as_str);
        self.orders += 1;
        self.key.clear();
        self.body.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.key, "bench-{}-{}", self.script, self.orders);
        let _ = write!(
            self.body,
            r#"{{"customerId":"{}","items":[{{"productId":"{}","quantity":1}},{{"productId":"{}","quantity":1}}]}}"#,
            self.shop.customer_id,
            id(first),
            id(second)
        );
        let path = "/api/v1/orders";
        let mut request = Request::with_body("POST", path, &self.shop.api_key, &self.body);
        request.idempotency_key = Some(&self.key);
        request.render_into(bytes);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = String::from_utf8_lossy(response.body);
        let placed = response.status == 201
            && body.contains("\"status\":\"pending\"")
            && body.contains("\"orderNumber\":\"")
            && body.ends_with('}');
        if placed { Ok(()) } else { Err(format!("not an order: {} {body}", response.status)) }
    }
}
