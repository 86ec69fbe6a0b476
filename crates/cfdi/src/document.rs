//! A CFDI 4.0 document, in the terms of the tax authority's guide (Anexo 20) and with the field
//! names of the API.

use kernel::{Amount, Currency, Timestamp};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use crate::{
    catalogs::{postal_codes, zones::Zone},
    complements::Complements,
    decimal,
    local_taxes::LocalTax,
    payments::Payment,
    tax::ItemTax,
};

/// What a document is (c_TipoDeComprobante).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DocumentType {
    /// `I`: a sale.
    #[serde(rename = "I")]
    Income,
    /// `E`: a credit note.
    #[serde(rename = "E")]
    Credit,
    /// `P`: the receipt of payments, which carries the payment complement.
    #[serde(rename = "P")]
    Payment,
    /// `T`: goods on the move, of no value.
    #[serde(rename = "T")]
    Transfer,
}

/// How a sale is paid (c_MetodoPago).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PaymentMethod {
    /// In one go, at once.
    Pue,
    /// In parts or later; each payment gets a document of kind `P`.
    Ppd,
}

/// A document to be sealed: everything that is decided. Sums follow from it, see
/// [`Totals`](crate::totals::Totals).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: DocumentType,
    /// The series within which folios are unique.
    pub series: Option<String>,
    /// The issuer's own number of it.
    pub folio: Option<String>,
    /// When it was issued: whole seconds of the local time at [`place_of_issue`](Self::place_of_issue).
    #[serde(with = "local_time")]
    pub issued_at: PrimitiveDateTime,
    /// How it was paid, a code of c_FormaPago.
    pub payment_form: Option<String>,
    /// In one go or in parts.
    pub payment_method: Option<PaymentMethod>,
    /// Conditions in free text.
    pub payment_terms: Option<String>,
    /// Its currency; none (`XXX`) for kinds without value.
    pub currency: Option<Currency>,
    /// Pesos for one unit of a foreign currency.
    pub exchange_rate: Option<Amount>,
    /// Whether goods leave the country, a code of c_Exportacion.
    pub export: String,
    /// The postal code where it is issued.
    pub place_of_issue: String,
    /// The code a provider gave for an unusual amount.
    pub confirmation: Option<String>,
    /// The period of a global invoice.
    pub global: Option<Global>,
    /// Documents it refers to.
    pub related: Vec<Relation>,
    /// Who issues it.
    pub issuer: Issuer,
    /// Who receives it.
    pub receiver: Receiver,
    /// What is sold.
    pub items: Vec<Item>,
    /// Taxes of states and municipalities, on the whole of it.
    #[serde(default)]
    pub local_taxes: Vec<LocalTax>,
    /// The payments of kind `P`.
    pub payments: Vec<Payment>,
    /// What else it states.
    #[serde(default)]
    pub complements: Complements,
}

/// The period of an invoice of sales to the general public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Global {
    /// A code of c_Periodicidad.
    pub periodicity: String,
    /// A code of c_Meses.
    pub months: String,
    /// The year.
    pub year: u16,
}

/// Documents that a document refers to for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relation {
    /// Why, a code of c_TipoRelacion.
    pub relation: String,
    /// The fiscal folios of the documents referred to.
    pub uuids: Vec<String>,
}

/// Who issues a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issuer {
    /// Tax identifier.
    pub rfc: String,
    /// Name as registered, without the company's form.
    pub legal_name: String,
    /// A code of c_RegimenFiscal.
    pub tax_regime: String,
}

/// Who receives a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receiver {
    /// Tax identifier.
    pub rfc: String,
    /// Name as registered, without the company's form.
    pub legal_name: String,
    /// Postal code of the tax address.
    pub tax_zip: String,
    /// A code of c_RegimenFiscal.
    pub tax_regime: String,
    /// What the receiver uses it for, a code of c_UsoCFDI.
    pub cfdi_use: String,
    /// Country of residence of a foreigner, a code of c_Pais.
    pub tax_residence: Option<String>,
    /// Tax identifier of a foreigner in that country.
    pub foreign_tax_id: Option<String>,
}

/// One line of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// What it is, a code of c_ClaveProdServ.
    pub sat_product_key: String,
    /// The issuer's own number of it; the ticket in a global invoice.
    pub sku: Option<String>,
    /// How many units.
    pub quantity: Amount,
    /// The unit, a code of c_ClaveUnidad.
    pub sat_unit_key: String,
    /// The unit in the issuer's words.
    pub unit: Option<String>,
    /// What is sold.
    pub description: String,
    /// Price of one unit before taxes and discount.
    pub unit_price: Amount,
    /// Quantity times unit price, before taxes and discount.
    pub amount: Amount,
    /// What is taken off.
    pub discount: Option<Amount>,
    /// Whether taxes apply, a code of c_ObjetoImp.
    pub tax_object: String,
    /// The taxes.
    pub taxes: Vec<ItemTax>,
    /// On whose behalf it is sold.
    pub third_party: Option<ThirdParty>,
    /// Customs documents of imported goods.
    pub customs: Vec<String>,
    /// Numbers of property accounts, for the rent of real estate.
    pub property_accounts: Vec<String>,
    /// What it is made up of: the contents of a kit or a package.
    #[serde(default)]
    pub parts: Vec<Part>,
}

