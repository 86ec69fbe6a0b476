//! Taxes in a cell: `IVA 16%`, `IVA 0%`, `IVA exento`, `IEPS 8% | IVA 16%`, `ISR 1.25% retenido`, `IEPS 0.5911 cuota`.

use catalog::{
    Tax, TaxFactor,
    tax::{TAXES_MAX, read},
};
use kernel::Amount;

use crate::Code;

/// The mark between two taxes of a product.
const BESIDE: char = '|';

/// The taxes that a cell states.
///
/// # Errors
/// When it states none, or one of them again.
pub(crate) fn taxes(text: &str) -> Result<Vec<Tax>, Code> {
    let mut taxes: Vec<Tax> = Vec::new();
    for stated in text.split(BESIDE).filter(|stated| !stated.trim().is_empty()) {
        // What spreadsheets leave out is guessed.
        let tax = read(stated).map_err(|_| Code::BadTaxes)?.tax;
        if taxes.len() == TAXES_MAX || taxes.iter().any(|other| is_again(other, &tax)) {
            return Err(Code::BadTaxes);
        }
        taxes.push(tax);
    }
    Ok(taxes)
}

/// Taxes as a cell of a table has them.
pub(crate) fn written(taxes: &[Tax]) -> String {
    taxes.iter().map(one_written).collect::<Vec<_>>().join(" | ")
}

fn one_written(tax: &Tax) -> String {
    let name = tax.tax.name();
    let rate = tax.rate.unwrap_or_default();
    let percent = Amount::from_micros(rate.micros().saturating_mul(100));
    let stated = match tax.factor {
        TaxFactor::Tasa => format!("{name} {percent}%"),
        TaxFactor::Cuota => format!("{name} {rate} cuota"),
        TaxFactor::Exento => format!("{name} exento"),
    };
    if tax.withheld { format!("{stated} retenido") } else { stated }
}

/// Whether it is the same tax, charged or withheld, at whatever rate, or the same amount per unit.
fn is_again(one: &Tax, other: &Tax) -> bool {
    let quota = |tax: &Tax| tax.rate.filter(|_| tax.factor == TaxFactor::Cuota);
    let kind = |tax: &Tax| (tax.tax, tax.withheld, quota(tax));
    kind(one) == kind(other)
}

#[cfg(test)]
mod tests {
    use catalog::TaxKind;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn taxes_are_read_as_people_write_them() {
        for (text, expected) in [
            ("IVA 16%", Some("IVA 16%")),
            ("16", Some("IVA 16%")),
            ("0.16", Some("IVA 16%")),
            (" 8 % ", Some("IVA 8%")),
            ("0", Some("IVA 0%")),
            ("0,08", Some("IVA 8%")),
            ("Exento", Some("IVA exento")),
            ("iva exenta", Some("IVA exento")),
            ("IVA 16 | ieps 26.5%", Some("IVA 16% | IEPS 26.5%")),
            (
                "IVA 16% | IVA 10.6667% retenido | ISR 10% retenido",
                Some("IVA 16% | IVA 10.6667% retenido | ISR 10% retenido"),
            ),
            ("IEPS 0.5911 cuota", Some("IEPS 0.5911 cuota")),
            (" | ", Some("")),
            // An amount of money, two numbers, none, an unknown word, a tax twice, one that is withheld alone.
            ("13.79", None),
            ("16 16", None),
            ("IVA", None),
            ("IVA normal", None),
            ("IVA 16% | IVA 8%", None),
            ("ISR 10%", None),
            ("IVA exento 16%", None),
            ("IVA -16%", None),
            ("IVA 10.66667%", None),
        ] {
            let read = taxes(text).ok().map(|taxes| written(&taxes));
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            drawn in prop::collection::vec((0_usize..3, 0_usize..3, 0_i64..3_000_000, any::<bool>()), 0..6),
        ) {
            let mut stated: Vec<Tax> = Vec::new();
            for (kind, factor, micros, withheld) in drawn {
                let kind = [TaxKind::Iva, TaxKind::Isr, TaxKind::Ieps][kind];
                let factor = [TaxFactor::Tasa, TaxFactor::Cuota, TaxFactor::Exento][factor];
                let rate = (factor != TaxFactor::Exento).then_some(Amount::from_micros(micros));
                let tax = Tax { tax: kind, factor, rate, withheld };
                if tax.problem().is_none() && !stated.iter().any(|other| is_again(other, &tax)) {
                    stated.push(tax);
                }
            }
            prop_assert_eq!(taxes(&written(&stated)), Ok(stated));
        }
    }
}
