//! The complements that some trades need.

mod address;
mod carta_porte;
mod electoral;
mod foreign_trade;

use super::{
    case::Case,
    finding::{At, Findings},
    text,
};
use crate::complements::{Donation, Legend};

/// The most characters of a sentence. SAT knows no limit.
const LEGEND_CHARS_MAX: usize = 2_000;
/// The most characters of a law, a rule or the number of a letter. SAT knows no limit.
const REFERENCE_CHARS_MAX: usize = 100;

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("complements");
    let complements = &case.document.complements;
    for (index, each) in complements.legends.iter().enumerate() {
        legend(each, &at.field("legends").index(index), found);
    }
    if let Some(donation) = &complements.donation {
        self::donation(case, donation, &at.field("donation"), found);
    }
    if let Some(electoral) = &complements.electoral {
        electoral::check(electoral, &at.field("electoral"), found);
    }
    if let Some(trade) = &complements.foreign_trade {
        foreign_trade::check(case, trade, &at.field("foreignTrade"), found);
    }
    if let Some(carta) = &complements.carta_porte {
        carta_porte::check(case, carta, &at.field("cartaPorte"), found);
    }
}

fn legend(legend: &Legend, at: &At<'_>, found: &mut Findings) {
    text::optional(legend.law.as_deref(), REFERENCE_CHARS_MAX, &at.field("law"), found);
    text::optional(legend.rule.as_deref(), REFERENCE_CHARS_MAX, &at.field("rule"), found);
    text::check(&legend.text, LEGEND_CHARS_MAX, &at.field("text"), found);
}

fn donation(case: &Case<'_>, donation: &Donation, at: &At<'_>, found: &mut Findings) {
    let number = &donation.authorization_number;
    let (authorized, day) = (donation.authorized_on, case.day());
    if authorized > day {
        found.add(
            "CFDI40999",
            &at.field("authorizedOn"),
            format_args!(
                "is {authorized}, after {day}, the date of issue: set the date of SAT's letter that \
                 granted the authorization",
            ),
            format_args!(
                "es {authorized}, posterior al {day}, fecha de expedición: indicar la fecha del \
                 oficio con que el SAT otorgó la autorización",
            ),
        );
    }
    text::check(number, REFERENCE_CHARS_MAX, &at.field("authorizationNumber"), found);
    text::check(&donation.legend, LEGEND_CHARS_MAX, &at.field("legend"), found);
}
