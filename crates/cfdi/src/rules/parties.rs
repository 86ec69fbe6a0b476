//! What names and regimes of taxpayers have in common.

use time::Date;

use super::{
    case::Person,
    finding::{At, Findings, Shown},
    listed, text,
};
use crate::{
    catalogs::{postal_codes, regimes},
    document::is_generic,
};

/// How many characters a name may have.
pub(super) const NAME_CHARS_MAX: usize = 300;

/// Forms of companies at the end of a name, longest first. SAT registers names without them. Those that names may end
/// with as well are [doubted](super::doubts()) alone.
const COMPANY_FORMS: [&str; 14] = [
    "S DE RL DE CV",
    "SC DE RL DE CV",
    "SPR DE RL DE CV",
    "S EN C DE CV",
    "SAPIB DE CV",
    "SAPI DE CV",
    "SAB DE CV",
    "SAS DE CV",
    "SRL DE CV",
    "S A DE C V",
    "SA DE CV",
    "SPR DE RL",
    "SC DE RL",
    "S DE RL",
];

/// A name as SAT has it: capitals, without the form of the company. Names of nobody in particular are free.
pub(super) fn name(
    (name, rfc): (&str, &str),
    (code, at): (&'static str, &At<'_>),
    found: &mut Findings,
) {
    name_within(NAME_CHARS_MAX, (name, rfc), (code, at), found);
}

/// A name that may have so many characters.
pub(super) fn name_within(
    chars_max: usize,
    (name, rfc): (&str, &str),
    (code, at): (&'static str, &At<'_>),
    found: &mut Findings,
) {
    text::check(name, chars_max, at, found);
    if is_generic(rfc) {
        return;
    }
    let value = Shown(name);
    if name.chars().any(char::is_lowercase) {
        found.add(
            code,
            at,
            format_args!(
                "is {value}, but must be in capitals, exactly as registered with SAT: copy it from \
                 the Constancia de Situación Fiscal",
            ),
            format_args!(
                "es {value}, pero debe ir en mayúsculas, tal como está registrado en el SAT: \
                 copiarlo de la Constancia de Situación Fiscal",
            ),
        );
    }
    if let Some(form) = form_at_end(name, rfc, &COMPANY_FORMS) {
        found.add(
            code,
            at,
            format_args!(
                "is {value}, but SAT registers names without the corporate suffix: leave out \
                 \"{form}\"",
            ),
            format_args!(
                "es {value}, pero el SAT registra el nombre sin el régimen societario: quitar \
                 \"{form}\"",
            ),
        );
    }
}

/// Which of the forms is at the end of a company's name, whatever its dots and commas.
pub(super) fn form_at_end(name: &str, rfc: &str, forms: &[&'static str]) -> Option<&'static str> {
    if Person::of(rfc) != Some(Person::Legal) {
        return None;
    }
    let plain: String = name.chars().filter(|c| !matches!(c, '.' | ',')).collect();
    let plain = plain.trim_end().to_uppercase();
    let ends = |form: &str| plain.strip_suffix(form).is_some_and(|rest| rest.ends_with(' '));
    forms.iter().copied().find(|form| ends(form))
}

/// A regime of the catalog.
pub(super) fn regime(
    code: &str,
    day: Date,
    (error, at): (&'static str, &At<'_>),
    found: &mut Findings,
) -> Option<&'static regimes::Regime> {
    listed::check((code, regimes::find(code)), &listed::REGIMES, day, (error, at), found)
}

/// A regime that the kind of person can be in.
pub(super) fn regime_of_person(
    regime: &regimes::Regime,
    rfc: &str,
    (error, at): (&'static str, &At<'_>),
    found: &mut Findings,
) {
    let code = regime.code;
    match Person::of(rfc) {
        Some(Person::Natural) if !regime.natural => found.add(
            error,
            at,
            format_args!(
                "is {code}, which only applies to legal entities, but RFC {rfc} belongs to a \
                 natural person: use the regime stated in the Constancia de Situación Fiscal",
            ),
            format_args!(
                "es {code}, que es de personas morales, pero el RFC {rfc} es de una persona \
                 física: usar el régimen que aparece en la Constancia de Situación Fiscal",
            ),
        ),
        Some(Person::Legal) if !regime.legal => found.add(
            error,
            at,
            format_args!(
                "is {code}, which only applies to natural persons, but RFC {rfc} belongs to a \
                 legal entity: use the regime stated in the Constancia de Situación Fiscal",
            ),
            format_args!(
                "es {code}, que es de personas físicas, pero el RFC {rfc} es de una persona moral: \
                 usar el régimen que aparece en la Constancia de Situación Fiscal",
            ),
        ),
        _ => {}
    }
}

/// The postal code of a tax address, which must exist.
pub(super) fn zip(zip: &str, (error, at): (&'static str, &At<'_>), found: &mut Findings) {
    if postal_codes::find(zip).is_none() {
        let value = Shown(zip);
        found.add(
            error,
            at,
            format_args!(
                "is {value}, which is not in SAT's postal code catalog: set the five-digit postal \
                 code of the tax address stated in the Constancia de Situación Fiscal",
            ),
            format_args!(
                "es {value}, que no está en el catálogo de códigos postales del SAT: indicar el \
                 código postal, de cinco dígitos, del domicilio fiscal que aparece en la \
                 Constancia de Situación Fiscal",
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_found_at_the_end_of_companies_names_only() {
        for (name, form) in [
            ("ACME SA DE CV", Some("SA DE CV")),
            ("ACME, S.A. DE C.V.", Some("SA DE CV")),
            ("ACME S. DE R.L. DE C.V.", Some("S DE RL DE CV")),
            ("ACME S A DE C V", Some("S A DE C V")),
            ("ACME SAPI DE CV", Some("SAPI DE CV")),
            ("ACME", None),
            ("SA DE CV", None),
            ("CASA", None),
            ("LA CASA DE CV", None),
        ] {
            assert_eq!(form_at_end(name, "EKU9003173C9", &COMPANY_FORMS), form, "{name}");
        }
        assert_eq!(form_at_end("JOAO SA DE CV", "CACX7605101P8", &COMPANY_FORMS), None);
    }
}
