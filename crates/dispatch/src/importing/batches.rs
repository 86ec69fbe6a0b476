//! The rows of an import, a few at a time.

use std::{collections::HashMap, fs::File, io::BufReader, sync::Arc};

use imports::{
    BatchRow, Code, Column, DecimalMark, Import, ImportOptions, Problem, ProductReader, RawCells,
    Understood, Wanted,
};
use kernel::Fault;
use sheets::{Row, SpoolReader, Spooled};
use tasks::Progress;

use super::{
    Halt, KEY_COLUMN, Step,
    files::layout_of,
    scan::{self, DUPLICATE, NUMBERED_MAX, Scanned, cells_of},
    written,
};

/// The most bytes of cells of a batch.
const BYTES_MAX: usize = 4 << 20;

/// Rows of a spool, read as what they want.
pub(super) struct Batches {
    options: Arc<ImportOptions>,
    columns: Arc<Vec<(String, String)>>,
    reader: ProductReader,
    spool: SpoolReader<BufReader<File>>,
    numbered: HashMap<String, String>,
    total: Option<u64>,
    spooled: Spooled,
}

fn unreadable(error: &std::io::Error) -> Halt {
    Halt::Fault(Fault::Unavailable(format!("the spool of an import: {error}")))
}

impl Step<'_> {
    /// The rows of an import that are not done; its file is read into a spool unless that is there.
    pub(super) fn batches(&self, import: &Import) -> Result<Batches, Halt> {
        let files = &self.shared.files;
        let (path, spool) = (files.path(&import.file.name), files.spool(&import.file.name));
        let known = import.understood.clone().filter(|_| scan::spool(&spool).is_ok());
        let (understood, total) = match known {
            Some(understood) => (understood, import.total),
            None => {
                let hold = &mut || self.hold_on(Progress::default());
                let Scanned { understood, total } = scan::scan(&path, &spool, import, hold)?;
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
        batches.skip(import.counts.processed)?;
        Ok(batches)
    }
}

impl Batches {
    fn new(
        import: &Import,
        understood: Understood,
        total: Option<u64>,
        spool: &std::path::Path,
    ) -> Result<Self, Halt> {
        let layout = layout_of(&understood.header, &import.options).map_err(|_| {
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
            reader: ProductReader::new(layout, marks, import.options.empty_cells),
            spool: scan::spool(spool).map_err(|error| unreadable(&error))?,
            numbered: HashMap::new(),
            total,
            spooled: Spooled::default(),
        })
    }

    pub(super) const fn options(&self) -> &Arc<ImportOptions> {
        &self.options
    }

    pub(super) const fn columns(&self) -> &Arc<Vec<(String, String)>> {
        &self.columns
    }

    pub(super) const fn total(&self) -> Option<u64> {
        self.total
    }

    /// Goes on behind rows that are done.
    fn skip(&mut self, rows: u64) -> Result<(), Halt> {
        for _ in 0..rows {
            if !self.spool.next(&mut self.spooled).map_err(|error| unreadable(&error))? {
                break;
            }
            remember(&self.reader, &mut self.numbered, &self.spooled.row);
        }
        Ok(())
    }

    /// At most so many of the next rows; none at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Vec<BatchRow>, Halt> {
        let (mut rows, mut bytes) = (Vec::with_capacity(most), 0);
        while rows.len() < most && bytes < BYTES_MAX {
            if !self.spool.next(&mut self.spooled).map_err(|error| unreadable(&error))? {
                break;
            }
            let Spooled { row, note } = &self.spooled;
            remember(&self.reader, &mut self.numbered, row);
            let wanted = wanted(&self.reader, &self.numbered, row, *note);
            let cells = RawCells::of(row.cells.iter().map(|cell| cell.text));
            bytes += cells.bytes();
            rows.push(BatchRow { number: row.number, wanted, cells });
        }
        Ok(rows)
    }
}

/// Remembers which SKU a product of WooCommerce has that others name by its number.
fn remember(reader: &ProductReader, numbered: &mut HashMap<String, String>, row: &Row) {
    if reader.layout().has(Column::Id)
        && row.problem.is_none()
        && numbered.len() < NUMBERED_MAX
        && let Some((id, sku)) = reader.numbered(&cells_of(&row.cells))
    {
        numbered.insert(id, sku);
    }
}

fn wanted(
    reader: &ProductReader,
    numbered: &HashMap<String, String>,
    row: &Row,
    note: u8,
) -> Result<Wanted, Vec<Problem>> {
    if let Some(problem) = row.problem {
        let code = Code::named(problem.code()).unwrap_or(Code::Refused);
        let shown = row.cells.get(0).map_or("", |cell| cell.text);
        let value = Problem::of(KEY_COLUMN, code, shown).value;
        return Err(vec![Problem { column: None, code, value }]);
    }
    let cells = cells_of(&row.cells);
    if note == DUPLICATE {
        let key = reader.own_key(&cells);
        let (column, text) = match &key {
            Some(imports::Key::ExternalId(id)) => (Column::ExternalId, id.as_str()),
            Some(imports::Key::Sku(sku)) => (Column::Sku, sku.as_str()),
            None => (KEY_COLUMN, ""),
        };
        return Err(vec![Problem::of(column, Code::DuplicateInFile, text)]);
    }
    reader.read(&cells, &|id| numbered.get(id).cloned())
}
