//! Who keeps imports and their files, for those who ask for them and for those who work them off.

use std::{collections::HashSet, sync::Arc};

use kernel::{AccountId, Ctx, Fault, Message, Page, PageRequest, Pending, Timestamp, Written};
use tasks::Task;

use crate::{
    Counts, Import, ImportError, ImportFailure, ImportId, ImportKind, ImportOptions, ImportState,
    KeptFile, Peek, PreviewRow, Problem, Remembered, Understood, Verdict, Wanted,
};

/// A file to be imported.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewImport {
    pub kind: ImportKind,
    pub options: ImportOptions,
    pub file: KeptFile,
}

/// Why a command about imports was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportRefusal {
    /// The same bytes are being imported.
    SameFile(ImportId),
    /// As many wait as may.
    TooMany,
    /// It has ended otherwise.
    HasEnded(ImportState),
}

/// Which imports of an account are listed, newest first.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ImportQuery {
    pub kind: ImportKind,
    pub state: Option<ImportState>,
    pub page: PageRequest,
}

/// The place of an error among those of its import: the number of its row, and its place there.
pub type ErrorPlace = (u64, u32);

/// Imports, for those who ask for them.
pub trait Imports: Send + Sync {
    /// Puts an import on record.
    fn open(&self, ctx: Ctx, new: NewImport) -> Pending<Written<Import, ImportRefusal>>;

    /// One import; `None` when the account has no such import of this kind.
    fn get(
        &self,
        account: AccountId,
        kind: ImportKind,
        id: ImportId,
    ) -> Pending<Result<Option<Import>, Fault>>;

    /// A page of imports.
    fn list(&self, account: AccountId, query: ImportQuery) -> Pending<Result<Page<Import>, Fault>>;

    /// A page of what was wrong with rows, in the order of the file; `None` when there is no such import.
    fn errors(
        &self,
        account: AccountId,
        kind: ImportKind,
        id: ImportId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<ImportError>>, Fault>>;

    /// At most so many errors behind a place, with the cells of their rows; warnings are left out.
    fn refused_rows(
        &self,
        account: AccountId,
        id: ImportId,
        behind: Option<ErrorPlace>,
        limit: usize,
    ) -> Pending<Result<Vec<ImportError>, Fault>>;

    /// Stops an import: what is done of it stays.
    fn cancel(
        &self,
        ctx: Ctx,
        kind: ImportKind,
        id: ImportId,
    ) -> Pending<Written<Import, ImportRefusal>>;
}

/// What a worker finds that takes up an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is to be worked on.
    Running(Box<Import>),
    /// Another one of the account is being worked on.
    Wait,
    /// It has ended.
    Over(Box<Import>),
}

/// A row to be worked off.
#[derive(Clone, Debug)]
pub struct BatchRow {
    /// Its number in the file.
    pub number: u64,
    /// What it wants, or what is wrong with it.
    pub wanted: Result<Wanted, Vec<Problem>>,
    /// Its cells as they are, for those who correct it.
    pub cells: RawCells,
}

impl BatchRow {
    /// How a dry run shows it, of which this would become.
    #[must_use]
    pub fn preview(&self, verdict: Option<Verdict>) -> PreviewRow {
        PreviewRow {
            row: self.number,
            outcome: verdict.map_or("failed", Verdict::name).to_owned(),
            values: self.wanted.as_ref().map(Wanted::shown).unwrap_or_default(),
        }
    }
}

/// The cells of a row as they are, in one piece of memory: most rows are right, and nobody asks for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawCells {
    text: String,
    ends: Vec<usize>,
}

impl RawCells {
    /// Adds one behind the others.
    pub fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// How many bytes they have.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Each of them, without what no database keeps.
    #[must_use]
    pub fn to_vec(&self) -> Vec<String> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let ranges = starts.zip(&self.ends);
        let cells = ranges.map(|(start, end)| self.text.get(*start..*end).unwrap_or_default());
        cells.map(|cell| cell.replace('\0', "")).collect()
    }
}

/// Rows that are worked off together.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Batch {
    pub account: AccountId,
    pub import: ImportId,
    pub kind: ImportKind,
    /// How the import is to be done.
    pub options: Arc<ImportOptions>,
    /// The names of columns, by what they hold.
    pub columns: Arc<Vec<(String, String)>>,
    /// How many rows were done before.
    pub from: u64,
    /// Whether most rows of the batch before have changed nothing.
    pub expects_unchanged: bool,
    pub rows: Arc<Vec<BatchRow>>,
    /// What rows before have made, as far as that matters: to a dry run, which has written none of it, and to an import that
    /// changes nothing that was there.
    pub made: Arc<Remembered>,
    /// The categories that rows before have named and found, by their paths.
    pub categories: Arc<Remembered>,
    pub now: Timestamp,
}

