//! What stands on every page: marks, the name of the document, the legend and the page's number.

use crate::{
    block::{Area, Block, Op},
    frame::Frame,
    palette::Tone,
    parts::FULL,
    text::{Align, Span, Style, clean, paragraph, shortened},
    texts,
};

/// Where the footer's last line begins, from the top of the page.
const LAST_LINE: f32 = 758.0;
/// From the rule above the footer to its first line.
const BELOW_RULE: f32 = 4.0;

/// What must be seen on every page, gravest first.
pub(crate) fn marks(frame: &Frame<'_>) -> Vec<&'static str> {
    let marks = [
        (frame.cancelled, texts::CANCELLED),
        (frame.stamp.is_none(), texts::DRAFT_MARK),
        (frame.sandbox, texts::SANDBOX_MARK),
    ];
    let marks = marks.into_iter().filter(|(applies, _)| *applies);
    marks.map(|(_, mark)| mark.text(frame.language)).collect()
}

/// The marks in a band at the top.
pub(crate) fn band(frame: &Frame<'_>) -> Block {
    let marks = marks(frame);
    if marks.is_empty() {
        return Block::default();
    }
    let style = Style::STRONG.sized(9.5, 12.0).in_tone(Tone::OnAlarm);
    let text = paragraph(&marks.join("  ·  "), FULL, style, Align::Center);
    let band = Block::space(2.5).then(text).then(Block::space(3.0)).whole();
    band.on(FULL.x, FULL.width, Tone::Alarm).then(Block::space(10.0))
}

/// Above every page but the first: whose document it is and which.
pub(crate) fn running(frame: &Frame<'_>) -> Block {
    let number = frame.number.as_deref().unwrap_or_default();
    let which = format!("{} {number}", frame.title.text(frame.language));
    let uuid = frame
        .stamp
        .map(|stamp| texts::FOLIO_OF_PAGE.with(frame.language, &[&stamp.uuid]))
        .unwrap_or_default();
    let issuer = format!("{} · {}", frame.issuer.legal_name, frame.issuer.rfc);
    let style = Style::FINE;
    let half = FULL.width / 2.0;
    let left = Span { width: half - 8.0, ..FULL };
    let right = Span { x: FULL.x + half, width: half };
    let line = |text: &str, span, align| one_line(text, span, style, align);
    let rows = line(&issuer, left, Align::Left)
        .beside(line(&which, right, Align::Right))
        .then(line(&uuid, right, Align::Right));
    band(frame).then(rows).then(Block::rule(FULL.x, FULL.width, 1.0, 8.0)).whole()
}

/// As much as fits in a line; the first page has it in full.
fn one_line(text: &str, span: Span, style: Style, align: Align) -> Block {
    paragraph(&shortened(&clean(text), span.width, style), span, style, align)
}

/// Adds to each page what stands on all of them.
pub(crate) fn furnish(pages: &mut [Vec<Op>], frame: &Frame<'_>) {
    let count = pages.len();
    for (index, page) in pages.iter_mut().enumerate() {
        page.extend(footer(frame, index + 1, count).flattened());
        if let Some(watermark) = watermark(frame) {
            page.insert(0, watermark);
        }
    }
}

/// Where the footer begins on every page.
pub(crate) fn footer_top(frame: &Frame<'_>) -> f32 {
    // A page's number takes no more room than the legend beside it, whatever the number.
    LAST_LINE + Style::FINE.leading - footer_text(frame, 1, 1).height() - BELOW_RULE
}

fn footer(frame: &Frame<'_>, page: usize, count: usize) -> Block {
    let top = footer_top(frame);
    let area = Area { x: FULL.x, y: top, width: FULL.width, height: 0.5 };
    let rule = Op::Fill { area, tone: Tone::Rule };
    Block::of(top + BELOW_RULE, vec![rule]).then(footer_text(frame, page, count))
}

/// What the issuer adds, then the legend with the page's number at its right.
fn footer_text(frame: &Frame<'_>, page: usize, count: usize) -> Block {
    let own = frame.look.footer.as_deref();
    let own = own.map(|text| one_line(text, FULL, Style::FINE_INK, Align::Left));
    let numbers = [page, count].map(|number| number.to_string());
    let number = texts::PAGE.with(frame.language, &numbers.each_ref().map(String::as_str));
    let number_width = Style::FINE.width(&number);
    let legend_span = Span { width: FULL.width - NUMBER_WIDTH, ..FULL };
    let number_span = Span { x: FULL.x + FULL.width - number_width, width: number_width };
    let legend = paragraph(legend(frame), legend_span, Style::FINE, Align::Left);
    let number = paragraph(&number, number_span, Style::FINE, Align::Right);
    own.unwrap_or_default().then(legend.beside(number))
}

/// The room of a page's number, wider than any that a sheet of 9,999 pages has.
const NUMBER_WIDTH: f32 = 92.0;

/// What the sheet is, in the words of rule 2.7.1.7 of the RMF where it is the print of a CFDI.
pub(crate) fn legend(frame: &Frame<'_>) -> &'static str {
    let legend = match (frame.stamp, frame.sandbox) {
        (None, _) => texts::LEGEND_DRAFT,
        (_, true) => texts::LEGEND_SANDBOX,
        _ => frame.legend,
    };
    legend.text(frame.language)
}

fn watermark(frame: &Frame<'_>) -> Option<Op> {
    let (text, tone) = match (frame.cancelled, frame.stamp, frame.sandbox) {
        (true, ..) => (texts::CANCELLED, Tone::GraveMark),
        (_, None, _) => (texts::DRAFT, Tone::Mark),
        (.., true) => (texts::SANDBOX, Tone::Mark),
        _ => return None,
    };
    Some(Op::Watermark { text: text.text(frame.language), tone })
}
