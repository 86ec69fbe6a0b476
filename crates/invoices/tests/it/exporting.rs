//! The accountant's table.

use cfdi::document::DocumentType;
use invoices::{
    CancellationStatus, Debts, Invoice, Status,
    export::{heading, row},
    fields,
};
use kernel::Language::{English, Spanish};

use super::{
    amount, known,
    samples::{later, of, sale_fields, with_cancellation},
};

/// A sale of two coffees at 100 pesos without IVA.
fn sold(status: Status) -> Invoice {
    let mut fields = sale_fields();
    if let Some(item) = fields.items.iter_mut().flatten().next() {
        item.quantity = amount("2");
    }
    let draft = fields::create(DocumentType::Income, fields, &known()).unwrap();
    of(1, draft, &Debts::default(), status)
}

/// The cell under a heading.
#[track_caller]
fn cell(invoice: &Invoice, column: &str) -> String {
    let place = heading(Spanish).iter().position(|heading| *heading == column);
    row(invoice, Spanish)[place.unwrap_or_else(|| panic!("no column {column}"))].clone()
}

#[test]
fn every_column_has_its_heading_in_both_languages() {
    let invoice = sold(Status::Stamped);
    for language in [Spanish, English] {
        let headings = heading(language);
        assert_eq!(headings.len(), row(&invoice, language).len());
        let mut distinct = headings.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), headings.len(), "{headings:?}");
    }
    assert_eq!(row(&invoice, English)[1], "Valid");
}

#[test]
fn amounts_are_those_of_the_document() {
    let invoice = sold(Status::Stamped);
    let totals = invoice.totals();
    let expected = [
        ("Estado", "Vigente".to_owned()),
        ("Total", format!("{:.2}", totals.total.micros() as f64 / 1e6)),
        ("Subtotal", format!("{:.2}", totals.sub_total.micros() as f64 / 1e6)),
        ("IEPS", String::new()),
        ("ISR retenido", String::new()),
        ("Impuestos locales", String::new()),
        ("Moneda", "MXN".to_owned()),
        ("Método de pago", "PPD".to_owned()),
        ("Forma de pago", "99".to_owned()),
    ];
    for (column, text) in expected {
        assert_eq!(cell(&invoice, column), text, "{column}");
    }
}

#[test]
fn pesos_are_the_total_at_the_rate_of_the_document() {
    let mut invoice = sold(Status::Stamped);
    invoice.document.currency = Some(kernel::Currency::parse("USD").unwrap());
    invoice.document.exchange_rate = Some(amount("18.456789"));
    let total = invoice.totals().total.micros();
    let pesos = cell(&invoice, "Total en pesos");
    // Half a centavo up, of the exact product.
    let exact = i128::from(total) * 18_456_789;
    let cents = (exact + 5_000_000_000) / 10_000_000_000;
    assert_eq!(pesos, format!("{}.{:02}", cents / 100, cents % 100));
    assert_eq!(cell(&invoice, "Moneda"), "USD");
}

#[test]
fn what_was_asked_of_the_authority_is_no_cancellation_yet() {
    let columns = ["Fecha de cancelación", "Motivo de cancelación"];
    let asked = with_cancellation(CancellationStatus::Requested);
    let mut cancelled = with_cancellation(CancellationStatus::Accepted);
    if let Some(cancellation) = &mut cancelled.cancellation {
        cancellation.resolved_at = Some(later());
    }
    assert_eq!(columns.map(|column| cell(&asked, column)), ["", ""]);
    assert_eq!(columns.map(|column| cell(&cancelled, column)), ["2026-11-21T12:01:00", "02"]);
}

#[test]
fn no_text_of_others_is_taken_for_a_formula() {
    let mut invoice = sold(Status::Stamped);
    for (given, written) in [
        ("=1+1", "'=1+1"),
        ("+52", "'+52"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("JOSÉ = PEPE", "JOSÉ = PEPE"),
    ] {
        invoice.document.receiver.legal_name = given.to_owned();
        assert_eq!(cell(&invoice, "Nombre del receptor"), written);
    }
}
