//! The whole sheet as pages of things to draw.

use cfdi::stamp::{verification_url, withholding_verification_url};
use kernel::Language;

use crate::{
    Sheet, WithholdingSheet,
    block::{Block, Op},
    flow::Flow,
    frame::Frame,
    parts::{
        FULL, complements, furniture, heading, items, masthead, parties, payments, sums, tfd,
        withholding,
    },
    text::{Align, Style, paragraph},
    texts,
};

/// The pages of a sheet. `logo` is the size of its logo in pixels.
pub(crate) fn pages(sheet: &Sheet<'_>, logo: Option<(u32, u32)>) -> Vec<Vec<Op>> {
    let (document, language) = (sheet.document, sheet.language);
    let frame = sheet.frame();
    let mut flow = begun(&frame, logo);
    flow.place(parties::parties(document, language));
    if let Some(global) = &document.global {
        flow.place(parties::global(global, language));
    }
    if !document.related.is_empty() {
        flow.place(parties::related(&document.related, language));
    }
    items_and_sums(sheet, &mut flow);
    if !document.payments.is_empty() {
        payments::payments(&document.payments, language, &mut flow);
    }
    for part in complements::complements(&document.complements, sheet.stamp, language) {
        flow.place(part);
    }
    if let Some(notes) = sheet.notes {
        flow.place(self::notes(notes, language));
    }
    if let Some(stamp) = sheet.stamp {
        flow.place(tfd::stamp(stamp, verification_url(document, stamp), language));
    }
    furnished(flow, &frame)
}

/// The pages of a withholding. `logo` is the size of its logo in pixels.
pub(crate) fn withholding_pages(
    sheet: &WithholdingSheet<'_>,
    logo: Option<(u32, u32)>,
) -> Vec<Vec<Op>> {
    let (withholding, language) = (sheet.withholding, sheet.language);
    let frame = sheet.frame();
    let mut flow = begun(&frame, logo);
    withholding::content(withholding, language, &mut flow);
    if let Some(stamp) = sheet.stamp {
        let url = withholding_verification_url(withholding, stamp);
        flow.place(tfd::stamp(stamp, url, language));
    }
    furnished(flow, &frame)
}

/// Pages with the masthead.
fn begun(frame: &Frame<'_>, logo: Option<(u32, u32)>) -> Flow {
    let footer_top = furniture::footer_top(frame);
    let mut flow = Flow::new(furniture::band(frame), furniture::running(frame), footer_top);
    flow.place(masthead::masthead(frame, logo));
    flow
}

/// The pages with what stands on all of them.
fn furnished(flow: Flow, frame: &Frame<'_>) -> Vec<Vec<Op>> {
    let mut pages = flow.finish();
    furniture::furnish(&mut pages, frame);
    pages
}

/// The items, the last of them on the page of the sums.
fn items_and_sums(sheet: &Sheet<'_>, flow: &mut Flow) {
    let document = sheet.document;
    let (head, mut rows) = items::items(sheet);
    flow.begin_table(head);
    let last = rows.pop().unwrap_or_default();
    for row in rows {
        flow.place_row(row);
    }
    match document.currency {
        Some(currency) => {
            let sums = sums::sums(document, currency, sheet.language);
            if last.height() + sums.height() < SUMS_WITH_LAST_MAX {
                flow.place(last.then(sums));
            } else {
                flow.place_row(last);
                flow.end_table();
                flow.place(sums);
            }
        }
        None => {
            flow.place_row(last);
            flow.lead(Block::space(8.0));
        }
    }
    flow.end_table();
}

/// How high the last item may be with the sums below it to be kept together.
const SUMS_WITH_LAST_MAX: f32 = 320.0;

fn notes(text: &str, language: Language) -> Block {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| paragraph(line, FULL, Style::TEXT, Align::Left));
    heading(texts::NOTES.text(language), FULL).then(lines.collect()).then(Block::space(8.0))
}
