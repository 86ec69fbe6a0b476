//! Taxes as every resource shows and reads them, in CFDI 4.0 terms.

use catalog::{Tax, TaxFactor, TaxKind, product::checked_price, tax::TAXES_MAX};
use cfdi::tax::{Factor, ItemTax, TaxRate};
use kernel::{Amount, FieldFault, message};
use serde::Serialize;
use utoipa::ToSchema;

use super::shapes;
use intake::{
    Check, Faults, Fields, Given, Schema,
    checks::{flag, number, objects, one_of},
    noun,
};

const TAX_KINDS: &[TaxKind] = &[TaxKind::Iva, TaxKind::Isr, TaxKind::Ieps];
const TAX_FACTORS: &[TaxFactor] = &[TaxFactor::Tasa, TaxFactor::Cuota, TaxFactor::Exento];

/// A tax, in CFDI 4.0 terms.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Tax)]
pub(super) struct TaxBody {
    /// Name of the tax.
    #[schema(schema_with = tax_kinds)]
    tax: TaxKind,
    /// Factor type: `Tasa`, `Cuota` or `Exento`.
    #[schema(schema_with = tax_factors)]
    factor: TaxFactor,
    /// Rate as a fraction, e.g. 0.16 for 16%, or with `Cuota` the amount per unit, with at most 6 decimal
    /// places; `null` with `Exento`.
    #[schema(value_type = Option<shapes::Amount>)]
    rate: Option<Amount>,
    /// Whether the buyer withholds the tax; defaults to `false`.
    withheld: bool,
}

/// A tax with its base and amount.
#[derive(Serialize, ToSchema)]
#[schema(as = TaxAmount)]
pub(super) struct TaxAmountBody {
    /// Name of the tax.
    #[schema(schema_with = tax_kinds)]
    tax: TaxKind,
    /// Factor type: `Tasa`, `Cuota` or `Exento`.
    #[schema(schema_with = tax_factors)]
    factor: TaxFactor,
    /// Rate as a fraction, or amount per unit with `Cuota`; `null` with `Exento`.
    #[schema(value_type = Option<shapes::Amount>)]
    rate: Option<Amount>,
    /// Whether the receiver withholds the tax.
    withheld: bool,
    /// Tax base; `null` if the document states no taxes.
    #[schema(value_type = Option<shapes::Amount>)]
    base: Option<Amount>,
    /// Tax amount; `null` if the document states no taxes.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
}

impl TaxAmountBody {
    /// A tax, with its amounts if there are any.
    pub(super) fn new(rate: TaxRate, amounts: Option<&ItemTax>) -> Self {
        let Tax { tax, factor, rate, withheld } = stated(rate);
        let (base, amount) = (amounts.map(|tax| tax.base), amounts.map(|tax| tax.amount));
        Self { tax, factor, rate, withheld, base, amount }
    }
}

impl From<&ItemTax> for TaxAmountBody {
    fn from(tax: &ItemTax) -> Self {
        Self::new(tax.rate, Some(tax))
    }
}

impl From<Tax> for TaxBody {
    fn from(tax: Tax) -> Self {
        let Tax { tax, factor, rate, withheld } = tax;
        Self { tax, factor, rate, withheld }
    }
}

impl From<TaxRate> for TaxBody {
    fn from(rate: TaxRate) -> Self {
        stated(rate).into()
    }
}

/// The names of the taxes.
pub(super) fn tax_kinds() -> utoipa::openapi::schema::ObjectBuilder {
    shapes::names(TAX_KINDS, TaxKind::name).description(Some("Name of the tax."))
}

/// The names of the factors.
pub(super) fn tax_factors() -> utoipa::openapi::schema::ObjectBuilder {
    let factors = shapes::names(TAX_FACTORS, tax_factor_name);
    factors.description(Some(
        "Factor type: `Tasa` (rate), `Cuota` (amount per unit) or `Exento` (exempt).",
    ))
}

/// The taxes of a product, each stated once.
pub(super) fn taxes() -> impl Check<Value = Vec<Tax>> {
    Distinct { taxes: objects(noun("a tax", "un impuesto"), 0..=TAXES_MAX, read_tax), rate }
}

/// The taxes of what is invoiced.
pub(super) fn tax_rates() -> impl Check<Value = Vec<TaxRate>> {
    objects(noun("a tax", "un impuesto"), 0..=TAXES_MAX, read_rate)
}

/// The taxes of what is sold where nothing else is said, each stated once.
pub(super) fn usual_rates() -> impl Check<Value = Vec<TaxRate>> {
    Distinct { taxes: tax_rates(), rate: |rate: &TaxRate| *rate }
}

/// Taxes each of which is stated once.
struct Distinct<T, C> {
    taxes: C,
    rate: fn(&T) -> TaxRate,
}

impl<T, C: Check<Value = Vec<T>>> Check for Distinct<T, C> {
    type Value = Vec<T>;

