//! Taxes in a line of text, as items and paid documents state them.

use cfdi::tax::{Factor, ItemTax, Tax, TaxRate};
use kernel::{Amount, Language};

use crate::{figures, texts};

/// What a tax is called: `IVA`, `Income tax (ISR)`.
pub(crate) const fn name(tax: Tax, language: Language) -> &'static str {
    let name = match tax {
        Tax::Iva => texts::IVA,
        Tax::Isr => texts::ISR,
        Tax::Ieps => texts::IEPS,
    };
    name.text(language)
}

/// What a tax is: `IVA trasladado 16 %`, `ISR retenido 10 %`.
pub(crate) fn label(tax: &ItemTax, language: Language) -> String {
    let name = name(tax.rate.tax, language);
    let verb = if tax.rate.withheld { texts::WITHHELD } else { texts::TRANSFERRED };
    format!("{} {}", verb.with(language, &[name]), figures::rate(&tax.rate, language))
}

/// How a tax is reckoned: `Tasa 16 %`, `Cuota 5.2146`, `Exento`.
pub(crate) fn factor(rate: &TaxRate, language: Language) -> String {
    match rate.factor {
        Factor::Tasa => texts::RATE.with(language, &[&figures::rate(rate, language)]),
        Factor::Cuota => texts::QUOTA.with(language, &[&figures::plain(rate.rate)]),
        Factor::Exento => texts::EXEMPT.text(language).to_owned(),
    }
}

/// A tax with its codes, base and amount, in the words of the document's XML.
pub(crate) fn line(tax: &ItemTax, decimals: u32, language: Language) -> String {
    let node = if tax.rate.withheld { texts::WITHHOLDING_NODE } else { texts::TRANSFER_NODE };
    let (node, code) = (node.text(language), tax.rate.tax.code());
    // The sums say what the taxes are called; here the name beside the code is enough.
    let (name, factor) = (tax.rate.tax.name(), factor(&tax.rate, language));
    let base = texts::TAX_BASE.with(language, &[&figures::money(tax.base, decimals)]);
    let amount = texts::TAX_AMOUNT.with(language, &[&figures::money(tax.amount, decimals)]);
    match tax.rate.factor {
        Factor::Exento => format!("{node} {code} {name} {factor}, {base}"),
        _ => format!("{node} {code} {name} {factor}, {base}, {amount}"),
    }
}

/// What is withheld of a tax at any rates, in the words of the document's XML.
pub(crate) fn withheld_line(tax: Tax, amount: Amount, decimals: u32, language: Language) -> String {
    let (node, code, name) = (texts::WITHHOLDING_NODE.text(language), tax.code(), tax.name());
    let amount = texts::TAX_AMOUNT.with(language, &[&figures::money(amount, decimals)]);
    format!("{node} {code} {name}, {amount}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TIE;

    #[test]
    fn a_tax_says_all_that_the_document_says_of_it() {
        let amount = Amount::from_micros;
        let iva = ItemTax {
            rate: TaxRate::iva(160_000),
            base: amount(1_000_000_000),
            amount: amount(160_000_000),
        };
        let text = |tax| line(&tax, 2, Language::Spanish).replace(TIE, " ");
        assert_eq!(text(iva), "Traslado 002 IVA Tasa 16 %, base 1,000.00, importe 160.00");
        let exempt = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
        let exempt = ItemTax { rate: exempt, ..iva };
        assert_eq!(text(exempt), "Traslado 002 IVA Exento, base 1,000.00");
        let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
        let isr = ItemTax { rate: isr, ..iva };
        assert_eq!(label(&isr, Language::Spanish), "ISR retenido 1.25 %");
        assert_eq!(text(isr), "Retención 001 ISR Tasa 1.25 %, base 1,000.00, importe 160.00");
        let english = line(&isr, 2, Language::English).replace(TIE, " ");
        assert_eq!(english, "Withheld 001 ISR Rate 1.25 %, base 1,000.00, amount 160.00");
        assert_eq!(label(&isr, Language::English), "Income tax (ISR) withheld 1.25 %");
    }
}
