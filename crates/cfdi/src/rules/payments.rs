//! The payments of a receipt (complement of payments 2.0).

use kernel::{Amount, Currency};

use super::{
    accounts,
    case::Case,
    finding::{At, Findings, Shown},
    head, items, limits, listed, tax_object,
    taxes::{self, Judge},
    text, totals,
};
use crate::{
    catalogs::payment_forms,
    decimal,
    document::{DocumentType, local_time},
    payments::{Equivalence, PaidDocument, Payment},
};

const ONE: Amount = Amount::from_micros(1_000_000);
/// The most that can be counted of the payments of one document (`NumParcialidad`).
const INSTALLMENT_MAX: u32 = 999;

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("payments");
    let payments = &case.document.payments;
    match (case.document.kind == DocumentType::Payment, payments.is_empty()) {
        (true, true) => found.add(
            "CFDI140230",
            &at,
            format_args!(
                "is empty, but a payment receipt (type P) needs at least one: add the payments \
                 received",
            ),
            format_args!(
                "está vacío, pero un recibo de pago (tipo P) necesita al menos uno: agregar los \
                 pagos recibidos",
            ),
        ),
        (false, false) => found.add(
            "CRP20101",
            &At::top("type"),
            format_args!(
                "must be P, because only payment receipts have payments: set it to P, or leave the \
                 payments out",
            ),
            format_args!(
                "debe ser P, porque solo los recibos de pago llevan pagos: ponerlo así, u omitir \
                 los pagos",
            ),
        ),
        _ => {}
    }
    if items::is_too_many(payments.len(), &at, found) {
        return;
    }
    for (index, each) in payments.iter().enumerate() {
        payment(case, each, &at.index(index), found);
    }
    in_pesos(payments, &at, found);
}

fn payment(case: &Case<'_>, payment: &Payment, at: &At<'_>, found: &mut Findings) {
    paid_at(case, payment, &at.field("paidAt"), found);
    form(case, payment, &at.field("paymentForm"), found);
    head::known_currency(case, payment.currency, "301", &at.field("currency"), found);
    exchange_rate(payment, &at.field("exchangeRate"), found);
    amount(payment, &at.field("amount"), found);
    text::optional(payment.operation.as_deref(), 100, &at.field("operation"), found);
    accounts::check(payment, at, found);
    let at = at.field("documents");
    if payment.documents.is_empty() {
        found.add(
            "301",
            &at,
            format_args!("is empty: add the documents paid, each with its UUID and amount",),
            format_args!(
                "está vacío: agregar los comprobantes que se pagan, cada uno con su UUID e importe",
            ),
        );
    }
    if items::is_too_many(payment.documents.len(), &at, found) {
        return;
    }
    for (index, each) in payment.documents.iter().enumerate() {
        document(case, payment, each, &at.index(index), found);
    }
}

/// Not after the day of the receipt (guide of filling in), and in a year that the schema has (301).
fn paid_at(case: &Case<'_>, payment: &Payment, at: &At<'_>, found: &mut Findings) {
    if payment.paid_at.date() > case.day() {
        let paid = local_time::to_text(payment.paid_at);
        let issued = local_time::to_text(case.document.issued_at);
        found.add(
            "CRP20999",
            at,
            format_args!(
                "is {paid}, after the receipt's own date {issued}: issue the receipt once the \
                 payment has been received",
            ),
            format_args!(
                "es {paid}, posterior a la fecha del recibo, {issued}: expida el recibo cuando el \
                 pago se haya recibido",
            ),
        );
    }
    if !(2010..2100).contains(&payment.paid_at.year()) {
        let paid = local_time::to_text(payment.paid_at);
        found.add(
            "301",
            at,
            format_args!("is {paid}, but must be in 2010 or later: correct the date"),
            format_args!("es {paid}, pero debe ser de 2010 en adelante: corregir la fecha"),
        );
    }
}

/// In the catalog, and decided (20212).
fn form(case: &Case<'_>, payment: &Payment, at: &At<'_>, found: &mut Findings) {
    let code = payment.payment_form.as_str();
    if code == payment_forms::TO_BE_DEFINED {
        found.add(
            "CRP20212",
            at,
            format_args!(
                "is 99 (to be defined), but the payment has been received: set the payment form \
                 used, such as 03 for a bank transfer",
            ),
            format_args!(
                "es 99 (por definir), pero el pago ya se recibió: indicar la forma de pago, por \
                 ejemplo 03 si fue transferencia",
            ),
        );
    } else {
        let row = payment_forms::find(code);
        listed::check((code, row), &listed::PAYMENT_FORMS, case.day(), ("301", at), found);
    }
}

