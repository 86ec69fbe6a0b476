//! Taxes in a cell: `IVA 16%`, `IVA 0%`, `IVA exento`, `IEPS 8% | IVA 16%`, `ISR 1.25% retenido`, `IEPS 0.5911 cuota`.

use catalog::{Tax, TaxFactor, TaxKind, tax::TAXES_MAX};
use kernel::{Amount, text::folded};

use crate::Code;

/// The mark between two taxes of a product.
const BESIDE: char = '|';
/// The rates of IVA, in millionths: a number that stands alone is one of these, and no amount of money.
const RATES_OF_IVA: [i64; 3] = [0, 80_000, 160_000];

/// The taxes that a cell states.
///
/// # Errors
/// When it states none, or one of them again.
pub(crate) fn taxes(text: &str) -> Result<Vec<Tax>, Code> {
    let mut taxes: Vec<Tax> = Vec::new();
    for stated in text.split(BESIDE).filter(|stated| !stated.trim().is_empty()) {
        let tax = tax(stated).ok_or(Code::BadTaxes)?;
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

fn tax(stated: &str) -> Option<Tax> {
    let (mut kind, mut number) = (None, None);
    let (mut is_percent, mut is_exempt, mut is_quota, mut withheld) = (false, false, false, false);
    for word in folded(stated).replace('%', " % ").split_whitespace() {
        match word {
            "iva" if kind.is_none() => kind = Some(TaxKind::Iva),
            "isr" if kind.is_none() => kind = Some(TaxKind::Isr),
            "ieps" if kind.is_none() => kind = Some(TaxKind::Ieps),
            "%" => is_percent = true,
            "exento" | "exenta" | "exempt" => is_exempt = true,
            "cuota" | "quota" => is_quota = true,
            "retenido" | "retenida" | "withheld" => withheld = true,
            word if number.is_none() => number = Some(Amount::parse(&word.replace(',', ".")).ok()?),
            _ => return None,
        }
    }
    let (factor, rate) = match (number, is_exempt, is_quota) {
        (None, true, false) if !is_percent => (TaxFactor::Exento, None),
        (Some(amount), false, true) if !is_percent && kind.is_some() => {
            (TaxFactor::Cuota, Some(amount))
        }
        (Some(number), false, false) => (TaxFactor::Tasa, Some(share(number, is_percent)?)),
        _ => return None,
    };
    let is_named = kind.is_some() || is_exempt;
    let is_iva = rate.is_some_and(|rate| RATES_OF_IVA.contains(&rate.micros()));
    let tax = Tax { tax: kind.unwrap_or(TaxKind::Iva), factor, rate, withheld };
    (tax.problem().is_none() && (is_named || is_iva)).then_some(tax)
}

/// The rate that a number states: of one below 1, spreadsheets have dropped the percent sign.
fn share(number: Amount, is_percent: bool) -> Option<Amount> {
    let micros = number.micros();
    if !is_percent && micros < 1_000_000 {
        return Some(number);
    }
    (micros % 100 == 0).then_some(Amount::from_micros(micros / 100))
}

/// Whether it is the same tax, charged or withheld, at whatever rate, or the same amount per unit.
fn is_again(one: &Tax, other: &Tax) -> bool {
    let quota = |tax: &Tax| tax.rate.filter(|_| tax.factor == TaxFactor::Cuota);
    let kind = |tax: &Tax| (tax.tax, tax.withheld, quota(tax));
    kind(one) == kind(other)
}

#[cfg(test)]
mod tests {
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
