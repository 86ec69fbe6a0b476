//! The fields of the document itself, from its series to its confirmation.

use kernel::{Amount, Currency, Timestamp};

use super::{
    case::Case,
    finding::{At, Findings, Shown},
    issued, listed, text,
};
use crate::{
    catalogs::{currencies, exports, payment_forms},
    document::{DocumentType, PaymentMethod},
};

const ONE: Amount = Amount::from_micros(1_000_000);

pub(super) fn check(case: &Case<'_>, now: Timestamp, found: &mut Findings) {
    let document = case.document;
    text::optional(document.series.as_deref(), 25, &At::top("series"), found);
    text::optional(document.folio.as_deref(), 40, &At::top("folio"), found);
    issued::check(document.issued_at, &document.place_of_issue, now, found);
    payment_form(case, found);
    payment_method(case, found);
    payment_terms(case, found);
    currency(case, found);
    exchange_rate(case, found);
    export(case, found);
    place_of_issue(case, found);
    confirmation(case, found);
}

/// How it was paid: for sales and credit notes only, and 99 exactly for what is paid later.
fn payment_form(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("paymentForm");
    match (case.is_of_value(), case.document.payment_form.as_deref()) {
        (false, None) => {}
        (false, Some(_)) => needless(case, &at, "CFDI40103", "CRP20105", found),
        (true, None) => found.add(
            "CFDI40104",
            &at,
            format_args!(
                "is missing: set the payment form, a code of c_FormaPago, or 99 if it will be paid \
                 later",
            ),
            format_args!(
                "falta: indicar la forma de pago con una clave de c_FormaPago, 99 si se pagará \
                 después",
            ),
        ),
        (true, Some(form)) => {
            let row = payment_forms::find(form);
            let error = ("CFDI40104", &at);
            listed::check((form, row), &listed::PAYMENT_FORMS, case.day(), error, found);
            form_of_method(form, case.document.payment_method, &at, found);
        }
    }
}

/// 99 with PPD, and only then (40105).
fn form_of_method(form: &str, method: Option<PaymentMethod>, at: &At<'_>, found: &mut Findings) {
    let later = form == payment_forms::TO_BE_DEFINED;
    match method {
        Some(PaymentMethod::Ppd) if !later => found.add(
            "CFDI40105",
            at,
            format_args!(
                "must be 99 (to be defined), because the payment method is PPD: use 99 and state \
                 \"{form}\" in the payment receipt, or set the payment method to PUE if it was \
                 paid in full",
            ),
            format_args!(
                "debe ser 99 (por definir), porque el método de pago es PPD: usar 99 e indicar \
                 \"{form}\" en el recibo de pago, o cambiar el método de pago a PUE si se pagó en \
                 una sola exhibición",
            ),
        ),
        Some(PaymentMethod::Pue) if later => found.add(
            "CFDI40105",
            at,
            format_args!(
                "must not be 99 (to be defined), because the payment method is PUE: set the \
                 payment form used, or set the payment method to PPD if it will be paid later",
            ),
            format_args!(
                "no debe ser 99 (por definir), porque el método de pago es PUE: indicar cómo se \
                 pagó, o cambiar el método de pago a PPD si se pagará después",
            ),
        ),
        _ => {}
    }
}

/// For sales and credit notes only; a credit note is settled by what it takes off (guide of filling in, appendix 5).
fn payment_method(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("paymentMethod");
    match (case.is_of_value(), case.document.payment_method) {
        (false, Some(_)) => needless(case, &at, "CFDI40125", "CRP20106", found),
        (true, None) => found.add(
            "CFDI40124",
            &at,
            format_args!(
                "is missing: set PUE if it is paid in full, PPD if it is paid in installments or \
                 deferred",
            ),
            format_args!(
                "falta: indicar PUE si se paga en una sola exhibición, PPD si es en parcialidades \
                 o diferido",
            ),
        ),
        (true, Some(PaymentMethod::Ppd)) if case.document.kind == DocumentType::Credit => found
            .add(
                "CFDI40999",
                &at,
                format_args!(
                    "is PPD, but must be PUE in a credit note, with the payment form by which it \
                     is given back: 15 if what it credits is not paid yet",
                ),
                format_args!(
                    "es PPD, pero debe ser PUE en un egreso, con la forma de pago en que se \
                     devuelve: 15 si lo que acredita aún no se ha pagado",
                ),
            ),
        _ => {}
    }
}

/// For sales and credit notes only (guide of filling in; the matrix has a number for payments alone).
fn payment_terms(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("paymentTerms");
    if let Some(terms) = case.document.payment_terms.as_deref() {
        text::check(terms, 1000, &at, found);
        if !case.is_of_value() {
            needless(case, &at, "CFDI40999", "CRP20107", found);
        }
    }
}

/// What transfers and payments do not have.
fn needless(
    case: &Case<'_>,
    at: &At<'_>,
    transfer: &'static str,
    payment: &'static str,
    found: &mut Findings,
) {
    let kind = case.document.kind;
    let code = if kind == DocumentType::Payment { payment } else { transfer };
    let (letter, english, spanish) = match kind {
        DocumentType::Payment => ("P", "payment receipts", "recibos de pago"),
        _ => ("T", "transfers of goods", "traslados"),
    };
    found.add(
        code,
        at,
        format_args!(
            "must be left out, because CFDIs of type {letter} ({english}) do not have it",
        ),
        format_args!(
            "debe omitirse, porque los comprobantes de tipo {letter} ({spanish}) no lo llevan",
        ),
    );
}

