//! What the rules of places, goods and vehicles have in common.

use kernel::Amount;

use crate::{
    complements::carta_porte::Policy,
    rules::{
        finding::{At, Findings, Shown},
        text,
    },
};

/// The least weight in kilograms or another unit.
const WEIGHT_MIN: Amount = Amount::from_micros(1_000);
/// Decimals of weights.
const WEIGHT_DECIMALS: u32 = 3;
/// How many characters the name of an insurer has.
const INSURER_CHARS: (usize, usize) = (3, 50);
/// How many characters the number of a policy has.
const POLICY_CHARS: (usize, usize) = (3, 30);
/// The years that a time may be in (tdCFDI `t_FechaH`).
const YEARS: std::ops::RangeInclusive<i32> = 2010..=2099;

/// What must be there.
pub(super) fn missing(
    (code, at): (&'static str, &At<'_>),
    english: &str,
    spanish: &str,
    found: &mut Findings,
) {
    found.add(code, at, format_args!("is missing: {english}"), format_args!("falta: {spanish}"));
}

/// What must not be there, and why.
pub(super) fn needless(at: &At<'_>, english: &str, spanish: &str, found: &mut Findings) {
    found.add(
        "CFDI40999",
        at,
        format_args!("must be left out: {english}"),
        format_args!("debe omitirse: {spanish}"),
    );
}

/// As many as the schema allows (301).
pub(super) fn at_most(count: usize, most: usize, at: &At<'_>, found: &mut Findings) {
    if count > most {
        found.add(
            "301",
            at,
            format_args!("has {count} entries, but at most {most} are allowed: leave out the rest"),
            format_args!("tiene {count} registros, pero se permiten {most}: quitar los demás"),
        );
    }
}

/// Text of a least length (301).
pub(super) fn text_between(
    value: &str,
    (least, most): (usize, usize),
    at: &At<'_>,
    found: &mut Findings,
) {
    text::check(value, most, at, found);
    let chars = value.chars().count();
    if (1..least).contains(&chars) {
        let value = Shown(value);
        found.add(
            "301",
            at,
            format_args!("is {value}, but must have at least {least} characters: complete it"),
            format_args!("es {value}, pero debe tener {least} caracteres o más: completarlo"),
        );
    }
}

/// A weight of at least a gram, in grams (301).
pub(super) fn weight(weight: Amount, at: &At<'_>, found: &mut Findings) {
    measure(weight, (WEIGHT_MIN, Amount::MAX), WEIGHT_DECIMALS, at, found);
}

/// A number between two others, with no more than so many decimals (301).
pub(super) fn measure(
    number: Amount,
    (least, most): (Amount, Amount),
    decimals: u32,
    at: &At<'_>,
    found: &mut Findings,
) {
    if number < least || number > most {
        found.add(
            "301",
            at,
            format_args!("is {number}, but must be between {least} and {most}: correct it"),
            format_args!("es {number}, pero debe estar entre {least} y {most}: corregirlo"),
        );
    } else if !number.fits(decimals) {
        found.add(
            "301",
            at,
            format_args!("is {number}, but can have at most {decimals} decimals: round it"),
            format_args!("es {number}, pero admite {decimals} decimales como máximo: redondéelo"),
        );
    }
}

/// The name of an insurer and the number of its policy.
pub(super) fn policy(policy: &Policy, at: &At<'_>, found: &mut Findings) {
    text_between(&policy.insurer, INSURER_CHARS, &at.field("insurer"), found);
    text_between(&policy.number, POLICY_CHARS, &at.field("number"), found);
}

/// Text of a least length that need not be there (301).
pub(super) fn optional_between(
    value: Option<&str>,
    chars: (usize, usize),
    at: &At<'_>,
    found: &mut Findings,
) {
    if let Some(value) = value {
        text_between(value, chars, at, found);
    }
}

/// A plate as the schema and the guide want it: five to seven letters and digits (301).
pub(super) fn plate(plate: &str, at: &At<'_>, found: &mut Findings) {
    let is_plain = plate.chars().all(char::is_alphanumeric);
    if !is_plain || !(5..=7).contains(&plate.chars().count()) {
        let value = Shown(plate);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, but must be 5 to 7 letters and digits: write the plate without \
                 hyphens or spaces",
            ),
            format_args!(
                "es {value}, pero debe tener de 5 a 7 letras y dígitos: escribir la placa sin \
                 guiones ni espacios",
            ),
        );
    }
}

/// A year that the schema can write a time in (301).
pub(super) fn year(year: i32, at: &At<'_>, found: &mut Findings) {
    if !YEARS.contains(&year) {
        let (first, last) = (YEARS.start(), YEARS.end());
        found.add(
            "301",
            at,
            format_args!(
                "is in the year {year}, but must be between {first} and {last}: correct it",
            ),
            format_args!("es del año {year}, pero debe estar entre {first} y {last}: corregirlo"),
        );
    }
}
