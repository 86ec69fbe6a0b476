//! What a withholding says: from whom, of which months, what was paid and withheld.

mod complements;
mod platform;

use cfdi::{
    tax::Tax,
    withholding::{Receiver, Related, Totals, WithheldTax, Withholding},
};
use kernel::{Amount, Currency, Language};

use crate::{
    block::Block,
    figures,
    flow::{BODY_WIDTH, Flow, MARGIN},
    names::Catalog,
    parts::{
        FULL, Field, GUTTER, columns, fields, halves, heading, stated,
        sums::{SUMS_WIDTH, sum_line, total, words},
        taxes,
    },
    table::{Cell, Spec, Table, Width, cell},
    text::{Align, Span, Style, paragraph},
    texts::{self, Label},
};

const NAME_WIDTH: f32 = 84.0;

/// How many decimals amounts are written with at least.
const DECIMALS: u32 = 2;

/// Everything between masthead and stamp.
pub(crate) fn content(withholding: &Withholding, language: Language, flow: &mut Flow) {
    flow.place(parties(withholding, language));
    if let Some(related) = &withholding.related {
        flow.place(self::related(related, language));
    }
    taxes(&withholding.taxes, language, flow);
    flow.place(sums(&withholding.totals, language));
    for part in complements::complements(withholding, language) {
        flow.place(part);
    }
    if let Some(services) = &withholding.complements.platform_services {
        platform::services(services, language, flow);
    }
}

/// Receiver, and kind and period, beside each other.
fn parties(withholding: &Withholding, language: Language) -> Block {
    let (left, right) = halves();
    let (legal_name, receiver) = match &withholding.receiver {
        Receiver::National(national) => (&national.legal_name, national_fields(national, language)),
        Receiver::Foreign(foreign) => {
            let id = (texts::FOREIGN_TAX_ID, foreign.foreign_tax_id.clone());
            (&foreign.legal_name, stated([id]))
        }
    };
    let abroad = withholding.receiver.is_foreign();
    let nationality = if abroad { texts::OF_ABROAD } else { texts::OF_MEXICO };
    let nationality = (texts::NATIONALITY, nationality.text(language).to_owned());
    let receiver: Vec<Field> = receiver.into_iter().chain([nationality]).collect();
    let name = paragraph(legal_name, left, Style::STRONG.sized(9.0, 11.4), Align::Left);
    let column = |title: Label, span, above: Block, list: &[Field]| {
        let list = fields(list, span, NAME_WIDTH, language);
        heading(title.text(language), span).then(above).then(list)
    };
    let receiver = column(texts::RECEIVER, left, name, &receiver);
    let terms = column(texts::WITHHOLDING_TERMS, right, Block::default(), &terms(withholding));
    columns(receiver, terms).then(Block::space(8.0))
}

fn national_fields(receiver: &cfdi::withholding::National, language: Language) -> Vec<Field> {
    stated([
        (texts::RFC, Some(receiver.rfc.clone())),
        (texts::RECEIVER_CURP, receiver.curp.clone()),
        (texts::TAX_ADDRESS, Some(texts::ZIP.with(language, &[&receiver.tax_zip]))),
    ])
}

fn terms(withholding: &Withholding) -> Vec<Field> {
    let period = withholding.period;
    let month = |month: u8| Some(Catalog::Months.labelled(&format!("{month:02}")));
    stated([
        (texts::WITHHOLDING_KIND, Some(Catalog::Withholding.labelled(&withholding.code))),
        (texts::DESCRIPTION, withholding.description.clone()),
        (texts::FIRST_MONTH, month(period.first_month)),
        (texts::LAST_MONTH, month(period.last_month)),
        (texts::FISCAL_YEAR, Some(period.year.to_string())),
        (texts::CURRENCY, Some(Catalog::Currency.labelled(Currency::MXN.code()))),
    ])
}

/// The withholding that it refers to.
fn related(related: &Related, language: Language) -> Block {
    let reason = Catalog::Relation.labelled(&related.relation);
    heading(texts::RELATED_WITHHOLDING.text(language), FULL)
        .then(paragraph(
            &texts::RELATION.with(language, &[&reason]),
            FULL,
            Style::NAME,
            Align::Left,
        ))
        .then(paragraph(&related.uuid, FULL, Style::TEXT, Align::Left))
        .then(Block::space(8.0))
}

/// The table of what was withheld; nothing when it only informs of payments.
fn taxes(taxes: &[WithheldTax], language: Language, flow: &mut Flow) {
    if taxes.is_empty() {
        return;
    }
    let rows: Vec<_> = taxes.iter().map(|tax| row(tax, language)).collect();
    let fitting = |title: Label, align, most| Spec {
        title: title.text(language),
        align,
        width: Width::Fitting { most },
    };
    let specs = [
        fitting(texts::TAX, Align::Left, 160.0),
        Spec { title: texts::PAYMENT_KIND.text(language), align: Align::Left, width: Width::Rest },
        fitting(texts::BASE, Align::Right, 120.0),
        fitting(texts::WITHHELD_AMOUNT, Align::Right, 120.0),
    ];
    let table = Table::for_rows(FULL, &specs, &rows);
    flow.begin_table(table.head());
    for row in &rows {
        flow.place_row(table.row(row));
    }
    flow.end_table();
}

fn row(tax: &WithheldTax, language: Language) -> Vec<Cell> {
    let name = |tax: Tax| format!("{} {}", tax.code(), taxes::name(tax, language));
    vec![
        cell(tax.tax.map(name).unwrap_or_default()),
        cell(Catalog::WithheldPayment.labelled(&tax.payment_kind)),
        cell(tax.base.map(money).unwrap_or_default()),
        cell(money(tax.amount)),
    ]
}

/// What was paid and withheld at the right, the latter in words at the left.
fn sums(totals: &Totals, language: Language) -> Block {
    let left = Span { x: MARGIN, width: BODY_WIDTH - SUMS_WIDTH - GUTTER };
    let right = Span { x: MARGIN + BODY_WIDTH - SUMS_WIDTH, width: SUMS_WIDTH };
    let lines = [
        (texts::OPERATION_TOTAL, Some(totals.operation)),
        (texts::TAXED_AMOUNT, Some(totals.taxed)),
        (texts::EXEMPT_AMOUNT, Some(totals.exempt)),
        (texts::BIMONTHLY_PROFIT, totals.bimonthly_profit),
        (texts::BIMONTHLY_ISR, totals.bimonthly_isr),
    ];
    let lines = lines
        .iter()
        .filter_map(|(name, sum)| Some(sum_line(name.text(language), (*sum)?, DECIMALS, right)));
    let name = texts::WITHHELD_IN_ALL.with(language, &[Currency::MXN.code()]);
    let withheld = total(&name, &money(totals.withheld), right);
    let sums = lines.collect::<Block>().then(Block::space(3.0)).then(withheld);
    let words = words(totals.withheld, Currency::MXN, left, language);
    Block::space(8.0).then(columns(words, sums)).then(Block::space(8.0)).whole()
}

fn money(amount: Amount) -> String {
    figures::money(amount, DECIMALS)
}