/// A part of what is sold (`Parte`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// What it is, a code of c_ClaveProdServ.
    pub sat_product_key: String,
    /// The issuer's own number of it.
    pub sku: Option<String>,
    /// How many there are.
    pub quantity: Amount,
    /// The unit in the issuer's words.
    pub unit: Option<String>,
    /// What it is.
    pub description: String,
    /// Price of one before taxes, where parts have prices.
    pub unit_price: Option<Amount>,
    /// Customs documents of imported parts.
    pub customs: Vec<String>,
}

/// On whose behalf something is sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThirdParty {
    /// Tax identifier.
    pub rfc: String,
    /// Name as registered.
    pub legal_name: String,
    /// A code of c_RegimenFiscal.
    pub tax_regime: String,
    /// Postal code of the tax address.
    pub tax_zip: String,
}

impl Part {
    /// All of it before taxes, where it has a price.
    #[must_use]
    pub fn amount(&self) -> Option<Amount> {
        Some(decimal::product(self.quantity, self.unit_price?))
    }
}

impl DocumentType {
    /// The letter of c_TipoDeComprobante.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Income => "I",
            Self::Credit => "E",
            Self::Payment => "P",
            Self::Transfer => "T",
        }
    }

    /// The kind with that letter.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Income, Self::Credit, Self::Payment, Self::Transfer]
            .into_iter()
            .find(|kind| kind.code() == code)
    }
}

impl PaymentMethod {
    /// The code of c_MetodoPago.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pue => "PUE",
            Self::Ppd => "PPD",
        }
    }

    /// The method with that code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Pue, Self::Ppd].into_iter().find(|method| method.code() == code)
    }
}

impl Document {
    /// A document without anything in it, to that receiver.
    pub(crate) fn to(
        receiver: &Receiver,
        kind: DocumentType,
        place_of_issue: &str,
        now: Timestamp,
    ) -> Self {
        let zone = postal_codes::find(place_of_issue).map_or(Zone::Central, |place| place.zone());
        let nobody =
            Issuer { rfc: String::new(), legal_name: String::new(), tax_regime: String::new() };
        Self {
            kind,
            series: None,
            folio: None,
            issued_at: zone.local(now),
            payment_form: None,
            payment_method: None,
            payment_terms: None,
            currency: None,
            exchange_rate: None,
            export: String::new(),
            place_of_issue: place_of_issue.to_owned(),
            confirmation: None,
            global: None,
            related: Vec::new(),
            issuer: nobody,
            receiver: receiver.clone(),
            items: Vec::new(),
            local_taxes: Vec::new(),
            payments: Vec::new(),
            complements: Complements::default(),
        }
    }

    /// How many decimals its sums have.
    #[must_use]
    pub fn decimals(&self) -> u32 {
        self.currency.map_or(0, Currency::decimals)
    }

    /// The code of its currency, `XXX` for none.
    #[must_use]
    pub fn currency_code(&self) -> &str {
        self.currency.as_ref().map_or("XXX", Currency::code)
    }

    /// Whether it goes to the general public without a name.
    #[must_use]
    pub fn is_to_the_public(&self) -> bool {
        self.receiver.rfc == GENERAL_PUBLIC
    }
}

/// The RFC that stands for any buyer in the country (SAT's guide of filling in CFDI 4.0).
pub const GENERAL_PUBLIC: &str = "XAXX010101000";
/// The RFC that stands for any buyer abroad.
pub const FOREIGNER: &str = "XEXX010101000";

/// Whether the RFC stands for anybody, at home or abroad.
#[must_use]
pub fn is_generic(rfc: &str) -> bool {
    [GENERAL_PUBLIC, FOREIGNER].contains(&rfc)
}

/// Local times without zone, to the second, as `2026-01-31T12:05:07` (tdCFDI `t_FechaH`).
pub mod local_time {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    pub use time::PrimitiveDateTime as LocalTime;
    use time::{
        PrimitiveDateTime, format_description::BorrowedFormatItem, macros::format_description,
    };

    const FORMAT: &[BorrowedFormatItem<'_>] =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");

    /// Writes it.
    #[must_use]
    pub fn to_text(moment: PrimitiveDateTime) -> String {
        moment.format(FORMAT).unwrap_or_default()
    }

    /// Reads it.
    #[must_use]
    pub fn from_text(text: &str) -> Option<PrimitiveDateTime> {
        PrimitiveDateTime::parse(text, FORMAT).ok()
    }

    pub(crate) fn serialize<S: Serializer>(
        moment: &PrimitiveDateTime,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(*moment))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PrimitiveDateTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_text(&text).ok_or_else(|| D::Error::custom("must be a local time to the second"))
    }
}

/// Days without a time, as `2026-01-31`.
pub mod day {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    pub use time::Date;
    use time::{format_description::BorrowedFormatItem, macros::format_description};

    const FORMAT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

    /// Writes it.
    #[must_use]
    pub fn to_text(day: Date) -> String {
        day.format(FORMAT).unwrap_or_default()
    }

    /// Reads it.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Date> {
        Date::parse(text, FORMAT).ok()
    }

    pub(crate) fn serialize<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(*day))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Date, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_text(&text).ok_or_else(|| D::Error::custom("must be a day such as 2026-01-31"))
    }
}
