//! Withholdings of every kind that can be written.

mod complements;
mod platform;

use cfdi::{
    catalogs::{relations, withholdings::kinds},
    decimal,
    tax::Tax,
    withholding::{
        Complements, Foreign, National, Period, Receiver, Related, Totals, WithheldTax, Withholding,
    },
};
use kernel::Amount;

use crate::{
    DAY,
    exports::{number, text},
    issued_at, parties,
    rng::Rng,
    words,
};

type Make = fn(&mut Rng, &mut Withholding);

const KINDS: [(i64, (&str, Make)); 10] = [
    (3, ("R", bare)),
    (2, ("R-other", other)),
    (2, ("R-abroad", complements::abroad)),
    (2, ("R-dividends", complements::dividends)),
    (2, ("R-interest", complements::interest)),
    (2, ("R-lease", complements::trust_lease)),
    (2, ("R-shares", complements::share_sale)),
    (2, ("R-prize", complements::prize)),
    (4, ("R-platform", platform::services)),
    (1, ("R-bimonthly", bimonthly)),
];

/// A withholding, and what the names of its files begin with.
pub(crate) fn withholding(rng: &mut Rng) -> (&'static str, Withholding) {
    let (name, make) = rng.weighted(&KINDS);
    let mut made = plain(rng);
    make(rng, &mut made);
    (name, made)
}

/// What withholdings of all kinds have.
fn plain(rng: &mut Rng) -> Withholding {
    let place_of_issue = parties::zip(rng, false);
    // This year until now, or any month of the last.
    let year = if rng.chance(80) { 2026 } else { 2025 };
    let month = rng.between(1, if year == 2026 { 8 } else { 12 });
    let folio = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let length = rng.between(1, 20);
    let taxes = taxes(rng);
    Withholding {
        folio: rng.sometimes(70, |rng| rng.text(folio, length)),
        issued_at: issued_at(rng),
        place_of_issue,
        code: String::new(),
        description: rng.sometimes(30, |rng| text(rng, 100)),
        related: rng.sometimes(20, related),
        issuer: parties::issuer(rng),
        receiver: national(rng),
        period: Period {
            first_month: narrow(month),
            last_month: narrow(rng.between(month, 12)),
            year,
        },
        totals: totals(rng, &taxes),
        taxes,
        complements: Complements::default(),
    }
}

fn narrow(month: i64) -> u8 {
    u8::try_from(month).unwrap_or(1)
}

/// So many pesos, with cents.
fn pesos(rng: &mut Rng, most: i64) -> Amount {
    let cents = rng.weighted(&[(90, most * 100), (5, 1_000_000_000_000), (5, 0)]);
    Amount::from_micros(rng.between(0, cents) * 10_000)
}

/// An amount of a complement, of up to six decimals.
fn exact(rng: &mut Rng) -> Amount {
    let digits = rng.pick(&[10_000, 10_000, 1]);
    Amount::from_micros(rng.between(0, 1_000_000_000) * digits)
}

fn taxes(rng: &mut Rng) -> Vec<WithheldTax> {
    let count = rng.weighted(&[(10, 0), (50, 1), (35, 2), (5, 12)]);
    (0..count).map(|_| tax(rng)).collect()
}

fn tax(rng: &mut Rng) -> WithheldTax {
    let kinds = [(Tax::Iva, "01"), (Tax::Ieps, "02"), (Tax::Isr, "03"), (Tax::Isr, "04")];
    let (tax, kind) = rng.pick(&kinds);
    let amount = pesos(rng, 100_000);
    WithheldTax {
        base: rng.sometimes(80, |rng| pesos(rng, 1_000_000).max(amount)),
        tax: rng.sometimes(90, |_| tax),
        amount,
        payment_kind: kind.to_owned(),
    }
}

fn totals(rng: &mut Rng, taxes: &[WithheldTax]) -> Totals {
    let (taxed, exempt) = (pesos(rng, 1_000_000), pesos(rng, 10_000));
    Totals {
        operation: decimal::sum([taxed, exempt]),
        taxed,
        exempt,
        withheld: decimal::sum(taxes.iter().map(|tax| tax.amount)),
        bimonthly_profit: None,
        bimonthly_isr: None,
    }
}

fn related(rng: &mut Rng) -> Related {
    Related { relation: rng.pick(relations::all()).code.to_owned(), uuid: rng.uuid() }
}

fn national(rng: &mut Rng) -> Receiver {
    let company = rng.chance(40);
    Receiver::National(National {
        rfc: parties::rfc(rng, company),
        legal_name: words::name(rng),
        curp: rng.sometimes(60, curp).filter(|_| !company),
        tax_zip: parties::zip(rng, false),
    })
}

fn foreign(rng: &mut Rng) -> Receiver {
    Receiver::Foreign(Foreign {
        foreign_tax_id: rng.sometimes(70, |rng| words::label(rng, 20)),
        legal_name: words::name(rng),
    })
}

/// The population registry code of somebody.
fn curp(rng: &mut Rng) -> String {
    const STATES: [&str; 6] = ["AS", "DF", "NE", "VZ", "MC", "QR"];
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let name = [rng.text(letters, 1), rng.text("AEIOUX", 1), rng.text(letters, 2)].concat();
    let (year, month, day) = (rng.between(0, 99), rng.between(1, 12), rng.between(1, 28));
    let (sex, state) = (rng.text("MHX", 1), rng.pick(&STATES));
    let rest = [rng.text("BCDFGHJKLMNPQRSTVWXYZ", 3), rng.text(letters, 1), rng.digits(1)];
    format!("{name}{year:02}{month:02}{day:02}{sex}{state}{}", rest.concat())
}

/// Of a code that takes no complement, or only abroad.
fn bare(rng: &mut Rng, made: &mut Withholding) {
    let fits = |kind: &&kinds::Kind| kind.complement.is_none() || kind.only_abroad;
    let special = [kinds::OTHER, kinds::INCORPORATION];
    let codes: Vec<_> = kinds::all().iter().filter(fits).map(|kind| kind.code).collect();
    made.code = loop {
        let code = rng.pick(&codes);
        if !special.contains(&code) {
            break code.to_owned();
        }
    };
}

fn other(rng: &mut Rng, made: &mut Withholding) {
    kinds::OTHER.clone_into(&mut made.code);
    made.description = Some(text(rng, 100));
}

fn bimonthly(rng: &mut Rng, made: &mut Withholding) {
    kinds::INCORPORATION.clone_into(&mut made.code);
    let positive = |rng: &mut Rng| Amount::from_micros(rng.between(1, 1_000_000) * 10_000);
    let (bimonthly_profit, bimonthly_isr) = (Some(positive(rng)), Some(positive(rng)));
    let withheld = made.totals.withheld;
    made.totals = Totals {
        operation: Amount::ZERO,
        taxed: Amount::ZERO,
        exempt: Amount::ZERO,
        withheld,
        bimonthly_profit,
        bimonthly_isr,
    };
}

/// Makes the withholding one of that code, with that complement.
fn set(made: &mut Withholding, code: &str, complements: Complements) {
    code.clone_into(&mut made.code);
    made.complements = complements;
}

/// A day of the last two years.
fn day(rng: &mut Rng) -> time::Date {
    DAY - time::Duration::days(rng.between(0, 600))
}

/// A broker's contract, a reason, and the like.
fn note(rng: &mut Rng, most: usize) -> String {
    if rng.chance(50) { number(rng) } else { text(rng, most) }
}