/// There for foreign currencies (20214), 1 or absent for pesos (20215).
fn exchange_rate(payment: &Payment, at: &At<'_>, found: &mut Findings) {
    let currency = payment.currency;
    match payment.exchange_rate {
        None if currency != Currency::MXN => found.add(
            "CRP20214",
            at,
            format_args!(
                "is missing: set the exchange rate on the day of the payment, in pesos per \
                 {currency}",
            ),
            format_args!("falta: indicar cuántos pesos valía un {currency} el día del pago"),
        ),
        Some(rate) if currency == Currency::MXN && rate != ONE => found.add(
            "CRP20215",
            at,
            format_args!("is {rate}, but must be 1 or be left out, because the payment is in MXN"),
            format_args!("es {rate}, pero debe ser 1 u omitirse, porque el pago es en MXN"),
        ),
        Some(rate) if rate.micros() <= 0 => found.add(
            "301",
            at,
            format_args!(
                "is {rate}, but must be greater than zero: set the exchange rate, in pesos per \
                 {currency}",
            ),
            format_args!(
                "es {rate}, pero debe ser mayor que cero: indicar cuántos pesos vale un {currency}",
            ),
        ),
        _ => {}
    }
}

/// Above zero (20218), in the currency's decimals (20219), and enough for the documents (20217, 20276).
fn amount(payment: &Payment, at: &At<'_>, found: &mut Findings) {
    if payment.amount.micros() <= 0 {
        above_zero("CRP20218", payment.amount, at, found);
        return;
    }
    limits::is_possible(payment.amount, at, found);
    decimals("CRP20219", payment.amount, payment.currency, at, found);
    let same = payment.documents.iter().all(|each| each.currency == payment.currency);
    if same { covers(payment, at, found) } else { covers_abroad(payment, at, found) }
}

fn covers(payment: &Payment, at: &At<'_>, found: &mut Findings) {
    let paid: i128 = payment.documents.iter().map(|each| i128::from(each.amount.micros())).sum();
    too_little(payment, paid, "CRP20217", at, found);
}

fn covers_abroad(payment: &Payment, at: &At<'_>, found: &mut Findings) {
    let of_payment = payment.currency.decimals();
    let least = |each: &PaidDocument| {
        let decimals = (each.currency.decimals(), of_payment);
        limits::least_in_payment(each.amount, ten_decimals(each.equivalence), decimals)
    };
    let paid = payment.documents.iter().map(least).sum();
    too_little(payment, paid, "CRP20276", at, found);
}

fn too_little(
    payment: &Payment,
    paid: i128,
    code: &'static str,
    at: &At<'_>,
    found: &mut Findings,
) {
    if paid > i128::from(payment.amount.micros()) {
        let currency = payment.currency;
        let [amount, paid] = [payment.amount, decimal::narrow(paid)]
            .map(|sum| decimal::digits(sum, currency.decimals()));
        found.add(
            code,
            at,
            format_args!(
                "is {amount} {currency}, less than the {paid} {currency} applied to its documents: \
                 increase it or reduce the amounts applied",
            ),
            format_args!(
                "es {amount} {currency}, menos que los {paid} {currency} que se aplican a sus \
                 documentos: aumentarlo o reducir lo aplicado",
            ),
        );
    }
}

/// The equivalence as it is written, in its last decimal.
fn ten_decimals(equivalence: Equivalence) -> u64 {
    let text = equivalence.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{fraction:0<10}").parse().unwrap_or(u64::MAX)
}

fn document(
    case: &Case<'_>,
    payment: &Payment,
    paid: &PaidDocument,
    at: &At<'_>,
    found: &mut Findings,
) {
    uuid(&paid.uuid, &at.field("uuid"), found);
    text::optional(paid.series.as_deref(), 25, &at.field("series"), found);
    text::optional(paid.folio.as_deref(), 40, &at.field("folio"), found);
    head::known_currency(case, paid.currency, "301", &at.field("currency"), found);
    equivalence(payment, paid, &at.field("equivalence"), found);
    installment(paid.installment, &at.field("installment"), found);
    balances(paid, at, found);
    let taxed = (paid.tax_object.as_str(), paid.taxes.as_slice());
    let object = (&tax_object::OF_PAYMENTS, &at.field("taxObject"));
    tax_object::check(case, taxed, object, found);
    let judge = Judge {
        codes: &taxes::OF_PAYMENTS,
        day: case.day(),
        decimals: paid.currency.decimals(),
        once: false,
        no_border_rate: None,
    };
    judge.check(&paid.taxes, &at.field("taxes"), found);
}

