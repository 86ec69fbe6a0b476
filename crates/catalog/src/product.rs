//! Products and variants: what they are and how commands change them.

mod change;
mod create;

use kernel::{Amount, Currency, Message, Metadata, NewEvent, Quantity, Timestamp, message};
use serde::{Deserialize, Serialize};

use crate::{Ean, StockChange, Tax};

pub use change::{ProductChanges, VariantChange, delete, update};
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
    /// On sale.
    #[default]
    Active,
    /// Kept, but not sold: an order that names it is refused.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    /// Its identifier.
    pub id: ProductId,
    /// Its name.
    pub name: String,
    /// The merchant's own number for it, unique in the account.
    pub sku: String,
    /// For people.
    pub description: Option<String>,
    /// The number under its bar code.
    pub ean: Option<Ean>,
    /// Its price a piece, with at most six decimals.
    pub price: Amount,
    /// The currency of the price.
    pub currency: Currency,
    /// Pieces in stock that are sold without naming a variant.
    pub inventory: Quantity,
    /// Whether it is on sale.
    pub status: ProductStatus,
    /// The stock below which it counts as low; the account's setting when absent.
    pub low_stock_threshold: Option<Quantity>,
    /// Whether the price contains the taxes.
    pub tax_included: bool,
    /// Its taxes; none given means those of the account.
    pub taxes: Vec<Tax>,
    /// SAT's key of the kind of product (c_ClaveProdServ).
    pub sat_product_key: Option<String>,
    /// SAT's key of the unit (c_ClaveUnidad).
    pub sat_unit_key: Option<String>,
    /// The caller's own notes.
    pub metadata: Metadata,
    /// Its variants, in the order they were given.
    pub variants: Vec<Variant>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed by a command about the product.
    pub updated_at: Timestamp,
    /// Counts its changes, from 1; sales do not count.
    pub version: i64,
}

/// One of several forms in which a product is sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// Its identifier.
    pub id: VariantId,
    /// What tells it from the others.
    pub name: String,
    /// Its own SKU, unique in the account.
    pub sku: Option<String>,
    /// Its own bar code.
    pub ean: Option<Ean>,
    /// Its own price; the product's when absent.
    pub price: Option<Amount>,
    /// Pieces in stock.
    pub inventory: Quantity,
}

/// What comes of a command about a product: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The product afterwards.
    pub product: Product,
    /// How its stock and that of its variants changed.
    pub stock: Vec<StockChange>,
    /// What to tell.
    pub events: Vec<NewEvent>,
}

impl Product {
    /// Every SKU that it and its variants take.
    pub fn skus(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.sku.as_str())
            .chain(self.variants.iter().filter_map(|variant| variant.sku.as_deref()))
    }

    /// The text in which it is found.
    #[must_use]
    pub fn search_text(&self) -> String {
        let names = self.variants.iter().map(|variant| variant.name.as_str());
        let eans =
            self.ean.iter().chain(self.variants.iter().filter_map(|variant| variant.ean.as_ref()));
        let words: Vec<&str> = std::iter::once(self.name.as_str())
            .chain(self.skus())
            .chain(eans.map(Ean::as_str))
            .chain(names)
            .collect();
        kernel::text::folded(&words.join(" "))
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

/// Checks a SKU: one line without blanks at its ends.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_sku(sku: &str) -> Result<String, Message> {
    kernel::text::line(sku, SKU_CHARS_MAX)
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
