//! What a document adds up to, in digits and in words.

use cfdi::{
    decimal::digits,
    document::Document,
    local_taxes::LocalTax,
    tax::{Factor, ItemTax},
    totals::Totals,
};
use kernel::{Amount, Currency, Language};

use crate::{
    block::Block,
    figures,
    flow::{BODY_WIDTH, MARGIN},
    palette::Tone,
    parts::{GUTTER, columns, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{Align, Span, Style, paragraph},
    texts::{self, Label},
    words::in_words,
};

/// The room of the sums, at the right.
pub(crate) const SUMS_WIDTH: f32 = 210.0;
const INSET: f32 = 6.0;

/// The sums at the right, the total in words and the taxes at the left.
pub(crate) fn sums(document: &Document, currency: Currency, language: Language) -> Block {
    let totals = Totals::of(document);
    let decimals = document.decimals();
    let left = Span { x: MARGIN, width: BODY_WIDTH - SUMS_WIDTH - GUTTER };
    let right = Span { x: MARGIN + BODY_WIDTH - SUMS_WIDTH, width: SUMS_WIDTH };
    let mut lines = sum_lines(&totals, language);
    lines.extend(document.local_taxes.iter().map(|tax| local_line(tax, language)));
    let lines = lines.iter().map(|(name, sum)| sum_line(name, *sum, decimals, right));
    let sums = lines.collect::<Block>().then(Block::space(3.0)).then(total(
        &texts::TOTAL.with(language, &[currency.code()]),
        &figures::money(totals.total, decimals),
        right,
    ));
    let words = words(totals.total, currency, left, language);
    let summary = summary(&totals, decimals, left, language);
    Block::space(8.0).then(columns(words.then(summary), sums)).then(Block::space(8.0)).whole()
}

/// An amount in words below what it is.
pub(crate) fn words(amount: Amount, currency: Currency, span: Span, language: Language) -> Block {
    let text = in_words(amount, currency, language);
    paragraph(texts::IN_WORDS.text(language), span, Style::HEADING, Align::Left)
        .then(paragraph(&text, span, Style::STRONG, Align::Left))
        .then(Block::space(6.0))
}

fn sum_lines(totals: &Totals, language: Language) -> Vec<(String, Amount)> {
    let mut lines = vec![(texts::SUBTOTAL.text(language).to_owned(), totals.sub_total)];
    lines.extend(totals.discount.map(|sum| (texts::DISCOUNT.text(language).to_owned(), sum)));
    let charged = totals.transferred.iter().filter(|sum| sum.rate.factor != Factor::Exento);
    lines.extend(charged.map(|sum| (taxes::label(sum, language), sum.amount)));
    let withheld = totals.withheld.iter();
    lines.extend(
        withheld.map(|(tax, sum)| (self::withheld(taxes::name(*tax, language), language), *sum)),
    );
    lines
}

/// A tax of a state or municipality.
fn local_line(tax: &LocalTax, language: Language) -> (String, Amount) {
    let percentage = digits(tax.percentage(), 0);
    let name = texts::LOCAL_TAX.with(language, &[&tax.name, &percentage]);
    (if tax.withheld { withheld(&name, language) } else { name }, tax.amount)
}

fn withheld(name: &str, language: Language) -> String {
    texts::WITHHELD.with(language, &[name])
}

/// A sum with its name at the left.
pub(crate) fn sum_line(name: &str, sum: Amount, decimals: u32, span: Span) -> Block {
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

/// The total, on a ground of the accent.
pub(crate) fn total(name: &str, value: &str, span: Span) -> Block {
    let style = Style::STRONG.sized(10.5, 14.0).in_tone(Tone::OnAccent);
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
    Block::space(3.0).then(line).then(Block::space(3.0)).whole().on(
        span.x,
        span.width,
        Tone::Accent,
    )
}

/// The taxes by kind and rate, with what they are reckoned on.
fn summary(totals: &Totals, decimals: u32, span: Span, language: Language) -> Block {
    if !totals.has_taxes() {
        return Block::default();
    }
    let transferred = totals.transferred.iter().map(|sum| summary_row(sum, decimals, language));
    let withheld = totals.withheld.iter().map(|(tax, sum)| {
        let name = format!("{} {}", tax.code(), taxes::name(*tax, language));
        vec![
            fine(self::withheld(&name, language)),
            Cell::new(),
            Cell::new(),
            fine(figures::money(*sum, decimals)),
        ]
    });
    let rows: Vec<_> =
        transferred.chain(withheld).chain(tax_totals(totals, decimals, language)).collect();
    let fitting = |title: Label, align| Spec {
        title: title.text(language),
        align,
        width: Width::Fitting { most: 84.0 },
    };
    let specs = [
        Spec { title: texts::TAX.text(language), align: Align::Left, width: Width::Rest },
        fitting(texts::FACTOR, Align::Left),
        fitting(texts::BASE, Align::Right),
        fitting(texts::AMOUNT, Align::Right),
    ];
    let table = Table::for_rows(span, &specs, &rows);
    table.head().then(rows.iter().map(|row| table.row(row)).collect())
}

fn summary_row(sum: &ItemTax, decimals: u32, language: Language) -> Vec<Cell> {
    let amount = match sum.rate.factor {
        Factor::Exento => Cell::new(),
        _ => fine(figures::money(sum.amount, decimals)),
    };
    let tax = sum.rate.tax;
    let name = format!("{} {}", tax.code(), taxes::name(tax, language));
    vec![
        fine(texts::TRANSFERRED.with(language, &[&name])),
        fine(taxes::factor(&sum.rate, language)),
        fine(figures::money(sum.base, decimals)),
        amount,
    ]
}

/// All that is transferred and all that is withheld, where one tax alone does not say it already.
fn tax_totals(totals: &Totals, decimals: u32, language: Language) -> Vec<Vec<Cell>> {
    let row = |name: Label, sum: Amount| {
        vec![
            fine(name.text(language)),
            Cell::new(),
            Cell::new(),
            fine(figures::money(sum, decimals)),
        ]
    };
    let transferred = totals.total_transferred.filter(|_| totals.transferred.len() > 1);
    let withheld = totals.total_withheld.filter(|_| totals.withheld.len() > 1);
    let transferred = transferred.map(|sum| row(texts::TOTAL_TRANSFERRED, sum));
    let withheld = withheld.map(|sum| row(texts::TOTAL_WITHHELD, sum));
    transferred.into_iter().chain(withheld).collect()
}

fn fine(text: impl Into<String>) -> Cell {
    cell(text).into_iter().map(|(_, text)| (Style::FINE_INK, text)).collect()
}
