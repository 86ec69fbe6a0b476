//! Taxes as people write them, their words in any order: `IVA 16%`, `IVA exento`, `IEPS cuota 5.50`, `IEPS 0.5911 cuota`,
//! `ISR 1.25% retenido`.

use kernel::{Amount, Message, text::folded};

use super::{Tax, TaxFactor, TaxKind};

/// One as a rate: 100 %.
const WHOLE: Amount = Amount::from_micros(1_000_000);
/// The rates of IVA, in millionths: a number that stands alone is one of these, and no amount of money.
const RATES_OF_IVA: [i64; 3] = [0, 80_000, 160_000];

/// A tax that words state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The tax.
    pub tax: Tax,
    /// Whether the words leave open which one: they name none, so that it is IVA, or a number of 1 or more has no percent sign,
    /// which spreadsheets drop.
    pub is_guessed: bool,
}

/// Why words state no tax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misstated {
    /// They cannot be read as one.
    Unreadable,
    /// There is no such tax, as a clause that follows the field's name.
    Impossible(Message),
}

/// The tax that words state, in English or Spanish.
///
/// # Errors
/// [`Misstated`].
pub fn read(text: &str) -> Result<Stated, Misstated> {
    let stated = stated(text).ok_or(Misstated::Unreadable)?;
    match stated.tax.problem() {
        Some(problem) => Err(Misstated::Impossible(problem)),
        None => Ok(stated),
    }
}

fn stated(text: &str) -> Option<Stated> {
    let (mut kind, mut number) = (None, None);
    let (mut is_percent, mut is_exempt, mut is_quota, mut withheld) = (false, false, false, false);
    for word in folded(text).replace('%', " % ").split_whitespace() {
        match word {
            "iva" if kind.is_none() => kind = Some(TaxKind::Iva),
            "isr" if kind.is_none() => kind = Some(TaxKind::Isr),
            "ieps" if kind.is_none() => kind = Some(TaxKind::Ieps),
            "%" => is_percent = true,
            "exento" | "exenta" | "exempt" => is_exempt = true,
            "cuota" | "quota" => is_quota = true,
            "retenido" | "retenida" | "withheld" => withheld = true,
            word if number.is_none() => {
                number = Some(Amount::parse(&word.replace(',', ".")).ok()?);
            }
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
    let is_iva = rate.is_some_and(|rate| RATES_OF_IVA.contains(&rate.micros()));
    if kind.is_none() && !is_exempt && !is_iva {
        return None;
    }
    let is_bare = factor == TaxFactor::Tasa && !is_percent && number.is_some_and(|it| it >= WHOLE);
    let tax = Tax { tax: kind.unwrap_or(TaxKind::Iva), factor, rate, withheld };
    Some(Stated { tax, is_guessed: kind.is_none() || is_bare })
}

/// The rate that a number states: one below 1 is a share of the base, others are per cent.
fn share(number: Amount, is_percent: bool) -> Option<Amount> {
    if !is_percent && number < WHOLE {
        return Some(number);
    }
    let micros = number.micros();
    (micros % 100 == 0).then_some(Amount::from_micros(micros / 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tax(tax: TaxKind, factor: TaxFactor, rate: Option<i64>, withheld: bool) -> Tax {
        Tax { tax, factor, rate: rate.map(Amount::from_micros), withheld }
    }

    #[test]
    fn words_stand_in_any_order() {
        let iva = tax(TaxKind::Iva, TaxFactor::Tasa, Some(160_000), false);
        let quota = tax(TaxKind::Ieps, TaxFactor::Cuota, Some(5_500_000), false);
        let withheld = tax(TaxKind::Isr, TaxFactor::Tasa, Some(12_500), true);
        let exempt = tax(TaxKind::Iva, TaxFactor::Exento, None, false);
        for (texts, known, is_guessed) in [
            (&["IVA 16%", "16 % iva", "IVA 0.16", "IVA 0,16"][..], &iva, false),
            (&["IVA 16", "16%", "0.16", "16"], &iva, true),
            (&["IEPS cuota 5.50", "IEPS 5.5 cuota", "quota 5,5 ieps"], &quota, false),
            (
                &["ISR 1.25% retenido", "retenida ISR 1.25%", "withheld ISR 0.0125"],
                &withheld,
                false,
            ),
            (&["IVA exento", "exenta IVA", "Exempt IVA"], &exempt, false),
            (&["exento"], &exempt, true),
        ] {
            for text in texts {
                let read = read(text);
                assert_eq!(read, Ok(Stated { tax: known.clone(), is_guessed }), "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_tax_is_told_from_what_there_is_not() {
        for text in ["", "IVA", "IVA x%", "IVA 16% 8%", "IVA 10.66667%", "13.79", "5.50 cuota"] {
            assert_eq!(read(text), Err(Misstated::Unreadable), "{text}");
        }
        for text in ["ISR 10%", "IVA exento retenido", "IVA -16%", "IEPS 301%"] {
            assert!(matches!(read(text), Err(Misstated::Impossible(_))), "{text}");
        }
    }
}
