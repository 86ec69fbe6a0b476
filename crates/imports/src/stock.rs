//! What a row of a table of stock says: how many of something are in a place, or how many more or fewer.

use std::collections::BTreeMap;

use inventory::{
    Level, Move, Reason, Sku, WarehouseId,
    adjustment::{Change, Impossible, Named, changed},
};
use kernel::{Measure, quantity::QUANTITY_MAX};

use crate::{
    Cell, Code, Column, ImportId, Problem, RowKey, RowReader,
    reader::{Reading, measure},
};

/// The most characters of the name of a place: those of an identifier or a warehouse's name.
const PLACE_CHARS_MAX: usize = inventory::warehouse::LINE_CHARS_MAX;
/// What Shopify writes of what a place does not have.
const NOT_STOCKED: &str = "not stocked";

/// What a row of a table of stock wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedStock {
    /// What it is about.
    pub named: Named,
    /// The place, by its name or identifier; the default warehouse if it names none.
    pub place: Option<String>,
    /// What a person has counted, or found that there is more or less; `None` if the row says nothing of that.
    pub change: Option<Change>,
    /// What was made of the row that its author may want to know.
    pub warnings: Vec<Problem>,
}

impl WantedStock {
    /// What it says, by field: as a dry run shows it.
    #[must_use]
    pub fn shown(&self) -> BTreeMap<String, String> {
        let (key, code) = self.key();
        let mut shown = BTreeMap::from([(key.name().to_owned(), code.to_owned())]);
        if let Some(place) = &self.place {
            shown.insert(Column::Warehouse.name().to_owned(), place.clone());
        }
        match self.change {
            Some(Change::Counted(count)) => {
                drop(shown.insert(Column::OnHand.name().to_owned(), count.to_string()));
            }
            Some(Change::Delta(delta)) => {
                drop(shown.insert(Column::Delta.name().to_owned(), delta.to_string()));
            }
            None => {}
        }
        shown
    }

    /// The column that names what it is about, and what stands there.
    #[must_use]
    pub fn key(&self) -> (Column, &str) {
        match &self.named {
            Named::Ean(ean) => (Column::Ean, ean),
            Named::Code(code) => (Column::Sku, code),
            // Tables name nothing by its identifiers.
            Named::Id(_) => (Column::Sku, ""),
        }
    }

    /// The column that says how many.
    #[must_use]
    pub const fn change_column(&self) -> Column {
        match self.change {
            Some(Change::Delta(_)) => Column::Delta,
            Some(Change::Counted(_)) | None => Column::OnHand,
        }
    }
}

/// What a row makes of the stock of what it names: nothing, or a change that the ledger says of the import. `found` is what
/// its code names, or why it names nothing, and its place, if it names one.
///
/// # Errors
/// What is wrong with it.
pub fn judge(
    wanted: &WantedStock,
    found: (Result<Sku, Code>, Option<WarehouseId>),
    level: impl FnOnce(Sku, WarehouseId) -> Level,
    import: ImportId,
) -> Result<Option<Move>, Vec<Problem>> {
    let mut problems = Vec::new();
    let (sku, warehouse) = found;
    if let Err(unknown) = sku {
        let (column, code) = wanted.key();
        problems.push(Problem::of(column, unknown, code));
    }
    if warehouse.is_none() {
        let place = wanted.place.as_deref().unwrap_or_default();
        problems.push(Problem::of(Column::Warehouse, Code::UnknownWarehouse, place));
    }
    let (Ok(sku), Some(warehouse)) = (sku, warehouse) else { return Err(problems) };
    let Some(change) = wanted.change else { return Ok(None) };
    let delta = changed(level(sku, warehouse), change, sku.decimals).map_err(|impossible| {
        let code = match impossible {
            Impossible::BelowZero => Code::BelowZero,
            Impossible::TooMany => Code::TooMany,
            Impossible::NotWhole => Code::NotWhole,
        };
        vec![Problem::of(wanted.change_column(), code, &change.stated().to_string())]
    })?;
    let moved = || Move::new((sku, warehouse), delta, Reason::Import, &import.to_string());
    Ok((delta != 0).then(moved))
}

