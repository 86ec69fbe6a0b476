//! The taxes of a product as lines: `IVA 16%`, `IVA exento`, `IEPS cuota 5.50`, `ISR 1.25% retenido`.

use catalog::{
    Tax, TaxFactor,
    tax::{self, Misstated, Stated, TAXES_MAX},
};
use kernel::{Amount, Language, Message, message};

/// Per cent in one.
const HUNDRED: i64 = 100;

/// The taxes that lines state, each once.
pub(super) fn read(text: &str) -> Result<Vec<Tax>, Message> {
    let mut taxes: Vec<Tax> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let tax = tax(line).map_err(|problem| of_line(line, &problem))?;
        if taxes.contains(&tax) {
            return Err(of_line(line, &message!("is in the list already", "ya está en la lista")));
        }
        taxes.push(tax);
    }
    if taxes.len() > TAXES_MAX {
        return Err(message!(
            "must be at most {TAXES_MAX} taxes",
            "deben ser a lo más {TAXES_MAX} impuestos"
        ));
    }
    Ok(taxes)
}

fn of_line(line: &str, problem: &Message) -> Message {
    Message::both(|language| format!("({line}) {}", problem.in_language(language)))
}

fn tax(line: &str) -> Result<Tax, Message> {
    match tax::read(line) {
        Ok(Stated { tax, is_guessed: false }) => Ok(tax),
        // Whoever fills in a form can be asked which one is meant.
        Ok(_) | Err(Misstated::Unreadable) => Err(message!(
            "must be a tax such as IVA 16%, IVA exempt, IEPS quota 5.50 or ISR 1.25% withheld",
            "debe ser un impuesto como IVA 16%, IVA exento, IEPS cuota 5.50 o ISR 1.25% retenido"
        )),
        Err(Misstated::Impossible(problem)) => Err(problem),
    }
}

/// Taxes as lines that read as they were.
pub(super) fn written(taxes: &[Tax], language: Language) -> String {
    let is_english = language == Language::English;
    let word = |[spanish, english]: [&'static str; 2]| if is_english { english } else { spanish };
    let line = |tax: &Tax| {
        let kind = tax.tax.name();
        let rate = tax.rate.unwrap_or_default();
        let rate = match tax.factor {
            TaxFactor::Exento => word(["exento", "exempt"]).to_owned(),
            TaxFactor::Cuota => format!("{} {rate}", word(["cuota", "quota"])),
            TaxFactor::Tasa => {
                format!("{}%", Amount::from_micros(rate.micros().saturating_mul(HUNDRED)))
            }
        };
        let withheld = word([" retenido", " withheld"]);
        format!("{kind} {rate}{}", if tax.withheld { withheld } else { "" })
    };
    taxes.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use catalog::TaxKind;

    use super::*;

    #[test]
    fn lines_state_taxes() {
        let tax = |tax, factor, rate: Option<i64>, withheld| Tax {
            tax,
            factor,
            rate: rate.map(Amount::from_micros),
            withheld,
        };
        let iva = tax(TaxKind::Iva, TaxFactor::Tasa, Some(160_000), false);
        for (line, known) in [
            ("IVA 16%", iva.clone()),
            ("iva 0.16", iva.clone()),
            ("IVA 16 %", iva),
            ("IVA 0%", tax(TaxKind::Iva, TaxFactor::Tasa, Some(0), false)),
            ("IVA exento", tax(TaxKind::Iva, TaxFactor::Exento, None, false)),
            ("IEPS cuota 5.50", tax(TaxKind::Ieps, TaxFactor::Cuota, Some(5_500_000), false)),
            ("IEPS 0.5911 cuota", tax(TaxKind::Ieps, TaxFactor::Cuota, Some(591_100), false)),
            ("ISR 1.25% retenido", tax(TaxKind::Isr, TaxFactor::Tasa, Some(12_500), true)),
        ] {
            assert_eq!(read(line).unwrap(), std::slice::from_ref(&known), "{line}");
            for language in [Language::English, Language::Spanish] {
                let again = written(std::slice::from_ref(&known), language);
                assert_eq!(read(&again).unwrap(), std::slice::from_ref(&known), "{again}");
            }
        }
        assert_eq!(read("IVA 16%\n\nIEPS 8%").unwrap().len(), 2);
        for wrong in [
            "IVA",
            "16%",
            "IVA 16",
            "IEPS 1.6",
            "ISR 10%",
            "IVA x%",
            "IVA exento retenido",
            "IVA 16%\nIVA 0.16",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
