//! Taxes in a line of text, as items and paid documents state them.

use cfdi::tax::{Factor, ItemTax, TaxRate};

use crate::{figures, text::TIE};

/// What a tax is: `IVA trasladado 16 %`, `ISR retenido 10 %`.
pub(crate) fn label(tax: &ItemTax) -> String {
    let verb = if tax.rate.withheld { "retenido" } else { "trasladado" };
    format!("{} {verb} {}", tax.rate.tax.name(), figures::rate(&tax.rate))
}

/// How a tax is reckoned: `Tasa 16 %`, `Cuota 5.2146`, `Exento`.
pub(crate) fn factor(rate: &TaxRate) -> String {
    match rate.factor {
        Factor::Tasa => format!("Tasa {}", figures::rate(rate)),
        Factor::Cuota => format!("Cuota {}", figures::plain(rate.rate)),
        Factor::Exento => "Exento".to_owned(),
    }
}

/// A tax with its codes, base and amount, in the words of the document's XML.
pub(crate) fn line(tax: &ItemTax, decimals: u32) -> String {
    let node = if tax.rate.withheld { "Retención" } else { "Traslado" };
    let (code, name, factor) = (tax.rate.tax.code(), tax.rate.tax.name(), factor(&tax.rate));
    let base = figures::money(tax.base, decimals);
    let amount = figures::money(tax.amount, decimals);
    match tax.rate.factor {
        Factor::Exento => format!("{node} {code} {name} {factor}, base{TIE}{base}"),
        _ => format!("{node} {code} {name} {factor}, base{TIE}{base}, importe{TIE}{amount}"),
    }
}

#[cfg(test)]
mod tests {
    use cfdi::tax::Tax;
    use kernel::Amount;

    use super::*;

    #[test]
    fn a_tax_says_all_that_the_document_says_of_it() {
        let amount = Amount::from_micros;
        let iva = ItemTax {
            rate: TaxRate::iva(160_000),
            base: amount(1_000_000_000),
            amount: amount(160_000_000),
        };
        let text = |tax| line(&tax, 2).replace(TIE, " ");
        assert_eq!(text(iva), "Traslado 002 IVA Tasa 16 %, base 1,000.00, importe 160.00");
        let exempt = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
        let exempt = ItemTax { rate: exempt, ..iva };
        assert_eq!(text(exempt), "Traslado 002 IVA Exento, base 1,000.00");
        let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
        let isr = ItemTax { rate: isr, ..iva };
        assert_eq!(label(&isr), "ISR retenido 1.25 %");
        assert_eq!(text(isr), "Retención 001 ISR Tasa 1.25 %, base 1,000.00, importe 160.00");
    }
}
