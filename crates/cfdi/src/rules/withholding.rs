//! Withholdings (retencionpagov2.xsd, its catalogs, and SAT's matrix of errors of *Retenciones e información de pagos*
//! 2.0).

mod amounts;
mod complements;
mod receiver;
mod totals;

use kernel::Timestamp;
use time::Date;

use super::{
    finding::{At, Finding, Findings, Shown},
    issued, issuer, listed, text,
};
use crate::{
    catalogs::{
        postal_codes, relations,
        withholdings::kinds::{self, Kind},
    },
    withholding::{Period, Related, Withholding},
};

/// What nothing but the meaning of a field says, or what has a number in SAT's matrices that is not known.
const GUIDE: &str = "CFDI40999";

const KINDS: listed::Catalog =
    listed::named("kinds of withholding", "claves de retención", "c_CveRetenc");

/// The years of c_Ejercicio.
const YEARS: std::ops::RangeInclusive<u16> = 2019..=2027;

/// How many characters the issuer's name or that of a receiver in Mexico may have.
const NAME_CHARS_MAX: usize = 254;

/// Everything that SAT or a provider would refuse `withholding` for, in the order of its fields, if it were to be stamped
/// at `now`. Nothing when it can be stamped.
#[must_use]
pub fn check_withholding(withholding: &Withholding, now: Timestamp) -> Vec<Finding> {
    let mut found = Findings::default();
    let day = withholding.issued_at.date();
    folio(withholding.folio.as_deref(), &mut found);
    issued::check(withholding.issued_at, &withholding.place_of_issue, now, &mut found);
    place_of_issue(&withholding.place_of_issue, &mut found);
    let kind = kind(withholding, day, &mut found);
    description(withholding, &mut found);
    if let Some(each) = &withholding.related {
        related(each, day, &mut found);
    }
    let codes = ["Reten20110", "Reten20111", "Reten20112"];
    issuer::of(&withholding.issuer, day, (codes, NAME_CHARS_MAX), &mut found);
    receiver::check(withholding, &mut found);
    period(withholding.period, day, &mut found);
    totals::check(withholding, &mut found);
    complements::check(withholding, kind, &mut found);
    found.into_list()
}

/// Letters and digits alone, which are 20 at most (301).
fn folio(folio: Option<&str>, found: &mut Findings) {
    let Some(folio) = folio else { return };
    let is_plain = folio.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_plain || !(1..=20).contains(&folio.len()) {
        let value = Shown(folio);
        found.add(
            "301",
            &At::top("folio"),
            format_args!(
                "is {value}, but must be 1 to 20 letters without accents, or digits: correct it or \
                 leave it out",
            ),
            format_args!(
                "es {value}, pero debe tener de 1 a 20 letras sin acento o dígitos: corregirlo u \
                 omitirlo",
            ),
        );
    }
}

/// A postal code that SAT knows (20104).
fn place_of_issue(zip: &str, found: &mut Findings) {
    if postal_codes::find(zip).is_none() {
        let value = Shown(zip);
        found.add(
            "Reten20104",
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

/// In the catalog (20105).
fn kind(withholding: &Withholding, day: Date, found: &mut Findings) -> Option<&'static Kind> {
    let code = withholding.code.as_str();
    let at = At::top("code");
    listed::check((code, kinds::find(code)), &KINDS, day, ("Reten20105", &at), found)
}

/// There for any other kind (20106).
fn description(withholding: &Withholding, found: &mut Findings) {
    let at = At::top("description");
    text::optional(withholding.description.as_deref(), 100, &at, found);
    if withholding.code == kinds::OTHER && withholding.description.is_none() {
        found.add(
            "Reten20106",
            &at,
            format_args!("is missing: code 25 (any other) needs to say what is withheld from"),
            format_args!("falta: la clave 25 (otro tipo) exige describir la retención"),
        );
    }
}

/// A relation of the catalog (20109) to a fiscal folio (301).
fn related(related: &Related, day: Date, found: &mut Findings) {
    let at = At::top("related");
    let code = (related.relation.as_str(), relations::find(&related.relation));
    let error = ("Reten20109", &at.field("relation"));
    listed::check(code, &listed::RELATIONS, day, error, found);
    if !text::is_uuid(&related.uuid) {
        let value = Shown(&related.uuid);
        found.add(
            "301",
            &at.field("uuid"),
            format_args!(
                "is {value}, which is not a fiscal folio: write the UUID of the stamp, 32 \
                 hexadecimal digits in groups of 8-4-4-4-12",
            ),
            format_args!(
                "es {value}, que no es un folio fiscal: escribir el UUID del timbre, 32 dígitos \
                 hexadecimales en grupos de 8-4-4-4-12",
            ),
        );
    }
}

/// Months (20121, 20123) in their order (20122), of the year of issue or the previous one (20126), which SAT has listed
/// (20125), and not of a time that is to come.
fn period(period: Period, day: Date, found: &mut Findings) {
    let at = At::top("period");
    let Period { first_month: first, last_month: last, year } = period;
    let months = [("Reten20121", "firstMonth", first), ("Reten20123", "lastMonth", last)];
    for (code, field, month) in months {
        if !(1..=12).contains(&month) {
            found.add(
                code,
                &at.field(field),
                format_args!("is {month}, which is no month: set a number from 1 to 12"),
                format_args!("es {month}, que no es un mes: indicar un número del 1 al 12"),
            );
        }
    }
    if first > last {
        found.add(
            "Reten20122",
            &at.field("firstMonth"),
            format_args!(
                "is {first}, after the last month, which is {last}: exchange them, or split what \
                 is of two years",
            ),
            format_args!(
                "es {first}, posterior al último mes, que es {last}: intercambiarlos, o dividir lo \
                 que es de dos ejercicios",
            ),
        );
    }
    let is_to_come = i32::from(year) == day.year() && first > u8::from(day.month());
    if is_to_come && (1..=12).contains(&first) {
        found.add(
            GUIDE,
            &at.field("firstMonth"),
            format_args!(
                "is {first}, a month that has not begun on {day}, the date of issue: set the months \
                 of what was paid",
            ),
            format_args!(
                "es {first}, un mes que no ha comenzado el {day}, fecha de expedición: indicar los \
                 meses de lo pagado",
            ),
        );
    }
    let at = at.field("year");
    if !YEARS.contains(&year) {
        let (from, until) = (YEARS.start(), YEARS.end());
        found.add(
            "Reten20125",
            &at,
            format_args!("is {year}, but SAT's catalog of fiscal years is from {from} to {until}"),
            format_args!("es {year}, pero el catálogo c_Ejercicio del SAT va de {from} a {until}"),
        );
    }
    let this = day.year();
    let before = this - 1;
    if ![this, before].contains(&i32::from(year)) {
        found.add(
            "Reten20126",
            &at,
            format_args!(
                "is {year}, but must be {this} or {before}, the year of issue or the previous one",
            ),
            format_args!(
                "es {year}, pero debe ser {this} o {before}, el año en curso o el inmediato \
                 anterior",
            ),
        );
    }
}
