//! How the API shows an import.

use std::{collections::BTreeMap, fmt::Display};

use imports::{Counts, DecimalMark, Import, ImportError, ImportId, ImportKind, ImportOptions};
use kernel::{Language, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{BASE_PATH, answer::Resource, etag::ETag, resources::shapes};

/// An import, for a reader of a language.
pub(super) struct Shown {
    pub(super) import: Import,
    pub(super) language: Language,
}

/// An import of a file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Import)]
pub(super) struct ImportBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "imp_01KG8Y7N2Q4S6V8X0Z2B4D6F8H")]
    id: ImportId,
    /// What its rows are about.
    #[schema(value_type = shapes::ImportKind)]
    kind: &'static str,
    /// `queued` until it is its turn, `running`, then `completed`, `completed_with_errors` if some rows were refused,
    /// `failed` (see `failure`) or `canceled`.
    #[schema(value_type = shapes::ImportStatus)]
    status: &'static str,
    /// How it is done.
    options: OptionsBody,
    /// The file.
    file: FileBody,
    /// How the file was understood; `null` before it was looked at.
    understood: Option<UnderstoodBody>,
    /// Rows in all; `null` before the file was looked at.
    total: Option<u64>,
    /// Rows that are done: the sum of `created`, `updated`, `unchanged` and `failed`.
    processed: u64,
    /// Rows whose product, variant or customer was not there. Of a dry run: would be created.
    created: u64,
    /// Rows whose product, variant, customer or stock was changed.
    updated: u64,
    /// Rows that changed nothing.
    unchanged: u64,
    /// Rows that were refused.
    failed: u64,
    /// Rows that were taken with a warning.
    warnings: u64,
    /// How much is done, in percent; `null` before the file was looked at.
    #[schema(minimum = 0, maximum = 100)]
    progress: Option<u64>,
    /// Of a dry run its first rows, as they are understood.
    preview: Vec<PreviewBody>,
    /// Why it has failed.
    failure: Option<FailureBody>,
    /// Paths of what belongs to it.
    links: LinksBody,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<shapes::Timestamp>)]
    ended_at: Option<Timestamp>,
}

/// How an import is done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportOptions)]
struct OptionsBody {
    /// `upsert`, `create` or `update`.
    #[schema(value_type = shapes::ImportMode)]
    mode: &'static str,
    /// `skip` or `abort`.
    #[schema(value_type = shapes::ImportOnError)]
    on_error: &'static str,
    /// Whether nothing is written.
    dry_run: bool,
    /// `keep` or `clear`.
    #[schema(value_type = shapes::ImportEmptyCells)]
    empty_cells: &'static str,
    /// Decimal mark that was named.
    #[schema(value_type = Option<shapes::ImportDecimal>)]
    decimal: Option<String>,
    /// Encoding that was named.
    #[schema(value_type = Option<shapes::ImportEncoding>)]
    encoding: Option<String>,
    /// Sheet that was named.
    sheet: Option<String>,
    /// Fields that columns were said to hold, by the names of the columns; `null` where they are left alone.
    #[schema(value_type = shapes::ImportMapping)]
    mapping: BTreeMap<String, Option<String>>,
}

/// The file of an import.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportFile)]
struct FileBody {
    /// Size in bytes.
    size: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
}

/// How a file was understood.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportUnderstood)]
struct UnderstoodBody {
    /// The columns that are read.
    columns: Vec<ColumnBody>,
    /// Names of the columns that are not read: their names are unknown, or there is no such field.
    unused_columns: Vec<String>,
    /// How the characters are written; `null` of a workbook.
    #[schema(example = "windows-1252")]
    encoding: Option<String>,
    /// What stands between the cells; `null` where nothing does.
    #[schema(example = ";")]
    separator: Option<String>,
}

/// A column that is read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportColumn)]
struct ColumnBody {
    /// Name in the file.
    #[schema(example = "P. Venta")]
    name: String,
    /// Field that it holds.
    #[schema(example = "price")]
    field: String,
    /// Decimal mark of its numbers.
    #[schema(value_type = Option<shapes::ImportDecimal>)]
    decimal: Option<String>,
}

/// A row as a dry run has understood it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportPreviewRow)]
struct PreviewBody {
    /// Number in the file, as a spreadsheet shows it.
    row: u64,
    /// What would become of it.
    #[schema(value_type = shapes::ImportOutcome)]
    outcome: String,
    /// What it says, by field.
    #[schema(value_type = shapes::ImportValues)]
    values: BTreeMap<String, String>,
}

/// Why an import has failed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportFailure)]
struct FailureBody {
    /// Stable code.
    #[schema(example = "ambiguous_numbers")]
    code: String,
    /// What to do about it.
    message: String,
}

