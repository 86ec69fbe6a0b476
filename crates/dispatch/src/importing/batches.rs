//! The rows of an import, a few at a time.

use std::{
    collections::HashMap,
    fs::File,
    io::BufReader,
    mem,
    path::{Path, PathBuf},
    sync::Arc,
};

use imports::{
    BatchRow, Code, Column, DecimalMark, Dialect, Import, ImportOptions, Others, Problem, RawCells,
    RowReader, Understood, Wanted,
};
use kernel::{Amount, Fault};
use sheets::{Row, SpoolReader, Spooled};
use tasks::Progress;

use super::{
    Halt, Step,
    files::{self, layout_of},
    holding::Holding,
    scan::{self, DUPLICATE, HoldOn, NUMBERED_MAX, STEP_ROWS, Scanned, TWIN, cell_of, cells_of},
    written,
};

/// The most bytes of cells of a batch.
const BYTES_MAX: usize = 4 << 20;
/// The most bytes of a SKU by which variations are remembered.
const KEY_BYTES_MAX: usize = 400;

/// Rows of a spool, read as what they want.
pub(super) struct Batches {
    options: Arc<ImportOptions>,
    columns: Arc<Vec<(String, String)>>,
    reader: RowReader,
    spool: SpoolReader<BufReader<File>>,
    path: PathBuf,
    numbered: HashMap<String, String>,
    /// The least price of the variations of each product of WooCommerce, by its SKU.
    least: HashMap<String, Amount>,
    total: Option<u64>,
    spooled: Spooled,
    /// Rows that have been read ahead, and why no more could be.
    ahead: Vec<BatchRow>,
    halt: Option<Halt>,
}

/// A spool that is not as it was written is made anew by the next attempt.
fn unreadable(spool: &Path, error: &std::io::Error) -> Halt {
    files::remove(spool);
    Halt::Fault(Fault::Unavailable(format!("the spool of an import: {error}")))
}

impl Step<'_> {
    /// The rows of an import from the first one on; its file is read into a spool unless that is there.
    pub(super) fn batches(&self, import: &Import) -> Result<Batches, Halt> {
        let files = &self.shared.files;
        let (path, spool) = (files.path(&import.file.name), files.spool(&import.file.name));
        let mut holding = Holding::begin(self);
        let hold_on = &mut || holding.keep(Progress::default).map(drop);
        let known = import.understood.clone().filter(|_| scan::spool(&spool).is_ok());
        let (understood, total) = match known {
            Some(understood) => (understood, import.total),
            None => {
                let Scanned { understood, total } = scan::scan(&path, &spool, import, hold_on)?;
                let now = self.shared.clock.now();
                let (account, as_found) = (self.task.account, understood.clone());
                let recording = self.shared.queue.scanned(account, import.id, as_found, total, now);
                if !written(recording)? {
                    return Err(Halt::Because(self.stopped()?));
                }
                (understood, Some(total))
            }
        };
        let mut batches = Batches::new(import, understood, total, &spool)?;
        batches.look_for_prices(hold_on)?;
        Ok(batches)
    }
}

impl Batches {
    fn new(
        import: &Import,
        understood: Understood,
        total: Option<u64>,
        spool: &Path,
    ) -> Result<Self, Halt> {
        let layout = layout_of(import.kind, &understood.header, &import.options).map_err(|_| {
            Fault::Internal("the columns of an import were understood before".to_owned())
        })?;
        let mark = |column: Column| {
            let found = understood.decimals.iter().find(|(field, _)| field == column.name());
            let mark = found.map_or('.', |(_, mark)| *mark);
            if mark == ',' { DecimalMark::Comma } else { DecimalMark::Point }
        };
        let marks =
            layout.numeric().into_iter().map(|(column, _)| (column, mark(column))).collect();
        Ok(Self {
            options: Arc::new(import.options.clone()),
            columns: Arc::new(understood.columns),
            reader: RowReader::new(layout, marks, import.options.empty_cells),
            spool: scan::spool(spool).map_err(|error| unreadable(spool, &error))?,
            path: spool.to_owned(),
            numbered: HashMap::new(),
            least: HashMap::new(),
            total,
            spooled: Spooled::default(),
            ahead: Vec::new(),
            halt: None,
        })
    }

    pub(super) const fn options(&self) -> &Arc<ImportOptions> {
        &self.options
    }

    pub(super) const fn columns(&self) -> &Arc<Vec<(String, String)>> {
        &self.columns
    }

    /// Whether rows may be about the images of a product of another row.
    pub(super) fn adds_images(&self) -> bool {
        self.reader.layout().dialect == Dialect::Shopify
    }

    pub(super) const fn total(&self) -> Option<u64> {
        self.total
    }

    /// Looks through all rows for what products of WooCommerce cost that have no price of their own. `hold_on` is called every few
    /// thousand rows.
    fn look_for_prices(&mut self, hold_on: HoldOn<'_>) -> Result<(), Halt> {
        let layout = self.reader.layout();
        if layout.dialect != Dialect::WooCommerce || !layout.has(Column::ParentSku) {
            return Ok(());
        }
        let again = |error| unreadable(&self.path, &error);
        let mut spool = scan::spool(&self.path).map_err(again)?;
        let (mut numbered, mut spooled) = (HashMap::new(), Spooled::default());
        let mut rows = 0_u64;
        while spool.next(&mut spooled).map_err(again)? {
            rows += 1;
            if rows.is_multiple_of(STEP_ROWS) {
                hold_on()?;
            }
            remember(&self.reader, &mut numbered, &spooled.row);
            if spooled.row.problem.is_some() || self.least.len() >= NUMBERED_MAX {
                continue;
            }
            let cells = cells_of(&spooled.row.cells);
            let found = self.reader.variation_price(&cells, &|id| numbered.get(id).cloned());
            let Some((sku, price)) = found.filter(|(sku, _)| sku.len() <= KEY_BYTES_MAX) else {
                continue;
            };
            let known = self.least.entry(sku).or_insert(price);
            *known = price.min(*known);
        }
        Ok(())
    }

