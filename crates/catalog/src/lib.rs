//! The catalog: products, their variants, categories and price lists, and the stock of what is sold.
//!
//! Plain types and rules. [`product::create`] and [`product::update`] validate a command and state its
//! outcome (rows, changes of stock, events), which whoever keeps the catalog records as a whole.
//!
//! ```
//! use catalog::{Ean, NewProduct, ProductChanges, product};
//! use kernel::{Amount, Measure, Timestamp, id::IdSource};
//!
//! let command = NewProduct::of(ProductChanges {
//!     name: Some("Molcajete".to_owned()),
//!     sku: Some("MOL-20".to_owned()),
//!     ean: Some(Some(Ean::parse("7501031311309")?)),
//!     price: Some(Amount::parse("480")?),
//!     inventory: Some(Measure::whole(60)),
//!     ..ProductChanges::default()
//! })
//! .expect("it has a name and a price");
//! let now = Timestamp::parse("2026-11-21T18:00:00Z")?;
//! let created = product::create(command, &IdSource::default(), now).expect("nothing contradicts");
//!
//! assert_eq!(created.product.sku, "MOL-20");
//! assert_eq!(created.stock[0].delta, 60);
//! assert_eq!(created.events.len(), 1);
//! # Ok::<(), kernel::Message>(())
//! ```

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
