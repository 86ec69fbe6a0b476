//! The payment complement: each payment, what it pays, and the sums in pesos.

use cfdi::{
    payments::{BankAccount, PaidDocument, Payment, PaymentTotals, taxes_of, withheld_of},
    tax::Tax,
};
use kernel::{Amount, Currency, Language};

use crate::{
    block::Block,
    figures,
    flow::{BODY_WIDTH, Flow, MARGIN},
    names::{Catalog, number},
    parts::{FULL, Field, columns, fields, halves, heading, sums, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{self, Align, Span, Style, paragraph},
    texts::{self, Label},
};

const NAME_WIDTH: f32 = 92.0;

/// All payments, then their sums.
pub(crate) fn payments(payments: &[Payment], language: Language, flow: &mut Flow) {
    for (index, payment) in payments.iter().enumerate() {
        let title = match payments.len() {
            1 => texts::PAYMENTS.text(language).to_owned(),
            count => {
                let numbers = [index + 1, count].map(|number| number.to_string());
                texts::NTH_PAYMENT.with(language, &numbers.each_ref().map(String::as_str))
            }
        };
        flow.place(heading(&title, FULL).then(facts(payment, language)));
        documents(payment, language, flow);
        flow.place(payment_taxes(payment, language));
    }
    flow.place(totals(&PaymentTotals::of(payments), language));
}

fn facts(payment: &Payment, language: Language) -> Block {
    let (left, right) = halves();
    let decimals = payment.currency.decimals();
    let amount =
        format!("{} {}", figures::money(payment.amount, decimals), payment.currency.code());
    let rate = payment.exchange_rate.map_or_else(|| "1".to_owned(), figures::plain);
    let mut first = vec![
        (texts::PAID_AT, figures::moment(payment.paid_at)),
        (texts::PAYMENT_FORM, Catalog::PaymentForm.labelled(&payment.payment_form)),
        (texts::PAID_AMOUNT, amount),
    ];
    first.extend(payment.operation.clone().map(|number| (texts::OPERATION, number)));
    let mut second = vec![
        (texts::CURRENCY, Catalog::Currency.labelled(payment.currency.code())),
        (texts::EXCHANGE_RATE, rate),
    ];
    let ends = [
        (texts::PAYER_ACCOUNT, &payment.payer_account),
        (texts::PAYEE_ACCOUNT, &payment.payee_account),
    ];
    for (name, account) in ends {
        second.extend(account.as_ref().map(|account| (name, self::account(account, language))));
    }
    let column = |list: &[Field], span| fields(list, span, NAME_WIDTH, language);
    columns(column(&first, left), column(&second, right)).then(Block::space(5.0))
}

fn account(account: &BankAccount, language: Language) -> String {
    let bank = account.bank_rfc.as_ref().map(|rfc| texts::BANK.with(language, &[rfc]));
    let parts = [account.number.clone(), bank, account.bank_name.clone()];
    text::facts(&parts.into_iter().flatten().collect::<Vec<_>>())
}

fn documents(payment: &Payment, language: Language, flow: &mut Flow) {
    let rows: Vec<_> = payment.documents.iter().map(|paid| document(paid, language)).collect();
    let fitting = |title: Label, align, most| Spec {
        title: title.text(language),
        align,
        width: Width::Fitting { most },
    };
    let specs = [
        Spec { title: texts::PAID_DOCUMENT.text(language), align: Align::Left, width: Width::Rest },
        fitting(texts::CURRENCY, Align::Left, 70.0),
        fitting(texts::INSTALLMENT, Align::Right, 60.0),
        fitting(texts::BALANCE_BEFORE, Align::Right, 90.0),
        fitting(texts::PAID, Align::Right, 90.0),
        fitting(texts::BALANCE_AFTER, Align::Right, 90.0),
    ];
    let table = Table::for_rows(FULL, &specs, &rows);
    flow.begin_table(table.head());
    for row in &rows {
        flow.place_row(table.row(row));
    }
    flow.end_table();
}

fn document(paid: &PaidDocument, language: Language) -> Vec<Cell> {
    let decimals = paid.currency.decimals();
    let money = |amount: Amount| cell(figures::money(amount, decimals));
    let mut lines = vec![(Style::STRONG.sized(7.6, 10.4), paid.uuid.clone())];
    let number = number(paid.series.as_deref(), paid.folio.as_deref());
    let number = number.map(|number| texts::PAID_NUMBER.with(language, &[&number]));
    let object = Catalog::TaxObject.labelled(&paid.tax_object);
    let equivalence = texts::EQUIVALENCE.with(language, &[&paid.equivalence.to_string()]);
    let facts: Vec<_> = number.into_iter().chain([equivalence, object]).collect();
    lines.push((Style::FINE, text::facts(&facts)));
    lines.extend(paid.taxes.iter().map(|tax| (Style::FINE, taxes::line(tax, decimals, language))));
    vec![
        lines,
        cell(paid.currency.code()),
        cell(paid.installment.to_string()),
        money(paid.balance_before),
        money(paid.amount),
        money(paid.balance_after()),
    ]
}

/// What is withheld of each tax, whatever the rates, and what is transferred at each rate, as the complement sums them.
fn payment_taxes(payment: &Payment, language: Language) -> Block {
    let decimals = payment.currency.decimals();
    let withheld = withheld_of(payment).into_iter();
    let withheld =
        withheld.map(|(tax, amount)| taxes::withheld_line(tax, amount, decimals, language));
    let transferred = taxes_of(payment).into_iter().filter(|tax| !tax.rate.withheld);
    let transferred = transferred.map(|tax| taxes::line(&tax, decimals, language));
    let sums: Vec<String> = withheld.chain(transferred).collect();
    if sums.is_empty() {
        return Block::space(8.0);
    }
    let title = texts::PAYMENT_TAXES.with(language, &[payment.currency.code()]);
    let lines = sums.iter().map(|line| paragraph(line, FULL, Style::FINE_INK, Align::Left));
    Block::space(5.0)
        .then(paragraph(&title, FULL, Style::HEADING, Align::Left))
        .then(lines.collect())
        .then(Block::space(8.0))
}

/// What the payments add up to in pesos, in digits and in words.
fn totals(totals: &PaymentTotals, language: Language) -> Block {
    const WIDTH: f32 = 250.0;
    let left = Span { x: MARGIN, width: BODY_WIDTH - WIDTH - 16.0 };
    let right = Span { x: MARGIN + BODY_WIDTH - WIDTH, width: WIDTH };
    let lines = total_lines(totals, language);
    let line = |(name, sum): &(String, Amount)| {
        let value = figures::money(*sum, 2);
        let inner = Span { x: right.x + 6.0, width: right.width - 12.0 };
        paragraph(name, inner, Style::NAME, Align::Left).beside(paragraph(
            &value,
            inner,
            Style::TEXT,
            Align::Right,
        ))
    };
    let sums = lines.iter().map(line).collect::<Block>().then(Block::space(3.0)).then(sums::total(
        texts::PAYMENTS_TOTAL.text(language),
        &figures::money(totals.amount, 2),
        right,
    ));
    let words = sums::words(totals.amount, Currency::MXN, left, language);
    let title = heading(texts::PAYMENTS_TOTALS.text(language), FULL);
    title.then(columns(words, sums)).then(Block::space(8.0)).whole()
}

fn total_lines(totals: &PaymentTotals, language: Language) -> Vec<(String, Amount)> {
    let name = |tax| taxes::name(tax, language);
    let iva = name(Tax::Iva);
    let pairs = [("16", totals.iva_16), ("8", totals.iva_8), ("0", totals.iva_0)];
    let mut lines = Vec::new();
    for (percent, pair) in pairs {
        let at = |label: Label| label.with(language, &[iva, percent]);
        lines.extend(
            pair.into_iter()
                .flat_map(|(base, tax)| [(at(texts::BASE_AT), base), (at(texts::TAX_AT), tax)]),
        );
    }
    let others = [
        (texts::BASE_EXEMPT, iva, totals.iva_exempt),
        (texts::WITHHELD, iva, totals.withheld_iva),
        (texts::WITHHELD, name(Tax::Isr), totals.withheld_isr),
        (texts::WITHHELD, name(Tax::Ieps), totals.withheld_ieps),
    ];
    let others = others
        .into_iter()
        .filter_map(|(label, name, sum)| sum.map(|sum| (label.with(language, &[name]), sum)));
    lines.extend(others);
    lines
}
