//! What is sold through platforms, and what they withhold of it.

use cfdi::{
    catalogs::withholdings::{periodicities, service_payments, service_subtypes, services, states},
    decimal,
    tax::Tax,
    withholding::{
        Complements, Contribution, Fee, PlatformService, PlatformServices, ServiceTax, WithheldTax,
        Withholding,
    },
};
use kernel::Amount;

use super::{day, pesos, set, totals};
use crate::{parties, rng::Rng};

pub(super) fn services(rng: &mut Rng, made: &mut Withholding) {
    let count = rng.weighted(&[(60, 2), (35, 12), (5, 120)]);
    let count = rng.between(1, count);
    let platform = PlatformServices {
        periodicity: rng.pick(periodicities::all()).code.to_owned(),
        services: (0..count).map(|_| service(rng)).collect(),
    };
    let charged = platform.totals(Amount::ZERO, Amount::ZERO).iva_charged;
    made.taxes = withheld(rng, charged);
    made.totals = totals(rng, &made.taxes);
    let platform_services = Some(platform);
    set(made, "26", Complements { platform_services, ..Complements::default() });
}

/// Income tax, and of the IVA one half or all, cut to cents.
fn withheld(rng: &mut Rng, charged: Amount) -> Vec<WithheldTax> {
    let cut = |micros: i64| Amount::from_micros(micros / 10_000 * 10_000);
    let base = cut(charged.micros());
    let share = if rng.chance(50) { base.micros() / 2 } else { base.micros() };
    let of = |tax, base, amount, kind: &str| WithheldTax {
        base: Some(base),
        tax: Some(tax),
        amount,
        payment_kind: kind.to_owned(),
    };
    let amount = pesos(rng, 10_000);
    let isr = of(Tax::Isr, pesos(rng, 100_000).max(amount), amount, rng.pick(&["03", "04"]));
    let iva = of(Tax::Iva, base, cut(share), "01");
    let both = [rng.sometimes(90, |_| isr), rng.sometimes(90, |_| iva)];
    both.into_iter().flatten().collect()
}

fn service(rng: &mut Rng) -> PlatformService {
    let price = Amount::from_micros(rng.between(1, 1_000_000_000) * rng.pick(&[10_000, 1]));
    let contribution = |rng: &mut Rng| Contribution {
        amount: pesos(rng, 1_000),
        state: rng.pick(states::all()).code.to_owned(),
    };
    PlatformService {
        payment_form: rng.pick(service_payments::all()).code.to_owned(),
        kind: rng.pick(services::all()).code.to_owned(),
        subtype: rng.sometimes(40, |rng| rng.pick(service_subtypes::all()).code.to_owned()),
        helper_rfc: rng.sometimes(20, |rng| parties::rfc(rng, false)),
        paid_on: day(rng),
        price,
        tax: rng.sometimes(80, |rng| tax(rng, price)),
        contribution: rng.sometimes(20, contribution),
        fee: rng.sometimes(70, |rng| fee(rng, price)),
    }
}

fn tax(rng: &mut Rng, base: Amount) -> ServiceTax {
    let rates = [(Tax::Iva, 160_000), (Tax::Iva, 80_000), (Tax::Iva, 0), (Tax::Ieps, 500_000)];
    let (tax, rate) = rng.pick(&rates);
    let rate = Amount::from_micros(rate);
    let amount = decimal::product(base, rate);
    ServiceTax { base, tax, rate, amount: if rng.chance(50) { amount.rounded(2) } else { amount } }
}

fn fee(rng: &mut Rng, base: Amount) -> Fee {
    let rate = Amount::from_micros(rng.between(1, 1_000) * 1_000);
    Fee {
        base: rng.sometimes(60, |_| base),
        rate: rng.sometimes(60, |_| rate),
        amount: decimal::product(base, rate),
    }
}
