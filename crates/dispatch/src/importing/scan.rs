//! Reading a file into a spool: how its columns and numbers are to be understood follows from all of it, and so does
//! which row comes after which.

use std::{
    borrow::Cow,
    collections::HashMap,
    fs::{self, File},
    hash::{BuildHasher, RandomState},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use aws_lc_rs::digest::{Context, SHA256};
use imports::{
    Cell, Column, DecimalMark, EmptyCells, Import, ImportFailure, Layout, Marks, RowKey, RowReader,
    Understood,
};
use kernel::message;
use sheets::{CellKind, Cells, Encoding, Extent, Refusal, Row, SpoolReader, SpoolWriter, Spooled};

use super::{
    Halt,
    files::{INVALID_COLUMNS, layout_of, opened, remove, said},
    seen::Seen,
};

/// Rows after which it is looked whether it is time to hold the claim.
pub(super) const STEP_ROWS: u64 = 5_000;
/// Bytes of a file that are read at once.
const PIECE_BYTES: usize = 256 << 10;
/// Numbers of products of WooCommerce that are remembered.
pub(super) const NUMBERED_MAX: usize = 200_000;

/// The note of a row that is worked off.
const PLAIN: u8 = 0;
/// The note of a row whose SKU an earlier one has.
pub(super) const DUPLICATE: u8 = 1;
/// The note of a row about a variant of which nothing but its identifier tells it from that of an earlier one.
pub(super) const TWIN: u8 = 2;

/// Holds the claim, if it is time.
pub(super) type HoldOn<'a> = &'a mut dyn FnMut() -> Result<(), Halt>;

/// A file that was read into its spool.
pub(super) struct Scanned {
    pub(super) understood: Understood,
    pub(super) total: u64,
}

/// Cells as rules of imports see them.
pub(super) fn cells_of(cells: &Cells) -> Vec<Cell<'_>> {
    cells.iter().map(cell_of).collect()
}

/// A row without the marks that those of a file of refused rows have.
fn as_it_came<'r>(layout: &Layout, row: &'r Row) -> Cow<'r, Row> {
    if !layout.is_of_refused() {
        return Cow::Borrowed(row);
    }
    let mut cells = Cells::default();
    for cell in row.cells.iter() {
        let text = match cell.kind {
            CellKind::Text => imports::as_it_came(cell.text),
            CellKind::Number | CellKind::Nested | CellKind::Exact => cell.text,
        };
        cells.push(text, cell.kind);
    }
    Cow::Owned(Row { cells, ..*row })
}

/// One of them.
pub(super) const fn cell_of(cell: sheets::Cell<'_>) -> Cell<'_> {
    match cell.kind {
        CellKind::Text => Cell::Text(cell.text),
        CellKind::Number => Cell::Number(cell.text),
        CellKind::Nested => Cell::Nested(cell.text),
        CellKind::Exact => Cell::Exact(cell.text),
    }
}

fn failed(refusal: &Refusal) -> Halt {
    Halt::Failed(ImportFailure::new(refusal.code(), &refusal.message()))
}

fn unwritable(error: &io::Error) -> Halt {
    Halt::Fault(kernel::Fault::Unavailable(format!("the spool of an import: {error}")))
}

/// What ends reading rows.
enum Stop {
    Refused(Refusal),
    Halt(Halt),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Refused(refusal) => failed(&refusal),
            Stop::Halt(halt) => halt,
        }
    }
}

