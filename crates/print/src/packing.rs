//! The packing slip of a shipment: what lies in the parcel, where it comes from and who it is for. It tells no prices.

use kernel::{Language, Measure};
use krilla::metadata::Metadata;

use crate::{
    Color, PrintError,
    block::{Block, Op},
    flow::{Flow, MARGIN, PAGE_HEIGHT, PAGE_WIDTH},
    fonts::Face,
    paint,
    palette::{Palette, Tone},
    parts::{FULL, columns, fields, halves, heading, stated},
    table::{Spec, Table, Width, cell},
    text::{self, Align, Style, paragraph},
    texts,
};

/// Where the footer begins.
const FOOTER_TOP: f32 = PAGE_HEIGHT - 40.0;
const NAME_WIDTH: f32 = 96.0;

/// A packing slip.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PackingSlip<'a> {
    pub order_number: &'a str,
    /// The identifier of the shipment.
    pub shipment: &'a str,
    /// Day on which it left.
    pub shipped_on: &'a str,
    /// Where it comes from, line by line.
    pub from: &'a [String],
    /// Who it is for and where, line by line.
    pub to: &'a [String],
    pub carrier: Option<&'a str>,
    pub tracking_number: Option<&'a str>,
    pub items: &'a [PackedItem<'a>],
    /// Whether it was cancelled, which every page then says.
    pub cancelled: bool,
    pub language: Language,
}

/// An item in the parcel.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PackedItem<'a> {
    /// The seller's number of it, if it has one.
    pub sku: Option<&'a str>,
    pub name: &'a str,
    pub quantity: Measure,
    /// Whether it is told by the piece, rather than by weight or length.
    pub is_counted: bool,
    pub note: Option<&'a str>,
}

/// The PDF of a packing slip.
///
/// # Errors
/// When a font cannot be embedded.
pub fn packing_slip_pdf(slip: &PackingSlip<'_>) -> Result<Vec<u8>, PrintError> {
    let title = format!("{} {}", texts::PACKING_SLIP.text(slip.language), slip.order_number);
    let language = match slip.language {
        Language::English => "en-US",
        Language::Spanish => "es-MX",
    };
    let metadata = Metadata::new()
        .title(text::clean(&title))
        .creator("Trastienda".to_owned())
        .language(language.to_owned());
    paint::paint(&pages(slip), Palette::of(Color::BLACK), None, metadata)
        .map_err(|error| PrintError(error.to_string()))
}

fn pages(slip: &PackingSlip<'_>) -> Vec<Vec<Op>> {
    let language = slip.language;
    let name = texts::PACKING_SLIP.text(language);
    let title = paragraph(name, FULL, Style::STRONG.sized(16.0, 20.0), Align::Left);
    let number = paragraph(slip.order_number, FULL, Style::STRONG.sized(11.0, 14.0), Align::Left);
    let running = format!("{name} {}", slip.order_number);
    let running = paragraph(&running, FULL, Style::NAME, Align::Left).then(Block::space(6.0));
    let mut flow = Flow::new(Block::default(), running, FOOTER_TOP);
    flow.place(title.then(number).then(Block::space(10.0)));
    flow.place(parties(slip));
    flow.place(facts(slip));
    items(slip, &mut flow);
    let pages = flow.finish();
    let count = pages.len();
    let furnish = |(index, mut ops): (usize, Vec<Op>)| {
        let page = [(index + 1).to_string(), count.to_string()];
        let text = texts::PAGE.with(language, &[&page[0], &page[1]]);
        let size = Style::NAME.size;
        let x = PAGE_WIDTH - MARGIN - Style::NAME.width(&text);
        let (y, face, tone) = (FOOTER_TOP + 14.0, Face::Regular, Tone::Label);
        ops.push(Op::Text { x, y, face, size, tone, text });
        if slip.cancelled {
            ops.insert(
                0,
                Op::Watermark { text: texts::CANCELLED.text(language), tone: Tone::Shade },
            );
        }
        ops
    };
    pages.into_iter().enumerate().map(furnish).collect()
}

fn parties(slip: &PackingSlip<'_>) -> Block {
    let (left, right) = halves();
    let column = |title: texts::Label, span, lines: &[String]| {
        let lines = lines.iter().map(|line| paragraph(line, span, Style::TEXT, Align::Left));
        heading(title.text(slip.language), span).then(lines.collect())
    };
    let from = column(texts::SHIPPED_FROM, left, slip.from);
    let to = column(texts::SHIP_TO, right, slip.to);
    columns(from, to).then(Block::space(8.0))
}

