//! A quote as its customer reads it.

use kernel::{Amount, Currency, Day, Language};
use krilla::metadata::Metadata;

use crate::{
    PrintError,
    block::{Area, Block, Op},
    figures,
    flow::{BODY_WIDTH, Flow, MARGIN},
    look::Look,
    paint,
    palette::{Palette, Tone},
    parts::{
        FULL, Field, GUTTER, columns, fields, heading,
        sums::{SUMS_WIDTH, sum_line, total, words},
    },
    table::{Cell, Spec, Table, Width, cell},
    text::{self, Align, Span, Style, paragraph},
    texts::{self, Label},
};

/// The room of what identifies the quote.
const PANEL_WIDTH: f32 = 220.0;
const INSET: f32 = 7.0;
const NAME_WIDTH: f32 = 70.0;
/// Where the footer begins, from the top of the page.
const FOOTER_TOP: f32 = 752.0;

/// What else a quote is, which every page then says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteMark {
    /// It was not sent yet.
    Draft,
    /// It does not hold any more.
    Over,
}

/// A line of a quote.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct QuoteLine<'a> {
    pub name: &'a str,
    /// The seller's number of it, if it has one.
    pub sku: Option<&'a str>,
    pub note: Option<&'a str>,
    pub quantity: String,
    pub unit_price: Amount,
    /// Whether taxes are added to the unit price.
    pub plus_taxes: bool,
    pub discount: Option<Amount>,
    /// Unit price multiplied by quantity.
    pub amount: Amount,
}

/// A quote that is printed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct QuoteSheet<'a> {
    pub merchant: &'a str,
    pub customer: &'a str,
    /// Its number, such as `COT-000123`.
    pub number: &'a str,
    pub revision: u32,
    pub title: Option<&'a str>,
    pub notes: Option<&'a str>,
    pub date: Day,
    pub valid_until: Day,
    /// Whose midnight ends that day, such as `hora del centro`.
    pub zone: &'a str,
    pub lines: Vec<QuoteLine<'a>>,
    /// What the lines cost without discounts, with all taxes.
    pub subtotal: Amount,
    pub discount: Amount,
    /// What the shipping is called and costs.
    pub shipping: Option<(&'a str, Amount)>,
    /// What of the total is tax.
    pub tax: Amount,
    pub total: Amount,
    pub currency: Currency,
    pub mark: Option<QuoteMark>,
    /// Whether no order of it is real.
    pub sandbox: bool,
    /// The language of everything but the quote's own texts.
    pub language: Language,
}

/// The PDF of a quote.
///
/// # Errors
/// When a font cannot be embedded. No quote is a reason.
pub fn quote_pdf(sheet: &QuoteSheet<'_>) -> Result<Vec<u8>, PrintError> {
    let palette = Palette::of(Look::default().accent);
    let pages = sheet.pages();
    paint::paint(&pages, palette, None, sheet.metadata())
        .map_err(|error| PrintError(error.to_string()))
}

