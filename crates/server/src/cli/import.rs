//! `trastienda import`.

use std::{
    fs::File,
    io::{IsTerminal, Read, Write, stderr},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use api::{Clock, SystemClock};
use clap::{Args, Subcommand};
use dispatch::KeptFiles;
use imports::{
    Import, ImportFiles, ImportId, ImportKind, ImportOptions, ImportRefusal, ImportState, Imports,
    KeptFile, Mode, NewImport, NotKept,
};
use kernel::{AccountId, Ctx, PageRequest, Refused};
use ring::digest::{Context as Digest, SHA256};
use store::Store;

use super::open;
use crate::{
    answers::{outcome, read, waited},
    output,
    settings::Settings,
};

/// Bytes that are copied at once.
const PIECE_BYTES: usize = 1 << 20;
/// Between two looks at how far an import is.
const LOOK_PAUSE: Duration = Duration::from_millis(200);
/// How long an import may wait, and how long it may stand still, before it is said that a service has to run. The claim of
/// one that was killed is another's after half a minute.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(45));
/// Characters of the bar.
const BAR_CHARS: u64 = 30;
/// Errors that are shown.
const SHOWN_ERRORS: u32 = 10;

/// What is imported.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Import a table of products: CSV, JSON Lines or .xlsx
    ///
    /// The running service works it off; this shows how far it is. Ends with 1 if the import fails or rows are
    /// refused, but for a dry run. The same command again goes on watching.
    #[command(after_help = "\
Examples:
  trastienda import products catalogo.csv --account acc_01J... --dry-run
  trastienda import products catalogo.xlsx --account acc_01J... --mode update")]
    Products(RecordsFile),
    /// Import a table of customers: CSV, JSON Lines or .xlsx
    ///
    /// The running service works it off; this shows how far it is. Ends with 1 if the import fails or rows are
    /// refused, but for a dry run. The same command again goes on watching.
    #[command(after_help = "\
Examples:
  trastienda import customers clientes.csv --account acc_01J... --dry-run")]
    Customers(RecordsFile),
    /// Import a table of what lies in warehouses: CSV, JSON Lines or .xlsx
    ///
    /// The running service works it off; this shows how far it is. Ends with 1 if the import fails or rows are
    /// refused, but for a dry run. The same command again goes on watching.
    #[command(after_help = "\
Examples:
  trastienda import stock conteo.csv --account acc_01J...")]
    Stock(TableFile),
}

/// A file of records, and how it is imported.
#[derive(Args, Debug)]
pub struct RecordsFile {
    #[command(flatten)]
    table: TableFile,
    /// What becomes of rows whose record is there, or is not: upsert, create or update
    #[arg(long, default_value = "upsert", value_parser = mode)]
    mode: Mode,
}

/// A file of rows.
#[derive(Args, Debug)]
pub struct TableFile {
    /// The file
    file: PathBuf,
    /// Account that it is for
    #[arg(long, value_name = "ACCOUNT", value_parser = super::command::account_id)]
    account: AccountId,
    /// Write nothing, and say what would become of the rows
    #[arg(long)]
    dry_run: bool,
}

fn mode(name: &str) -> Result<Mode, String> {
    let found = Mode::EVERY.iter().copied().find(|mode| mode.name() == name);
    found.ok_or_else(|| "must be upsert, create or update".to_owned())
}

pub(super) fn run(command: ImportCommand, settings: &Settings) -> anyhow::Result<()> {
    let (kind, table, mode) = match command {
        ImportCommand::Products(RecordsFile { table, mode }) => (ImportKind::Products, table, mode),
        ImportCommand::Customers(RecordsFile { table, mode }) => {
            (ImportKind::Customers, table, mode)
        }
        ImportCommand::Stock(table) => (ImportKind::Stock, table, Mode::default()),
    };
    let TableFile { file, account, dry_run } = table;
    let store = open::existing(settings)?;
    let options = ImportOptions { mode, dry_run, ..ImportOptions::default() };
    let files = KeptFiles::new(&settings.files_dir);
    let kept = kept(&files, kind, &file, &options)?;
    let name = kept.name.clone();
    let ctx = Ctx { account, now: SystemClock.now(), idempotency: None };
    let new = NewImport { kind, options, file: kept };
    let opened = waited(store.open(ctx, new))?;
    // After a fault the import may be on record all the same, and needs its file.
    if matches!(&opened, Err(refused) if !matches!(refused, Refused::Fault(_))) {
        files.remove(&name);
    }
    let id = match opened {
        Err(Refused::Rule(ImportRefusal::SameFile(id))) => {
            output::note(format!("{id} is importing this file already"));
            id
        }
        Err(Refused::Rule(ImportRefusal::TooMany)) => {
            bail!("as many imports of the account wait as may: try again when one has ended")
        }
        opened => outcome(opened, "there is no such account")?.id,
    };
    output::note(id.to_string());
    let import = watched(&store, account, kind, id)?;
    tell(&store, account, &import, dry_run)
}

