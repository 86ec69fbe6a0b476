//! Products and variants: what they are and how commands change them.

mod change;
mod create;

use kernel::{
    Amount, Currency, Decimals, Measure, Message, Metadata, NewEvent, Timestamp,
    digest::of_numbers, message, search::Terms, text,
};
use serde::{Deserialize, Serialize};

use crate::{CategoryId, Ean, ProductDetails, StockChange, Tax};

pub use change::{ProductChanges, Seen, VariantChange, VariantChanges, delete, update};
pub use create::{NewProduct, NewVariant, create};

kernel::ids! {
    /// A product's identifier.
    ProductId = "prd";
    /// A variant's identifier.
    VariantId = "var";
}

/// The most characters of a product's or variant's name.
pub const NAME_CHARS_MAX: usize = 200;
/// The most characters of a SKU.
pub const SKU_CHARS_MAX: usize = 64;
/// The most characters of a description.
pub const DESCRIPTION_CHARS_MAX: usize = 10_000;
/// The most variants of one product.
pub const VARIANTS_MAX: usize = 100;

/// Whether a product is on sale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProductStatus {
    /// Can be ordered.
    #[default]
    Active,
    /// Kept, but cannot be ordered.
    Archived,
}

impl ProductStatus {
    /// Every status.
    pub const EVERY: &'static [Self] = &[Self::Active, Self::Archived];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }
}

/// A product of the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Product {
    pub id: ProductId,
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    pub name: String,
    /// Stock-keeping unit, unique within the account.
    pub sku: String,
    pub description: Option<String>,
    /// Barcode number (EAN, UPC or GTIN).
    pub ean: Option<Ean>,
    /// Unit price, with at most six decimal places.
    pub price: Amount,
    pub currency: Currency,
    /// Decimals of its quantities and those of its variants.
    pub quantity_decimals: Decimals,
    /// Stock on hand of the product itself, sold when an order names no variant.
    pub inventory: Measure,
    /// Whether it can be ordered.
    pub status: ProductStatus,
    /// Stock level below which it counts as low; if absent, the account's setting applies.
    pub low_stock_threshold: Option<Measure>,
    /// Whether the price includes taxes.
    pub tax_included: bool,
    /// If empty, the issuer's default taxes apply.
    pub taxes: Vec<Tax>,
    /// SAT product or service key (c_ClaveProdServ).
    pub sat_product_key: Option<String>,
    /// SAT unit key (c_ClaveUnidad).
    pub sat_unit_key: Option<String>,
    #[serde(flatten)]
    pub details: ProductDetails,
    /// The categories that it is in directly.
    pub category_ids: Vec<CategoryId>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    /// In the order in which they were given.
    pub variants: Vec<Variant>,
    pub created_at: Timestamp,
    /// Last change by a command, as opposed to a sale.
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1; sales do not count.
    pub version: i64,
}

/// One of several forms in which a product is sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Variant {
    pub id: VariantId,
    /// What distinguishes it from the other variants.
    pub name: String,
    /// Stock-keeping unit, unique within the account.
    pub sku: Option<String>,
    pub ean: Option<Ean>,
    /// Unit price; if absent, the product's applies.
    pub price: Option<Amount>,
    pub inventory: Measure,
}

/// What comes of a command about a product: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Outcome {
    /// The updated product.
    pub product: Product,
    /// Changes to the stock of the product and its variants.
    pub stock: Vec<StockChange>,
    pub events: Vec<NewEvent>,
}

impl Product {
    /// Every SKU that it and its variants take.
    pub fn skus(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.sku.as_str())
            .chain(self.variants.iter().filter_map(|variant| variant.sku.as_deref()))
    }

    /// A digest of its stock and that of its variants: what a caller has seen of it.
    #[must_use]
    pub fn stock_digest(&self) -> u32 {
        let variants = self.variants.iter().map(|variant| variant.inventory);
        let counts = std::iter::once(self.inventory).chain(variants);
        of_numbers(counts.map(|count| count.quantity(self.quantity_decimals)))
    }

    /// The terms under which it is found.
    #[must_use]
    pub fn terms(&self) -> Terms {
        let names = self.variants.iter().map(|variant| variant.name.as_str());
        let eans =
            self.ean.iter().chain(self.variants.iter().filter_map(|variant| variant.ean.as_ref()));
        Terms::default()
            .text(&self.name)
            .texts(self.skus())
            .texts(eans.map(Ean::as_str))
            .texts(self.external_id.as_deref())
            .texts(names)
            .metadata(&self.metadata)
    }
}

/// Checks a price: not negative, at most six decimals.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_price(price: Amount) -> Result<Amount, Message> {
    if price.is_negative() {
        Err(message!("must not be negative", "no debe ser negativo"))
    } else {
        Ok(price)
    }
}

/// Checks a SKU: one line without blanks at its ends. Accented letters have one spelling, however they were typed.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_sku(sku: &str) -> Result<String, Message> {
    text::composed_line(sku, SKU_CHARS_MAX)
}

/// Whether a SKU on record is this one, which was checked: release 0.1 has kept accented letters as they were typed.
#[must_use]
pub fn is_sku(kept: &str, sku: &str) -> bool {
    kept == sku || (!kept.is_ascii() && text::composed(kept) == sku)
}

/// Checks the form of SAT's key of a kind of product: eight digits (c_ClaveProdServ).
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_sat_product_key(key: &str) -> Result<String, Message> {
    let well_formed = key.len() == 8 && key.bytes().all(|b| b.is_ascii_digit());
    if well_formed {
        Ok(key.to_owned())
    } else {
        Err(message!(
            "must be the 8 digits of a SAT product key such as \"50161509\"",
            "debe ser una clave de producto del SAT de 8 dígitos, como \"50161509\""
        ))
    }
}

/// Checks the form of SAT's key of a unit: one to three letters or digits (c_ClaveUnidad).
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_sat_unit_key(key: &str) -> Result<String, Message> {
    let well_formed = (1..=3).contains(&key.len())
        && key.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if well_formed {
        Ok(key.to_owned())
    } else {
        Err(message!(
            "must be a SAT unit key such as \"H87\"",
            "debe ser una clave de unidad del SAT, como \"H87\""
        ))
    }
}
