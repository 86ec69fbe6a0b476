//! Bulk imports and exports of a shop's data: which column holds what, how people write numbers and codes, and what is
//! to be created or changed because of a row.
//!
//! Plain types and rules. Whoever reads files gives rows to a [`Layout`] and a [`RowReader`]; whoever keeps the catalog gives
//! what there is to a [`Shelf`] and records what that states.
//!
//! ```
//! use imports::{
//!     Cell, Column, DecimalMark, EmptyCells, ImportKind, Layout, Mapping, Mode, Others, RowReader,
//! };
//!
//! let header = ["Clave", "Artículo", "P. Venta", "Notas"].map(str::to_owned);
//! let layout = Layout::of(ImportKind::Products, &header, &Mapping::new(), Mode::Upsert).unwrap();
//! assert_eq!(layout.unused(), ["Notas"]);
//!
//! let marks = vec![(Column::Price, DecimalMark::Comma)];
//! let reader = RowReader::new(layout, marks, EmptyCells::Keep);
//! let row = ["T-1", "Taza", "1.019,90", ""].map(Cell::Text);
//! let wanted = reader.read(&row, &Others::NONE).unwrap();
//! assert_eq!(wanted.shown()["price"], "1019.9");
//! ```

pub mod code;
mod column;
mod corrected;
pub mod customer;
mod export;
mod headers;
mod images;
mod job;
mod layout;
mod markup;
mod number;
mod paths;
mod peek;
mod problem;
mod product;
mod reader;
mod refused;
mod remembered;
mod service;
mod shelf;
pub mod stock;
mod taxes;
mod upload;
mod wanted;

use kernel::spreadsheet::unguarded;

pub use column::Column;
pub use corrected::{REPORT, as_it_came, codes};
pub use customer::WantedCustomer;
pub use export::{PRODUCT_COLUMNS, Value, product_row};
pub use headers::{Dialect, is_known};
pub use job::{
    BATCH_ROWS_MAX, Counts, ENCODINGS, ERRORS_MAX, FILE_BYTES_MAX, FILE_MISSING, Import,
    ImportError, ImportFailure, ImportId, ImportKind, ImportOptions, ImportState, KEPT_BYTES_MAX,
    KeptFile, OnError, PREVIEW_ROWS, PreviewRow, Understood, WAITING_MAX,
};
pub use layout::{Layout, LayoutFault, Mapping};
pub use number::{DecimalMark, Marks};
pub use paths::CategoryPath;
pub use peek::{Peek, PeekedColumn, SAMPLE_CHARS_MAX, SAMPLES_MAX};
pub use problem::{Code, Problem};
pub use product::{Key, ToldApart, WantedProduct};
pub use reader::{Others, RowKey, RowReader};
pub use refused::RefusedRows;
pub use remembered::Remembered;
pub use service::{
    Applied, Batch, BatchRow, Begun, ErrorPlace, FileRefusal, ImportFiles, ImportQuery,
    ImportQueue, ImportRefusal, ImportStopped, Imports, NewImport, NotKept, RawCells, Receiving,
    Traffic,
};
pub use shelf::{Entry, Judging, Shelf, Verdict};
pub use upload::{
    KeptUpload, NewUpload, UPLOAD_DAYS, UPLOADS_BYTES_MAX, UPLOADS_MAX, Upload, UploadId, Uploads,
    file_name, giving_way,
};
pub use wanted::Wanted;

/// What becomes of rows whose product is there, or is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Changes what is there, and creates what is not.
    #[default]
    Upsert,
    /// Creates alone: what is there is an error.
    Create,
    /// Changes alone: what is not there is an error.
    Update,
}

impl Mode {
    /// Every mode.
    pub const EVERY: &'static [Self] = &[Self::Upsert, Self::Create, Self::Update];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Upsert => "upsert",
            Self::Create => "create",
            Self::Update => "update",
        }
    }
}

/// What an empty cell means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyCells {
    /// The field stays as it is.
    #[default]
    Keep,
    /// The field is cleared, where it can be.
    Clear,
}

impl EmptyCells {
    /// Every meaning.
    pub const EVERY: &'static [Self] = &[Self::Keep, Self::Clear];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Clear => "clear",
        }
    }
}

/// A cell of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Text that a person may have typed in any form.
    Text(&'a str),
    /// A number as a program writes it, with a decimal point.
    Number(&'a str),
    /// Text that a program has written: it is taken as it is.
    Exact(&'a str),
    /// A JSON array or object.
    Nested(&'a str),
}

impl<'a> Cell<'a> {
    /// What it says.
    #[must_use]
    pub const fn text(self) -> &'a str {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Exact(text) | Self::Nested(text) => text,
        }
    }

    /// The text of a person: without the mark that keeps a spreadsheet from running it.
    pub(crate) fn plain(self) -> &'a str {
        match self {
            Self::Exact(text) => text,
            _ => unguarded(self.text()),
        }
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_blank(self) -> bool {
        self.text().trim().is_empty()
    }
}