fn facts(slip: &PackingSlip<'_>) -> Block {
    let facts = stated([
        (texts::SHIPMENT, Some(slip.shipment.to_owned())),
        (texts::SHIPPED_ON, Some(slip.shipped_on.to_owned())),
        (texts::CARRIER, slip.carrier.map(str::to_owned)),
        (texts::TRACKING_NUMBER, slip.tracking_number.map(str::to_owned)),
    ]);
    fields(&facts, FULL, NAME_WIDTH, slip.language).then(Block::space(8.0))
}

fn items(slip: &PackingSlip<'_>, flow: &mut Flow) {
    let row = |item: &PackedItem<'_>| {
        let mut name = cell(item.name);
        name.extend(item.note.map(|note| (Style::NAME, note.to_owned())));
        vec![cell(item.sku.unwrap_or_default()), name, cell(item.quantity.to_string()), cell("")]
    };
    let rows: Vec<_> = slip.items.iter().map(row).collect();
    let fitting = |title: texts::Label, align, most| Spec {
        title: title.text(slip.language),
        align,
        width: Width::Fitting { most },
    };
    let name = Spec {
        title: texts::PACKED_PRODUCT.text(slip.language),
        align: Align::Left,
        width: Width::Rest,
    };
    // Kilograms and pieces do not add up.
    let is_counted = slip.items.iter().all(|item| item.is_counted);
    let quantity = if is_counted { texts::PACKED_PIECES } else { texts::PACKED_QUANTITY };
    let specs = [
        fitting(texts::PACKED_SKU, Align::Left, 140.0),
        name,
        fitting(quantity, Align::Right, 80.0),
        fitting(texts::PACKED_CHECK, Align::Right, 60.0),
    ];
    let table = Table::for_rows(FULL, &specs, &rows);
    flow.begin_table(table.head());
    for row in &rows {
        flow.place_row(table.row(row));
    }
    flow.end_table();
    if !is_counted {
        return;
    }
    let pieces: Measure = slip.items.iter().map(|item| item.quantity).sum();
    let total = texts::PACKED_TOTAL.with(slip.language, &[&pieces.to_string()]);
    let total = paragraph(&total, FULL, Style::STRONG, Align::Right);
    flow.place(Block::space(6.0).then(total).whole());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(slip: &PackingSlip<'_>) -> Vec<Vec<String>> {
        let texts = |ops: &Vec<Op>| {
            let text = |op: &Op| match op {
                Op::Text { text, .. } => Some(text.clone()),
                _ => None,
            };
            ops.iter().filter_map(text).collect()
        };
        pages(slip).iter().map(texts).collect()
    }

    #[test]
    fn a_slip_tells_what_lies_in_the_parcel_and_who_it_is_for() {
        let item = PackedItem {
            sku: Some("TAZA"),
            name: "Taza de barro",
            quantity: Measure::whole(3),
            is_counted: true,
            note: Some("Sin asa"),
        };
        let items = vec![item; 120];
        let (from, to) = (["Principal".to_owned()], ["Ana Torres".to_owned()]);
        let slip = PackingSlip {
            order_number: "ORD-000123",
            shipment: "shp_01KG9DBS3V5X7Z9B1D3F5H7K9M",
            shipped_on: "31/01/2026",
            from: &from,
            to: &to,
            carrier: Some("DHL"),
            tracking_number: None,
            items: &items,
            cancelled: false,
            language: Language::Spanish,
        };
        let pages = texts_of(&slip);
        assert!(pages.len() > 1);
        for text in ["Lista de empaque", "ORD-000123", "Ana Torres", "Principal", "DHL", "Sin asa"]
        {
            assert!(pages[0].iter().any(|line| line == text), "{text}: {:?}", pages[0]);
        }
        let last = pages.last().unwrap();
        assert!(last.iter().any(|line| line == "Total de piezas: 360"), "{last:?}");
        assert!(packing_slip_pdf(&slip).unwrap().starts_with(b"%PDF"));
        let cheese = Measure::from_thousandths(350);
        let weighed = [item, PackedItem { quantity: cheese, is_counted: false, ..item }];
        let weighed = texts_of(&PackingSlip { items: &weighed, ..slip });
        assert!(weighed[0].iter().any(|line| line == "0.35"), "{weighed:?}");
        assert!(!weighed[0].iter().any(|line| line.starts_with("Total")), "{weighed:?}");
        assert!(weighed[0].iter().any(|line| line == "Cantidad"), "{weighed:?}");
        let cancelled = PackingSlip { cancelled: true, ..slip };
        assert!(matches!(super::pages(&cancelled)[0][0], Op::Watermark { .. }));
    }
}
