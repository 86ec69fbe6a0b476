//! What a document adds up to, in digits and in words.

use cfdi::{
    decimal::digits,
    document::Document,
    local_taxes::LocalTax,
    tax::{Factor, ItemTax},
    totals::Totals,
};
use kernel::{Amount, Currency};

use crate::{
    block::{ACCENT, Block, PAPER},
    figures,
    flow::{BODY_WIDTH, MARGIN},
    parts::{GUTTER, columns, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{Align, Span, Style, paragraph},
    words::in_words,
};

/// The room of the sums, at the right.
const SUMS_WIDTH: f32 = 210.0;
const INSET: f32 = 6.0;

/// The sums at the right, the total in words and the taxes at the left.
pub(crate) fn sums(document: &Document, currency: Currency) -> Block {
    let totals = Totals::of(document);
    let decimals = document.decimals();
    let left = Span { x: MARGIN, width: BODY_WIDTH - SUMS_WIDTH - GUTTER };
    let right = Span { x: MARGIN + BODY_WIDTH - SUMS_WIDTH, width: SUMS_WIDTH };
    let mut lines = sum_lines(&totals);
    lines.extend(document.local_taxes.iter().map(local_line));
    let lines = lines.iter().map(|(name, sum)| sum_line(name, *sum, decimals, right));
    let sums = lines.collect::<Block>().then(Block::space(3.0)).then(total(
        &format!("TOTAL {}", currency.code()),
        &figures::money(totals.total, decimals),
        right,
    ));
    let words = words("IMPORTE CON LETRA", totals.total, currency, left);
    let summary = summary(&totals, decimals, left);
    Block::space(8.0).then(columns(words.then(summary), sums)).then(Block::space(8.0)).whole()
}

/// An amount in words below what it is.
pub(crate) fn words(title: &str, amount: Amount, currency: Currency, span: Span) -> Block {
    let text = in_words(amount, currency);
    paragraph(title, span, Style::HEADING, Align::Left)
        .then(paragraph(&text, span, Style::STRONG, Align::Left))
        .then(Block::space(6.0))
}

fn sum_lines(totals: &Totals) -> Vec<(String, Amount)> {
    let mut lines = vec![("Subtotal".to_owned(), totals.sub_total)];
    lines.extend(totals.discount.map(|discount| ("Descuento".to_owned(), discount)));
    let charged = totals.transferred.iter().filter(|sum| sum.rate.factor != Factor::Exento);
    lines.extend(charged.map(|sum| (taxes::label(sum), sum.amount)));
    let withheld = totals.withheld.iter();
    lines.extend(withheld.map(|(tax, sum)| (format!("{} retenido", tax.name()), *sum)));
    lines
}

/// A tax of a state or municipality.
fn local_line(tax: &LocalTax) -> (String, Amount) {
    let withheld = if tax.withheld { " retenido" } else { "" };
    let percentage = digits(tax.percentage(), 0);
    (format!("{} {percentage} % (local){withheld}", tax.name), tax.amount)
}

fn sum_line(name: &str, sum: Amount, decimals: u32, span: Span) -> Block {
    let value = figures::money(sum, decimals);
    let value_width = Style::TEXT.width(&value).min(span.width / 2.0);
    let inner = Span { x: span.x + INSET, width: span.width - 2.0 * INSET };
    let name_span = Span { width: inner.width - value_width - 6.0, ..inner };
    let value_span = Span { x: inner.x + inner.width - value_width, width: value_width };
    let style = Style::NAME.sized(7.6, 11.6);
    paragraph(name, name_span, style, Align::Left).beside(paragraph(
        &value,
        value_span,
        Style::TEXT.sized(8.0, 11.6),
        Align::Right,
    ))
}

/// The total, on a dark ground.
pub(crate) fn total(name: &str, value: &str, span: Span) -> Block {
    let style = Style::STRONG.sized(10.5, 14.0).in_color(PAPER);
    let inner = Span { x: span.x + INSET, width: span.width - 2.0 * INSET };
    let name_span = Span { width: style.width(name), ..inner };
    let taken = name_span.width + 6.0;
    let value_span = Span { x: inner.x + taken, width: inner.width - taken };
    let line = paragraph(name, name_span, style, Align::Left).beside(paragraph(
        value,
        value_span,
        style,
        Align::Right,
    ));
    Block::space(3.0).then(line).then(Block::space(3.0)).whole().on(span.x, span.width, ACCENT)
}

/// The taxes by kind and rate, with what they are reckoned on.
fn summary(totals: &Totals, decimals: u32, span: Span) -> Block {
    if !totals.has_taxes() {
        return Block::default();
    }
    let transferred = totals.transferred.iter().map(|sum| summary_row(sum, decimals));
    let withheld = totals.withheld.iter().map(|(tax, sum)| {
        let name = format!("{} {} retenido", tax.code(), tax.name());
        vec![fine(name), Cell::new(), Cell::new(), fine(figures::money(*sum, decimals))]
    });
    let rows: Vec<_> = transferred.chain(withheld).chain(tax_totals(totals, decimals)).collect();
    let fitting = |title, align| Spec { title, align, width: Width::Fitting { most: 84.0 } };
    let specs = [
        Spec { title: "Impuesto", align: Align::Left, width: Width::Rest },
        fitting("Factor y tasa", Align::Left),
        fitting("Base", Align::Right),
        fitting("Importe", Align::Right),
    ];
    let table = Table::for_rows(span, &specs, &rows);
    table.head().then(rows.iter().map(|row| table.row(row)).collect())
}

fn summary_row(sum: &ItemTax, decimals: u32) -> Vec<Cell> {
    let amount = match sum.rate.factor {
        Factor::Exento => Cell::new(),
        _ => fine(figures::money(sum.amount, decimals)),
    };
    let name = format!("{} {} trasladado", sum.rate.tax.code(), sum.rate.tax.name());
    vec![
        fine(name),
        fine(taxes::factor(&sum.rate)),
        fine(figures::money(sum.base, decimals)),
        amount,
    ]
}

/// All that is transferred and all that is withheld, where one tax alone does not say it already.
fn tax_totals(totals: &Totals, decimals: u32) -> Vec<Vec<Cell>> {
    let row = |name: &str, sum: Amount| {
        vec![fine(name), Cell::new(), Cell::new(), fine(figures::money(sum, decimals))]
    };
    let transferred = totals.total_transferred.filter(|_| totals.transferred.len() > 1);
    let withheld = totals.total_withheld.filter(|_| totals.withheld.len() > 1);
    let transferred = transferred.map(|sum| row("Total de impuestos trasladados", sum));
    let withheld = withheld.map(|sum| row("Total de impuestos retenidos", sum));
    transferred.into_iter().chain(withheld).collect()
}

fn fine(text: impl Into<String>) -> Cell {
    cell(text).into_iter().map(|(_, text)| (Style::FINE_INK, text)).collect()
}
