//! One import: sent, its server killed at one of its steps, started again, worked off beside orders, and audited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time;

use super::audit;
use super::promise::Rows;
use super::step::Step;
use super::table::{Shelf, Table};
use crate::chaos::cycle::Subject;
use crate::chaos::verdict::Verdict;
use crate::chaos::writer::Writer;
use crate::http::{Lost, Request};
use crate::service::client::{Answer, text_field};
use crate::service::{ApiClient, Service};

const WRITERS: usize = 4;
/// Of a writer after each thing done: orders are there all the time, and leave the import room.
const WRITER_PAUSE: Duration = Duration::from_millis(15);
/// The longest that a file is on its way before the server dies.
const ACCEPTING_MS: usize = 60;
/// The same of the reading of a file, once it has begun.
const SCANNING_MS: usize = 30;
/// Rows of the last batches of an import, after which it ends at once.
const LAST_ROWS: u64 = 2_000;
const FINISHING_MS: usize = 20;
/// Rows are done a few thousand at a time, so this is seldom enough to miss the moment.
const LOOK_PAUSE: Duration = Duration::from_millis(2);
/// Longer than the whole of a file takes to be sent and written down.
const SEND_PATIENCE: Duration = Duration::from_secs(120);
/// Longer than the claim of the dead server lasts, and all rows take beside orders.
const END_PATIENCE: Duration = Duration::from_secs(1_200);
/// Files are removed once the end is on record; those that a server has left which died right behind it, once its claim has
/// run out, which lasts ten minutes at most.
const FILES_PATIENCE: Duration = Duration::from_secs(660);

/// A shop whose catalog is imported.
pub(super) struct Importing<'a> {
    pub(super) shop: Subject<'a>,
    pub(super) rows: u64,
    pub(super) verdict: Verdict<Rows>,
    pub(super) shelf: Shelf,
    /// Kills at each step.
    pub(super) kills: [u32; Step::ALL.len()],
    /// Files that no import knows because the server died while they came; they are removed after a day.
    pub(super) orphans: usize,
}

/// Writers that work until they are told to stop.
struct Writers {
    tasks: JoinSet<()>,
    is_over: Arc<AtomicBool>,
}

