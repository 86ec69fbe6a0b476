//! The complements of withholdings, but that of platforms.

use cfdi::{
    catalogs::withholdings::{countries, dividends, payees, states},
    decimal,
    withholding::{
        Beneficiary, Complements, Distribution, Dividends, ForeignPayment, Interest,
        NonBeneficiary, Origin, Prize, Remainder, ShareSale, TrustLease, Withholding,
    },
};
use kernel::Amount;

use super::{curp, exact, foreign, note, set};
use crate::{exports::text, parties, rng::Rng, words};

pub(super) fn abroad(rng: &mut Rng, made: &mut Withholding) {
    made.receiver = foreign(rng);
    let code = rng.pick(&["01", "02", "04", "05", "18", "18", "18", "18"]);
    let foreign_payment = Some(foreign_payment(rng));
    set(made, code, Complements { foreign_payment, ..Complements::default() });
}

fn foreign_payment(rng: &mut Rng) -> ForeignPayment {
    let (payee, description) = (rng.pick(payees::all()).code.to_owned(), text(rng, 255));
    if rng.chance(50) {
        let rfc = parties::rfc(rng, payee == "3");
        let (curp, legal_name) = (curp(rng), words::name(rng));
        return ForeignPayment::Beneficiary(Beneficiary {
            rfc,
            curp,
            legal_name,
            payee,
            description,
        });
    }
    let tax_residence = loop {
        let country = rng.pick(countries::all()).code;
        if country != countries::MEXICO {
            break country.to_owned();
        }
    };
    ForeignPayment::NonBeneficiary(NonBeneficiary { tax_residence, payee, description })
}

pub(super) fn dividends(rng: &mut Rng, made: &mut Withholding) {
    let distribution = rng.sometimes(80, distribution);
    let remainder = distribution.is_none() || rng.chance(30);
    let remainder = remainder.then(|| Remainder {
        percentage: rng.sometimes(80, |rng| Amount::from_micros(rng.between(0, 100_000_000))),
    });
    let dividends = Some(Dividends { distribution, remainder });
    let code = rng.pick(&["14", "15"]);
    set(made, code, Complements { dividends, ..Complements::default() });
    if rng.chance(20) {
        made.receiver = foreign(rng);
        made.complements.foreign_payment = rng.sometimes(50, foreign_payment);
    }
}

fn distribution(rng: &mut Rng) -> Distribution {
    Distribution {
        kind: rng.pick(dividends::all()).code.to_owned(),
        isr_withheld_in_mexico: exact(rng),
        isr_withheld_abroad: exact(rng),
        withheld_from_foreign_dividends: rng.sometimes(50, exact),
        company: rng.pick(Origin::EVERY),
        creditable_isr: rng.sometimes(50, exact),
        national_income: rng.sometimes(50, exact),
        foreign_income: rng.sometimes(50, exact),
    }
}

pub(super) fn interest(rng: &mut Rng, made: &mut Withholding) {
    let real = exact(rng);
    let interest = Some(Interest {
        from_financial_system: rng.chance(50),
        withdrawn: rng.chance(50),
        from_derivatives: rng.chance(50),
        nominal: exact(rng),
        real: if rng.chance(30) { decimal::less(Amount::ZERO, real) } else { real },
        loss: exact(rng),
    });
    set(made, "16", Complements { interest, ..Complements::default() });
}

pub(super) fn trust_lease(rng: &mut Rng, made: &mut Withholding) {
    let trust_lease = Some(TrustLease {
        paid_by_trustee: exact(rng),
        yielded: exact(rng),
        deductions: exact(rng),
        withheld: rng.sometimes(50, exact),
        distributed_result: rng.sometimes(50, exact),
        other_distributions: rng.sometimes(50, exact),
        other_description: rng.sometimes(50, |rng| text(rng, 500)),
    });
    set(made, "17", Complements { trust_lease, ..Complements::default() });
}

pub(super) fn share_sale(rng: &mut Rng, made: &mut Withholding) {
    let share_sale =
        Some(ShareSale { contract: note(rng, 300), gain: exact(rng), loss: exact(rng) });
    let code = rng.pick(&["06", "19"]);
    set(made, code, Complements { share_sale, ..Complements::default() });
}

pub(super) fn prize(rng: &mut Rng, made: &mut Withholding) {
    let (taxed, exempt) = (exact(rng), exact(rng));
    let prize = Some(Prize {
        state: rng.pick(states::all()).code.to_owned(),
        paid: decimal::sum([taxed, exempt]),
        taxed,
        exempt,
    });
    set(made, "20", Complements { prize, ..Complements::default() });
}
