//! How the API shows SAT's catalogs: codes and names as SAT publishes them, all else in English terms.

use std::{borrow::Cow, fmt::Display};

use cfdi::catalogs::{
    self, Entry, Row,
    cancellation_reasons::CancellationReason,
    countries::Country,
    currencies::CurrencyEntry,
    payment_forms::PaymentForm,
    products::Transfer,
    rates::Rate,
    regimes::Regime,
    taxes::TaxEntry,
    uses::Use,
    withholdings::{
        kinds::{Complement, Kind},
        payment_kinds::PaymentKind,
    },
};
use kernel::Amount;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr,
        schema::{ArrayBuilder, ObjectBuilder, Schema, Type},
    },
};

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A whole catalog.
#[derive(Serialize)]
pub(super) struct CatalogOf<B> {
    version: &'static str,
    items: Vec<B>,
}

impl<B> CatalogOf<B> {
    /// The catalog with these rows.
    pub(super) fn new(items: Vec<B>) -> Self {
        Self { version: catalogs::VERSION, items }
    }
}

impl<B: ToSchema> PartialSchema for CatalogOf<B> {
    fn schema() -> RefOr<Schema> {
        let version = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Edition of SAT's catalogs in use."));
        let items = ArrayBuilder::new()
            .items(Ref::from_schema_name(B::name()))
            .description(Some("Rows, in SAT's order."));
        RefOr::T(ObjectBuilder::new().property("version", version).property("items", items).into())
    }
}

impl<B: ToSchema> ToSchema for CatalogOf<B> {
    fn name() -> Cow<'static, str> {
        format!("{}Catalog", B::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        B::schemas(schemas);
        schemas.push((B::name().into_owned(), B::schema()));
    }
}