/// Where to find what belongs to an import.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportLinks)]
struct LinksBody {
    /// Path of the errors.
    #[schema(example = "/api/v1/products/imports/imp_01KG8Y7N2Q4S6V8X0Z2B4D6F8H/errors")]
    errors: String,
    /// Path of the refused rows as CSV.
    #[schema(example = "/api/v1/products/imports/imp_01KG8Y7N2Q4S6V8X0Z2B4D6F8H/errors.csv")]
    errors_file: String,
}

/// The path below which imports of a kind have their own.
pub(super) const fn path(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Products => "/products/imports",
        ImportKind::Customers => "/customers/imports",
        ImportKind::Stock => "/stock/imports",
    }
}

impl Resource for ImportBody {
    type Thing = Shown;

    const PATH: &'static str = path(ImportKind::Products);

    const IS_TOLD: bool = true;

    fn path(&self) -> &'static str {
        let kind = ImportKind::EVERY.iter().find(|kind| kind.name() == self.kind);
        kind.map_or(Self::PATH, |kind| path(*kind))
    }

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        let counts = [self.created, self.updated, self.unchanged, self.failed];
        let counts = counts.into_iter().map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let status = self.status.bytes().map(i64::from);
        ETag::version_and(1, std::iter::once(self.updated_at.micros()).chain(counts).chain(status))
    }
}

fn mark(mark: char) -> String {
    mark.to_string()
}

impl From<ImportOptions> for OptionsBody {
    fn from(options: ImportOptions) -> Self {
        let ImportOptions { encoding, sheet, mapping, dry_run, .. } = options;
        Self {
            mode: options.mode.name(),
            on_error: options.on_error.name(),
            dry_run,
            empty_cells: options.empty_cells.name(),
            decimal: options.decimal.map(DecimalMark::character).map(mark),
            encoding,
            sheet,
            mapping,
        }
    }
}

impl From<imports::Understood> for UnderstoodBody {
    fn from(understood: imports::Understood) -> Self {
        let decimal = |field: &str| {
            let found = understood.decimals.iter().find(|(of, _)| of == field);
            found.map(|(_, character)| mark(*character))
        };
        let columns = understood.columns.iter().map(|(name, field)| ColumnBody {
            name: name.clone(),
            field: field.clone(),
            decimal: decimal(field),
        });
        Self {
            columns: columns.collect(),
            unused_columns: understood.unused,
            encoding: understood.encoding,
            separator: understood.separator.map(mark),
        }
    }
}

impl From<Shown> for ImportBody {
    fn from(Shown { import, language }: Shown) -> Self {
        let path = format!("{BASE_PATH}{}/{}", path(import.kind), import.id);
        let Counts { processed, created, updated, unchanged, failed, warned } = import.counts;
        let progress =
            import.total.map(|total| (processed * 100).checked_div(total).unwrap_or(100));
        let preview = import.preview.into_iter().map(|row| PreviewBody {
            row: row.row,
            outcome: row.outcome,
            values: row.values,
        });
        let failure = import.failure.map(|failure| FailureBody {
            message: failure.message().in_language(language).to_owned(),
            code: failure.code,
        });
        Self {
            id: import.id,
            kind: import.kind.name(),
            status: import.state.name(),
            options: import.options.into(),
            file: FileBody { size: import.file.size, sha256: import.file.digest },
            understood: import.understood.map(UnderstoodBody::from),
            total: import.total,
            processed,
            created,
            updated,
            unchanged,
            failed,
            warnings: warned,
            progress,
            preview: preview.collect(),
            failure,
            links: LinksBody {
                errors: format!("{path}/errors"),
                errors_file: format!("{path}/errors.csv"),
            },
            created_at: import.created_at.to_millis(),
            updated_at: import.updated_at.to_millis(),
            ended_at: import.ended_at.map(Timestamp::to_millis),
        }
    }
}

/// What was wrong with a row.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportError)]
pub(super) struct ErrorBody {
    /// Number of the row in the file, as a spreadsheet shows it: the first row with the names of the columns is 1.
    row: u64,
    /// Name of the column; `null` of the row as a whole.
    #[schema(example = "P. Venta")]
    column: Option<String>,
    /// Stable code.
    #[schema(example = "bad_number")]
    code: &'static str,
    /// What is wrong and what to do about it.
    message: String,
    /// What stands there.
    #[schema(example = "gratis")]
    value: String,
    /// Whether the row was refused (`error`) or taken all the same (`warning`).
    #[schema(value_type = shapes::ImportSeverity)]
    severity: &'static str,
}

impl ErrorBody {
    /// An error, for readers of a language.
    pub(super) fn of(error: ImportError, language: Language) -> Self {
        Self {
            row: error.row,
            column: error.column,
            code: error.code.name(),
            message: error.code.message().in_language(language).to_owned(),
            value: error.value,
            severity: if error.code.is_warning() { "warning" } else { "error" },
        }
    }
}
