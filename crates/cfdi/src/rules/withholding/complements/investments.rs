//! Interest, leases in trust, sales of shares, and prizes (intereses.xsd, arrendamientoenfideicomiso.xsd,
//! enajenaciondeacciones.xsd, premios.xsd).

use time::Date;

use super::{
    super::amounts::{not_negative, possible},
    GUIDE,
};
use crate::{
    catalogs::withholdings::states,
    decimal,
    rules::{
        finding::{At, Findings},
        listed, text,
    },
    withholding::{Interest, Prize, ShareSale, TrustLease},
};

pub(super) const STATES: listed::Catalog =
    listed::named("states", "entidades federativas", "c_EntidadesFederativas");

/// The most characters of what else a trust distributed. SAT knows no limit.
const DESCRIPTION_CHARS_MAX: usize = 500;

/// Nothing below zero but what remains after inflation.
pub(super) fn interest(interest: &Interest, at: &At<'_>, found: &mut Findings) {
    not_negative(GUIDE, interest.nominal, &at.field("nominal"), found);
    possible(interest.real, &at.field("real"), found);
    not_negative(GUIDE, interest.loss, &at.field("loss"), found);
}

pub(super) fn trust_lease(lease: &TrustLease, at: &At<'_>, found: &mut Findings) {
    let amounts = [
        ("paidByTrustee", Some(lease.paid_by_trustee)),
        ("yielded", Some(lease.yielded)),
        ("deductions", Some(lease.deductions)),
        ("withheld", lease.withheld),
        ("distributedResult", lease.distributed_result),
        ("otherDistributions", lease.other_distributions),
    ];
    for (field, amount) in amounts {
        if let Some(amount) = amount {
            not_negative(GUIDE, amount, &at.field(field), found);
        }
    }
    let description = lease.other_description.as_deref();
    text::optional(description, DESCRIPTION_CHARS_MAX, &at.field("otherDescription"), found);
}

pub(super) fn share_sale(sale: &ShareSale, at: &At<'_>, found: &mut Findings) {
    text::check(&sale.contract, 300, &at.field("contract"), found);
    not_negative(GUIDE, sale.gain, &at.field("gain"), found);
    not_negative(GUIDE, sale.loss, &at.field("loss"), found);
}

/// In a state of the catalog (301), and the sum of its parts.
pub(super) fn prize(prize: &Prize, day: Date, at: &At<'_>, found: &mut Findings) {
    let code = (prize.state.as_str(), states::find(&prize.state));
    listed::check(code, &STATES, day, ("301", &at.field("state")), found);
    let amounts = [("paid", prize.paid), ("taxed", prize.taxed), ("exempt", prize.exempt)];
    for (field, amount) in amounts {
        not_negative(GUIDE, amount, &at.field(field), found);
    }
    let (paid, sum) = (prize.paid, decimal::sum([prize.taxed, prize.exempt]));
    if paid != sum {
        found.add(
            GUIDE,
            &at.field("paid"),
            format_args!(
                "is {paid}, but the taxed and the exempt part add up to {sum}: correct them"
            ),
            format_args!("es {paid}, pero lo gravado y lo exento suman {sum}: corregirlos"),
        );
    }
}