impl QuoteSheet<'_> {
    fn metadata(&self) -> Metadata {
        let language = match self.language {
            Language::English => "en-US",
            Language::Spanish => "es-MX",
        };
        Metadata::new()
            .title(text::clean(&self.name()))
            .authors(vec![text::clean(self.merchant)])
            .creator("Trastienda".to_owned())
            .language(language.to_owned())
    }

    /// What it is called and its number.
    fn name(&self) -> String {
        format!("{} {}", texts::QUOTE.text(self.language), self.number)
    }

    fn pages(&self) -> Vec<Vec<Op>> {
        let mut flow = Flow::new(self.band(), self.running(), FOOTER_TOP);
        flow.place(self.masthead());
        flow.place(self.customer());
        self.items(&mut flow);
        flow.place(self.sums());
        if let Some(notes) = self.notes {
            let lines = notes.lines().filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| paragraph(line, FULL, Style::TEXT, Align::Left));
            let title = heading(texts::NOTES.text(self.language), FULL);
            flow.place(title.then(lines.collect()));
        }
        let mut pages = flow.finish();
        let count = pages.len();
        for (index, page) in pages.iter_mut().enumerate() {
            page.extend(self.footer(index + 1, count).flattened());
        }
        pages
    }

    fn label(&self, label: Label) -> &'static str {
        label.text(self.language)
    }

    /// What must be seen on every page.
    fn band(&self) -> Block {
        let mark = self.mark.map(|mark| match mark {
            QuoteMark::Draft => texts::QUOTE_DRAFT_MARK,
            QuoteMark::Over => texts::QUOTE_OVER_MARK,
        });
        let sandbox = self.sandbox.then_some(texts::QUOTE_SANDBOX_MARK);
        let marks: Vec<_> = mark.into_iter().chain(sandbox).map(|mark| self.label(mark)).collect();
        if marks.is_empty() {
            return Block::default();
        }
        let style = Style::STRONG.sized(9.5, 12.0).in_tone(Tone::OnAlarm);
        let text = paragraph(&marks.join("  ·  "), FULL, style, Align::Center);
        let band = Block::space(2.5).then(text).then(Block::space(3.0)).whole();
        band.on(FULL.x, FULL.width, Tone::Alarm).then(Block::space(10.0))
    }

    /// Above every page but the first.
    fn running(&self) -> Block {
        let half = FULL.width / 2.0;
        let left = Span { width: half - 8.0, ..FULL };
        let right = Span { x: FULL.x + half, width: half };
        let line = |text: &str, span: Span, align| {
            let text = text::shortened(&text::clean(text), span.width, Style::FINE);
            paragraph(&text, span, Style::FINE, align)
        };
        let row =
            line(self.merchant, left, Align::Left).beside(line(&self.name(), right, Align::Right));
        self.band().then(row).then(Block::rule(FULL.x, FULL.width, 1.0, 8.0)).whole()
    }

    fn masthead(&self) -> Block {
        let left = Span { x: MARGIN, width: BODY_WIDTH - PANEL_WIDTH - GUTTER };
        let right = Span { x: MARGIN + BODY_WIDTH - PANEL_WIDTH, width: PANEL_WIDTH };
        let name = Style::STRONG.sized(12.5, 15.0).in_tone(Tone::Title);
        let merchant = paragraph(self.merchant, left, name, Align::Left);
        let title = Style::STRONG.sized(15.0, 18.0).in_tone(Tone::Title);
        let title = paragraph(&self.label(texts::QUOTE).to_uppercase(), right, title, Align::Right);
        let number = Style::STRONG.sized(10.0, 13.0);
        let number = paragraph(self.number, right, number, Align::Right);
        let inner = Span { x: right.x + INSET, width: right.width - 2.0 * INSET };
        let facts = fields(&self.facts(), inner, NAME_WIDTH, self.language);
        let panel = Block::space(4.0).then(facts).then(Block::space(4.0));
        let panel = panel.on(right.x, right.width, Tone::Shade);
        let identity = title.then(number).then(Block::space(3.0)).then(panel);
        columns(merchant, identity).then(Block::space(10.0))
    }

    fn facts(&self) -> Vec<Field> {
        let until = [self.valid_until.to_string(), self.zone.to_owned()];
        let until = texts::END_OF_DAY.with(self.language, &[&until[0], &until[1]]);
        let mut facts =
            vec![(texts::QUOTE_DATE, self.date.to_string()), (texts::VALID_UNTIL, until)];
        if self.revision > 1 {
            facts.push((texts::QUOTE_REVISION, self.revision.to_string()));
        }
        facts
    }

    fn customer(&self) -> Block {
        let name = Style::STRONG.sized(9.0, 11.4);
        let mut block = heading(self.label(texts::CUSTOMER), FULL).then(paragraph(
            self.customer,
            FULL,
            name,
            Align::Left,
        ));
        if let Some(title) = self.title {
            block = block.then(paragraph(title, FULL, Style::TEXT, Align::Left));
        }
        block.then(Block::space(8.0))
    }

    fn items(&self, flow: &mut Flow) {
        let discounted = self.lines.iter().any(|line| line.discount.is_some());
        let rows: Vec<_> = self.lines.iter().map(|line| self.row(line, discounted)).collect();
        let fitting = |title: Label, align, most| Spec {
            title: self.label(title),
            align,
            width: Width::Fitting { most },
        };
        let mut specs = vec![
            fitting(texts::QUANTITY, Align::Right, 90.0),
            Spec { title: self.label(texts::DESCRIPTION), align: Align::Left, width: Width::Rest },
            fitting(texts::UNIT_PRICE, Align::Right, 110.0),
        ];
        if discounted {
            specs.push(fitting(texts::DISCOUNT, Align::Right, 90.0));
        }
        specs.push(fitting(texts::AMOUNT, Align::Right, 110.0));
        let table = Table::for_rows(FULL, &specs, &rows);
        flow.begin_table(table.head());
        for row in &rows {
            flow.place_row(table.row(row));
        }
        flow.end_table();
    }

    fn row(&self, line: &QuoteLine<'_>, discounted: bool) -> Vec<Cell> {
        let decimals = self.currency.decimals();
        let mut description = cell(line.name);
        let taxes = line.plus_taxes.then(|| self.label(texts::PLUS_TAXES).to_owned());
        let sku = line.sku.map(str::to_owned);
        let facts: Vec<String> = sku.into_iter().chain(taxes).collect();
        if !facts.is_empty() {
            description.push((Style::FINE, text::facts(&facts)));
        }
        description.extend(line.note.map(|note| (Style::FINE, note.to_owned())));
        let mut cells = vec![
            cell(line.quantity.clone()),
            description,
            cell(figures::money(line.unit_price, decimals)),
        ];
        if discounted {
            let discount = line.discount.map(|discount| figures::money(discount, decimals));
            cells.push(cell(discount.unwrap_or_default()));
        }
        cells.push(cell(figures::money(line.amount, decimals)));
        cells
    }

    fn sums(&self) -> Block {
        let decimals = self.currency.decimals();
        let left = Span { x: MARGIN, width: BODY_WIDTH - SUMS_WIDTH - GUTTER };
        let right = Span { x: MARGIN + BODY_WIDTH - SUMS_WIDTH, width: SUMS_WIDTH };
        let mut lines = vec![(self.label(texts::SUBTOTAL_WITH_TAXES), self.subtotal)];
        if self.discount > Amount::ZERO {
            let less = Amount::from_micros(-self.discount.micros());
            lines.push((self.label(texts::DISCOUNT), less));
        }
        lines.extend(self.shipping);
        lines.push((self.label(texts::TAXES_INSIDE), self.tax));
        let lines = lines.into_iter().map(|(name, sum)| sum_line(name, sum, decimals, right));
        let name = texts::TOTAL.with(self.language, &[self.currency.code()]);
        let all = total(&name, &figures::money(self.total, decimals), right);
        let sums = lines.collect::<Block>().then(Block::space(3.0)).then(all);
        let words = words(self.total, self.currency, left, self.language);
        Block::space(8.0).then(columns(words, sums)).then(Block::space(8.0)).whole()
    }

    fn footer(&self, page: usize, count: usize) -> Block {
        let area = Area { x: FULL.x, y: FOOTER_TOP, width: FULL.width, height: 0.5 };
        let rule = Op::Fill { area, tone: Tone::Rule };
        let numbers = [page, count].map(|number| number.to_string());
        let numbers = numbers.each_ref().map(String::as_str);
        let number = texts::PAGE.with(self.language, &numbers);
        let legend = paragraph(self.label(texts::LEGEND_QUOTE), FULL, Style::FINE, Align::Left);
        let number = paragraph(&number, FULL, Style::FINE, Align::Right);
        Block::of(FOOTER_TOP + 4.0, vec![rule]).then(legend.beside(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(lines: usize, language: Language) -> QuoteSheet<'static> {
        let line = QuoteLine {
            name: "Taza de barro",
            sku: Some("TAZA-01"),
            note: None,
            quantity: "50".to_owned(),
            unit_price: Amount::from_micros(100_000_000),
            plus_taxes: false,
            discount: Some(Amount::from_micros(500_000_000)),
            amount: Amount::from_micros(5_000_000_000),
        };
        QuoteSheet {
            merchant: "ESCUELA KEMPER URGATE",
            customer: "Ana Flores",
            number: "COT-000123",
            revision: 2,
            title: Some("Tazas para la tienda"),
            notes: Some("Entrega en 5 días hábiles"),
            date: Day::parse("2026-01-31").unwrap(),
            valid_until: Day::parse("2026-02-28").unwrap(),
            zone: "hora del sureste",
            lines: vec![line; lines],
            subtotal: Amount::from_micros(5_000_000_000),
            discount: Amount::from_micros(500_000_000),
            shipping: Some(("Estafeta", Amount::from_micros(150_000_000))),
            tax: Amount::from_micros(641_380_000),
            total: Amount::from_micros(4_650_000_000),
            currency: Currency::MXN,
            mark: Some(QuoteMark::Draft),
            sandbox: true,
            language,
        }
    }

    fn words(pages: &[Vec<Op>]) -> String {
        let texts = pages.iter().flatten().filter_map(|op| match op {
            Op::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn it_says_what_is_offered_until_when() {
        let spanish = words(&sheet(1, Language::Spanish).pages()).replace('\n', " ");
        for part in [
            "COTIZACIÓN",
            "COT-000123",
            "Ana Flores",
            "2026-02-28",
            "hora del sureste",
            "4,650.00",
            "-500.00",
        ] {
            assert!(spanish.contains(part), "{part}: {spanish}");
        }
        let english = words(&sheet(1, Language::English).pages()).replace('\n', " ");
        assert!(english.contains("end of the day"), "{english}");
    }

    #[test]
    fn long_quotes_go_on_over_pages() {
        let pages = sheet(200, Language::Spanish).pages();
        assert!(pages.len() > 3, "{}", pages.len());
        let last = words(&pages[pages.len() - 1..]);
        assert!(last.contains("COT-000123") && last.contains(&format!("{0} de {0}", pages.len())));
    }

    #[test]
    fn the_same_quote_gives_the_same_bytes() {
        let pdf = || quote_pdf(&sheet(3, Language::Spanish)).unwrap();
        assert!(pdf().starts_with(b"%PDF") && pdf() == pdf());
    }
}
