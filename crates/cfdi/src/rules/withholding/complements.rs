//! The complements of withholdings: which a code needs, and what is in them.

mod dividends;
mod foreign_payment;
mod investments;
mod platform;

use super::GUIDE;
use crate::{
    catalogs::withholdings::kinds::{Complement, Kind},
    rules::finding::{At, Findings},
    withholding::{Complements, Withholding},
};

pub(super) fn check(withholding: &Withholding, kind: Option<&Kind>, found: &mut Findings) {
    let at = At::top("complements");
    if let Some(kind) = kind {
        needed(withholding, kind, &at, found);
        needless(withholding, kind, &at, found);
    }
    let Complements {
        dividends,
        interest,
        foreign_payment,
        trust_lease,
        share_sale,
        prize,
        platform_services,
    } = &withholding.complements;
    let day = withholding.issued_at.date();
    if let Some(each) = dividends {
        dividends::check(each, day, &at.field("dividends"), found);
    }
    if let Some(each) = interest {
        investments::interest(each, &at.field("interest"), found);
    }
    if let Some(each) = foreign_payment {
        foreign_payment::check(each, day, &at.field("foreignPayment"), found);
    }
    if let Some(each) = trust_lease {
        investments::trust_lease(each, &at.field("trustLease"), found);
    }
    if let Some(each) = share_sale {
        investments::share_sale(each, &at.field("shareSale"), found);
    }
    if let Some(each) = prize {
        investments::prize(each, day, &at.field("prize"), found);
    }
    if let Some(each) = platform_services {
        platform::check(withholding, each, &at.field("platformServices"), found);
    }
}

/// The complement of the code is there (20107).
fn needed(withholding: &Withholding, kind: &Kind, at: &At<'_>, found: &mut Findings) {
    let Some(complement) = kind.complement else { return };
    if kind.only_abroad && !withholding.receiver.is_foreign() {
        return;
    }
    let (code, name) = (kind.code, complement.name());
    match field_of(complement) {
        None => found.add(
            "Reten20107",
            &At::top("code"),
            format_args!(
                "is \"{code}\", which needs the complement \"{name}\", which is not supported: \
                 issue it elsewhere",
            ),
            format_args!(
                "es \"{code}\", que exige el complemento \"{name}\", que no está disponible: \
                 emitirlo por otro medio",
            ),
        ),
        Some(field) if present(&withholding.complements).all(|one| one.1 != field) => found.add(
            "Reten20107",
            &at.field(field),
            format_args!("is missing: code {code} needs the complement \"{name}\""),
            format_args!("falta: la clave {code} exige el complemento \"{name}\""),
        ),
        Some(_) => {}
    }
}

/// No other complement is there (20107) than that of payments abroad, which any payment may be.
fn needless(withholding: &Withholding, kind: &Kind, at: &At<'_>, found: &mut Findings) {
    for (complement, field) in present(&withholding.complements) {
        let of_code = kind.complement == Some(complement);
        let abroad = complement == Complement::ForeignPayment && withholding.receiver.is_foreign();
        if !of_code && !abroad {
            let (code, name) = (kind.code, complement.name());
            found.add(
                "Reten20107",
                &at.field(field),
                format_args!(
                    "must be left out, because code {code} has no complement \"{name}\": leave it \
                     out or correct the code",
                ),
                format_args!(
                    "debe omitirse, porque la clave {code} no lleva el complemento \"{name}\": \
                     omitirlo o corregir la clave",
                ),
            );
        }
    }
}

/// The complements that can be stated, and their names in the API.
const KNOWN: [(Complement, &str); 7] = [
    (Complement::Dividends, "dividends"),
    (Complement::Interest, "interest"),
    (Complement::ForeignPayment, "foreignPayment"),
    (Complement::TrustLease, "trustLease"),
    (Complement::ShareSale, "shareSale"),
    (Complement::Prize, "prize"),
    (Complement::PlatformServices, "platformServices"),
];

fn field_of(complement: Complement) -> Option<&'static str> {
    KNOWN.into_iter().find(|(known, _)| *known == complement).map(|(_, field)| field)
}

/// Those that are there.
fn present(complements: &Complements) -> impl Iterator<Item = (Complement, &'static str)> {
    let Complements {
        dividends,
        interest,
        foreign_payment,
        trust_lease,
        share_sale,
        prize,
        platform_services,
    } = complements;
    let there = [
        dividends.is_some(),
        interest.is_some(),
        foreign_payment.is_some(),
        trust_lease.is_some(),
        share_sale.is_some(),
        prize.is_some(),
        platform_services.is_some(),
    ];
    KNOWN.into_iter().zip(there).filter_map(|(one, there)| there.then_some(one))
}
