//! Amounts as the schemas of withholdings allow them.

use kernel::Amount;

use crate::rules::finding::{At, Findings};

/// How many decimals pesos have (tdCFDI `t_ImporteMXN`).
const DECIMALS: u32 = 2;

/// Checks an amount in pesos and cents (301).
pub(super) fn pesos(amount: Amount, at: &At<'_>, found: &mut Findings) {
    not_negative("301", amount, at, found);
    decimals(amount, DECIMALS, at, found);
}

/// Checks an amount in pesos and cents that need not be there.
pub(super) fn optional_pesos(amount: Option<Amount>, at: &At<'_>, found: &mut Findings) {
    if let Some(amount) = amount {
        pesos(amount, at, found);
    }
}

/// Checks that an amount is not below zero, nor beyond what is accepted.
pub(super) fn not_negative(code: &'static str, amount: Amount, at: &At<'_>, found: &mut Findings) {
    if amount.is_negative() {
        found.add(
            code,
            at,
            format_args!("is {amount}, but must not be negative: correct it"),
            format_args!("es {amount}, pero no debe ser negativo: corregirlo"),
        );
    }
    possible(amount, at, found);
}

/// Checks that an amount is more than zero (301).
pub(super) fn positive(amount: Amount, at: &At<'_>, found: &mut Findings) {
    if amount.micros() <= 0 {
        found.add(
            "301",
            at,
            format_args!("is {amount}, but must be more than zero: correct it or leave it out"),
            format_args!("es {amount}, pero debe ser mayor que cero: corregirlo u omitirlo"),
        );
    }
    possible(amount, at, found);
}

/// Checks that an amount, which may be below zero, is not beyond what is accepted (301).
pub(super) fn possible(amount: Amount, at: &At<'_>, found: &mut Findings) {
    let most = Amount::MAX;
    if amount.micros().unsigned_abs() > most.micros().unsigned_abs() {
        found.add(
            "301",
            at,
            format_args!("is {amount}, but must be {most} at most: check it"),
            format_args!("es {amount}, pero debe ser de {most} como máximo: revisarlo"),
        );
    }
}

/// Checks that an amount has so many decimals at most (301).
pub(super) fn decimals(amount: Amount, most: u32, at: &At<'_>, found: &mut Findings) {
    if !amount.fits(most) {
        found.add(
            "301",
            at,
            format_args!("is {amount}, but has {most} decimals at most: round it"),
            format_args!("es {amount}, pero lleva {most} decimales como máximo: redondéelo"),
        );
    }
}
