//! One import: sent, its server killed on the way, started again, worked off beside orders, and audited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time;

use super::audit::{self, Done};
use super::promise::Rows;
use super::table::Table;
use crate::chaos::cycle::Subject;
use crate::chaos::verdict::Verdict;
use crate::chaos::writer::Writer;
use crate::http::Request;
use crate::service::client::text_field;
use crate::service::{ApiClient, Service};

const WRITERS: usize = 4;
/// Of a writer after each thing done: orders are there all the time, and leave the import room.
const WRITER_PAUSE: Duration = Duration::from_millis(15);
/// Of so many kills one comes before the first row is done.
const EARLY_KILLS: usize = 5;
const EARLY_MS: usize = 400;
/// Rows are done a few thousand at a time, so this is seldom enough to miss the moment.
const LOOK_PAUSE: Duration = Duration::from_millis(4);
/// Longer than the whole of a file takes to be sent and written down.
const SEND_PATIENCE: Duration = Duration::from_secs(120);
/// Longer than the claim of the dead server lasts, and all rows take beside orders.
const END_PATIENCE: Duration = Duration::from_secs(1_200);
/// Files are removed once the end is on record.
const FILES_PATIENCE: Duration = Duration::from_secs(20);

/// A shop whose catalog is imported.
pub(super) struct Importing<'a> {
    pub(super) shop: Subject<'a>,
    pub(super) rows: u64,
    pub(super) verdict: Verdict<Rows>,
    pub(super) done: Done,
    /// Kills before the first row was done, between rows, and after the last.
    pub(super) kills: [u32; 3],
}

/// Writers that work until they are told to stop.
struct Writers {
    tasks: JoinSet<()>,
    is_over: Arc<AtomicBool>,
}