/// A row that is shown with these fields besides `code`, `name`, `validFrom` and `validUntil`.
macro_rules! row {
    (
        $(#[$doc:meta])* $name:ident as $schema:ident of $thing:ty {
            $($(#[$field_doc:meta])* $field:ident: $kind:ty = $value:expr;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        #[schema(as = $schema)]
        pub(super) struct $name {
            /// Code used in invoices.
            code: &'static str,
            /// SAT's description, in Spanish.
            name: &'static str,
            $($(#[$field_doc])* $field: $kind,)*
            /// First day of validity.
            #[schema(format = Date)]
            valid_from: String,
            /// Last day of validity; `null` if SAT has set none.
            #[schema(format = Date)]
            valid_until: Option<String>,
        }

        impl From<&$thing> for $name {
            fn from(row: &$thing) -> Self {
                $(let $field = $value(row);)*
                Self {
                    code: row.code,
                    name: row.name,
                    $($field,)*
                    valid_from: row.valid_from().to_string(),
                    valid_until: row.valid_until().map(|day| day.to_string()),
                }
            }
        }
    };
}

row! {
    /// A code of one of SAT's catalogs.
    CodeBody as SatCode of Entry {}
}

row! {
    /// A cancellation reason.
    CancellationReasonBody as CancellationReason of CancellationReason {
        /// Whether `replacementUuid` is required; otherwise it is not allowed.
        requires_replacement: bool = |row: &CancellationReason| row.requires_replacement;
    }
}

row! {
    /// A tax regime.
    RegimeBody as TaxRegime of Regime {
        /// Whether it applies to natural persons (personas físicas).
        natural: bool = |row: &Regime| row.natural;
        /// Whether it applies to legal entities (personas morales).
        legal: bool = |row: &Regime| row.legal;
    }
}

row! {
    /// A CFDI use.
    UseBody as CfdiUse of Use {
        /// Whether it is open to natural persons (personas físicas).
        natural: bool = |row: &Use| row.natural;
        /// Whether it is open to legal entities (personas morales).
        legal: bool = |row: &Use| row.legal;
        /// Tax regimes of the receivers that may use it.
        regimes: &'static [&'static str] = |row: &Use| row.regimes;
    }
}

row! {
    /// A payment form.
    PaymentFormBody as PaymentForm of PaymentForm {
        /// Whether the payment goes through a bank (bancarizado).
        banked: bool = |row: &PaymentForm| row.banked;
        /// Regular expression for the payer's account number; `null` if no account may be stated.
        payer_account_pattern: Option<&'static str> =
            |row: &PaymentForm| row.payer.map(|account| account.pattern);
        /// Regular expression for the payee's account number; `null` if no account may be stated.
        payee_account_pattern: Option<&'static str> =
            |row: &PaymentForm| row.payee.map(|account| account.pattern);
        /// Whether the bank's electronic payment proof (cadena de pago) may be included.
        payment_chain: bool = |row: &PaymentForm| row.payment_chain;
        /// Whether the name of a foreign payer's bank is stated.
        foreign_bank_name: bool = |row: &PaymentForm| row.foreign_bank_name;
    }
}

row! {
    /// A currency.
    CurrencyBody as SatCurrency of CurrencyEntry {
        /// Decimal places of amounts.
        decimals: u32 = |row: &CurrencyEntry| row.decimals;
        /// Percentage by which an exchange rate may differ from the published one without a provider's
        /// confirmation.
        variation_percent: u32 = |row: &CurrencyEntry| row.variation_percent;
    }
}

row! {
    /// A country.
    CountryBody as Country of Country {
        /// Regular expression for postal codes, if the catalog has one.
        postal_code_pattern: Option<&'static str> = |row: &Country| row.postal_code_pattern;
        /// Regular expression for tax IDs, if the catalog has one.
        tax_id_pattern: Option<&'static str> = |row: &Country| row.tax_id_pattern;
    }
}

row! {
    /// A federal tax.
    TaxEntryBody as SatTax of TaxEntry {
        /// Whether it can be transferred (trasladado) to the receiver.
        transferred: bool = |row: &TaxEntry| row.transferred;
        /// Whether the receiver may withhold it (retenido).
        withheld: bool = |row: &TaxEntry| row.withheld;
    }
}

row! {
    /// A kind of withholding.
    WithholdingKindBody as WithholdingKind of Kind {
        /// Complement that it takes, by its name in Spanish.
        complement: Option<&'static str> = |row: &Kind| row.complement.map(Complement::name);
        /// Whether it takes the complement only if the receiver resides abroad.
        only_abroad: bool = |row: &Kind| row.only_abroad;
    }
}

row! {
    /// What a tax that is withheld counts as for the receiver.
    WithheldPaymentKindBody as WithheldPaymentKind of PaymentKind {
        /// Name of the tax.
        tax: &'static str = |row: &PaymentKind| row.tax.name();
    }
}

row! {
    /// A unit of measure.
    UnitBody as SatUnit of catalogs::units::Unit {
        /// Symbol of the unit, if it has one.
        symbol: Option<&'static str> = |row: &catalogs::units::Unit| row.symbol;
        /// Explanation of when to use the unit, if the name alone is not clear.
        description: Option<&'static str> = |row: &catalogs::units::Unit| row.description;
    }
}

row! {
    /// A product or service key.
    ProductKeyBody as SatProductKey of catalogs::products::Product {
        /// Synonyms.
        similar_words: Vec<&'static str> = similar_words;
        /// Whether IVA is charged: `optional` or `required`.
        iva: &'static str = |row: &catalogs::products::Product| charged(row.iva);
        /// Whether IEPS is charged: `optional` or `required`.
        ieps: &'static str = |row: &catalogs::products::Product| charged(row.ieps);
        /// Whether the border-region tax incentive (8% IVA) can be applied.
        border_stimulus: bool = |row: &catalogs::products::Product| row.border_stimulus;
    }
}

fn similar_words(product: &catalogs::products::Product) -> Vec<&'static str> {
    product.similar_words.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

const fn charged(transfer: Transfer) -> &'static str {
    match transfer {
        Transfer::Optional => "optional",
        Transfer::Required => "required",
    }
}

/// A rate, or range of rates, of a tax.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TaxRate)]
pub(super) struct RateBody {
    /// Name of the tax.
    #[schema(example = "IVA")]
    tax: &'static str,
    /// `Tasa` for a rate on the base, `Cuota` for an amount per unit.
    #[schema(example = "Tasa")]
    factor: &'static str,
    /// Minimum value of `rate`; equal to `max` for a fixed rate.
    #[schema(value_type = shapes::Amount)]
    min: Amount,
    /// Maximum value of `rate`.
    #[schema(value_type = shapes::Amount)]
    max: Amount,
    /// Whether the tax can be transferred (trasladado) to the receiver at this rate.
    transferred: bool,
    /// Whether the receiver can withhold (retener) the tax at this rate.
    withheld: bool,
    /// Whether it applies only under the border-region tax incentive.
    border_only: bool,
    /// First day of validity.
    #[schema(format = Date)]
    valid_from: String,
    /// Last day of validity; `null` if SAT has set none.
    #[schema(format = Date)]
    valid_until: Option<String>,
}

impl From<&Rate> for RateBody {
    fn from(rate: &Rate) -> Self {
        Self {
            tax: rate.tax.name(),
            factor: rate.factor.code(),
            min: rate.min,
            max: rate.max,
            transferred: rate.transferred,
            withheld: rate.withheld,
            border_only: rate.border_only,
            valid_from: rate.valid_from.to_string(),
            valid_until: rate.valid_until.map(|day| day.to_string()),
        }
    }
}

/// Turns a row type into one that lists can hold.
macro_rules! listed {
    ($name:ident, $thing:ty, $path:literal) => {
        impl From<$thing> for $name {
            fn from(row: $thing) -> Self {
                Self::from(&row)
            }
        }

        impl Resource for $name {
            type Thing = $thing;

            const PATH: &'static str = $path;

            fn id(&self) -> impl Display {
                self.code
            }

            fn etag(&self) -> ETag {
                ETag::version(1)
            }
        }
    };
}

listed!(UnitBody, catalogs::units::Unit, "/invoices/cfdi/claves-unidad");
listed!(ProductKeyBody, catalogs::products::Product, "/invoices/cfdi/claves-prod-serv");

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_say_what_sat_says() {
        let reason = catalogs::cancellation_reasons::find("01").unwrap();
        assert_eq!(
            serde_json::to_value(CancellationReasonBody::from(reason)).unwrap(),
            json!({
                "code": "01",
                "name": "Comprobante emitido con errores con relación",
                "requiresReplacement": true,
                "validFrom": "2022-01-01",
                "validUntil": null
            })
        );
        let key = ProductKeyBody::from(catalogs::products::find("01010101").unwrap());
        assert_eq!(key.similar_words, ["Público en general"]);
        let gasoline = ProductKeyBody::from(catalogs::products::find("15101506").unwrap());
        assert_eq!(gasoline.valid_until.as_deref(), Some("2020-01-15"));
    }
}
