//! Rows out of the files that people have: CSV of any spreadsheet, JSON Lines and Excel workbooks, each of them
//! compressed or not. It knows bytes, encodings, separators and cells, and nothing of what they mean.
//!
//! A file is read in pieces, so that memory stays flat however long it is. What is wrong with one row is told with
//! that row; what makes the whole file unreadable is a [`Refusal`].
//!
//! ```
//! use std::io::Cursor;
//!
//! use sheets::{Extent, Options, Refusal, Sheet};
//!
//! // As Excel in Spanish writes it. Names that are known tell the separator and the header.
//! let file = Cursor::new("Clave;Artículo;Precio\nT-1;Taza;19,90\nT-2;Plato;35,50\n");
//! let is_known = |name: &str| ["Clave", "Artículo", "Precio"].contains(&name);
//! let mut sheet = Sheet::open(file, &Options::default(), Extent::Whole, &is_known).unwrap();
//! assert_eq!(sheet.separator(), Some(';'));
//! assert_eq!(sheet.header().join(" "), "Clave Artículo Precio");
//!
//! let mut prices = Vec::new();
//! sheet
//!     .rows(|row| {
//!         prices.extend(row.cells.get(2).map(|cell| cell.text.to_owned()));
//!         Ok::<_, Refusal>(())
//!     })
//!     .unwrap();
//! assert_eq!(prices, ["19,90", "35,50"]);
//! ```

mod delimited;
mod encoding;
mod json_lines;
mod kind;
mod refusal;
mod row;
mod separator;
mod sheet;
mod spool;
mod survey;
mod text;
mod workbook;

pub use encoding::Encoding;
pub use kind::{Kind, Unsupported};
pub use refusal::Refusal;
pub use row::{Cell, CellKind, Cells, Row, RowProblem};
pub use sheet::{Extent, Options, Sheet};
pub use spool::{SpoolReader, SpoolWriter, Spooled};

/// The largest file as it is sent, in bytes: 1 GiB.
pub const FILE_BYTES_MAX: u64 = 1 << 30;
/// The most bytes of a file once it is inflated: 4 GiB.
pub const INFLATED_BYTES_MAX: u64 = 4 << 30;
/// The most rows of a file.
pub const ROWS_MAX: u64 = 2_000_000;
/// The most bytes of one row.
pub const ROW_BYTES_MAX: usize = 1 << 20;
/// The most columns of a file.
pub const COLUMNS_MAX: usize = 1_000;
/// The largest Excel workbook, in bytes: 50 MiB.
pub const WORKBOOK_BYTES_MAX: u64 = 50 << 20;
/// The most rows of an Excel workbook.
pub const WORKBOOK_ROWS_MAX: u64 = 200_000;