impl Importing<'_> {
    /// Sends the table of a cycle, kills the server on the way and audits what becomes of it.
    pub(super) async fn cycle(&mut self, cycle: u32, is_last: bool) -> anyhow::Result<()> {
        let table = Table { cycle: u64::from(cycle), rows: self.rows };
        let text = table.text();
        let key = format!("import-{}-{cycle}", self.shop.random.below(usize::MAX));
        let writers = self.writers();
        let id = self.send(&text, &key).await?;
        let done = self.killed_on_the_way(&id).await?;
        writers.stopped().await?;
        self.shop.service = Service::start(&self.shop.options)?;
        self.shop.ready_after.push(self.shop.service.ready_after());
        // The answer might have been lost: the same file under the same key is the same import.
        let again = self.send(&text, &key).await?;
        self.verdict.check(Rows::Accepted, again == id, || format!("{again} repeats {id}"));
        let writers = self.writers();
        let import = self.ended(&id, done).await;
        writers.stopped().await?;
        self.shop.settle_and_audit(cycle, is_last).await?;
        let import = import?;
        let expected = table.expected();
        audit::counts(&mut self.verdict, &import, expected);
        self.done.created += expected.created;
        self.done.updated += expected.updated;
        let account = self.shop.tenant.account_id.clone();
        let database = self.shop.database;
        audit::database(&mut self.verdict, database, &account, (&id, expected), self.done)?;
        self.files_are_gone().await
    }

    fn client(&self) -> ApiClient {
        ApiClient::new(self.shop.service.address(), &self.shop.tenant.api_key)
    }

    fn writers(&mut self) -> Writers {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        for _ in 0..WRITERS {
            let writer = Writer {
                client: self.client(),
                twin: self.client(),
                book: Arc::clone(&self.shop.book),
                random: self.shop.random.fork(),
                pause: WRITER_PAUSE,
                server_killed: Arc::clone(&is_over),
            };
            tasks.spawn(writer.work());
        }
        Writers { tasks, is_over }
    }

    /// Sends a table; the import's identifier.
    async fn send(&mut self, text: &str, key: &str) -> anyhow::Result<String> {
        let path = "/api/v1/products/imports";
        let request = Request::with_table(path, &self.shop.tenant.api_key, text);
        let request = Request { idempotency_key: Some(key), ..request }.render();
        let answer = self.client().waiting(SEND_PATIENCE).exchange(&request).await;
        let answer = answer.map_err(|lost| anyhow!("sending a table: {}", lost.0))?;
        let id = text_field(&answer.json(), "id");
        let is_taken = answer.status == 202 && !id.is_empty();
        self.verdict.check(Rows::Accepted, is_taken, || answer.excerpt());
        ensure!(is_taken, "the table was refused: {}", answer.excerpt());
        Ok(id)
    }

    /// Kills the server at a moment of the import that is drawn; how many rows were done at last.
    async fn killed_on_the_way(&mut self, id: &str) -> anyhow::Result<u64> {
        let mut done = 0;
        if self.shop.random.below(EARLY_KILLS) == 0 {
            let pause = self.shop.random.below(EARLY_MS) as u64;
            time::sleep(Duration::from_millis(pause)).await;
            done = processed(&self.shown(id).await?);
        } else {
            let rows = usize::try_from(self.rows)?;
            let wanted = self.shop.random.between(1, rows.max(2) - 1) as u64;
            let began = Instant::now();
            while done < wanted {
                ensure!(
                    began.elapsed() < END_PATIENCE,
                    "the import does not come to {wanted} rows"
                );
                let import = self.shown(id).await?;
                done = processed(&import);
                if has_ended(&import) {
                    break;
                }
                time::sleep(LOOK_PAUSE).await;
            }
        }
        ensure!(self.shop.service.is_running()?, "the server ended before it was killed");
        self.shop.service.kill()?;
        let kind = if done == 0 { 0 } else { 1 + usize::from(done >= self.rows) };
        if let Some(kills) = self.kills.get_mut(kind) {
            *kills += 1;
        }
        Ok(done)
    }

    async fn shown(&self, id: &str) -> anyhow::Result<Value> {
        self.client().get(&format!("/api/v1/products/imports/{id}")).await
    }

    /// An import that has ended; it had done so many rows before.
    async fn ended(&mut self, id: &str, mut done: u64) -> anyhow::Result<Value> {
        let began = Instant::now();
        loop {
            let import = self.shown(id).await?;
            let now = processed(&import);
            self.verdict.check(Rows::ProgressGoesForward, now >= done, || {
                format!("{done} rows were done: {import}")
            });
            done = now;
            let (has_ended, is_late) = (has_ended(&import), began.elapsed() > END_PATIENCE);
            if has_ended || is_late {
                self.verdict.check(Rows::Ends, has_ended, || import.to_string());
                if is_late {
                    bail!("the import does not end: {import}");
                }
                return Ok(import);
            }
            time::sleep(LOOK_PAUSE * 25).await;
        }
    }

    async fn files_are_gone(&mut self) -> anyhow::Result<()> {
        let folder = self.shop.options.data_folder.join("files").join("imports");
        let began = Instant::now();
        loop {
            let left = audit::files(&folder)?;
            if left.is_empty() || began.elapsed() > FILES_PATIENCE {
                self.verdict.check(Rows::FilesAreGone, left.is_empty(), || format!("{left:?}"));
                return Ok(());
            }
            time::sleep(LOOK_PAUSE * 25).await;
        }
    }
}

impl Writers {
    async fn stopped(mut self) -> anyhow::Result<()> {
        self.is_over.store(true, Ordering::Relaxed);
        while let Some(ended) = self.tasks.join_next().await {
            ended?;
        }
        Ok(())
    }
}

fn processed(import: &Value) -> u64 {
    import.get("processed").and_then(Value::as_u64).unwrap_or_default()
}

fn has_ended(import: &Value) -> bool {
    import.get("endedAt").is_some_and(|ended| !ended.is_null())
}