/// Reads the file of an import into a spool. `hold_on` is called every now and then.
pub(super) fn scan(
    path: &Path,
    spool: &Path,
    import: &Import,
    hold_on: HoldOn<'_>,
) -> Result<Scanned, Halt> {
    let file = File::open(path).map_err(unread)?;
    if digest_of(&file, hold_on)? != import.file.digest {
        return Err(damaged());
    }
    let mut sheet = opened(import.kind, file, &import.options, Extent::Whole)
        .map_err(|refusal| failed(&refusal))?;
    let layout = layout_of(import.kind, sheet.header(), &import.options)
        .map_err(|faults| Halt::Failed(ImportFailure::new(INVALID_COLUMNS, &said(&faults))))?;
    let (encoding, separator) = (sheet.encoding(), sheet.separator());
    // Another process that has lost its claim may be at the same file.
    let mark = RandomState::new().hash_one(std::process::id());
    let part = Part(spool.with_extension(format!("spooling-{mark:x}")));
    let later = Part(spool.with_extension(format!("later-{mark:x}")));
    let mut scan = Scan::begin(&layout, &part.0, &later.0)?;
    sheet.rows(|row| -> Result<(), Stop> {
        scan.take_in(row).map_err(|error| Stop::Halt(unwritable(&error)))?;
        if scan.total.is_multiple_of(STEP_ROWS) {
            hold_on().map_err(Stop::Halt)?;
        }
        Ok(())
    })?;
    let total = scan.total;
    let decimals = settled(&layout, &scan.marks, import.options.decimal)?;
    scan.end().map_err(|error| unwritable(&error))?;
    fs::rename(&part.0, spool).map_err(|error| unwritable(&error))?;
    let columns = layout.used().into_iter();
    let understood = Understood {
        header: layout.header().to_vec(),
        columns: columns
            .map(|(name, column)| (name.to_owned(), column.name().to_owned()))
            .collect(),
        unused: layout.unused().to_vec(),
        decimals,
        encoding: encoding.map(Encoding::name).map(str::to_owned),
        separator,
    };
    Ok(Scanned { understood, total })
}

/// The file cannot be read, or is not where this process looks.
fn unread(error: io::Error) -> Halt {
    match error.kind() {
        // A file that another user has left cannot be read however often it is tried.
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Halt::Missing(error),
        _ => Halt::Fault(kernel::Fault::Unavailable(format!("the file of an import: {error}"))),
    }
}

/// The SHA-256 of all of a file.
fn digest_of(mut file: impl Read, hold_on: HoldOn<'_>) -> Result<String, Halt> {
    let (mut context, mut piece) = (Context::new(&SHA256), vec![0; PIECE_BYTES]);
    loop {
        let read = file.read(&mut piece).map_err(unread)?;
        if read == 0 {
            return Ok(hex::encode(context.finish()));
        }
        context.update(piece.get(..read).unwrap_or_default());
        hold_on()?;
    }
}

fn damaged() -> Halt {
    let text = message!(
        "the file is not as it was sent any more: send it again",
        "el archivo ya no es como se envió: enviarlo de nuevo"
    );
    Halt::Failed(ImportFailure::new("damaged_file", &text))
}

/// A file that is removed when it is dropped, unless it has another name by then.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// A file on its way into a spool.
struct Scan<'a> {
    reader: RowReader,
    numeric: Vec<(Column, usize)>,
    marks: Vec<Marks>,
    seen: Seen,
    numbered: HashMap<String, String>,
    now: SpoolWriter<File>,
    /// Variants whose product comes later in the file, or not at all.
    later: SpoolWriter<File>,
    later_path: &'a Path,
    has_later: bool,
    total: u64,
    layout: &'a Layout,
}

impl<'a> Scan<'a> {
    fn begin(layout: &'a Layout, path: &Path, later_path: &'a Path) -> Result<Self, Halt> {
        let spool = |path: &Path| File::create(path).and_then(SpoolWriter::begin);
        let numeric = layout.numeric();
        Ok(Self {
            reader: RowReader::new(layout.clone(), Vec::new(), EmptyCells::Keep),
            marks: vec![Marks::default(); numeric.len()],
            numeric,
            seen: Seen::default(),
            numbered: HashMap::new(),
            now: spool(path).map_err(|error| unwritable(&error))?,
            later: spool(later_path).map_err(|error| unwritable(&error))?,
            later_path,
            has_later: false,
            total: 0,
            layout,
        })
    }

