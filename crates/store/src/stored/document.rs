//! Documents of the tax authority.

use cfdi::{
    complements::Complements,
    document::{
        Document, DocumentType, Global, Issuer, Item, Part, PaymentMethod, Receiver, Relation,
        ThirdParty,
    },
    local_taxes::LocalTax,
    payments::Payment,
    tax::{Factor, ItemTax, Tax, TaxRate},
};
use kernel::{Amount, Currency};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use super::{
    complements::ComplementsForm,
    forms::{Each, Form, Maybe, forms},
    payment::PaymentForm,
};

forms!(
    DocumentForm of Document,
    GlobalForm of Global,
    ItemForm of Item,
    ItemTaxForm of ItemTax,
    LocalTaxForm of LocalTax,
    PartForm of Part,
    PaymentMethodForm of PaymentMethod,
    RelationForm of Relation,
    TaxForm of Tax,
    TaxRateForm of TaxRate,
    ThirdPartyForm of ThirdParty,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Document", rename_all = "camelCase")]
pub(super) struct DocumentForm {
    #[serde(rename = "type", with = "KindForm")]
    kind: DocumentType,
    series: Option<String>,
    folio: Option<String>,
    #[serde(with = "local_time")]
    issued_at: PrimitiveDateTime,
    payment_form: Option<String>,
    #[serde(default, with = "Maybe::<PaymentMethodForm>")]
    payment_method: Option<PaymentMethod>,
    payment_terms: Option<String>,
    currency: Option<Currency>,
    exchange_rate: Option<Amount>,
    export: String,
    place_of_issue: String,
    confirmation: Option<String>,
    #[serde(default, with = "Maybe::<GlobalForm>")]
    global: Option<Global>,
    #[serde(with = "Each::<RelationForm>")]
    related: Vec<Relation>,
    #[serde(with = "IssuerForm")]
    issuer: Issuer,
    #[serde(with = "ReceiverForm")]
    receiver: Receiver,
    #[serde(with = "Each::<ItemForm>")]
    items: Vec<Item>,
    #[serde(default, with = "Each::<LocalTaxForm>")]
    local_taxes: Vec<LocalTax>,
    #[serde(with = "Each::<PaymentForm>")]
    payments: Vec<Payment>,
    #[serde(default, skip_serializing_if = "Complements::is_empty", with = "ComplementsForm")]
    complements: Complements,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LocalTax", rename_all = "camelCase")]
struct LocalTaxForm {
    name: String,
    rate: Amount,
    amount: Amount,
    withheld: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DocumentType")]
pub(super) enum KindForm {
    #[serde(rename = "I")]
    Income,
    #[serde(rename = "E")]
    Credit,
    #[serde(rename = "P")]
    Payment,
    #[serde(rename = "T")]
    Transfer,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PaymentMethod", rename_all = "UPPERCASE")]
pub(super) enum PaymentMethodForm {
    Pue,
    Ppd,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Global", rename_all = "camelCase")]
pub(super) struct GlobalForm {
    periodicity: String,
    months: String,
    year: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Relation", rename_all = "camelCase")]
pub(super) struct RelationForm {
    relation: String,
    uuids: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Issuer", rename_all = "camelCase")]
pub(super) struct IssuerForm {
    rfc: String,
    legal_name: String,
    tax_regime: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Receiver", rename_all = "camelCase")]
pub(super) struct ReceiverForm {
    rfc: String,
    legal_name: String,
    tax_zip: String,
    tax_regime: String,
    cfdi_use: String,
    tax_residence: Option<String>,
    foreign_tax_id: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Item", rename_all = "camelCase")]
struct ItemForm {
    sat_product_key: String,
    sku: Option<String>,
    quantity: Amount,
    sat_unit_key: String,
    unit: Option<String>,
    description: String,
    unit_price: Amount,
    amount: Amount,
    discount: Option<Amount>,
    tax_object: String,
    #[serde(with = "Each::<ItemTaxForm>")]
    taxes: Vec<ItemTax>,
    #[serde(default, with = "Maybe::<ThirdPartyForm>")]
    third_party: Option<ThirdParty>,
    customs: Vec<String>,
    property_accounts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "Each::<PartForm>")]
    parts: Vec<Part>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Part", rename_all = "camelCase")]
pub(super) struct PartForm {
    sat_product_key: String,
    sku: Option<String>,
    quantity: Amount,
    unit: Option<String>,
    description: String,
    unit_price: Option<Amount>,
    customs: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ThirdParty", rename_all = "camelCase")]
pub(super) struct ThirdPartyForm {
    rfc: String,
    legal_name: String,
    tax_regime: String,
    tax_zip: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ItemTax", rename_all = "camelCase")]
pub(super) struct ItemTaxForm {
    #[serde(with = "TaxRateForm")]
    rate: TaxRate,
    base: Amount,
    amount: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TaxRate", rename_all = "camelCase")]
pub(super) struct TaxRateForm {
    #[serde(with = "TaxForm")]
    tax: Tax,
    #[serde(with = "FactorForm")]
    factor: Factor,
    #[serde(default)]
    rate: Amount,
    withheld: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Tax", rename_all = "UPPERCASE")]
pub(super) enum TaxForm {
    Isr,
    Iva,
    Ieps,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Factor")]
enum FactorForm {
    Tasa,
    Cuota,
    Exento,
}

/// Local times without zone, as documents write them.
pub(super) mod local_time {
    use cfdi::document::local_time::{from_text, to_text};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use time::PrimitiveDateTime;

    pub(in crate::stored) fn serialize<S: Serializer>(
        moment: &PrimitiveDateTime,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(*moment))
    }

    pub(in crate::stored) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PrimitiveDateTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_text(&text).ok_or_else(|| D::Error::custom("not a local time"))
    }
}
