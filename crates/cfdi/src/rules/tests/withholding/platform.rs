//! What is sold through platforms.

use kernel::Amount;
use proptest::prelude::*;
use time::macros::date;

use super::{Row, assert_valid, check_withholding, national, now};
use crate::{
    decimal,
    document::GENERAL_PUBLIC,
    rules::LINES_MAX,
    tax::Tax,
    withholding::{
        Fee, PlatformService, PlatformServices, ServiceTax, Withholding,
        samples::{amount, platform, text, withheld},
    },
};

pub(super) const ROWS: &[Row] = &[
    (
        platform,
        |w| sold(w).periodicity = "06".to_owned(),
        "301",
        "complements.platformServices.periodicity",
    ),
    (platform, |w| sold(w).services.clear(), "301", "complements.platformServices.services"),
    (platform, too_many, "301", "complements.platformServices.services"),
    (platform, more_withheld_than_charged, "301", "complements.platformServices.services"),
    (platform, beyond_measure, "301", "complements.platformServices.services"),
    (
        platform,
        |w| first(w).payment_form = "10".to_owned(),
        "301",
        "complements.platformServices.services[0].paymentForm",
    ),
    (
        platform,
        |w| first(w).kind = "10".to_owned(),
        "301",
        "complements.platformServices.services[0].kind",
    ),
    (
        platform,
        |w| first(w).subtype = text("05"),
        "301",
        "complements.platformServices.services[0].subtype",
    ),
    (
        platform,
        |w| first(w).helper_rfc = text("EKU9003173C9"),
        "301",
        "complements.platformServices.services[0].helperRfc",
    ),
    (
        platform,
        |w| first(w).paid_on = date!(1899 - 12 - 31),
        "301",
        "complements.platformServices.services[0].paidOn",
    ),
    (
        platform,
        |w| first(w).price = amount("-1"),
        "301",
        "complements.platformServices.services[0].price",
    ),
    (
        platform,
        |w| tax(w).base = Amount::ZERO,
        "301",
        "complements.platformServices.services[0].tax.base",
    ),
    (
        platform,
        |w| tax(w).rate = amount("0.1"),
        "301",
        "complements.platformServices.services[0].tax.rate",
    ),
    (
        platform,
        |w| tax(w).amount = amount("160.02"),
        "CFDI40999",
        "complements.platformServices.services[0].tax.amount",
    ),
    (
        platform,
        |w| first(w).contribution.as_mut().unwrap().amount = amount("-1"),
        "301",
        "complements.platformServices.services[0].contribution.amount",
    ),
    (
        platform,
        |w| first(w).contribution.as_mut().unwrap().state = "ROO".to_owned(),
        "301",
        "complements.platformServices.services[0].contribution.state",
    ),
    (
        platform,
        |w| fee(w).base = Some(Amount::ZERO),
        "301",
        "complements.platformServices.services[0].fee.base",
    ),
    (
        platform,
        |w| fee(w).rate = Some(amount("15")),
        "301",
        "complements.platformServices.services[0].fee.rate",
    ),
    (
        platform,
        |w| fee(w).rate = Some(amount("0.1555")),
        "301",
        "complements.platformServices.services[0].fee.rate",
    ),
    (
        platform,
        |w| fee(w).amount = amount("-1"),
        "301",
        "complements.platformServices.services[0].fee.amount",
    ),
    (platform, |w| w.taxes[1].amount = amount("80.01"), "SPT117", "taxes[1].amount"),
];

fn sold(withholding: &mut Withholding) -> &mut PlatformServices {
    withholding.complements.platform_services.as_mut().unwrap()
}

fn first(withholding: &mut Withholding) -> &mut PlatformService {
    &mut sold(withholding).services[0]
}

fn tax(withholding: &mut Withholding) -> &mut ServiceTax {
    first(withholding).tax.as_mut().unwrap()
}

fn fee(withholding: &mut Withholding) -> &mut Fee {
    first(withholding).fee.as_mut().unwrap()
}

fn too_many(withholding: &mut Withholding) {
    let services = &mut sold(withholding).services;
    *services = vec![services[1].clone(); LINES_MAX + 1];
}

fn more_withheld_than_charged(withholding: &mut Withholding) {
    withholding.taxes[1] = withheld("160.01", Tax::Iva, "160.01", "01");
}

fn beyond_measure(withholding: &mut Withholding) {
    first(withholding).price = Amount::MAX;
}

#[test]
fn a_platform_withholds_one_half_of_the_iva_or_all() {
    let withholding_of = |base: &str, amount_of: &str| {
        let mut withholding = platform();
        withholding.taxes[1] = withheld(base, Tax::Iva, amount_of, "01");
        withholding.totals.withheld = withholding.withheld();
        withholding
    };
    for (base, amount_of) in [("160", "160"), ("159.99", "79.99"), ("0.01", "0"), ("0", "0")] {
        assert_valid(&withholding_of(base, amount_of));
    }
    let mut odd = withholding_of("159.99", "80");
    let codes: Vec<_> = check_withholding(&odd, now()).iter().map(|one| one.code).collect();
    assert_eq!(codes, ["SPT117"]);
    let receiver = national(&mut odd);
    GENERAL_PUBLIC.clone_into(&mut receiver.rfc);
    "06600".clone_into(&mut receiver.tax_zip);
    receiver.curp = None;
    assert_valid(&odd);
}

#[test]
fn games_pay_excise_of_one_half() {
    let mut withholding = platform();
    first(&mut withholding).kind = "11".to_owned();
    *tax(&mut withholding) = ServiceTax {
        base: amount("1000"),
        tax: Tax::Ieps,
        rate: amount("0.5"),
        amount: amount("500"),
    };
    withholding.taxes[1] = withheld("500", Tax::Ieps, "500", "02");
    withholding.totals.withheld = withholding.withheld();
    assert_valid(&withholding);
    assert_eq!(withholding.platform_totals().unwrap().iva_charged, Amount::ZERO);
}

proptest! {
    /// Whatever the prices, IVA that is rounded to the cent or not at all is accepted, and sums are sums.
    #[test]
    fn taxes_of_services_are_about_their_share(
        prices in prop::collection::vec(1..1_000_000_000_000_i64, 1..5),
        rate in prop::sample::select(vec![0, 80_000, 160_000]),
        cents in any::<bool>(),
    ) {
        let mut withholding = platform();
        let sample = first(&mut withholding).clone();
        sold(&mut withholding).services.clear();
        for price in prices {
            let (base, rate) = (Amount::from_micros(price), Amount::from_micros(rate));
            let amount = decimal::product(base, rate);
            // A base with millionths is exact to them, and so is a tax that is rounded to cents.
            let amount = if cents { amount.rounded(2) } else { amount };
            let tax = Some(ServiceTax { base, tax: Tax::Iva, rate, amount });
            sold(&mut withholding).services.push(PlatformService { price: base, tax, ..sample.clone() });
        }
        withholding.taxes.truncate(1);
        withholding.totals.withheld = withholding.withheld();
        prop_assert_eq!(check_withholding(&withholding, now()), []);
        let totals = withholding.platform_totals().unwrap();
        let services = &sold(&mut withholding).services;
        prop_assert_eq!(totals.count, services.len());
        prop_assert_eq!(totals.price, decimal::sum(services.iter().map(|each| each.price)));
        prop_assert_eq!(totals.iva_delivered, totals.iva_charged);
        prop_assert_eq!(
            totals.fees.micros(),
            sample.fee.unwrap().amount.micros() * i64::try_from(totals.count).unwrap()
        );
    }
}
