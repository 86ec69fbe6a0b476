//! The catalog: products, their variants, and the stock of both.
//!
//! Plain types and rules. [`product::create`] and [`product::update`] validate a command and state its
//! outcome; whoever keeps the catalog records it.

pub mod category;
pub mod details;
pub mod ean;
pub mod events;
pub mod lookup;
pub mod price_list;
pub mod product;
pub mod service;
pub mod stock;
pub mod tax;

pub use category::{
    Category, CategoryChanges, CategoryError, CategoryId, NewCategory, Tree, UpdateCategory,
};
pub use details::{DetailsChanges, Dimensions, ProductDetails};
pub use ean::Ean;
pub use lookup::{Code, Match};
pub use price_list::{
    CustomerGroupId, ListItem, ListItemQuery, NewPriceList, PriceList, PriceListChanges,
    PriceListError, PriceListId, Priced, SetPrice, SetPrices, UpdatePriceList,
};
pub use product::{
    NewProduct, NewVariant, Product, ProductChanges, ProductId, ProductStatus, Seen, Variant,
    VariantChange, VariantChanges, VariantId,
};
pub use service::{
    Categories, PriceLists, ProductError, ProductFilter, ProductNames, ProductQuery, ProductSort,
    Products, PutProduct, SavedProduct, UpdateProduct, VariantNames,
};
pub use stock::{Holding, Holdings, StockChange, StockKey, StockReason};
pub use tax::{Tax, TaxFactor, TaxKind};