    fn check(&self, given: &Given<'_>) -> Result<Vec<T>, Faults> {
        let taxes = self.taxes.check(given)?;
        let rates: Vec<TaxRate> = taxes.iter().map(self.rate).collect();
        for (index, rate) in rates.iter().enumerate() {
            if rates.iter().take(index).any(|before| before.repeats(rate)) {
                let name = rate.tax.name();
                let problem = message!(
                    "states {name} again: state each tax once",
                    "repite el {name}: indique cada impuesto una sola vez"
                );
                return Err(vec![FieldFault::new(format!("[{index}]"), problem)]);
            }
        }
        Ok(taxes)
    }

    fn schema(&self) -> Schema {
        self.taxes.schema()
    }
}

/// Taxes with their amounts; an amount that is not told follows from the base.
pub(super) fn item_taxes() -> impl Check<Value = Vec<ItemTax>> {
    objects(noun("a tax", "un impuesto"), 0..=TAXES_MAX, read_item_tax)
}

fn read_item_tax(fields: &mut Fields<'_>) -> Option<ItemTax> {
    let tax = read_tax(fields);
    let base = fields.required("base", number(Some(0), checked_price));
    let amount = fields.optional("amount", number(Some(0), checked_price));
    let (rate, base) = (rate(&tax?), base?);
    let reckoned = rate.of(base);
    match amount {
        Some(amount) if !is_about(amount, reckoned) => fields.refuse(
            "amount",
            message!(
                "must be about {reckoned}, what the rate makes of the base: correct one of them",
                "debe ser de alrededor de {reckoned}, la base por la tasa: corrija uno de ellos"
            ),
        ),
        Some(amount) => Some(ItemTax { rate, base, amount }),
        None => Some(ItemTax { rate, base, amount: reckoned }),
    }
}

/// The lines of an invoice are rounded one by one, so that their tax may be a little off.
fn is_about(stated: Amount, reckoned: Amount) -> bool {
    let off = stated.micros().abs_diff(reckoned.micros());
    off <= (reckoned.micros().unsigned_abs() / 100).max(1_000_000)
}

fn read_rate(fields: &mut Fields<'_>) -> Option<TaxRate> {
    let tax = read_tax(fields);
    fields.read_only(&["base", "amount"]);
    tax.as_ref().map(rate)
}

/// Asks for the four fields of a tax.
pub(super) fn read_tax(fields: &mut Fields<'_>) -> Option<Tax> {
    let kind = fields.required("tax", one_of(TAX_KINDS, TaxKind::name));
    let factor = fields.required("factor", one_of(TAX_FACTORS, tax_factor_name));
    let rate = fields.optional("rate", number(Some(0), Ok));
    let withheld = fields.optional("withheld", flag()).unwrap_or_default();
    let tax = Tax { tax: kind?, factor: factor?, rate, withheld };
    match tax.problem() {
        Some(problem) => fields.refuse("", problem),
        None => Some(tax),
    }
}

/// A tax as documents state it.
pub(super) fn rate(tax: &Tax) -> TaxRate {
    let Tax { tax, factor, rate, withheld } = tax;
    TaxRate {
        tax: match tax {
            TaxKind::Iva => cfdi::tax::Tax::Iva,
            TaxKind::Isr => cfdi::tax::Tax::Isr,
            TaxKind::Ieps => cfdi::tax::Tax::Ieps,
        },
        factor: match factor {
            TaxFactor::Tasa => Factor::Tasa,
            TaxFactor::Cuota => Factor::Cuota,
            TaxFactor::Exento => Factor::Exento,
        },
        rate: rate.unwrap_or_default(),
        withheld: *withheld,
    }
}

/// A tax of a document as products state it.
pub(super) fn stated(rate: TaxRate) -> Tax {
    let TaxRate { tax, factor, rate, withheld } = rate;
    Tax {
        tax: kind(tax),
        factor: match factor {
            Factor::Tasa => TaxFactor::Tasa,
            Factor::Cuota => TaxFactor::Cuota,
            Factor::Exento => TaxFactor::Exento,
        },
        rate: (factor != Factor::Exento).then_some(rate),
        withheld,
    }
}

/// Name of the tax.
pub(super) const fn kind(tax: cfdi::tax::Tax) -> TaxKind {
    match tax {
        cfdi::tax::Tax::Iva => TaxKind::Iva,
        cfdi::tax::Tax::Isr => TaxKind::Isr,
        cfdi::tax::Tax::Ieps => TaxKind::Ieps,
    }
}

const fn tax_factor_name(factor: TaxFactor) -> &'static str {
    match factor {
        TaxFactor::Tasa => "Tasa",
        TaxFactor::Cuota => "Cuota",
        TaxFactor::Exento => "Exento",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tax_is_the_same_of_products_and_of_documents() {
        let exempt = TaxRate { factor: Factor::Exento, rate: Amount::ZERO, ..TaxRate::iva(0) };
        let withheld = TaxRate { tax: cfdi::tax::Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
        for there in [TaxRate::iva(160_000), TaxRate::iva(0), exempt, withheld] {
            let tax = stated(there);
            assert_eq!(tax.problem(), None, "{there:?}");
            assert_eq!(rate(&tax), there);
        }
        assert_eq!(stated(exempt).rate, None);
    }
}