    fn take_in(&mut self, row: &Row) -> io::Result<()> {
        self.total += 1;
        let row = as_it_came(self.layout, row);
        let row = row.as_ref();
        if row.problem.is_some() {
            return self.now.add(row, PLAIN);
        }
        let cells = cells_of(&row.cells);
        for ((_, place), marks) in self.numeric.iter().zip(&mut self.marks) {
            if let Some(cell) = cells.get(*place) {
                marks.look_at(*cell);
            }
        }
        // It is not done whatever the others say.
        if self.reader.refused_before(&cells).is_some() {
            return self.now.add(row, PLAIN);
        }
        let mut is_seen = |key: Option<RowKey>| key.is_some_and(|key| !self.seen.insert(&key));
        let is_twin = is_seen(self.reader.twin_key(&cells));
        let note = match (is_seen(self.reader.own_key(&cells)), is_twin) {
            (true, _) => DUPLICATE,
            (false, true) => TWIN,
            (false, false) => PLAIN,
        };
        if self.layout.has(Column::Id)
            && self.numbered.len() < NUMBERED_MAX
            && let Some((id, sku)) = self.reader.numbered(&cells)
        {
            self.numbered.insert(id, sku);
        }
        if self.waits(&cells) {
            self.has_later = true;
            return self.later.add(row, note);
        }
        self.now.add(row, note)
    }

    /// Whether a row belongs to a product that no earlier row is about.
    fn waits(&self, cells: &[Cell<'_>]) -> bool {
        let Some(parent) = self.reader.parent(cells) else { return false };
        let sku = match self.reader.number_in(&parent) {
            Some(id) => self.numbered.get(id).cloned(),
            None => Some(parent),
        };
        let row = |text| RowKey { column: Column::Sku, text, place: None };
        sku.is_none_or(|sku| !self.seen.contains(&row(sku)))
    }

    /// Puts the rows that wait behind the others. The spool is on the disk once it has its name.
    fn end(mut self) -> io::Result<()> {
        drop(self.later.end()?);
        if self.has_later {
            let mut rows = SpoolReader::at(File::open(self.later_path)?, 0)?;
            let mut spooled = Spooled::default();
            while rows.next(&mut spooled)? {
                self.now.add(&spooled.row, spooled.note)?;
            }
        }
        self.now.end()?.sync_all()
    }
}

/// The decimal mark of each column that holds numbers, by what it holds.
fn settled(
    layout: &Layout,
    marks: &[Marks],
    wanted: Option<DecimalMark>,
) -> Result<Vec<(String, char)>, Halt> {
    let numeric = layout.numeric();
    let settled = match wanted {
        Some(mark) => vec![mark; marks.len()],
        None => Marks::settle(marks).map_err(|places| {
            let open = places.iter().filter_map(|place| numeric.get(*place));
            let names: Vec<&str> = open.map(|(column, _)| layout.name(*column)).collect();
            let names = names.join(", ");
            let text = message!(
                "it cannot be told whether 1.234 means one and a fraction or more than a thousand in: {names}; say it \
                 with decimal=. or decimal=,",
                "no se puede saber si 1.234 es uno y fracción o más de mil en: {names}; hay que indicarlo con decimal=. o \
                 decimal=,"
            );
            Halt::Failed(ImportFailure::new("ambiguous_numbers", &text))
        })?,
    };
    let columns = numeric.iter().zip(settled);
    Ok(columns.map(|((column, _), mark)| (column.name().to_owned(), mark.character())).collect())
}

/// Opens a spool that is whole.
pub(super) fn spool(path: &Path) -> io::Result<SpoolReader<BufReader<File>>> {
    SpoolReader::at(BufReader::new(File::open(path)?), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_held_while_a_large_file_is_looked_at() {
        let (file, mut held) = (vec![0; 3 * PIECE_BYTES + 1], 0);
        let digest = digest_of(file.as_slice(), &mut || {
            held += 1;
            Ok(())
        });
        let expected = aws_lc_rs::digest::digest(&SHA256, &file);
        assert!(digest.is_ok_and(|digest| digest == hex::encode(expected)));
        assert_eq!(held, 4);
        let lost = || Err(Halt::Failed(ImportFailure::new("lost", &message!("lost", "perdida"))));
        assert!(digest_of(file.as_slice(), &mut { lost }).is_err());
    }
}
