//! The period of an invoice of sales to the general public, and the items such an invoice has.

use kernel::Amount;

use super::{
    case::{self, Case, PUBLIC_NAME},
    finding::{At, Finding, Findings, Shown},
    listed,
};
use crate::{
    catalogs::{months, periodicities, products},
    document::{DocumentType, GENERAL_PUBLIC, Global, Item, PaymentMethod, Receiver},
};

/// The only regime that invoices two months together.
const TWO_MONTHS_REGIME: &str = "621";

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("global");
    match (case.is_global(), &case.document.global) {
        (true, Some(global)) => {
            period(case, global, &at, found);
            paid_at_once(case, found);
        }
        (true, None) => found.add(
            "CFDI40130",
            &at,
            format_args!(
                "is missing: an invoice to {PUBLIC_NAME} is global and must state the period of the \
                 sales (periodicity, months, year); if it is for a single customer, set the \
                 customer's own RFC or, with RFC {GENERAL_PUBLIC}, the customer's name",
            ),
            format_args!(
                "falta: una factura a nombre de {PUBLIC_NAME} es global y debe llevar el periodo de \
                 las ventas (periodicidad, meses y año); si la venta es a un solo cliente, indicar \
                 su RFC o, con el RFC {GENERAL_PUBLIC}, su nombre",
            ),
        ),
        (false, Some(global)) => {
            found.add(
                "CFDI40130",
                &at,
                format_args!(
                    "must be left out, because only global invoices state the period of the sales: \
                     those of type I to {PUBLIC_NAME} with RFC {GENERAL_PUBLIC}",
                ),
                format_args!(
                    "debe omitirse, porque solo la factura global lleva el periodo de las ventas: \
                     un comprobante de ingreso (tipo I) emitido a {PUBLIC_NAME} con el RFC \
                     {GENERAL_PUBLIC}",
                ),
            );
            period(case, global, &at, found);
        }
        (false, None) => {}
    }
}

/// What a document of that type asks for, beside what is said of this receiver: the period of the sales, where it is the
/// general public (40130).
#[must_use]
pub fn asks_for_period(receiver: &Receiver, kind: DocumentType) -> Option<Finding> {
    case::is_global(kind, receiver).then(|| {
        Finding::new(
            "CFDI40130",
            "receiver.legalName",
            &format!(
                "is {PUBLIC_NAME}, to whom only global invoices are made out: state the period of \
                 the sales (periodicity, months, year), or for a single customer without an RFC \
                 the customer's own name",
            ),
            &format!(
                "es {PUBLIC_NAME}, a cuyo nombre solo se emiten facturas globales: indicar el \
                 periodo de las ventas (periodicidad, meses y año) o, si es un solo cliente sin \
                 RFC, su nombre",
            ),
        )
    })
}

/// Sales to nobody in particular have been paid (guide of filling in the global invoice).
fn paid_at_once(case: &Case<'_>, found: &mut Findings) {
    if case.document.payment_method == Some(PaymentMethod::Ppd) {
        found.add(
            "CFDI40999",
            &At::top("paymentMethod"),
            format_args!(
                "is PPD, but must be PUE in a global invoice: leave out sales that are not paid, \
                 and invoice them once they are",
            ),
            format_args!(
                "es PPD, pero debe ser PUE en una factura global: quitar las ventas que no se han \
                 pagado, y facturarlas cuando se paguen",
            ),
        );
    }
}

fn period(case: &Case<'_>, global: &Global, at: &At<'_>, found: &mut Findings) {
    periodicity(case, global, &at.field("periodicity"), found);
    month(case, global, &at.field("months"), found);
    year(case, global.year, &at.field("year"), found);
}

/// In the catalog (40131), and two months only for regime 621 (40132).
fn periodicity(case: &Case<'_>, global: &Global, at: &At<'_>, found: &mut Findings) {
    let code = global.periodicity.as_str();
    let row = periodicities::find(code);
    listed::check((code, row), &listed::PERIODICITIES, case.day(), ("CFDI40131", at), found);
    let regime = case.document.issuer.tax_regime.as_str();
    if code == periodicities::TWO_MONTHS && regime != TWO_MONTHS_REGIME {
        let regime = Shown(regime);
        found.add(
            "CFDI40132",
            at,
            format_args!(
                "is \"05\" (bimonthly), which only issuers in tax regime {TWO_MONTHS_REGIME} may \
                 use, and the issuer's is {regime}: choose 01 to 04",
            ),
            format_args!(
                "es \"05\" (bimestral), que solo puede usar un emisor del régimen \
                 {TWO_MONTHS_REGIME}, y el del emisor es {regime}: elegir de 01 a 04",
            ),
        );
    }
}

