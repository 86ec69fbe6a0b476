//! What stands on every page: marks, the name of the document, the legend and the page's number.

use crate::{
    Sheet,
    block::{ALARM, Area, Block, Color, Op, PAPER, RULE},
    names::{number, title},
    parts::FULL,
    text::{Align, Span, Style, clean, paragraph, shortened},
};

/// Where the footer begins, from the top of the page.
const FOOTER_TOP: f32 = 754.0;

/// What must be seen on every page, gravest first.
pub(crate) fn marks(sheet: &Sheet<'_>) -> Vec<&'static str> {
    let mut marks = Vec::new();
    if sheet.cancelled {
        marks.push("CANCELADO");
    }
    if sheet.stamp.is_none() {
        marks.push("BORRADOR – SIN VALIDEZ FISCAL");
    }
    if sheet.sandbox {
        marks.push("SANDBOX – SIN VALOR FISCAL");
    }
    marks
}

/// The marks in a band at the top.
pub(crate) fn band(sheet: &Sheet<'_>) -> Block {
    let marks = marks(sheet);
    if marks.is_empty() {
        return Block::default();
    }
    let style = Style::STRONG.sized(9.5, 12.0).in_color(PAPER);
    let text = paragraph(&marks.join("  ·  "), FULL, style, Align::Center);
    let band = Block::space(2.5).then(text).then(Block::space(3.0)).whole();
    band.on(FULL.x, FULL.width, ALARM).then(Block::space(10.0))
}

/// Above every page but the first: whose document it is and which.
pub(crate) fn running(sheet: &Sheet<'_>) -> Block {
    let document = sheet.document;
    let number = number(document.series.as_deref(), document.folio.as_deref()).unwrap_or_default();
    let which = format!("{} {number}", title(document));
    let uuid = sheet.stamp.map(|stamp| format!("Folio fiscal {}", stamp.uuid)).unwrap_or_default();
    let issuer = format!("{} · {}", document.issuer.legal_name, document.issuer.rfc);
    let style = Style::FINE;
    let half = FULL.width / 2.0;
    let left = Span { width: half - 8.0, ..FULL };
    let right = Span { x: FULL.x + half, width: half };
    let line = |text: &str, span, align| one_line(text, span, style, align);
    let rows = line(&issuer, left, Align::Left)
        .beside(line(&which, right, Align::Right))
        .then(line(&uuid, right, Align::Right));
    band(sheet).then(rows).then(Block::rule(FULL.x, FULL.width, 1.0, 8.0)).whole()
}

/// As much as fits in a line; the first page has it in full.
fn one_line(text: &str, span: Span, style: Style, align: Align) -> Block {
    paragraph(&shortened(&clean(text), span.width, style), span, style, align)
}

/// Adds to each page what stands on all of them.
pub(crate) fn furnish(pages: &mut [Vec<Op>], sheet: &Sheet<'_>) {
    let count = pages.len();
    for (index, page) in pages.iter_mut().enumerate() {
        page.extend(footer(sheet, index + 1, count).flattened());
        if let Some(watermark) = watermark(sheet) {
            page.insert(0, watermark);
        }
    }
}

fn footer(sheet: &Sheet<'_>, page: usize, count: usize) -> Block {
    let number = format!("Página {page} de {count}");
    let number_width = Style::FINE.width(&number);
    let legend_span = Span { width: FULL.width - number_width - 12.0, ..FULL };
    let number_span = Span { x: FULL.x + FULL.width - number_width, width: number_width };
    let area = Area { x: FULL.x, y: FOOTER_TOP, width: FULL.width, height: 0.5 };
    let text = paragraph(legend(sheet), legend_span, Style::FINE, Align::Left).beside(paragraph(
        &number,
        number_span,
        Style::FINE,
        Align::Right,
    ));
    Block::of(FOOTER_TOP + 4.0, vec![Op::Fill { area, color: RULE }]).then(text)
}

/// What the sheet is, in the words of rule 2.7.1.7 of the RMF where it is the print of a CFDI.
pub(crate) fn legend(sheet: &Sheet<'_>) -> &'static str {
    match (sheet.stamp, sheet.sandbox) {
        (None, _) => "Borrador de un CFDI que aún no se ha timbrado: carece de validez fiscal.",
        (_, true) => {
            "Este documento es una representación impresa de un CFDI de prueba (sandbox), sin valor fiscal."
        }
        _ => "Este documento es una representación impresa de un CFDI.",
    }
}

fn watermark(sheet: &Sheet<'_>) -> Option<Op> {
    const RED: Color = Color(0xfb, 0xe6, 0xe3);
    const GREY: Color = Color(0xec, 0xee, 0xf1);
    let (text, color) = match (sheet.cancelled, sheet.stamp, sheet.sandbox) {
        (true, ..) => ("CANCELADO", RED),
        (_, None, _) => ("BORRADOR", GREY),
        (.., true) => ("SANDBOX", GREY),
        _ => return None,
    };
    Some(Op::Watermark { text, color })
}
