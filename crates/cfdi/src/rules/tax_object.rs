//! Whether taxes may, must or must not be stated (c_ObjetoImp).

use super::{
    case::Case,
    finding::{At, Findings},
    listed,
};
use crate::{
    catalogs::tax_objects,
    document::DocumentType,
    tax::{ItemTax, Tax},
};

/// SAT's codes for an item, or for a document that is paid.
pub(super) struct Codes {
    unknown: &'static str,
    needed: &'static str,
    forbidden: &'static str,
    isr_only: &'static str,
    ieps_only: &'static str,
}

pub(super) const OF_ITEMS: Codes = Codes {
    unknown: "CFDI40170",
    needed: "CFDI40171",
    forbidden: "CFDI40172",
    isr_only: "CFDI140226",
    ieps_only: "CFDI140227",
};

pub(super) const OF_PAYMENTS: Codes = Codes {
    unknown: "CRP20245",
    needed: "CRP20246",
    forbidden: "CRP20247",
    isr_only: "CRP20278",
    ieps_only: "CRP20279",
};

pub(super) fn check(
    case: &Case<'_>,
    (object, taxes): (&str, &[ItemTax]),
    (codes, at): (&Codes, &At<'_>),
    found: &mut Findings,
) {
    let row = tax_objects::find(object);
    let error = (codes.unknown, at);
    if listed::check((object, row), &listed::TAX_OBJECTS, case.day(), error, found).is_none() {
        return;
    }
    match object {
        "02" if taxes.is_empty() => needed(case, codes.needed, at, found),
        "01" | "03" | "04" | "05" if !taxes.is_empty() => forbidden(object, codes, at, found),
        "06" | "08" if !taxes.iter().all(is_withheld_isr) => isr_only(object, codes, at, found),
        "07" if !states_ieps_alone(taxes) => ieps_only(codes, at, found),
        _ => {}
    }
}

fn is_withheld_isr(tax: &ItemTax) -> bool {
    tax.rate.tax == Tax::Isr && tax.rate.withheld
}

/// No IVA, and IEPS in the price.
fn states_ieps_alone(taxes: &[ItemTax]) -> bool {
    let has_iva = taxes.iter().any(|tax| tax.rate.tax == Tax::Iva);
    !has_iva && taxes.iter().any(|tax| tax.rate.tax == Tax::Ieps && !tax.rate.withheld)
}

fn needed(case: &Case<'_>, code: &'static str, at: &At<'_>, found: &mut Findings) {
    if case.document.kind == DocumentType::Transfer {
        found.add(
            code,
            at,
            format_args!("is \"02\" (taxed), but transfers of goods have no taxes: set \"01\""),
            format_args!(
                "es \"02\" (sí objeto de impuesto), pero un traslado no lleva impuestos: usar \
                 \"01\"",
            ),
        );
    } else {
        found.add(
            code,
            at,
            format_args!(
                "is \"02\" (taxed), but there are no taxes: add them (0 % and exempt are taxes \
                 too), or set \"01\" (not subject to tax)",
            ),
            format_args!(
                "es \"02\" (sí objeto de impuesto), pero no hay impuestos: agregarlos (la tasa 0 % \
                 y el exento también se desglosan), o usar \"01\" (no objeto de impuesto)",
            ),
        );
    }
}

fn forbidden(object: &str, codes: &Codes, at: &At<'_>, found: &mut Findings) {
    found.add(
        codes.forbidden,
        at,
        format_args!(
            "is \"{object}\", which does not allow taxes, but there are some: remove them, or set \
             \"02\" (taxed)",
        ),
        format_args!(
            "es \"{object}\", que no lleva desglose de impuestos, pero los hay: quitarlos, o usar \
             \"02\" (sí objeto de impuesto)",
        ),
    );
}

fn isr_only(object: &str, codes: &Codes, at: &At<'_>, found: &mut Findings) {
    found.add(
        codes.isr_only,
        at,
        format_args!(
            "is \"{object}\" (no IVA transferred), which does not allow IVA or IEPS: keep only \
             withheld ISR, or set \"02\" (taxed)",
        ),
        format_args!(
            "es \"{object}\" (no traslado de IVA), que no lleva IVA ni IEPS: dejar solo el ISR \
             retenido, o usar \"02\" (sí objeto de impuesto)",
        ),
    );
}

fn ieps_only(codes: &Codes, at: &At<'_>, found: &mut Findings) {
    found.add(
        codes.ieps_only,
        at,
        format_args!(
            "is \"07\" (no IVA, but itemized IEPS), which requires transferred IEPS and does not \
             allow IVA: state the IEPS and remove the IVA, or set \"02\" (taxed)",
        ),
        format_args!(
            "es \"07\" (no traslado del IVA, sí desglose de IEPS), que exige IEPS trasladado y no \
             lleva IVA: desglosar el IEPS y quitar el IVA, o usar \"02\" (sí objeto de impuesto)",
        ),
    );
}
