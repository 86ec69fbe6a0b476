//! The payment complement: each payment, what it pays, and the sums in pesos.

use cfdi::payments::{BankAccount, PaidDocument, Payment, PaymentTotals, taxes_of};
use kernel::{Amount, Currency};

use crate::{
    block::Block,
    figures,
    flow::{BODY_WIDTH, Flow, MARGIN},
    names::{Catalog, number},
    parts::{FULL, Field, columns, fields, halves, heading, sums, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{self, Align, Span, Style, TIE, paragraph},
};

const NAME_WIDTH: f32 = 92.0;

/// All payments, then their sums.
pub(crate) fn payments(payments: &[Payment], flow: &mut Flow) {
    for (index, payment) in payments.iter().enumerate() {
        let title = if payments.len() == 1 {
            "COMPLEMENTO PARA RECEPCIÓN DE PAGOS".to_owned()
        } else {
            format!("COMPLEMENTO PARA RECEPCIÓN DE PAGOS: PAGO {} DE {}", index + 1, payments.len())
        };
        flow.place(heading(&title, FULL).then(facts(payment)));
        documents(payment, flow);
        flow.place(payment_taxes(payment));
    }
    flow.place(totals(&PaymentTotals::of(payments)));
}

fn facts(payment: &Payment) -> Block {
    let (left, right) = halves();
    let decimals = payment.currency.decimals();
    let amount =
        format!("{} {}", figures::money(payment.amount, decimals), payment.currency.code());
    let rate = payment.exchange_rate.map_or_else(|| "1".to_owned(), figures::plain);
    let mut first = vec![
        ("Fecha de pago", figures::moment(payment.paid_at)),
        ("Forma de pago", Catalog::PaymentForm.labelled(&payment.payment_form)),
        ("Monto", amount),
    ];
    first.extend(payment.operation.clone().map(|number| ("Núm. de operación", number)));
    let mut second = vec![
        ("Moneda", Catalog::Currency.labelled(payment.currency.code())),
        ("Tipo de cambio", rate),
    ];
    let ends = [
        ("Cuenta ordenante", &payment.payer_account),
        ("Cuenta beneficiaria", &payment.payee_account),
    ];
    for (name, account) in ends {
        second.extend(account.as_ref().map(|account| (name, self::account(account))));
    }
    let column = |list: &[Field], span| fields(list, span, NAME_WIDTH);
    columns(column(&first, left), column(&second, right)).then(Block::space(5.0))
}

fn account(account: &BankAccount) -> String {
    let bank = account.bank_rfc.as_ref().map(|rfc| format!("banco{TIE}{rfc}"));
    let parts = [account.number.clone(), bank, account.bank_name.clone()];
    text::facts(&parts.into_iter().flatten().collect::<Vec<_>>())
}

fn documents(payment: &Payment, flow: &mut Flow) {
    let rows: Vec<_> = payment.documents.iter().map(document).collect();
    let fitting = |title, align, most| Spec { title, align, width: Width::Fitting { most } };
    let specs = [
        Spec { title: "Documento relacionado", align: Align::Left, width: Width::Rest },
        fitting("Moneda", Align::Left, 70.0),
        fitting("Parcialidad", Align::Right, 60.0),
        fitting("Saldo anterior", Align::Right, 90.0),
        fitting("Pagado", Align::Right, 90.0),
        fitting("Saldo insoluto", Align::Right, 90.0),
    ];
    let table = Table::for_rows(FULL, &specs, &rows);
    flow.begin_table(table.head());
    for row in &rows {
        flow.place_row(table.row(row));
    }
    flow.end_table();
}

fn document(paid: &PaidDocument) -> Vec<Cell> {
    let decimals = paid.currency.decimals();
    let money = |amount: Amount| cell(figures::money(amount, decimals));
    let mut lines = vec![(Style::STRONG.sized(7.6, 10.4), paid.uuid.clone())];
    let number = number(paid.series.as_deref(), paid.folio.as_deref());
    let number = number.map(|number| format!("Serie y folio {number}"));
    let object = Catalog::TaxObject.labelled(&paid.tax_object);
    let equivalence = format!("Equivalencia{TIE}{}", paid.equivalence);
    let facts: Vec<_> = number.into_iter().chain([equivalence, object]).collect();
    lines.push((Style::FINE, text::facts(&facts)));
    lines.extend(paid.taxes.iter().map(|tax| (Style::FINE, taxes::line(tax, decimals))));
    vec![
        lines,
        cell(paid.currency.code()),
        cell(paid.installment.to_string()),
        money(paid.balance_before),
        money(paid.amount),
        money(paid.balance_after()),
    ]
}

fn payment_taxes(payment: &Payment) -> Block {
    let sums = taxes_of(payment);
    if sums.is_empty() {
        return Block::space(8.0);
    }
    let decimals = payment.currency.decimals();
    let title = format!("Impuestos del pago ({})", payment.currency.code());
    let lines = sums
        .iter()
        .map(|tax| paragraph(&taxes::line(tax, decimals), FULL, Style::FINE_INK, Align::Left));
    Block::space(5.0)
        .then(paragraph(&title, FULL, Style::HEADING, Align::Left))
        .then(lines.collect())
        .then(Block::space(8.0))
}

/// What the payments add up to in pesos, in digits and in words.
fn totals(totals: &PaymentTotals) -> Block {
    const WIDTH: f32 = 250.0;
    let left = Span { x: MARGIN, width: BODY_WIDTH - WIDTH - 16.0 };
    let right = Span { x: MARGIN + BODY_WIDTH - WIDTH, width: WIDTH };
    let lines = total_lines(totals);
    let line = |(name, sum): &(&'static str, Amount)| {
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
        "TOTAL DE PAGOS MXN",
        &figures::money(totals.amount, 2),
        right,
    ));
    let words = Currency::parse("MXN")
        .map(|pesos| sums::words("IMPORTE CON LETRA", totals.amount, pesos, left))
        .unwrap_or_default();
    let title = heading("TOTALES DE LOS PAGOS, EN PESOS", FULL);
    title.then(columns(words, sums)).then(Block::space(8.0)).whole()
}

fn total_lines(totals: &PaymentTotals) -> Vec<(&'static str, Amount)> {
    let pairs = [
        ("Base de IVA al 16 %", "IVA al 16 %", totals.iva_16),
        ("Base de IVA al 8 %", "IVA al 8 %", totals.iva_8),
        ("Base de IVA al 0 %", "IVA al 0 %", totals.iva_0),
    ];
    let mut lines = Vec::new();
    for (base_name, tax_name, pair) in pairs {
        lines.extend(pair.into_iter().flat_map(|(base, tax)| [(base_name, base), (tax_name, tax)]));
    }
    let others = [
        ("Base exenta de IVA", totals.iva_exempt),
        ("IVA retenido", totals.withheld_iva),
        ("ISR retenido", totals.withheld_isr),
        ("IEPS retenido", totals.withheld_ieps),
    ];
    lines.extend(others.into_iter().filter_map(|(name, sum)| sum.map(|sum| (name, sum))));
    lines
}