/// What tells the row of some stock from the others: what it is about, and where.
pub(crate) fn own_key(reader: &RowReader, row: &[Cell<'_>]) -> Option<RowKey> {
    let key = reader.first_code(row, &[Column::Sku, Column::Ean])?;
    let text = match key.column {
        Column::Ean => gtin(key.text),
        _ => key.text,
    };
    let place = reader.layout.cell(row, Column::Warehouse).filter(|cell| !cell.is_blank());
    let place = place.map(|cell| kernel::text::folded(cell.plain()));
    Some(RowKey { column: key.column, text, place })
}

/// A barcode number as it is whatever stands between its digits and however many zeros in front of them (GS1 General
/// Specifications, §3.2).
fn gtin(text: String) -> String {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.trim_start_matches('0').to_owned() } else { text }
}

impl Reading<'_, '_> {
    pub(crate) fn stock_row(&mut self) -> Option<WantedStock> {
        let sku = self.sku(Column::Sku).map(Named::Code);
        let ean = self.ean().flatten().map(|ean| Named::Ean(ean.to_string()));
        let place = self.line(Column::Warehouse, PLACE_CHARS_MAX).flatten();
        let counted = self.counted();
        let delta = self.delta();
        let change = match (counted, delta) {
            (Some(_), Some(_)) => {
                self.problems.push(Problem::of(Column::Delta, Code::CountedAndDelta, ""));
                None
            }
            (Some(counted), None) => Some(Change::Counted(counted)),
            (None, delta) => delta.map(Change::Delta),
        };
        let Some(named) = sku.or(ean) else {
            let column = [Column::Sku, Column::Ean];
            let column = column.into_iter().find(|column| self.reader.layout.has(*column));
            if self.problems.is_empty() {
                self.problems.push(Problem { column, ..Problem::of_row(Code::Required) });
            }
            return None;
        };
        Some(WantedStock { named, place, change, warnings: Vec::new() })
    }

    fn counted(&mut self) -> Option<Measure> {
        let cell = self.reader.layout.cell(self.row, Column::OnHand)?;
        if kernel::text::folded(cell.text()) == NOT_STOCKED {
            return None;
        }
        let counted = self.said(Column::OnHand, |reading, cell| {
            measure(reading.number(Column::OnHand, cell)?, 0)
        });
        counted.flatten()
    }

    fn delta(&mut self) -> Option<Measure> {
        let delta = self.said(Column::Delta, |reading, cell| {
            measure(reading.number(Column::Delta, cell)?, -QUANTITY_MAX)
        });
        delta.flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DecimalMark, EmptyCells, ImportKind, Layout, Mode, Others, Wanted};

    fn reader(header: &[&str]) -> RowReader {
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let layout =
            Layout::of(ImportKind::Stock, &header, &BTreeMap::new(), Mode::Upsert).unwrap();
        let marks = layout.numeric().into_iter().map(|(column, _)| (column, DecimalMark::Point));
        RowReader::new(layout, marks.collect(), EmptyCells::Keep)
    }

    fn read(header: &[&str], row: &[&str]) -> String {
        let cells: Vec<Cell<'_>> = row.iter().map(|text| Cell::Text(text)).collect();
        match reader(header).read(&cells, &Others::NONE) {
            Ok(Wanted::Stock(wanted)) => {
                let shown = wanted.shown();
                let shown: Vec<_> =
                    shown.iter().map(|(name, value)| format!("{name}={value}")).collect();
                shown.join(" ")
            }
            Ok(other) => panic!("{other:?}"),
            Err(problems) => problems.iter().map(|problem| problem.code.name()).collect(),
        }
    }

    #[test]
    fn rows_say_how_many_or_how_many_more() {
        let header = ["Clave", "Almacén", "Existencia", "Ajuste"];
        let cases: &[(&[&str], &str)] = &[
            (&["T-1", "Norte", "1,200", ""], "onHand=1200 sku=T-1 warehouse=Norte"),
            (&["T-1", "", "", "-3"], "delta=-3 sku=T-1"),
            (&["T-1", "", "", ""], "sku=T-1"),
            (&["T-1", "", "not stocked", ""], "sku=T-1"),
            (&["T-1", "", "1", "1"], "counted_and_delta"),
            (&["T-1", "", "1.5", ""], "onHand=1.5 sku=T-1"),
            (&["T-1", "", "", "-0.3505"], "not_whole"),
            (&["T-1", "", "-1", ""], "out_of_range"),
            (&["", "Norte", "1", ""], "required"),
        ];
        for (row, expected) in cases {
            assert_eq!(read(&header, row), *expected, "{row:?}");
        }
        assert_eq!(read(&["ean", "contado"], &["36000291452", "5"]), "ean=036000291452 onHand=5");
    }

