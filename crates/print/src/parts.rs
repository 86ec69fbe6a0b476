//! The parts of a sheet, from top to bottom.

pub(crate) mod complements;
pub(crate) mod contact;
pub(crate) mod furniture;
pub(crate) mod items;
pub(crate) mod masthead;
pub(crate) mod parties;
pub(crate) mod payments;
pub(crate) mod sums;
pub(crate) mod taxes;
pub(crate) mod tfd;
pub(crate) mod withholding;

use kernel::Language;

use crate::{
    block::Block,
    flow::{BODY_WIDTH, MARGIN},
    text::{Align, Span, Style, paragraph},
    texts::Label,
};

/// From margin to margin.
pub(crate) const FULL: Span = Span { x: MARGIN, width: BODY_WIDTH };
/// Between two columns of a part.
pub(crate) const GUTTER: f32 = 16.0;

/// The title of a part, with a rule below.
pub(crate) fn heading(text: &str, span: Span) -> Block {
    let title = paragraph(text, span, Style::HEADING, Align::Left);
    title.then(Block::rule(span.x, span.width, 1.0, 3.0)).whole()
}

/// What a value is, and the value.
pub(crate) type Field = (Label, String);

/// Fields below each other, their values in a line.
pub(crate) fn fields(fields: &[Field], span: Span, name_width: f32, language: Language) -> Block {
    let value_span = Span { x: span.x + name_width, width: span.width - name_width };
    let row = |(name, value): &Field| {
        let name_span = Span { x: span.x, width: name_width - 4.0 };
        paragraph(name.text(language), name_span, Style::NAME, Align::Left).beside(paragraph(
            value,
            value_span,
            Style::TEXT,
            Align::Left,
        ))
    };
    fields.iter().map(row).collect()
}

/// The fields of which something is stated.
pub(crate) fn stated<const N: usize>(fields: [(Label, Option<String>); N]) -> Vec<Field> {
    fields.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

/// Two columns. Their lines need not stand level, unless they are so many that a page may have to break
/// between them.
pub(crate) fn columns(left: Block, right: Block) -> Block {
    const WHOLE_MAX: f32 = 300.0;
    if left.height().max(right.height()) <= WHOLE_MAX {
        left.whole().beside(right.whole())
    } else {
        left.beside(right)
    }
}

/// The halves of the page.
pub(crate) const fn halves() -> (Span, Span) {
    let width = (BODY_WIDTH - GUTTER) / 2.0;
    (Span { x: MARGIN, width }, Span { x: MARGIN + width + GUTTER, width })
}