impl Importing<'_> {
    /// Sends the table of a cycle, kills the server at one of its steps and audits what becomes of it.
    pub(super) async fn cycle(&mut self, cycle: u32, is_last: bool) -> anyhow::Result<()> {
        let table = Table { cycle: u64::from(cycle), rows: self.rows };
        let text = table.text();
        let key = format!("import-{}-{cycle}", self.shop.random.below(usize::MAX));
        let writers = self.writers();
        let answered = match Step::of_cycle(cycle) {
            Step::Accepting => self.killed_while_sending(table, &text, &key).await?,
            step => {
                let answer = self.exchange(table, &text, &key).await;
                let answer = answer.map_err(|lost| anyhow!("sending a table: {}", lost.0))?;
                let id = self.accepted(&answer)?;
                self.wait_for(step, table, &id).await?;
                self.kill()?;
                Some(id)
            }
        };
        writers.stopped().await?;
        let (database, account) = (self.shop.database, self.shop.tenant.account_id.clone());
        let step = Step::on_record(database, &account, self.rows, u64::from(cycle - 1))?;
        if let Some(kills) = self.kills.get_mut(step.index()) {
            *kills += 1;
        }
        self.orphans += usize::from(step == Step::Accepting);
        self.shop.service = Service::start(&self.shop.options)?;
        self.shop.ready_after.push(self.shop.service.ready_after());
        let done = match &answered {
            Some(id) => self.is_kept(table, id).await?,
            None => 0,
        };
        // The answer might have been lost: the same file under the same key is the same import.
        let answer = self.exchange(table, &text, &key).await;
        let answer = answer.map_err(|lost| anyhow!("sending a table again: {}", lost.0))?;
        let id = self.accepted(&answer)?;
        let is_same = answered.as_ref().is_none_or(|answered| *answered == id);
        self.verdict.check(Rows::Accepted, is_same, || format!("{id} repeats {answered:?}"));
        let writers = self.writers();
        let import = self.ended(table, &id, done).await;
        writers.stopped().await?;
        self.shop.settle_and_audit(cycle, is_last).await?;
        let import = import?;
        let expected = self.shelf.take(table);
        audit::counts(&mut self.verdict, &import, expected);
        audit::database(&mut self.verdict, database, &account, (&id, expected), &self.shelf)?;
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

    /// A table as it is sent.
    fn request(&self, table: Table, text: &str, key: &str) -> Vec<u8> {
        let request = Request::with_table(table.path(), &self.shop.tenant.api_key, text);
        Request { idempotency_key: Some(key), ..request }.render()
    }

    async fn exchange(&self, table: Table, text: &str, key: &str) -> Result<Answer, Lost> {
        let request = self.request(table, text, key);
        self.client().waiting(SEND_PATIENCE).exchange(&request).await
    }

    /// The import that an answer to a table tells of.
    fn accepted(&mut self, answer: &Answer) -> anyhow::Result<String> {
        let id = text_field(&answer.json(), "id");
        let is_taken = answer.status == 202 && !id.is_empty();
        self.verdict.check(Rows::Accepted, is_taken, || answer.excerpt());
        ensure!(is_taken, "the table was refused: {}", answer.excerpt());
        Ok(id)
    }

    /// Kills the server while a file is on its way; the import, if it was answered all the same.
    async fn killed_while_sending(
        &mut self,
        table: Table,
        text: &str,
        key: &str,
    ) -> anyhow::Result<Option<String>> {
        let request = self.request(table, text, key);
        let mut client = self.client().waiting(SEND_PATIENCE);
        let sending = tokio::spawn(async move { client.exchange(&request).await });
        let pause = self.shop.random.below(ACCEPTING_MS) as u64;
        time::sleep(Duration::from_millis(pause)).await;
        self.kill()?;
        match sending.await? {
            Ok(answer) => self.accepted(&answer).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Waits until an import has come to a step.
    async fn wait_for(&mut self, step: Step, table: Table, id: &str) -> anyhow::Result<()> {
        let rows = usize::try_from(self.rows)?;
        let wanted = match step {
            Step::Applying => self.shop.random.between(1, rows.max(2) - 1) as u64,
            _ => self.rows.saturating_sub(LAST_ROWS).max(1),
        };
        let began = Instant::now();
        loop {
            ensure!(began.elapsed() < END_PATIENCE, "the import does not come to {step:?}");
            let import = self.shown(table, id).await?;
            let is_there = match step {
                Step::Scanning => text_field(&import, "status") != "queued",
                _ => processed(&import) >= wanted,
            };
            if is_there || has_ended(&import) {
                break;
            }
            time::sleep(LOOK_PAUSE).await;
        }
        let longest = match step {
            Step::Scanning => SCANNING_MS,
            Step::Finishing => FINISHING_MS,
            _ => 1,
        };
        let pause = self.shop.random.below(longest) as u64;
        time::sleep(Duration::from_millis(pause)).await;
        Ok(())
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        ensure!(self.shop.service.is_running()?, "the server ended before it was killed");
        self.shop.service.kill()
    }

    /// What was answered is there; how many of its rows were done.
    async fn is_kept(&mut self, table: Table, id: &str) -> anyhow::Result<u64> {
        let import = self.shown(table, id).await;
        self.verdict.check(Rows::AcceptedIsKept, import.is_ok(), || format!("{id}: {import:?}"));
        Ok(import.map_or(0, |import| processed(&import)))
    }

    async fn shown(&self, table: Table, id: &str) -> anyhow::Result<Value> {
        self.client().get(&format!("{}/{id}", table.path())).await
    }

    /// An import that has ended; it had done so many rows before.
    async fn ended(&mut self, table: Table, id: &str, mut done: u64) -> anyhow::Result<Value> {
        let began = Instant::now();
        loop {
            let import = self.shown(table, id).await?;
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
            time::sleep(LOOK_PAUSE * 50).await;
        }
    }

    async fn files_are_gone(&mut self) -> anyhow::Result<()> {
        let folder = self.shop.options.data_folder.join("files").join("imports");
        let began = Instant::now();
        loop {
            let left = audit::files(&folder)?;
            let are_gone = left.values().sum::<usize>() <= self.orphans
                && left.keys().all(|end| ["", "part"].contains(&end.as_str()));
            if are_gone || began.elapsed() > FILES_PATIENCE {
                let orphans = self.orphans;
                self.verdict.check(Rows::FilesAreGone, are_gone, || {
                    format!("{left:?}, of which {orphans} may be left")
                });
                return Ok(());
            }
            time::sleep(LOOK_PAUSE * 50).await;
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
