//! Dividends, and what is left to be distributed (dividendos.xsd).

use kernel::Amount;
use time::Date;

use super::{super::amounts::not_negative, GUIDE};
use crate::{
    catalogs::withholdings::dividends,
    rules::{
        finding::{At, Findings},
        listed,
    },
    withholding::{Distribution, Dividends},
};

const KINDS: listed::Catalog =
    listed::named("kinds of dividend", "tipos de dividendo", "c_TipoDividendoOUtilidadDistribuida");

/// The most that a share in percent can be.
const WHOLE: Amount = Amount::from_micros(100_000_000);

pub(super) fn check(dividends: &Dividends, day: Date, at: &At<'_>, found: &mut Findings) {
    if dividends.distribution.is_none() && dividends.remainder.is_none() {
        found.add(
            GUIDE,
            at,
            format_args!("is empty: state the distribution, the remainder or both"),
            format_args!("está vacío: indicar distribution, remainder o ambos"),
        );
    }
    if let Some(each) = &dividends.distribution {
        distribution(each, day, &at.field("distribution"), found);
    }
    let percentage = dividends.remainder.as_ref().and_then(|remainder| remainder.percentage);
    if let Some(share) = percentage.filter(|share| share.is_negative() || *share > WHOLE) {
        found.add(
            GUIDE,
            &at.field("remainder").field("percentage"),
            format_args!("is {share}, but must be between 0 and 100"),
            format_args!("es {share}, pero debe estar entre 0 y 100"),
        );
    }
}

fn distribution(each: &Distribution, day: Date, at: &At<'_>, found: &mut Findings) {
    let code = (each.kind.as_str(), dividends::find(&each.kind));
    listed::check(code, &KINDS, day, ("301", &at.field("kind")), found);
    let amounts = [
        ("isrWithheldInMexico", Some(each.isr_withheld_in_mexico)),
        ("isrWithheldAbroad", Some(each.isr_withheld_abroad)),
        ("withheldFromForeignDividends", each.withheld_from_foreign_dividends),
        ("creditableIsr", each.creditable_isr),
        ("nationalIncome", each.national_income),
        ("foreignIncome", each.foreign_income),
    ];
    for (field, amount) in amounts {
        if let Some(amount) = amount {
            not_negative(GUIDE, amount, &at.field(field), found);
        }
    }
}
