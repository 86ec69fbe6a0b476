//! Tables: columns as wide as what they hold, and rows of cells.

use crate::{
    block::Block,
    palette::Tone,
    text::{Align, Span, Style, paragraph},
};

/// Room between the text of two columns.
const GAP: f32 = 8.0;
/// Room between the edge of the table and its text.
const INSET: f32 = 4.0;

/// What a column is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) title: &'static str,
    pub(crate) align: Align,
    pub(crate) width: Width,
}

/// How wide a column is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Width {
    /// As its widest cell, but no wider than that.
    Fitting { most: f32 },
    /// What the others leave.
    Rest,
}

/// A column with its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    pub(crate) span: Span,
    pub(crate) align: Align,
}

/// Text of a cell, each in lines of its own.
pub(crate) type Cell = Vec<(Style, String)>;

/// A cell that is one text.
pub(crate) fn cell(text: impl Into<String>) -> Cell {
    vec![(Style::TEXT, text.into())]
}

/// A table between the edges of its span.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    span: Span,
    columns: Vec<Column>,
}

impl Table {
    /// A table whose columns suit the rows it is going to have.
    pub(crate) fn for_rows(span: Span, specs: &[Spec], rows: &[Vec<Cell>]) -> Self {
        let widest: Vec<f32> =
            specs.iter().enumerate().map(|(at, spec)| widest(spec, rows, at)).collect();
        let gaps = GAP * specs.len().saturating_sub(1) as f32 + 2.0 * INSET;
        let taken: f32 = widest.iter().sum::<f32>() + gaps;
        let rests = specs.iter().filter(|spec| matches!(spec.width, Width::Rest)).count();
        let rest = (span.width - taken).max(0.0) / rests.max(1) as f32;
        let mut x = span.x + INSET;
        let column = |(spec, widest): (&Spec, f32)| {
            let width = if matches!(spec.width, Width::Rest) { rest } else { widest };
            let span = Span { x, width };
            x += width + GAP;
            Column { title: spec.title, span, align: spec.align }
        };
        Self { span, columns: specs.iter().zip(widest).map(column).collect() }
    }

    /// The row of titles.
    pub(crate) fn head(&self) -> Block {
        let style = Style::HEADING.sized(7.0, 9.0);
        let titles = self
            .columns
            .iter()
            .map(|column| paragraph(column.title, column.span, style, column.align));
        let row = Block::space(3.5).then(titles.fold(Block::default(), Block::beside));
        let head =
            row.then(Block::space(3.0)).whole().on(self.span.x, self.span.width, Tone::Shade);
        head.then(Block::space(1.5)).whole()
    }

    /// A row, with a rule below.
    pub(crate) fn row(&self, cells: &[Cell]) -> Block {
        let blocks = self.columns.iter().zip(cells).map(|(column, cell)| {
            cell.iter()
                .map(|(style, text)| paragraph(text, column.span, *style, column.align))
                .collect::<Block>()
        });
        let mut row = blocks.fold(Block::default(), Block::beside);
        // Room above and below belongs to the first and last line, so that a page never begins with it.
        let rule = Block::rule(self.span.x, self.span.width, 3.0, 0.0);
        if let Some(first) = row.slices.first_mut() {
            let ops = std::mem::take(&mut first.ops);
            first.ops = ops.into_iter().map(|op| op.lowered(3.0)).collect();
            first.height += 3.0;
        }
        match row.slices.pop() {
            Some(last) => row.then(Block { slices: vec![last] }.then(rule).whole()),
            None => rule,
        }
    }

    /// Where the column of that title is.
    #[cfg(test)]
    pub(crate) fn column(&self, title: &str) -> Span {
        self.columns.iter().find(|column| column.title == title).unwrap().span
    }
}

/// The width a column needs so that nothing in it wraps, at most what it is given; none for the rest.
fn widest(spec: &Spec, rows: &[Vec<Cell>], at: usize) -> f32 {
    let Width::Fitting { most } = spec.width else { return 0.0 };
    let cells = rows.iter().filter_map(|row| row.get(at)).flatten();
    let title = Style::HEADING.sized(7.0, 9.0).width(spec.title);
    cells.map(|(style, text)| style.width(text)).fold(title, f32::max).min(most.max(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Span = Span { x: 36.0, width: 540.0 };
    const SPECS: &[Spec] = &[
        Spec { title: "Descripción", align: Align::Left, width: Width::Rest },
        Spec { title: "Importe", align: Align::Right, width: Width::Fitting { most: 110.0 } },
    ];

    fn rows(amount: &str) -> Vec<Vec<Cell>> {
        vec![vec![cell("Algo"), cell(amount)]]
    }

    #[test]
    fn columns_fill_the_width_and_suit_their_numbers() {
        for amount in ["1.00", "1,234,567,890.123456", &"9".repeat(80)] {
            let table = Table::for_rows(PAGE, SPECS, &rows(amount));
            let (rest, fitting) = (table.column("Descripción"), table.column("Importe"));
            assert!((fitting.x + fitting.width + INSET - (PAGE.x + PAGE.width)).abs() < 0.01);
            assert!((rest.x + rest.width + GAP - fitting.x).abs() < 0.01);
            assert!(fitting.width <= 110.0);
        }
        let narrow = Table::for_rows(PAGE, SPECS, &rows("1.00")).column("Importe").width;
        let wide = Table::for_rows(PAGE, SPECS, &rows("1,234,567.00")).column("Importe").width;
        assert!(narrow < wide);
    }

    #[test]
    fn a_number_too_wide_for_its_column_wraps() {
        let rows = rows(&"9".repeat(80));
        let table = Table::for_rows(PAGE, SPECS, &rows);
        assert!(table.row(&rows[0]).slices.len() > 3);
        assert!(table.row(&[]).height() > 0.0);
    }
}