/// One of the catalog for what is of value (40113), none for payments.
fn currency(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("currency");
    match (case.document.kind, case.document.currency) {
        (DocumentType::Payment, Some(currency)) => found.add(
            "CRP20104",
            &at,
            format_args!(
                "is {currency}, but must be left out for type P: each payment states its own \
                 currency",
            ),
            format_args!(
                "es {currency}, pero debe omitirse en el tipo P: cada pago indica su propia moneda",
            ),
        ),
        (_, Some(currency)) => known_currency(case, currency, "CFDI40113", &at, found),
        (DocumentType::Income | DocumentType::Credit, None) => found.add(
            "CFDI40113",
            &at,
            format_args!("is missing: set the currency of the amounts, such as MXN"),
            format_args!("falta: indicar la moneda de los importes, por ejemplo MXN"),
        ),
        _ => {}
    }
}

/// A currency that SAT's catalog has.
pub(super) fn known_currency(
    case: &Case<'_>,
    currency: Currency,
    code: &'static str,
    at: &At<'_>,
    found: &mut Findings,
) {
    let row = currencies::find(currency.code());
    listed::check((currency.code(), row), &listed::CURRENCIES, case.day(), (code, at), found);
}

/// There for foreign currencies only (40114–40117).
fn exchange_rate(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("exchangeRate");
    match (case.document.currency, case.document.exchange_rate) {
        (None, Some(_)) if case.is_of_value() => {}
        (None, Some(_)) => needless(case, &at, "CFDI40116", "CRP20109", found),
        (Some(Currency::MXN), Some(rate)) if rate != ONE => found.add(
            "CFDI40114",
            &at,
            format_args!("is {rate}, but must be 1 or be left out, because the currency is MXN"),
            format_args!("es {rate}, pero debe ser 1 u omitirse, porque la moneda es MXN"),
        ),
        (Some(currency), None) if currency != Currency::MXN => found.add(
            "CFDI40115",
            &at,
            format_args!(
                "is missing: set the exchange rate, in pesos per {currency}, as published for the \
                 day",
            ),
            format_args!(
                "falta: indicar cuántos pesos vale un {currency}, según el tipo de cambio \
                 publicado del día",
            ),
        ),
        (Some(_), Some(rate)) if rate.micros() <= 0 => found.add(
            "CFDI40117",
            &at,
            format_args!(
                "is {rate}, but must be greater than zero: set the exchange rate, in pesos per \
                 unit of the currency",
            ),
            format_args!(
                "es {rate}, pero debe ser mayor que cero: indicar cuántos pesos vale una unidad de \
                 la moneda",
            ),
        ),
        _ => {}
    }
}

/// In the catalog (40123); 02 needs the complement of foreign trade (40122); payments export nothing.
fn export(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("export");
    let code = case.document.export.as_str();
    let row = exports::find(code);
    let error = ("CFDI40123", &at);
    if listed::check((code, row), &listed::EXPORTS, case.day(), error, found).is_none() {
        return;
    }
    match (case.document.kind, code) {
        (_, "01") => {}
        (DocumentType::Payment, _) => {
            found.add(
                "CRP20102",
                &at,
                format_args!(
                    "is \"{code}\", but must be \"01\" (not applicable) for payment receipts",
                ),
                format_args!(
                    "es \"{code}\", pero debe ser \"01\" (no aplica) en los recibos de pago"
                ),
            );
        }
        (_, "02") if case.document.complements.foreign_trade.is_none() => found.add(
            "CFDI40122",
            &at,
            format_args!(
                "is \"02\" (definitive export with key A1), which requires the foreign trade \
                 complement: add it, or use \"01\" if nothing is exported and \"04\" for a \
                 definitive export with another key",
            ),
            format_args!(
                "es \"02\" (exportación definitiva con clave A1), que exige el complemento de \
                 comercio exterior: agregarlo, o usar \"01\" si no hay exportación y \"04\" si es \
                 definitiva con otra clave",
            ),
        ),
        _ => {}
    }
}

/// A postal code that SAT knows (40126).
fn place_of_issue(case: &Case<'_>, found: &mut Findings) {
    if case.place.is_none() {
        let value = Shown(&case.document.place_of_issue);
        found.add(
            "CFDI40126",
            &At::top("placeOfIssue"),
            format_args!(
                "is {value}, which is not in SAT's postal code catalog: set the five-digit postal \
                 code of the premises where it is issued",
            ),
            format_args!(
                "es {value}, que no está en el catálogo de códigos postales del SAT: indicar el \
                 código postal, de cinco dígitos, del domicilio donde se expide",
            ),
        );
    }
}

/// Five letters or digits, as a provider gave them (40128).
fn confirmation(case: &Case<'_>, found: &mut Findings) {
    let Some(confirmation) = case.document.confirmation.as_deref() else { return };
    if case.document.currency.is_none_or(|currency| currency == Currency::MXN) {
        found.add(
            "CFDI40127",
            &At::top("confirmation"),
            format_args!(
                "must be left out: providers issue one for an unusual exchange rate, and there is \
                 none",
            ),
            format_args!(
                "debe omitirse: el PAC la proporciona por un tipo de cambio fuera de lo común, y \
                 aquí no hay ninguno",
            ),
        );
        return;
    }
    let is_alphanumeric = confirmation.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if confirmation.len() != 5 || !is_alphanumeric {
        let value = Shown(confirmation);
        found.add(
            "CFDI40128",
            &At::top("confirmation"),
            format_args!(
                "is {value}, but must be the code of five letters or digits issued by the \
                 provider: correct it or leave it out",
            ),
            format_args!(
                "es {value}, pero debe ser la clave de cinco letras o dígitos que proporcionó el \
                 PAC: corregirla u omitirla",
            ),
        );
    }
}
