//! The sums of a document: SAT recomputes them, and so does [`Totals`]; here only what no sum can mend.

use kernel::Amount;

use super::{
    LINES_MAX,
    case::Case,
    finding::{At, Findings},
};
use crate::{decimal, document::Item, totals::Totals};

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let items = &case.document.items;
    if !case.is_of_value() || items.len() > LINES_MAX {
        return;
    }
    let at = At::top("items");
    let local = case.document.local_taxes.iter().map(|tax| tax.amount);
    if !can_be_summed(items) || !is_within_measure(local) {
        beyond_measure(&at, found);
        return;
    }
    let totals = Totals::of(case.document);
    if totals.before_withholding() > Amount::MAX {
        beyond_measure(&at, found);
        return;
    }
    let shown = |sum: Amount| decimal::digits(sum, case.document.decimals());
    discount(&totals, shown, &at, found);
    total(&totals, shown, &at, found);
}

/// Whether no sum is more than the largest amount, so that none is cut off.
fn can_be_summed(items: &[Item]) -> bool {
    let taxes = || items.iter().flat_map(|item| &item.taxes);
    is_within_measure(items.iter().map(|item| item.amount))
        && is_within_measure(items.iter().filter_map(|item| item.discount))
        && is_within_measure(taxes().map(|tax| tax.base))
        && is_within_measure(taxes().map(|tax| tax.amount))
}

/// Whether the amounts, all taken as positive, sum to no more than the largest amount.
pub(super) fn is_within_measure(amounts: impl Iterator<Item = Amount>) -> bool {
    let sum: i128 = amounts.map(|amount| i128::from(amount.micros()).abs()).sum();
    sum <= i128::from(Amount::MAX.micros())
}

/// Too much for one document (40120).
pub(super) fn beyond_measure(at: &At<'_>, found: &mut Findings) {
    let most = Amount::MAX;
    found.add(
        "CFDI40120",
        at,
        format_args!(
            "add up to more than {most}, the most a document can state: check quantities and \
             prices, or split the document",
        ),
        format_args!(
            "suman más de {most}, el máximo que admite un comprobante: revisar cantidades y \
             precios, o dividirlo",
        ),
    );
}

/// At most the subtotal (40110).
fn discount(totals: &Totals, shown: impl Fn(Amount) -> String, at: &At<'_>, found: &mut Findings) {
    let (subtotal, discount) = (totals.sub_total, totals.discount.unwrap_or_default());
    if discount > subtotal {
        let [subtotal, discount] = [subtotal, discount].map(shown);
        found.add(
            "CFDI40110",
            at,
            format_args!(
                "have total discounts of {discount}, more than their total amount of {subtotal}: \
                 reduce the discounts",
            ),
            format_args!(
                "suman descuentos por {discount}, más que sus importes por {subtotal}: reducir los \
                 descuentos",
            ),
        );
    }
}

/// Not below zero (301).
fn total(totals: &Totals, shown: impl Fn(Amount) -> String, at: &At<'_>, found: &mut Findings) {
    if totals.total.is_negative() {
        let [total, withheld] =
            [totals.total, totals.total_withheld.unwrap_or_default()].map(shown);
        found.add(
            "301",
            at,
            format_args!(
                "add up to a total of {total}, less than zero: reduce the discounts, or the \
                 {withheld} withheld",
            ),
            format_args!(
                "suman un total de {total}, menor que cero: reducir los descuentos, o los \
                 {withheld} de retenciones",
            ),
        );
    }
}
