//! How the API shows SAT's catalogs: codes and names as SAT has them, the rest in our words.

use std::{borrow::Cow, fmt::Display};

use cfdi::catalogs::{
    self, Entry, Row, cancellation_reasons::CancellationReason, countries::Country,
    currencies::CurrencyEntry, payment_forms::PaymentForm, products::Transfer, rates::Rate,
    regimes::Regime, taxes::TaxEntry, uses::Use,
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
            .description(Some("Which edition of SAT's catalogs the service has."));
        let items = ArrayBuilder::new()
            .items(Ref::from_schema_name(B::name()))
            .description(Some("The rows, in SAT's order."));
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
            /// What invoices say.
            code: &'static str,
            /// What SAT calls it.
            name: &'static str,
            $($(#[$field_doc])* $field: $kind,)*
            /// The first day it may be used.
            #[schema(format = Date)]
            valid_from: String,
            /// The last day it may be used; `null` as long as SAT has set none.
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
    /// A reason to cancel an invoice.
    CancellationReasonBody as CancellationReason of CancellationReason {
        /// Whether `replacementUuid` must be given; otherwise it must not.
        requires_replacement: bool = |row: &CancellationReason| row.requires_replacement;
    }
}

row! {
    /// A tax regime.
    RegimeBody as TaxRegime of Regime {
        /// Whether natural persons (personas físicas) can be in it.
        natural: bool = |row: &Regime| row.natural;
        /// Whether legal persons (personas morales) can be in it.
        legal: bool = |row: &Regime| row.legal;
    }
}

row! {
    /// A use that receivers make of invoices.
    UseBody as CfdiUse of Use {
        /// Whether natural persons (personas físicas) can make it.
        natural: bool = |row: &Use| row.natural;
        /// Whether legal persons (personas morales) can make it.
        legal: bool = |row: &Use| row.legal;
        /// The regimes of the receivers that can make it.
        regimes: &'static [&'static str] = |row: &Use| row.regimes;
    }
}

row! {
    /// A form of payment.
    PaymentFormBody as PaymentForm of PaymentForm {
        /// Whether it goes through a bank.
        banked: bool = |row: &PaymentForm| row.banked;
        /// The regular expression of the payer's account; `null` where none may be named.
        payer_account_pattern: Option<&'static str> =
            |row: &PaymentForm| row.payer.map(|account| account.pattern);
        /// The regular expression of the payee's account; `null` where none may be named.
        payee_account_pattern: Option<&'static str> =
            |row: &PaymentForm| row.payee.map(|account| account.pattern);
        /// Whether the payment can carry the bank's own electronic proof.
        payment_chain: bool = |row: &PaymentForm| row.payment_chain;
        /// Whether the payer's bank is named when it is a foreign one.
        foreign_bank_name: bool = |row: &PaymentForm| row.foreign_bank_name;
    }
}

row! {
    /// A currency.
    CurrencyBody as SatCurrency of CurrencyEntry {
        /// How many decimals its sums have.
        decimals: u32 = |row: &CurrencyEntry| row.decimals;
        /// By how many per cent an exchange rate may differ from the published one without the
        /// confirmation of a provider.
        variation_percent: u32 = |row: &CurrencyEntry| row.variation_percent;
    }
}

row! {
    /// A country.
    CountryBody as Country of Country {
        /// The regular expression of its postal codes, where the catalog has one.
        postal_code_pattern: Option<&'static str> = |row: &Country| row.postal_code_pattern;
        /// The regular expression of its tax identifiers, where the catalog has one.
        tax_id_pattern: Option<&'static str> = |row: &Country| row.tax_id_pattern;
    }
}

row! {
    /// A federal tax.
    TaxEntryBody as SatTax of TaxEntry {
        /// Whether it is charged to the receiver.
        transferred: bool = |row: &TaxEntry| row.transferred;
        /// Whether the receiver may withhold it.
        withheld: bool = |row: &TaxEntry| row.withheld;
    }
}

row! {
    /// A unit of measure.
    UnitBody as SatUnit of catalogs::units::Unit {
        /// How it is written beside a number, where that is usual.
        symbol: Option<&'static str> = |row: &catalogs::units::Unit| row.symbol;
        /// When it is the right one, where the name does not say.
        description: Option<&'static str> = |row: &catalogs::units::Unit| row.description;
    }
}

row! {
    /// A key of products or services.
    ProductKeyBody as SatProductKey of catalogs::products::Product {
        /// Other words for it.
        similar_words: Vec<&'static str> = similar_words;
        /// Whether IVA is charged: `optional` or `required`.
        iva: &'static str = |row: &catalogs::products::Product| charged(row.iva);
        /// Whether IEPS is charged: `optional` or `required`.
        ieps: &'static str = |row: &catalogs::products::Product| charged(row.ieps);
        /// Whether the stimulus of the border regions (8 % of IVA) can be applied.
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

/// A rate, or a range of rates, of a tax.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TaxRate)]
pub(super) struct RateBody {
    /// Which tax.
    #[schema(example = "IVA")]
    tax: &'static str,
    /// `Tasa` for a share of the base, `Cuota` for an amount per unit.
    #[schema(example = "Tasa")]
    factor: &'static str,
    /// The least that `rate` can be; the same as `max` when it is fixed.
    #[schema(value_type = shapes::Amount)]
    min: Amount,
    /// The most that `rate` can be.
    #[schema(value_type = shapes::Amount)]
    max: Amount,
    /// Whether the tax can be charged to the receiver at this rate.
    transferred: bool,
    /// Whether the receiver can withhold the tax at this rate.
    withheld: bool,
    /// Whether it is only for where the stimulus of the border regions applies.
    border_only: bool,
    /// The first day it may be used.
    #[schema(format = Date)]
    valid_from: String,
    /// The last day it may be used; `null` as long as SAT has set none.
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

/// Makes a row one that lists are made of.
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
