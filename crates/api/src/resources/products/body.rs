//! How the API shows a product.

use std::fmt::Display;

use catalog::{Ean, Product, ProductId, ProductStatus, Variant, VariantId};
use kernel::{Amount, Currency, Metadata, Quantity, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{shapes, taxes::TaxBody},
};

/// A product.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub(super) struct ProductBody {
    /// Its identifier.
    #[schema(value_type = String, example = "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8")]
    id: ProductId,
    /// Its name.
    name: String,
    /// Your number for it, unique among products and variants; its `id` unless given.
    sku: String,
    /// A description for people.
    description: Option<String>,
    /// The number under its bar code: EAN, UPC or GTIN of 8, 12, 13 or 14 digits with a right check digit.
    #[schema(value_type = Option<String>, example = "7501031311309")]
    ean: Option<Ean>,
    /// Its price a piece, with at most 6 decimals.
    #[schema(value_type = shapes::Amount)]
    price: Amount,
    /// The currency of the price; MXN unless given.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Pieces in stock that are sold without naming a variant.
    #[schema(value_type = shapes::Quantity)]
    inventory: Quantity,
    /// Whether it is on sale; `active` unless given.
    #[schema(value_type = shapes::ProductStatus)]
    status: ProductStatus,
    /// The stock below which `inventory.low` is emitted; the account's setting when `null`.
    #[schema(value_type = Option<shapes::Quantity>)]
    low_stock_threshold: Option<Quantity>,
    /// Whether the price contains the taxes; `true` unless given.
    tax_included: bool,
    /// Its taxes; none means those of the account.
    taxes: Vec<TaxBody>,
    /// SAT's key of the kind of product (c_ClaveProdServ), 8 digits.
    sat_product_key: Option<String>,
    /// SAT's key of the unit (c_ClaveUnidad), e.g. `H87` for a piece.
    sat_unit_key: Option<String>,
    /// Its variants, at most 100.
    variants: Vec<VariantBody>,
    /// Your own notes.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When it was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it was last changed; sales do not count.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// One of several forms in which a product is sold.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Variant)]
struct VariantBody {
    /// Its identifier.
    #[schema(value_type = String, example = "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9")]
    id: VariantId,
    /// What tells it from the others.
    name: String,
    /// Your number for it, unique among products and variants.
    sku: Option<String>,
    /// The number under its bar code.
    #[schema(value_type = Option<String>)]
    ean: Option<Ean>,
    /// Its price a piece; the product's when `null`.
    #[schema(value_type = Option<shapes::Amount>)]
    price: Option<Amount>,
    /// Pieces in stock.
    #[schema(value_type = shapes::Quantity)]
    inventory: Quantity,
}

impl Resource for ProductBody {
    type Thing = Product;

    const PATH: &'static str = "/products";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        let stock = self.variants.iter().map(|variant| variant.inventory);
        ETag::version_and(self.version, std::iter::once(self.inventory).chain(stock))
    }
}

impl From<Product> for ProductBody {
    fn from(product: Product) -> Self {
        Self {
            id: product.id,
            name: product.name,
            sku: product.sku,
            description: product.description,
            ean: product.ean,
            price: product.price,
            currency: product.currency,
            inventory: product.inventory,
            status: product.status,
            low_stock_threshold: product.low_stock_threshold,
            tax_included: product.tax_included,
            taxes: product.taxes.into_iter().map(TaxBody::from).collect(),
            sat_product_key: product.sat_product_key,
            sat_unit_key: product.sat_unit_key,
            variants: product.variants.into_iter().map(VariantBody::from).collect(),
            metadata: product.metadata,
            created_at: product.created_at,
            updated_at: product.updated_at,
            version: product.version,
        }
    }
}

impl From<Variant> for VariantBody {
    fn from(variant: Variant) -> Self {
        let Variant { id, name, sku, ean, price, inventory } = variant;
        Self { id, name, sku, ean, price, inventory }
    }
}
