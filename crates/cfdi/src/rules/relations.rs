//! The documents that a document refers to.

use std::collections::HashSet;

use super::{
    case::Case,
    finding::{At, Findings, Shown},
    listed, text,
};
use crate::{catalogs::relations, document::DocumentType};

const SUBSTITUTION: &str = "04";
/// The relation of what an advance is applied to, and the form of payment that it is.
const ADVANCE: &str = "07";
const APPLIED_ADVANCE: &str = "30";

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("related");
    needed(case, &at, found);
    advance(case, found);
    for (index, relation) in case.document.related.iter().enumerate() {
        let at = at.index(index);
        code(case, &relation.relation, &at.field("relation"), found);
        uuids(&relation.uuids, &at.field("uuids"), found);
    }
}

/// A credit note says what it credits (guide of filling in).
fn needed(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    if case.document.kind == DocumentType::Credit && case.document.related.is_empty() {
        found.add(
            "CFDI40999",
            at,
            format_args!(
                "is empty, but a credit note must reference the invoices it credits: add their \
                 UUIDs with relation 01, 03 or 07",
            ),
            format_args!(
                "está vacío, pero un egreso debe señalar las facturas que afecta: agregar sus \
                 folios fiscales (UUID) con la relación 01, 03 o 07",
            ),
        );
    }
}

/// A credit note that applies an advance says so in its form of payment (guide of filling in, appendix 6).
fn advance(case: &Case<'_>, found: &mut Findings) {
    let document = case.document;
    let applies = document.related.iter().any(|relation| relation.relation == ADVANCE);
    let other = document.payment_form.as_deref().filter(|form| *form != APPLIED_ADVANCE);
    let Some(form) = other.filter(|_| applies && document.kind == DocumentType::Credit) else {
        return;
    };
    let form = Shown(form);
    found.add(
        "CFDI40999",
        &At::top("paymentForm"),
        format_args!(
            "is {form}, but must be \"{APPLIED_ADVANCE}\" (applied advance), because the relation \
             {ADVANCE} says that an advance is applied: use that form, or the relation 01 or 03",
        ),
        format_args!(
            "es {form}, pero debe ser \"{APPLIED_ADVANCE}\" (aplicación de anticipos), porque la \
             relación {ADVANCE} señala que se aplica un anticipo: usar esa forma de pago, o la \
             relación 01 o 03",
        ),
    );
}

/// In the catalog (40137), and one that the kind can have (guide of filling in).
fn code(case: &Case<'_>, code: &str, at: &At<'_>, found: &mut Findings) {
    let row = relations::find(code);
    let error = ("CFDI40137", at);
    if listed::check((code, row), &listed::RELATIONS, case.day(), error, found).is_none() {
        return;
    }
    let kind = case.document.kind;
    let letter = kind.code();
    if kind == DocumentType::Payment && code != SUBSTITUTION {
        found.add(
            "CFDI40999",
            at,
            format_args!(
                "is \"{code}\", but a payment receipt can only replace another: set 04, and list \
                 the invoices paid in the payments",
            ),
            format_args!(
                "es \"{code}\", pero un recibo de pago solo puede sustituir a otro: usar 04, y \
                 señalar las facturas pagadas en los pagos",
            ),
        );
    } else if !kinds(code).contains(&kind) {
        found.add(
            "CFDI40999",
            at,
            format_args!(
                "is \"{code}\", which CFDIs of type {letter} cannot have: choose the appropriate \
                 relation, 04 if it replaces another",
            ),
            format_args!(
                "es \"{code}\", que no corresponde a un comprobante de tipo {letter}: elegir la \
                 relación adecuada, 04 si sustituye a otro",
            ),
        );
    }
}

/// The kinds of document that refer to others so.
fn kinds(relation: &str) -> &'static [DocumentType] {
    match relation {
        "01" | "02" | "06" | "07" => &[DocumentType::Income, DocumentType::Credit],
        "03" => &[DocumentType::Income, DocumentType::Credit, DocumentType::Transfer],
        "05" => &[DocumentType::Transfer],
        _ => &[
            DocumentType::Income,
            DocumentType::Credit,
            DocumentType::Transfer,
            DocumentType::Payment,
        ],
    }
}

/// At least one, each with the form of a fiscal folio (301), and each once.
fn uuids(uuids: &[String], at: &At<'_>, found: &mut Findings) {
    if uuids.is_empty() {
        found.add(
            "301",
            at,
            format_args!(
                "is empty: add the fiscal folio (UUID) of each related document, or leave the \
                 relation out",
            ),
            format_args!(
                "está vacío: agregar el folio fiscal (UUID) de cada comprobante relacionado, u \
                 omitir la relación",
            ),
        );
    }
    let mut seen = HashSet::with_capacity(uuids.len());
    for (index, uuid) in uuids.iter().enumerate() {
        if !seen.insert(uuid.to_ascii_uppercase()) {
            repeated(uuid, &at.index(index), found);
        }
        if !text::is_uuid(uuid) {
            let value = Shown(uuid);
            found.add(
                "301",
                &at.index(index),
                format_args!(
                    "is {value}, which is not a fiscal folio: write the UUID of the stamp, 32 \
                     hexadecimal digits in groups of 8-4-4-4-12",
                ),
                format_args!(
                    "es {value}, que no es un folio fiscal: escribir el UUID del timbre, 32 dígitos \
                     hexadecimales en grupos 8-4-4-4-12",
                ),
            );
        }
    }
}

/// One reason names a document once.
fn repeated(uuid: &str, at: &At<'_>, found: &mut Findings) {
    let value = Shown(uuid);
    found.add(
        "CFDI40999",
        at,
        format_args!("is {value}, which this relation names already: leave it out"),
        format_args!("es {value}, que esta relación ya señala: quitarlo"),
    );
}