    /// Reads the next row; whether there is one.
    fn read(&mut self) -> Result<bool, Halt> {
        let Self { spool, spooled, path, .. } = self;
        spool.next(spooled).map_err(|error| unreadable(path, &error))
    }

    /// At the end as many rows must be done as the file has.
    pub(super) fn must_be_over(&self, done: u64) -> Result<(), Halt> {
        match self.total {
            Some(total) if total != done => {
                let short = std::io::Error::other(format!("{done} of {total} rows"));
                Err(unreadable(&self.path, &short))
            }
            _ => Ok(()),
        }
    }

    /// Goes on behind rows that are done. `hold_on` is called every few thousand of them.
    pub(super) fn skip(&mut self, rows: u64, hold_on: HoldOn<'_>) -> Result<(), Halt> {
        for row in 1..=rows {
            if !self.read()? {
                break;
            }
            if row.is_multiple_of(STEP_ROWS) {
                hold_on()?;
            }
            remember(&self.reader, &mut self.numbered, &self.spooled.row);
        }
        Ok(())
    }

    /// At most so many of the next rows; none at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Vec<BatchRow>, Halt> {
        self.read_ahead(most);
        if self.ahead.is_empty()
            && let Some(halt) = self.halt.take()
        {
            return Err(halt);
        }
        let later = self.ahead.split_off(most.min(self.ahead.len()));
        Ok(mem::replace(&mut self.ahead, later))
    }

    /// Reads rows that will be asked for, so many in all: time that others work on those before them is not waited.
    pub(super) fn read_ahead(&mut self, most: usize) {
        let mut bytes: usize = self.ahead.iter().map(|row| row.cells.bytes()).sum();
        while self.ahead.len() < most && bytes < BYTES_MAX && self.halt.is_none() {
            match self.read_row() {
                Ok(None) => break,
                Ok(Some(row)) => {
                    bytes += row.cells.bytes();
                    self.ahead.push(row);
                }
                Err(halt) => self.halt = Some(halt),
            }
        }
    }

    fn read_row(&mut self) -> Result<Option<BatchRow>, Halt> {
        if !self.read()? {
            return Ok(None);
        }
        let Spooled { row, note } = &self.spooled;
        remember(&self.reader, &mut self.numbered, row);
        let wanted = wanted(&self.reader, (&self.numbered, &self.least), row, *note);
        let cells = kept(&self.reader, &self.numbered, row);
        Ok(Some(BatchRow { number: row.number, wanted, cells }))
    }
}

/// The cells of a row for whoever corrects it.
fn kept(reader: &RowReader, numbered: &HashMap<String, String>, row: &Row) -> RawCells {
    let is_named = reader.has_aliases() && row.problem.is_none();
    let own = is_named.then(|| reader.numbered(&cells_of(&row.cells))).flatten();
    // A row that gives a product its other name keeps that.
    let is_own = |alias: &str| own.as_ref().is_some_and(|(own, _)| own == alias);
    let sku_of = |alias: &str| numbered.get(alias).filter(|_| !is_own(alias)).cloned();
    let layout = reader.layout();
    let has_more = row.cells.len() > layout.header().len();
    let report = if has_more { layout.report_begins(&cells_of(&row.cells)) } else { None };
    let mut kept = RawCells::default();
    for (place, cell) in row.cells.iter().map(cell_of).enumerate() {
        if report.map_or_else(|| layout.is_own(place), |report| place < report) {
            kept.push(&reader.kept_cell(place, cell, &sku_of));
        }
    }
    kept
}

/// Remembers which SKU a product has that other rows name otherwise.
fn remember(reader: &RowReader, numbered: &mut HashMap<String, String>, row: &Row) {
    if reader.has_aliases()
        && row.problem.is_none()
        && numbered.len() < NUMBERED_MAX
        && let Some((id, sku)) = reader.numbered(&cells_of(&row.cells))
    {
        numbered.insert(id, sku);
    }
}

fn wanted(
    reader: &RowReader,
    (numbered, least): (&HashMap<String, String>, &HashMap<String, Amount>),
    row: &Row,
    note: u8,
) -> Result<Wanted, Vec<Problem>> {
    if let Some(problem) = row.problem {
        let code = Code::named(problem.code()).unwrap_or(Code::Refused);
        let shown = row.cells.get(0).map_or("", |cell| cell.text);
        return Err(vec![Problem { column: None, ..Problem::of(Column::Report, code, shown) }]);
    }
    let cells = cells_of(&row.cells);
    if note == DUPLICATE {
        return Err(vec![match reader.own_key(&cells) {
            Some(key) => Problem::of(key.column, Code::DuplicateInFile, &key.text),
            None => Problem::of_row(Code::DuplicateInFile),
        }]);
    }
    let others = Others {
        sku_of: &|id| numbered.get(id).cloned(),
        least_price: &|sku| least.get(sku).copied(),
    };
    let mut wanted = reader.read(&cells, &others)?;
    if let Wanted::Product(product) = &mut wanted {
        product.told_apart.has_twin = note == TWIN;
    }
    Ok(wanted)
}
