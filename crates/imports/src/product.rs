//! What a row of a table of products says.

mod reading;
mod words;

use std::collections::BTreeMap;

use catalog::{ProductChanges, VariantChanges, VariantId};
use kernel::Amount;

use crate::{CategoryPath, Column, Problem, images, paths, reader::Said, taxes};

/// By what a product is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// By its SKU, or that of a variant.
    Sku(String),
    /// By the caller's own identifier.
    ExternalId(String),
}

/// What a row of a table of products wants.
#[derive(Clone, Debug)]
pub struct WantedProduct {
    /// The product that it is about.
    pub key: Key,
    /// What it says of the product, its SKU and external identifier among it; `None` if it only names it.
    pub product: Option<Box<ProductChanges>>,
    /// What it says of a variant.
    pub variant: Option<VariantChanges>,
    /// What the row of a variant says of the product besides, which that has to be already.
    pub of_product: Option<Box<ProductChanges>>,
    /// All of the categories that the product is in; those that are not there are made.
    pub categories: Option<Vec<CategoryPath>>,
    /// Images that the product has, besides others.
    pub more_images: Vec<String>,
    /// What tells that variant from others of its name.
    pub told_apart: ToldApart,
    /// What the product costs if it is new and the row does not say.
    pub price_if_new: Option<Amount>,
    /// What was made of the row that its author may want to know.
    pub warnings: Vec<Problem>,
}

/// What tells a variant without a SKU from others of its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldApart {
    /// Its identifier.
    pub id: Option<VariantId>,
    /// Whether an earlier row of the file is about a variant of that name, too.
    pub has_twin: bool,
}

/// What a row says of a product.
struct SaidOfProduct {
    changes: ProductChanges,
    categories: Option<Vec<CategoryPath>>,
    more_images: Vec<String>,
}

impl WantedProduct {
    /// What a row says of a product.
    fn saying(key: Key, said: SaidOfProduct) -> Self {
        let SaidOfProduct { changes, categories, more_images } = said;
        let product = Some(Box::new(changes));
        Self { product, categories, more_images, ..Self::naming(key) }
    }

    /// Of a row that says nothing of a product but which.
    fn naming(key: Key) -> Self {
        Self {
            key,
            product: None,
            variant: None,
            of_product: None,
            categories: None,
            more_images: Vec::new(),
            told_apart: ToldApart::default(),
            price_if_new: None,
            warnings: Vec::new(),
        }
    }

    /// What it says, by field: as a dry run shows it.
    #[must_use]
    pub fn shown(&self) -> BTreeMap<String, String> {
        let mut shown = BTreeMap::new();
        let mut show = |column: Column, text: Option<String>| {
            if let Some(text) = text {
                shown.insert(column.name().to_owned(), text);
            }
        };
        let variant = self.variant.as_ref();
        if let (Key::Sku(parent), Some(_)) = (&self.key, variant) {
            show(Column::ParentSku, Some(parent.clone()));
        }
        if let Some(product) = &self.product {
            show(Column::Sku, product.sku.clone());
            show(Column::ExternalId, product.external_id.clone().flatten());
            show(Column::Name, product.name.clone());
            show(Column::Description, product.description.clone().flatten());
            show(Column::Ean, product.ean.clone().flatten().map(|ean| ean.to_string()));
            show(Column::Price, product.price.map(|price| price.to_string()));
            show(Column::Currency, product.currency.map(|currency| currency.to_string()));
            show(Column::Inventory, product.inventory.map(|count| count.to_string()));
            let threshold = product.low_stock_threshold.flatten();
            show(Column::LowStockThreshold, threshold.map(|count| count.to_string()));
            show(Column::Status, product.status.map(|status| status.name().to_owned()));
            show(Column::TaxIncluded, product.tax_included.map(|is_in| is_in.to_string()));
            show(Column::Taxes, product.taxes.as_deref().map(taxes::written));
            show(Column::SatProductKey, product.sat_product_key.clone().flatten());
            show(Column::SatUnitKey, product.sat_unit_key.clone().flatten());
            let decimals = product.quantity_decimals.map(|decimals| decimals.count().to_string());
            show(Column::QuantityDecimals, decimals);
            let details = &product.details;
            show(Column::Unit, details.unit.clone().flatten());
            let amount = |said: Said<Amount>| said.flatten().map(|amount| amount.to_string());
            show(Column::CompareAtPrice, amount(details.compare_at_price));
            show(Column::Cost, amount(details.cost));
            show(Column::Brand, details.brand.clone().flatten());
            show(Column::Weight, amount(details.weight));
            let written = |path: &CategoryPath| paths::written(path.iter().map(String::as_str));
            let categories = self.categories.iter().flatten().map(written).collect::<Vec<_>>();
            let categories = paths::beside(&categories);
            show(Column::Categories, Some(categories).filter(|text| !text.is_empty()));
        }
        let set = self.product.iter().filter_map(|product| product.details.images.as_ref());
        let images: Vec<String> = set.flatten().chain(&self.more_images).cloned().collect();
        show(Column::Images, Some(images::written(&images)).filter(|text| !text.is_empty()));
        if let Some(variant) = variant {
            show(Column::VariantName, variant.name.clone());
            show(Column::VariantId, self.told_apart.id.map(|id| id.to_string()));
            show(Column::Sku, variant.sku.clone().flatten());
            show(Column::Ean, variant.ean.clone().flatten().map(|ean| ean.to_string()));
            show(Column::Price, variant.price.flatten().map(|price| price.to_string()));
            show(Column::Inventory, variant.inventory.map(|count| count.to_string()));
        }
        shown
    }

    /// By what products are found that it may be about.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let variant = self.variant.iter().filter_map(|variant| variant.sku.clone().flatten());
        let product = self.product.iter();
        let own = product.clone().filter_map(|product| product.sku.clone()).map(Key::Sku);
        let external = product.filter_map(|product| product.external_id.clone().flatten());
        std::iter::once(self.key.clone())
            .chain(variant.map(Key::Sku))
            .chain(own)
            .chain(external.map(Key::ExternalId))
    }
}
