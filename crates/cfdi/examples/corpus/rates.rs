//! Which taxes an item has.

use cfdi::{
    catalogs::products::{Product, Transfer},
    tax::{Factor, Tax, TaxRate},
};
use kernel::Amount;

use crate::rng::Rng;

/// Taxes with the code of c_ObjetoImp that goes with them.
pub(crate) type Taxed = (&'static str, Vec<TaxRate>);

const EXCISES: [i64; 12] = [
    265_000, 300_000, 530_000, 500_000, 1_600_000, 304_000, 250_000, 90_000, 80_000, 70_000,
    60_000, 30_000,
];

/// Any combination that occurs in trade; `quota_max` is the most that excise per unit may be.
pub(crate) fn taxed(rng: &mut Rng, border: bool, quota_max: Amount) -> Taxed {
    type Make = fn(&mut Rng, Amount) -> Taxed;
    const KINDS: [(i64, Make); 10] = [
        (8, |rng, _| (rng.pick(&["01", "01", "01", "03", "04", "05", "06", "08"]), Vec::new())),
        (36, |_, _| ("02", vec![TaxRate::iva(160_000)])),
        (10, |_, _| ("02", vec![TaxRate::iva(0)])),
        (8, |_, _| ("02", vec![exempt()])),
        (16, |rng, _| ("02", with_withholding(rng))),
        (12, |rng, _| ("02", vec![excise(rng.pick(&EXCISES)), TaxRate::iva(160_000)])),
        (3, |rng, _| ("02", vec![TaxRate::iva(0), excise(rng.pick(&[80_000, 0]))])),
        (3, |rng, _| ("07", vec![excise(rng.pick(&EXCISES))])),
        (3, |rng, most| ("02", vec![quota(rng, most), TaxRate::iva(160_000)])),
        (1, |rng, _| ("06", vec![withheld(Tax::Isr, rng.pick(&[12_500, 100_000]))])),
    ];
    if border && rng.chance(50) {
        return ("02", vec![TaxRate::iva(80_000)]);
    }
    rng.weighted(&KINDS)(rng, quota_max)
}

/// IVA with what companies withhold of persons: fees, freight, platforms, and anything SAT allows.
fn with_withholding(rng: &mut Rng) -> Vec<TaxRate> {
    let iva = TaxRate::iva(160_000);
    let any = (withheld(Tax::Isr, rng.between(1, 350_000)), rng.between(1, 160_000));
    let kinds = [
        (4, vec![iva, withheld(Tax::Isr, 12_500)]),
        (3, vec![iva, withheld(Tax::Isr, 100_000), withheld(Tax::Iva, 106_667)]),
        (2, vec![iva, withheld(Tax::Iva, 40_000)]),
        (1, vec![withheld(Tax::Iva, 53_333), withheld(Tax::Isr, 100_000), iva]),
        (1, vec![iva, any.0, withheld(Tax::Iva, any.1)]),
        (1, vec![excise(80_000), withheld(Tax::Ieps, 80_000), iva]),
        (1, vec![exempt(), withheld(Tax::Isr, 100_000)]),
    ];
    rng.weighted(&kinds)
}

fn withheld(tax: Tax, micros: i64) -> TaxRate {
    TaxRate { tax, withheld: true, ..TaxRate::iva(micros) }
}

fn excise(micros: i64) -> TaxRate {
    TaxRate { tax: Tax::Ieps, ..TaxRate::iva(micros) }
}

fn exempt() -> TaxRate {
    TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) }
}

fn quota(rng: &mut Rng, most: Amount) -> TaxRate {
    let most = most.micros().clamp(1, 72_160_500);
    TaxRate { factor: Factor::Cuota, ..excise(rng.between(1, most)) }
}

/// Whether SAT's catalog lets the product be sold with those taxes.
pub(crate) fn suit(product: &Product, (object, rates): &Taxed) -> bool {
    let charged = |tax| rates.iter().any(|rate| rate.tax == tax && !rate.withheld);
    let free = |transfer, tax| transfer != Transfer::Required || charged(tax);
    let is_of_border = rates.contains(&TaxRate::iva(80_000));
    (!is_of_border || product.border_stimulus)
        && (*object != "02" || (free(product.iva, Tax::Iva) && free(product.ieps, Tax::Ieps)))
}
