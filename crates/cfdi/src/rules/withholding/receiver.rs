//! From whom taxes are withheld.

use super::{GUIDE, NAME_CHARS_MAX};
use crate::{
    document::{FOREIGNER, GENERAL_PUBLIC},
    rules::{
        case::{PUBLIC_NAME, Person},
        curp,
        finding::{At, Findings, Shown},
        parties, text,
    },
    withholding::{Foreign, National, Receiver, Withholding},
};

pub(super) fn check(withholding: &Withholding, found: &mut Findings) {
    let at = At::top("receiver");
    match &withholding.receiver {
        Receiver::National(receiver) => {
            national(receiver, &withholding.place_of_issue, &at.field("national"), found);
        }
        Receiver::Foreign(receiver) => foreign(receiver, &at.field("foreign"), found),
    }
}

fn national(receiver: &National, place_of_issue: &str, at: &At<'_>, found: &mut Findings) {
    rfc(&receiver.rfc, &at.field("rfc"), found);
    legal_name(receiver, &at.field("legalName"), found);
    if let Some(code) = receiver.curp.as_deref() {
        of_a_person(code, &receiver.rfc, &at.field("curp"), found);
    }
    tax_zip(receiver, place_of_issue, &at.field("taxZip"), found);
}

/// An RFC (301), and not the one of foreigners, who have an element of their own.
fn rfc(rfc: &str, at: &At<'_>, found: &mut Findings) {
    text::rfc(rfc, at, found);
    if rfc == FOREIGNER {
        found.add(
            GUIDE,
            at,
            format_args!("is {FOREIGNER}: state who resides abroad in receiver.foreign"),
            format_args!(
                "es {FOREIGNER}: indicar al residente en el extranjero en receiver.foreign"
            ),
        );
    }
}

/// As registered, and the general public's only with its RFC (20116).
fn legal_name(receiver: &National, at: &At<'_>, found: &mut Findings) {
    let (name, rfc) = (receiver.legal_name.as_str(), receiver.rfc.as_str());
    parties::name_within(NAME_CHARS_MAX, (name, rfc), ("Reten20116", at), found);
    let is_public = kernel::text::folded(name) == kernel::text::folded(PUBLIC_NAME);
    if is_public && rfc != GENERAL_PUBLIC {
        let (name, rfc) = (Shown(name), Shown(rfc));
        found.add(
            "Reten20116",
            at,
            format_args!(
                "is {name}, which is only allowed with RFC {GENERAL_PUBLIC}, but the RFC is {rfc}: \
                 set that RFC or the receiver's own name",
            ),
            format_args!(
                "es {name}, que solo corresponde al RFC {GENERAL_PUBLIC}, pero el RFC es {rfc}: \
                 usar ese RFC o el nombre del receptor",
            ),
        );
    }
}

/// A CURP (301) of a natural person (20117).
fn of_a_person(code: &str, rfc: &str, at: &At<'_>, found: &mut Findings) {
    curp::check(code, at, found);
    if Person::of(rfc) == Some(Person::Legal) {
        let rfc = Shown(rfc);
        found.add(
            "Reten20117",
            at,
            format_args!("must be left out, because RFC {rfc} belongs to a legal entity"),
            format_args!("debe omitirse, porque el RFC {rfc} es de una persona moral"),
        );
    }
}

/// In the catalog (20118); the place of issue for the generic RFC, as in invoices.
fn tax_zip(receiver: &National, place_of_issue: &str, at: &At<'_>, found: &mut Findings) {
    if receiver.rfc == GENERAL_PUBLIC && receiver.tax_zip != place_of_issue {
        let place = Shown(place_of_issue);
        found.add(
            GUIDE,
            at,
            format_args!(
                "must be {place}, the place of issue, because the RFC is generic: use that postal \
                 code or the receiver's own RFC",
            ),
            format_args!(
                "debe ser {place}, el lugar de expedición, porque el RFC es genérico: usar ese \
                 valor o el RFC del receptor",
            ),
        );
    } else {
        parties::zip(&receiver.tax_zip, ("Reten20118", at), found);
    }
}

fn foreign(receiver: &Foreign, at: &At<'_>, found: &mut Findings) {
    let tax_id = receiver.foreign_tax_id.as_deref();
    text::optional(tax_id, 20, &at.field("foreignTaxId"), found);
    text::check(&receiver.legal_name, 300, &at.field("legalName"), found);
}
