//! `trastienda import`.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{IsTerminal, Read, Write, stderr},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use api::{Clock, SystemClock};
use aws_lc_rs::digest::{Context as Digest, SHA256};
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use dispatch::KeptFiles;
use imports::{
    Column, DecimalMark, ENCODINGS, EmptyCells, FILE_MISSING, Import, ImportFiles, ImportId,
    ImportKind, ImportOptions, ImportRefusal, ImportState, Imports, KeptFile, Mode, NewImport,
    NotKept, OnError,
};
use kernel::{AccountId, Ctx, PageRequest, Refused};
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
    /// Import products and variants from a CSV, JSON Lines or .xlsx file
    ///
    /// The running service carries out the import; this command shows its progress and can be interrupted: run it
    /// again to keep watching. It has to use the settings of the service, files_dir among them. Exits with 1 if the
    /// import fails or rows are refused, also in a dry run.
    #[command(after_help = "\
Examples:
  trastienda import products catalogo.csv --account acc_01J... --dry-run
  trastienda import products catalogo.xlsx --account acc_01J... --mode update --sheet Precios
  trastienda import products lista.csv --account acc_01J... --mapping Ref.=sku --mapping Mayoreo=price --decimal ,")]
    Products(RecordsFile),
    /// Import customers from a CSV, JSON Lines or .xlsx file
    ///
    /// The running service carries out the import; this command shows its progress and can be interrupted: run it
    /// again to keep watching. It has to use the settings of the service, files_dir among them. Exits with 1 if the
    /// import fails or rows are refused, also in a dry run.
    #[command(after_help = "\
Examples:
  trastienda import customers clientes.csv --account acc_01J... --dry-run
  trastienda import customers clientes.csv --account acc_01J... --encoding cp850 --empty-cells clear")]
    Customers(RecordsFile),
    /// Import stock counts and changes from a CSV, JSON Lines or .xlsx file
    ///
    /// The running service carries out the import; this command shows its progress and can be interrupted: run it
    /// again to keep watching. It has to use the settings of the service, files_dir among them. Exits with 1 if the
    /// import fails or rows are refused, also in a dry run.
    #[command(after_help = "\
Examples:
  trastienda import stock conteo.csv --account acc_01J...
  trastienda import stock conteo.csv --account acc_01J... --on-error abort")]
    Stock(TableFile),
}

/// A file of records, and how it is imported.
#[derive(Args, Debug)]
pub struct RecordsFile {
    #[command(flatten)]
    table: TableFile,
    /// Whether to create missing records, update existing ones, or both
    #[arg(long, default_value = "upsert", value_parser = one_of(Mode::EVERY, Mode::name))]
    mode: Mode,
    /// Whether an empty cell keeps the field as it is or clears it
    #[arg(long, default_value = "keep", value_parser = one_of(EmptyCells::EVERY, EmptyCells::name))]
    empty_cells: EmptyCells,
}

/// A file of rows.
#[derive(Args, Debug)]
pub struct TableFile {
    /// File to import
    file: PathBuf,
    /// Account to import it for
    #[arg(long, value_name = "ACCOUNT", value_parser = super::command::account_id)]
    account: AccountId,
    /// Report what would become of the rows, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Whether to skip refused rows or to abort the import at the first
    #[arg(long, default_value = "skip", value_parser = one_of(OnError::EVERY, OnError::name))]
    on_error: OnError,
    /// Decimal mark of all numbers, if the file does not tell
    #[arg(long, value_parser = one_of(DecimalMark::EVERY, DecimalMark::name))]
    decimal: Option<DecimalMark>,
    /// Character encoding; cp850 and macintosh are not recognised by themselves
    #[arg(long, value_parser = PossibleValuesParser::new(ENCODINGS))]
    encoding: Option<String>,
    /// Sheet of a workbook [default: the first visible one]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Field that a column holds, or none to ignore the column; can be repeated
    #[arg(long, value_name = "COLUMN=FIELD", value_parser = mapping)]
    mapping: Vec<(String, String)>,
}

/// One of several, by its name.
fn one_of<T: Copy + Send + Sync + 'static>(
    every: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(every.iter().map(|one| name(*one)));
    names.try_map(move |given| {
        every.iter().copied().find(|one| name(*one) == given).ok_or("it is none of these")
    })
}

fn mapping(text: &str) -> Result<(String, String), String> {
    // A column may have the sign in its name; a field has none.
    let (column, field) = text
        .rsplit_once('=')
        .ok_or_else(|| "must be COLUMN=FIELD, such as 'P. Mayoreo=price'".to_owned())?;
    Ok((column.to_owned(), field.to_owned()))
}

/// The fields of the columns that are mapped; `none` leaves one alone.
fn mapped(
    kind: ImportKind,
    mapping: Vec<(String, String)>,
) -> anyhow::Result<BTreeMap<String, Option<String>>> {
    let field = |name: String| match Column::named(kind, &name) {
        _ if name == "none" => Ok(None),
        Some(_) => Ok(Some(name)),
        None => {
            let names: Vec<&str> = Column::fields(kind).iter().map(|field| field.name()).collect();
            bail!("--mapping: {name:?} is no field; the fields are {}, none", names.join(", "))
        }
    };
    mapping.into_iter().map(|(column, name)| Ok((column, field(name)?))).collect()
}

pub(super) fn run(command: ImportCommand, settings: &Settings) -> anyhow::Result<()> {
    let (kind, records) = match command {
        ImportCommand::Products(records) => (ImportKind::Products, records),
        ImportCommand::Customers(records) => (ImportKind::Customers, records),
        ImportCommand::Stock(table) => {
            let (mode, empty_cells) = (Mode::default(), EmptyCells::default());
            (ImportKind::Stock, RecordsFile { table, mode, empty_cells })
        }
    };
    let RecordsFile { table, mode, empty_cells } = records;
    let TableFile { file, account, dry_run, on_error, decimal, encoding, sheet, mapping } = table;
    let mapping = mapped(kind, mapping)?;
    let options =
        ImportOptions { mode, on_error, dry_run, empty_cells, decimal, encoding, sheet, mapping };
    let store = open::existing(settings)?;
    let known = read(accounts::Accounts::account(&*store, account))?;
    ensure!(known.is_some(), "no account {account}; see `trastienda account list`");
    let files = KeptFiles::new(&settings.files_dir);
    let kept = kept(&files, (account, kind), &file, &options)?;
    let name = kept.name.clone();
    let ctx = Ctx::system(account, SystemClock.now()).by(super::operator());
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
    tell(&store, account, &import, &settings.files_dir)
}

/// Copies a file to where the service finds it.
fn kept(
    files: &KeptFiles,
    (account, kind): (AccountId, ImportKind),
    path: &Path,
    options: &ImportOptions,
) -> anyhow::Result<KeptFile> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let receiving = files.receive(account)?;
    let mut receiving = receiving.context("too many files are on their way")?;
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
fn tell(
    store: &Store,
    account: AccountId,
    import: &Import,
    files_dir: &Path,
) -> anyhow::Result<()> {
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
        if failure.code == FILE_MISSING {
            let folder = std::path::absolute(files_dir).unwrap_or_else(|_| files_dir.to_owned());
            output::note(format!(
                "the file was left in {}, and the service looked elsewhere: its --files-dir must be the same",
                folder.display()
            ));
        }
        bail!("{}", failure.english);
    }
    ensure!(import.state != ImportState::Canceled, "the import was canceled");
    ensure!(counts.failed == 0, "refused: {} of {} rows", counts.failed, counts.processed);
    Ok(())
}