/// Copies a file to where the service finds it.
fn kept(
    files: &KeptFiles,
    kind: ImportKind,
    path: &Path,
    options: &ImportOptions,
) -> anyhow::Result<KeptFile> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let mut receiving = files.receive()?;
    let (mut digest, mut piece) = (Digest::new(&SHA256), vec![0; PIECE_BYTES]);
    loop {
        let read = file.read(&mut piece).with_context(|| format!("cannot read {shown}"))?;
        let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        digest.update(bytes);
        receiving.write(bytes)?;
    }
    let digest = hex::encode(digest.finish());
    receiving.keep(kind, options, digest).map_err(|why| match why {
        NotKept::Refused(refusal) => anyhow::anyhow!("{shown}: {}", refusal.message),
        NotKept::Fault(fault) => anyhow::Error::new(fault),
    })
}

/// Shows how far an import is until it has ended.
fn watched(
    store: &Store,
    account: AccountId,
    kind: ImportKind,
    id: ImportId,
) -> anyhow::Result<Import> {
    let (mut moved_at, mut moved_to) = (Instant::now(), (ImportState::Queued, 0));
    let mut is_told = false;
    loop {
        let import = read(store.get(account, kind, id))?;
        let Some(import) = import else { bail!("the import {id} is gone") };
        let place = (import.state, import.counts.processed);
        if place != moved_to {
            (moved_at, moved_to, is_told) = (Instant::now(), place, false);
        }
        if stderr().is_terminal() {
            let end = if import.state.is_ended() { "\n" } else { "" };
            drop(write!(stderr(), "\r{}{end}", bar(&import)));
        }
        if import.state.is_ended() {
            return Ok(import);
        }
        let (patience, waits) = match import.state {
            ImportState::Queued => {
                (PATIENCE.0, "waits for a running service, or for an import before it")
            }
            _ => (PATIENCE.1, "stands still; it goes on once a service runs"),
        };
        if moved_at.elapsed() > patience && !is_told {
            output::note(format!("{id} {waits}"));
            is_told = true;
        }
        thread::sleep(LOOK_PAUSE);
    }
}

fn bar(import: &Import) -> String {
    let (done, total) = (import.counts.processed, import.total.unwrap_or(0));
    let filled = (done * BAR_CHARS).checked_div(total).unwrap_or(0);
    let cells = (0..BAR_CHARS).map(|place| if place < filled { '#' } else { '.' });
    format!("[{}] {done} of {total} rows", cells.collect::<String>())
}

/// What has become of an import.
fn tell(store: &Store, account: AccountId, import: &Import, dry_run: bool) -> anyhow::Result<()> {
    let counts = import.counts;
    output::say(format!(
        "{} {}: {} created, {} updated, {} unchanged, {} failed",
        import.id,
        import.state.name(),
        counts.created,
        counts.updated,
        counts.unchanged,
        counts.failed
    ));
    let page = PageRequest { limit: SHOWN_ERRORS, ..PageRequest::default() };
    let errors = read(store.errors(account, import.kind, import.id, page))?;
    let errors = errors.map(|page| page.items).unwrap_or_default();
    let shown = errors.len();
    for error in errors {
        let column = error.column.map_or_else(String::new, |column| format!(" {column}"));
        output::note(format!(
            "row {}{column}: {} {:?}",
            error.row,
            error.code.message(),
            error.value
        ));
    }
    if u32::try_from(shown) == Ok(SHOWN_ERRORS) {
        let kind = import.kind.name();
        output::note(format!("GET /{kind}/imports/{}/errors.csv has all of them", import.id));
    }
    if let Some(failure) = &import.failure {
        bail!("{}", failure.english);
    }
    ensure!(import.state != ImportState::Canceled, "the import was canceled");
    ensure!(
        dry_run || counts.failed == 0,
        "refused: {} of {} rows",
        counts.failed,
        counts.processed
    );
    Ok(())
}