/// What has become of a batch that is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What became of each row; `None` where it was refused.
    pub verdicts: Vec<Option<Verdict>>,
    /// What has become of all rows so far.
    pub counts: Counts,
    /// Whether more was wrong with rows than is kept.
    pub is_full: bool,
}

/// The import has ended, or somebody else has worked on it: nothing of the batch is on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportStopped;

/// What the writer of an account has to do besides rows of imports, those of other accounts among it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Commands that wait.
    pub waiting: usize,
    /// Commands that it has done so far.
    pub done: u64,
}

impl Traffic {
    /// Whether others than imports use the writer: they wait, or more has been done since `before` than `own`, what the
    /// import has had done beside its rows. Who waits for a batch is seldom seen waiting behind it: it is done with the next
    /// commit.
    #[must_use]
    pub const fn is_crowded_since(self, before: Self, own: u64) -> bool {
        self.waiting > 0 || self.done > before.done.saturating_add(own)
    }
}

/// Keeps imports for those who work them off.
pub trait ImportQueue: Send + Sync {
    /// Takes up the import of a task.
    fn begin(&self, task: &Task, now: Timestamp) -> Pending<Written<Begun, ()>>;

    /// Records how a file was understood and how many rows it has; whether the import is still to be worked on.
    fn scanned(
        &self,
        account: AccountId,
        id: ImportId,
        understood: Understood,
        total: u64,
        now: Timestamp,
    ) -> Pending<Written<bool, ()>>;

    /// Counts that the file of an import was not where a worker has looked for it; how often that has been so since it was
    /// last read.
    fn file_missed(&self, account: AccountId, id: ImportId) -> Pending<Written<u32, ()>>;

    /// Works rows off, all of them or none. Those of a dry run change nothing, and the first of them are shown.
    fn apply(&self, batch: Batch) -> Pending<Written<Applied, ImportStopped>>;

    /// The numbers of at most so many rows that were refused, behind that of one, in their order.
    fn refused(
        &self,
        account: AccountId,
        id: ImportId,
        behind: u64,
        limit: usize,
    ) -> Pending<Result<Vec<u64>, Fault>>;

    /// Ends an import, unless it has ended: as failed for a reason, or as its rows have it. Its task ends behind it, once its
    /// files are gone.
    fn finish(
        &self,
        account: AccountId,
        id: ImportId,
        failure: Option<ImportFailure>,
        now: Timestamp,
    ) -> Pending<Written<Option<Import>, ()>>;

    /// The names of the files of all imports that have not ended, and of those that wait.
    fn kept_files(&self) -> Pending<Result<HashSet<String>, Fault>>;

    /// What the writer of an account has to do at this moment.
    fn traffic(&self, account: AccountId) -> Traffic;
}

/// Why a file is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRefusal {
    /// Its code, stable for programs.
    pub code: &'static str,
    /// What to do about it, as a sentence without its full stop.
    pub message: Message,
}

/// Why no file was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// It is not one to be imported.
    Refused(FileRefusal),
    /// It could not be written.
    Fault(Fault),
}

/// Keeps files until their imports end. Its methods wait for disks.
pub trait ImportFiles: Send + Sync {
    /// Begins a file of an account; `None` while as many of its files, or of all, are on their way as may be.
    ///
    /// # Errors
    /// When there is no room for it.
    fn receive(&self, account: AccountId) -> Result<Option<Box<dyn Receiving>>, Fault>;

    /// Looks at the beginning of a file that is kept, which is read as these options say; `None` when it is gone.
    ///
    /// # Errors
    /// Why it cannot be read so.
    fn peek(
        &self,
        name: &str,
        kind: ImportKind,
        options: &ImportOptions,
    ) -> Result<Option<Peek>, NotKept>;

    /// Keeps a file under another name, too, which it is given: each goes by itself. `None` when it is gone.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn keep_too(&self, name: &str) -> Result<Option<String>, Fault>;

    /// Removes a file that nobody needs.
    fn remove(&self, name: &str);
}

/// A file on its way in; gone when it is dropped.
pub trait Receiving: Send {
    /// Adds bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Fault>;

    /// Keeps the file, if its beginning is that of one that can be imported.
    ///
    /// # Errors
    /// Why it is not kept.
    fn keep(
        self: Box<Self>,
        kind: ImportKind,
        options: &ImportOptions,
        digest: String,
    ) -> Result<KeptFile, NotKept>;

    /// Keeps the file, if its beginning is that of a table, whatever its columns are called.
    ///
    /// # Errors
    /// Why it is not kept.
    fn keep_unmapped(
        self: Box<Self>,
        kind: ImportKind,
        digest: String,
    ) -> Result<KeptFile, NotKept>;
}
