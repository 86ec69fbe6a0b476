//! Products as rows of a table: what is written is read again as it was, and changes nothing.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use catalog::{Product, Tree, Variant};
use kernel::{Amount, Measure, spreadsheet::guarded};

use crate::{Column, code::is_damaged_by_excel, images, paths, taxes};

/// The columns of a table of products, in their order.
pub const PRODUCT_COLUMNS: &[Column] = &[
    Column::Sku,
    Column::ExternalId,
    Column::Name,
    Column::Description,
    Column::Ean,
    Column::Price,
    Column::Currency,
    Column::Inventory,
    Column::LowStockThreshold,
    Column::Status,
    Column::TaxIncluded,
    Column::SatProductKey,
    Column::SatUnitKey,
    Column::Unit,
    Column::QuantityDecimals,
    Column::ParentSku,
    Column::VariantName,
    Column::VariantId,
    Column::CompareAtPrice,
    Column::Cost,
    Column::Brand,
    Column::Categories,
    Column::Images,
    Column::Weight,
    Column::Taxes,
];

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Nothing.
    None,
    /// Text of a person.
    Text(Cow<'a, str>),
    /// A code, which spreadsheets take for a number.
    Code(Cow<'a, str>),
    /// A number, with a decimal point.
    Number(String),
    /// Yes or no.
    Flag(bool),
}

impl Value<'_> {
    /// As a cell of CSV: nothing in it is a formula, and a code that a spreadsheet would destroy is kept from it.
    #[must_use]
    pub fn cell(&self) -> Cow<'_, str> {
        match self {
            Self::None => Cow::Borrowed(""),
            Self::Text(text) => guarded(text),
            Self::Code(code) if is_damaged_by_excel(code) => Cow::Owned(format!("=\"{code}\"")),
            Self::Code(code) => guarded(code),
            Self::Number(number) => Cow::Borrowed(number),
            Self::Flag(is_so) => Cow::Borrowed(if *is_so { "true" } else { "false" }),
        }
    }
}

/// A price or a quantity with its decimal point. One with three decimals would be taken for thousands elsewhere, and gets a fourth.
pub(crate) fn price(amount: Amount) -> String {
    let text = amount.to_string();
    match text.split_once('.') {
        Some((_, decimals)) if decimals.len() == 3 => format!("{text}0"),
        Some((_, decimals)) if decimals.len() == 1 => format!("{text}0"),
        _ => text,
    }
}

fn code(text: &str) -> Value<'_> {
    Value::Code(Cow::Borrowed(text))
}

fn text(text: &str) -> Value<'_> {
    Value::Text(Cow::Borrowed(text))
}

/// A row of a product, its own first and then those of its variants: a value for each of [`PRODUCT_COLUMNS`]. `tree`
/// has the names of its categories.
#[must_use]
pub fn product_row<'a>(product: &'a Product, tree: &Tree, place: usize) -> Vec<Value<'a>> {
    let variant = place.checked_sub(1).map(|place| product.variants.get(place));
    let value = |column: &Column| match variant {
        None => of_product(product, tree, *column),
        Some(Some(variant)) => of_variant(product, variant, *column),
        Some(None) => Value::None,
    };
    PRODUCT_COLUMNS.iter().map(value).collect()
}

fn of_product<'a>(product: &'a Product, tree: &Tree, column: Column) -> Value<'a> {
    let details = &product.details;
    let amount = |amount| Value::Number(price(amount));
    let number = |count: Measure| Value::Number(price(count.amount()));
    let found = match column {
        Column::Sku => Some(code(&product.sku)),
        Column::ExternalId => product.external_id.as_deref().map(code),
        Column::Name => Some(text(&product.name)),
        Column::Description => product.description.as_deref().map(text),
        Column::Ean => product.ean.as_ref().map(|ean| code(ean.as_str())),
        Column::Price => Some(Value::Number(price(product.price))),
        Column::Currency => Some(Value::Text(Cow::Owned(product.currency.to_string()))),
        Column::Inventory => Some(number(product.inventory)),
        Column::LowStockThreshold => product.low_stock_threshold.map(number),
        Column::Status => Some(text(product.status.name())),
        Column::TaxIncluded => Some(Value::Flag(product.tax_included)),
        Column::Taxes => several(taxes::written(&product.taxes)),
        Column::SatProductKey => product.sat_product_key.as_deref().map(code),
        Column::SatUnitKey => product.sat_unit_key.as_deref().map(code),
        Column::Unit => details.unit.as_deref().map(text),
        Column::QuantityDecimals => {
            Some(Value::Number(product.quantity_decimals.count().to_string()))
        }
        Column::CompareAtPrice => details.compare_at_price.map(amount),
        Column::Cost => details.cost.map(amount),
        Column::Brand => details.brand.as_deref().map(text),
        Column::Categories => several(categories(product, tree)),
        Column::Images => several(images::written(&details.images)),
        Column::Weight => details.weight.map(amount),
        _ => None,
    };
    found.unwrap_or(Value::None)
}

/// The categories of a product by their paths.
fn categories(product: &Product, tree: &Tree) -> String {
    let paths = product.category_ids.iter().map(|id| {
        let path = tree.path(*id);
        paths::written(path.iter().map(|category| category.name.as_str()))
    });
    // One that is gone since the product was read.
    paths::beside(&paths.filter(|path| !path.is_empty()).collect::<Vec<_>>())
}

fn several(text: String) -> Option<Value<'static>> {
    (!text.is_empty()).then_some(Value::Text(Cow::Owned(text)))
}

fn of_variant<'a>(product: &'a Product, variant: &'a Variant, column: Column) -> Value<'a> {
    let found = match column {
        Column::Sku => variant.sku.as_deref().map(code),
        Column::Ean => variant.ean.as_ref().map(|ean| code(ean.as_str())),
        Column::Price => variant.price.map(|amount| Value::Number(price(amount))),
        Column::Inventory => Some(Value::Number(price(variant.inventory.amount()))),
        Column::ParentSku => Some(code(&product.sku)),
        Column::VariantName => Some(text(&variant.name)),
        Column::VariantId => Some(Value::Text(Cow::Owned(variant.id.to_string()))),
        _ => None,
    };
    found.unwrap_or(Value::None)
}