/// In the catalog (40133); a month (40134), or two together for the period of two months (40135); not one that is to
/// come when the document is issued (guide of filling in).
fn month(case: &Case<'_>, global: &Global, at: &At<'_>, found: &mut Findings) {
    let code = global.months.as_str();
    let row = months::find(code);
    if listed::check((code, row), &listed::MONTHS, case.day(), ("CFDI40133", at), found).is_none() {
        return;
    }
    match (global.periodicity == periodicities::TWO_MONTHS, months::is_pair(code)) {
        (false, true) => found.add(
            "CFDI40134",
            at,
            format_args!(
                "is \"{code}\", a two-month period, but the periodicity is not bimonthly: set the \
                 month, 01 to 12",
            ),
            format_args!(
                "es \"{code}\", un bimestre, pero la periodicidad no es bimestral: indicar el mes, \
                 de 01 a 12",
            ),
        ),
        (true, false) => found.add(
            "CFDI40135",
            at,
            format_args!(
                "is \"{code}\", a single month, but the periodicity is bimonthly: set 13 (January \
                 and February) to 18",
            ),
            format_args!(
                "es \"{code}\", un solo mes, pero la periodicidad es bimestral: indicar de 13 \
                 (enero-febrero) a 18",
            ),
        ),
        _ => {}
    }
    let issued = case.document.issued_at;
    let is_this_year = i32::from(global.year) == issued.year();
    let is_to_come = months::first(code).is_some_and(|month| month > u8::from(issued.month()));
    if is_this_year && is_to_come {
        let day = issued.date();
        found.add(
            "CFDI40999",
            at,
            format_args!(
                "is \"{code}\", which has not begun on {day}, the date of issue: set the month of \
                 the sales",
            ),
            format_args!(
                "es \"{code}\", que no ha comenzado el {day}, fecha de expedición: indicar el mes \
                 de las ventas",
            ),
        );
    }
}

/// The year of issue or the one before (40136).
fn year(case: &Case<'_>, year: u16, at: &At<'_>, found: &mut Findings) {
    let this = case.document.issued_at.year();
    let last = this - 1;
    if ![this, last].contains(&i32::from(year)) {
        found.add(
            "CFDI40136",
            at,
            format_args!(
                "is {year}, but must be {this} or {last}, the year of issue or the previous one",
            ),
            format_args!(
                "es {year}, pero debe ser {this} o {last}, el año en curso o el inmediato anterior",
            ),
        );
    }
}

/// An item stands for one sale: key 01010101, one ACT, the ticket's number, `Venta`, and no more of what was sold (guide of
/// filling in the global invoice).
pub(super) fn item(item: &Item, at: &At<'_>, found: &mut Findings) {
    let fixed = [
        ("satProductKey", item.sat_product_key.as_str(), products::NOT_IN_CATALOG),
        ("satUnitKey", item.sat_unit_key.as_str(), "ACT"),
        ("description", item.description.as_str(), "Venta"),
    ];
    for (field, value, wanted) in fixed {
        if value != wanted {
            let value = Shown(value);
            must_be(&at.field(field), format_args!("{value}"), format_args!("\"{wanted}\""), found);
        }
    }
    if item.quantity != Amount::from_micros(1_000_000) {
        let quantity = item.quantity;
        must_be(&at.field("quantity"), format_args!("{quantity}"), format_args!("1"), found);
    }
    needless(item.unit.is_some(), &at.field("unit"), found);
    needless(!item.customs.is_empty(), &at.field("customs"), found);
    needless(!item.property_accounts.is_empty(), &at.field("propertyAccounts"), found);
    needless(!item.parts.is_empty(), &at.field("parts"), found);
    if item.sku.is_none() {
        found.add(
            "CFDI40999",
            &at.field("sku"),
            format_args!(
                "is missing: set the number of the ticket or sale that this item of the global \
                 invoice represents",
            ),
            format_args!(
                "falta: indicar el número de la nota o ticket que ampara este concepto de la \
                 factura global",
            ),
        );
    }
}

fn needless(is_there: bool, at: &At<'_>, found: &mut Findings) {
    if is_there {
        found.add(
            "CFDI40999",
            at,
            format_args!(
                "must be left out in a global invoice, where each item represents one complete sale",
            ),
            format_args!(
                "debe omitirse en una factura global, donde cada concepto ampara una venta completa",
            ),
        );
    }
}

fn must_be(
    at: &At<'_>,
    value: std::fmt::Arguments<'_>,
    wanted: std::fmt::Arguments<'_>,
    found: &mut Findings,
) {
    found.add(
        "CFDI40999",
        at,
        format_args!(
            "is {value}, but must be {wanted} in a global invoice, where each item represents one \
             complete sale",
        ),
        format_args!(
            "es {value}, pero debe ser {wanted} en una factura global, donde cada concepto ampara \
             una venta completa",
        ),
    );
}
