//! What names and regimes of taxpayers have in common.

use kernel::text::folded;
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

/// Forms of companies with which no name ends. SAT registers names without them. Those that names may end with as well are
/// [doubted](super::doubts()) alone.
const COMPANY_FORMS: [&str; 22] = [
    "S DE RL MI DE CV",
    "S DE RL DE CV",
    "SC DE RL DE CV",
    "SPR DE RL DE CV",
    "S EN C DE CV",
    "S EN C POR A DE CV",
    "SAPIB DE CV",
    "SAPI DE CV",
    "SAB DE CV",
    "SAS DE CV",
    "SRL DE CV",
    "SA DE CV",
    "SPR DE RL",
    "SC DE RL",
    "S DE RL MI",
    "S DE RL",
    "SOCIEDAD ANONIMA PROMOTORA DE INVERSION DE CAPITAL VARIABLE",
    "SOCIEDAD POR ACCIONES SIMPLIFICADA DE CAPITAL VARIABLE",
    "SOCIEDAD DE RESPONSABILIDAD LIMITADA DE CAPITAL VARIABLE",
    "SOCIEDAD DE RESPONSABILIDAD LIMITADA",
    "SOCIEDAD ANONIMA BURSATIL DE CAPITAL VARIABLE",
    "SOCIEDAD ANONIMA DE CAPITAL VARIABLE",
];
/// More letters than the longest form has.
const FORM_LETTERS_MAX: usize = 60;

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
    if let Some(form) = company_form(name, rfc) {
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

/// The form at the end of a name, unless it is the name of a natural person: whoever's RFC it is meant to be, if it is none.
fn company_form(name: &str, rfc: &str) -> Option<&'static str> {
    match Person::of(rfc) {
        Some(Person::Natural) => None,
        Some(Person::Legal) | None => form_at_end(&words(name), &COMPANY_FORMS),
    }
}

/// One of these forms at the end of a company's name, or one with which no name ends before its end.
pub(super) fn doubtful_form(
    name: &str,
    rfc: &str,
    at_end: &[&'static str],
) -> Option<&'static str> {
    if Person::of(rfc) != Some(Person::Legal) {
        return None;
    }
    let words = words(name);
    let before = |end: usize| form_at_end(words.get(..end)?, &COMPANY_FORMS);
    form_at_end(&words, at_end).or_else(|| (2..words.len()).rev().find_map(before))
}

/// The words of a name, whatever its dots, commas, accents and cases.
fn words(name: &str) -> Vec<String> {
    let name = folded(name).to_uppercase();
    let words = name.split([' ', '.', ',']).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Which of the forms is behind the first word, up to the last: the longest, however its letters are spaced.
fn form_at_end(words: &[String], forms: &[&'static str]) -> Option<&'static str> {
    let (mut end, mut found) = (String::new(), None);
    for word in words.iter().skip(1).rev() {
        end.insert_str(0, word);
        if end.len() > FORM_LETTERS_MAX {
            break;
        }
        let letters = |form: &str| form.bytes().filter(|b| *b != b' ').eq(end.bytes());
        found = forms.iter().copied().find(|form| letters(form)).or(found);
    }
    found
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
            ("ACME S.A.DE C.V.", Some("SA DE CV")),
            ("ACME S. DE R.L. DE C.V.", Some("S DE RL DE CV")),
            ("ACME S DE R L DE CV", Some("S DE RL DE CV")),
            ("ACME S A DE C V", Some("SA DE CV")),
            ("ACME SAPI DE CV", Some("SAPI DE CV")),
            ("ACME S.A.P.I. de C.V.", Some("SAPI DE CV")),
            ("ACME SC DE RL", Some("SC DE RL")),
            (
                "ACME SOCIEDAD ANÓNIMA DE CAPITAL VARIABLE",
                Some("SOCIEDAD ANONIMA DE CAPITAL VARIABLE"),
            ),
            ("ACME", None),
            ("SA DE CV", None),
            ("CASA", None),
            ("LA CASA DE CV", None),
            ("ACME SA", None),
            ("ACME SA DE CV SOFOM ENR", None),
        ] {
            assert_eq!(company_form(name, "EKU9003173C9"), form, "{name}");
            // Of an RFC that is not known yet, or mistyped, nobody knows that it is a person's.
            assert_eq!(company_form(name, ""), form, "{name}");
        }
        assert_eq!(company_form("JOAO SA DE CV", "CACX7605101P8"), None);
    }

    #[test]
    fn forms_that_may_be_names_and_forms_inside_of_names_are_doubtful() {
        for (name, form) in [
            ("ACME S.A.", Some("SA")),
            ("ACME SA DE CV SOFOM ENR", Some("SA DE CV")),
            ("ACME, S. DE R.L. DE C.V., MEXICO", Some("S DE RL DE CV")),
            ("ACME SAS", None),
            ("ACME SA DE CV", None),
            ("SA DE CV ACME", None),
            ("SA", None),
        ] {
            assert_eq!(doubtful_form(name, "EKU9003173C9", &["SA"]), form, "{name}");
        }
        assert_eq!(doubtful_form("JOAO SA", "CACX7605101P8", &["SA"]), None);
    }
}