/// A fiscal folio, or the number of a document of SAT's own service (301).
fn uuid(uuid: &str, at: &At<'_>, found: &mut Findings) {
    if !text::is_uuid(uuid) && !text::is_like(uuid, "000-00-000000000") {
        let value = Shown(uuid);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, which is not a fiscal folio: write the UUID of the invoice paid, 32 \
                 hexadecimal digits in groups of 8-4-4-4-12",
            ),
            format_args!(
                "es {value}, que no es un folio fiscal: escribir el UUID de la factura que se paga, \
                 32 dígitos hexadecimales en grupos 8-4-4-4-12",
            ),
        );
    }
}

/// One for one when the currency is the same (20238). That it is something otherwise (20237) its type sees to.
fn equivalence(payment: &Payment, paid: &PaidDocument, at: &At<'_>, found: &mut Findings) {
    let (equivalence, currency, of_payment) = (paid.equivalence, paid.currency, payment.currency);
    if currency == of_payment && equivalence != Equivalence::ONE {
        found.add(
            "CRP20238",
            at,
            format_args!(
                "is {equivalence}, but must be 1, because document and payment are both in \
                 {currency}",
            ),
            format_args!(
                "es {equivalence}, pero debe ser 1, porque documento y pago son en {currency}",
            ),
        );
    }
}

/// From 1 to 999 (301).
fn installment(installment: u32, at: &At<'_>, found: &mut Findings) {
    if !(1..=INSTALLMENT_MAX).contains(&installment) {
        found.add(
            "301",
            at,
            format_args!(
                "is {installment}, but must be 1 to {INSTALLMENT_MAX}: 1 for the first payment of \
                 the invoice, 2 for the second",
            ),
            format_args!(
                "es {installment}, pero debe ser de 1 a {INSTALLMENT_MAX}: 1 en el primer pago de \
                 la factura, 2 en el segundo",
            ),
        );
    }
}

/// Above zero (20239, 20241), in the currency's decimals (20240, 20242), not more than is owed (20244).
fn balances(paid: &PaidDocument, at: &At<'_>, found: &mut Findings) {
    let amounts = [
        ("CRP20239", "CRP20240", "balanceBefore", paid.balance_before),
        ("CRP20241", "CRP20242", "amount", paid.amount),
    ];
    for (positive, fitting, field, amount) in amounts {
        let at = at.field(field);
        if amount.micros() <= 0 {
            above_zero(positive, amount, &at, found);
        } else {
            limits::is_possible(amount, &at, found);
            decimals(fitting, amount, paid.currency, &at, found);
        }
    }
    if paid.amount > paid.balance_before {
        let [amount, before] = [paid.amount, paid.balance_before]
            .map(|sum| decimal::digits(sum, paid.currency.decimals()));
        found.add(
            "CRP20244",
            &at.field("amount"),
            format_args!(
                "is {amount}, more than the balance of {before} before the payment: reduce it, or \
                 correct that balance",
            ),
            format_args!(
                "es {amount}, más que el saldo anterior de {before}: reducirlo o corregir ese \
                 saldo",
            ),
        );
    }
}

fn above_zero(code: &'static str, amount: Amount, at: &At<'_>, found: &mut Findings) {
    found.add(
        code,
        at,
        format_args!(
            "is {amount}, but must be greater than zero: correct it, or leave the entry out",
        ),
        format_args!("es {amount}, pero debe ser mayor que cero: corregirlo, u omitir el registro"),
    );
}

fn decimals(code: &'static str, amount: Amount, of: Currency, at: &At<'_>, found: &mut Findings) {
    let most = of.decimals();
    if limits::written_decimals(amount, most) > most {
        found.add(
            code,
            at,
            format_args!(
                "is {amount}, but amounts in {of} have at most {most} decimal places: round it",
            ),
            format_args!(
                "es {amount}, pero los importes en {of} tienen {most} decimales como máximo: \
                 redondéelo",
            ),
        );
    }
}

/// Sums in pesos that an amount can hold (40120).
fn in_pesos(payments: &[Payment], at: &At<'_>, found: &mut Findings) {
    let amounts = payments.iter().flat_map(|payment| {
        let rate = payment.exchange_rate.unwrap_or(ONE);
        let turned = payment.documents.iter().flat_map(taxes_in_payment);
        turned.chain([payment.amount]).map(move |amount| decimal::product(amount, rate))
    });
    if !totals::is_within_measure(amounts) {
        totals::beyond_measure(at, found);
    }
}

fn taxes_in_payment(paid: &PaidDocument) -> impl Iterator<Item = Amount> {
    paid.taxes.iter().map(|tax| paid.equivalence.in_payment(tax.base))
}
