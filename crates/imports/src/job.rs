//! An import: a file of rows that is worked off behind the request that sends it.

use std::collections::BTreeMap;

use kernel::{Message, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{Code, DecimalMark, EmptyCells, Mode};

kernel::ids! {
    /// An import's identifier.
    ImportId = "imp";
}

/// The largest file, in bytes: 1 GiB.
pub const FILE_BYTES_MAX: usize = 1 << 30;
/// The most errors of one import.
pub const ERRORS_MAX: u64 = 100_000;
/// The most bytes of rows that are kept for those who correct them: 64 MiB.
pub const KEPT_BYTES_MAX: u64 = 64 << 20;
/// The most imports of an account that wait.
pub const WAITING_MAX: i64 = 10;
/// The code of an import whose file is gone.
pub const FILE_MISSING: &str = "file_missing";
/// The most rows of a batch.
pub const BATCH_ROWS_MAX: usize = 500;
/// Rows that a dry run shows as they are understood.
pub const PREVIEW_ROWS: usize = 20;

/// The encodings that can be named: those that are not recognised by themselves, and those that are taken for others.
pub const ENCODINGS: &[&str] = &["utf-8", "windows-1252", "cp850", "macintosh"];

/// What rows are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// Products and their variants.
    Products,
    /// Customers.
    Customers,
    /// What is in stock of products and variants, by warehouse.
    Stock,
}

impl ImportKind {
    /// Every kind.
    pub const EVERY: &'static [Self] = &[Self::Products, Self::Customers, Self::Stock];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Products => "products",
            Self::Customers => "customers",
            Self::Stock => "stock",
        }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportState {
    /// It waits for its turn.
    Queued,
    /// It is being worked off.
    Running,
    /// Every row is done.
    Completed,
    /// Every row is done, some of them were refused.
    CompletedWithErrors,
    /// It has stopped, for a reason that it tells.
    Failed,
    /// Somebody decided against the rest of it.
    Canceled,
}

impl ImportState {
    /// Every state.
    pub const EVERY: &'static [Self] = &[
        Self::Queued,
        Self::Running,
        Self::Completed,
        Self::CompletedWithErrors,
        Self::Failed,
        Self::Canceled,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::CompletedWithErrors => "completed_with_errors",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// Whether nothing more comes of it.
    #[must_use]
    pub const fn is_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }

    /// That of an import whose rows are all done.
    #[must_use]
    pub const fn completed(counts: &Counts) -> Self {
        if counts.failed == 0 { Self::Completed } else { Self::CompletedWithErrors }
    }
}

/// What a row that is refused means for those behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// They go on.
    #[default]
    Skip,
    /// The import stops. A file of which some row cannot be read changes nothing.
    Abort,
}

impl OnError {
    /// Every meaning.
    pub const EVERY: &'static [Self] = &[Self::Skip, Self::Abort];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Abort => "abort",
        }
    }
}

/// How an import is to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// What becomes of rows whose product is there, or is not.
    pub mode: Mode,
    /// What a row that is refused means for those behind it.
    pub on_error: OnError,
    /// Whether nothing is to be written.
    pub dry_run: bool,
    /// What an empty cell means.
    pub empty_cells: EmptyCells,
    /// The decimal mark of all numbers, where the file does not tell.
    pub decimal: Option<DecimalMark>,
    /// How the characters are written, where the file does not tell.
    pub encoding: Option<String>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// What columns hold, by their names; `None` that they are to be left alone.
    pub mapping: BTreeMap<String, Option<String>>,
}

/// A file that is kept until its import ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Its name where it is kept.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub digest: String,
}

/// How a file was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Understood {
    /// The names of its columns.
    pub header: Vec<String>,
    /// The columns that are read: their names and what they hold.
    pub columns: Vec<(String, String)>,
    /// The names of those that are not.
    pub unused: Vec<String>,
    /// The decimal mark of each field that holds numbers.
    pub decimals: Vec<(String, char)>,
    /// How its characters are written.
    pub encoding: Option<String>,
    /// What stands between its cells.
    pub separator: Option<char>,
}

/// What has become of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that are done: the sum of the four below.
    pub processed: u64,
    /// Those whose product or variant was not there.
    pub created: u64,
    /// Those whose product or variant was changed.
    pub updated: u64,
    /// Those that changed nothing.
    pub unchanged: u64,
    /// Those that were refused.
    pub failed: u64,
    /// Those that were taken with a warning.
    pub warned: u64,
}

/// Why an import has failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportFailure {
    /// Its code, stable for programs.
    pub code: String,
    /// In English.
    pub english: String,
    /// In Spanish.
    pub spanish: String,
}

impl ImportFailure {
    /// Of a code and a sentence without its full stop.
    #[must_use]
    pub fn new(code: &str, message: &Message) -> Self {
        let text = |language| message.in_language(language).to_owned();
        Self {
            code: code.to_owned(),
            english: text(kernel::Language::English),
            spanish: text(kernel::Language::Spanish),
        }
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        let Self { english, spanish, .. } = self;
        Message::both(|language| match language {
            kernel::Language::English => english.clone(),
            kernel::Language::Spanish => spanish.clone(),
        })
    }
}

/// A row as a dry run has understood it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewRow {
    /// Its number in the file.
    pub row: u64,
    /// What would become of it: `created`, `updated`, `unchanged` or `failed`.
    pub outcome: String,
    /// What it says, by field.
    pub values: BTreeMap<String, String>,
}

/// An import.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Import {
    pub id: ImportId,
    pub kind: ImportKind,
    pub state: ImportState,
    pub options: ImportOptions,
    pub file: KeptFile,
    /// How the file was understood, once it has been looked at.
    pub understood: Option<Understood>,
    /// How many rows it has, once that is known.
    pub total: Option<u64>,
    pub counts: Counts,
    /// The first rows of a dry run.
    pub preview: Vec<PreviewRow>,
    /// Why it has failed.
    pub failure: Option<ImportFailure>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// What was wrong with a row of an import, or was made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The number of the row in the file.
    pub row: u64,
    /// Its place among those of the row, from 0.
    pub place: u32,
    /// The column, by its name in the file.
    pub column: Option<String>,
    /// What is wrong.
    pub code: Code,
    /// What stands there.
    pub value: String,
    /// The cells of the row, with the first of its errors.
    pub cells: Option<Vec<String>>,
}