    #[test]
    fn an_inventory_of_shopify_is_read() {
        let header = [
            "Handle",
            "Title",
            "SKU",
            "Location",
            "Available",
            "On hand (current)",
            "On hand (new)",
        ];
        let row = ["taza", "Taza", "T-1", "Tienda", "5", "7", "6"];
        assert_eq!(read(&header, &row), "onHand=6 sku=T-1 warehouse=Tienda");
    }

    #[test]
    fn what_is_promised_is_not_taken() {
        let sku = Sku::named(inventory::ProductId::from_u128(1), None);
        let place = WarehouseId::from_u128(2);
        let level = Level { available: 3, committed: 2 };
        let judged = |change, found| {
            let named = Named::Code("T-1".to_owned());
            let wanted =
                WantedStock { named, place: None, change: Some(change), warnings: Vec::new() };
            judge(&wanted, found, |_, _| level, ImportId::from_u128(3))
                .map(|moved| moved.map_or(0, |moved| moved.delta))
                .map_err(|problems| {
                    problems.iter().map(|problem| problem.code.name()).collect::<Vec<_>>().join(" ")
                })
        };
        let there = (Ok(sku), Some(place));
        let refused = |text: &str| Err(text.to_owned());
        let counted = |units| Change::Counted(Measure::whole(units));
        let more = |units| Change::Delta(Measure::whole(units));
        assert_eq!(judged(counted(5), there), Ok(0));
        assert_eq!(judged(counted(9), there), Ok(4));
        assert_eq!(judged(counted(2), there), Ok(-3));
        assert_eq!(judged(counted(1), there), refused("below_zero"));
        assert_eq!(judged(more(-4), there), refused("below_zero"));
        assert_eq!(judged(more(QUANTITY_MAX), there), refused("too_many"));
        let half = Change::Delta(Measure::from_thousandths(500));
        assert_eq!(judged(half, there), refused("not_whole"));
        let weighed = (Ok(sku.with_decimals(kernel::Decimals::Three)), Some(place));
        let grams = Change::Delta(Measure::from_thousandths(-3));
        assert_eq!(judged(grams, weighed), Ok(-3));
        let nowhere = judged(more(1), (Err(Code::NotFound), None));
        assert_eq!(nowhere, refused("not_found unknown_warehouse"));
        let several = judged(more(1), (Err(Code::AmbiguousEan), Some(place)));
        assert_eq!(several, refused("ambiguous_ean"));
    }

    #[test]
    fn the_same_in_another_place_is_another_row() {
        let reader = reader(&["sku", "warehouse", "onHand"]);
        let key = |row: &[&str]| {
            let cells: Vec<Cell<'_>> = row.iter().map(|text| Cell::Text(text)).collect();
            reader.own_key(&cells)
        };
        assert_eq!(key(&["A", "Norte", "1"]), key(&["A", " NORTE ", "2"]));
        assert_ne!(key(&["A", "Norte", "1"]), key(&["A", "Sur", "1"]));
        assert_ne!(key(&["A", "", "1"]), key(&["A", "Sur", "1"]));
    }

    #[test]
    fn the_same_barcode_number_is_the_same_in_any_spelling() {
        let reader = reader(&["ean", "onHand"]);
        let key = |ean: &str| reader.own_key(&[Cell::Text(ean), Cell::Text("1")]);
        let spellings = [
            "036000291452",
            "36000291452",
            "0036000291452",
            "0-36000-29145-2",
            "=\"036000291452\"",
        ];
        for spelling in spellings {
            assert_eq!(key(spelling), key("36000291452"), "{spelling}");
        }
        assert_ne!(key("7501031311309"), key("36000291452"));
    }
}
