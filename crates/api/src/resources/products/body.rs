//! How the API shows a product.

use std::fmt::Display;

use catalog::{CategoryId, Ean, Product, ProductId, ProductStatus, Variant, VariantId};
use kernel::{Amount, Currency, Measure, Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{shapes, taxes::TaxBody},
    view::LINE_BYTES,
};

/// A product.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub(in crate::resources) struct ProductBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8")]
    id: ProductId,
    /// Your own identifier of the resource, unique among those of its kind.
    #[schema(max_length = 100)]
    external_id: Option<String>,
    /// Display name.
    name: String,
    /// Stock-keeping unit, unique across products and variants; defaults to the product's `id`.
    sku: String,
    /// Free-text description.
    description: Option<String>,
    /// Barcode number: an EAN, UPC or GTIN of 8, 12, 13 or 14 digits with a valid check digit.
    #[schema(value_type = Option<String>, example = "7501031311309")]
    ean: Option<Ean>,
    /// Unit price, with at most 6 decimal places.
    #[schema(value_type = shapes::Amount)]
    price: Amount,
    /// Currency of the price; defaults to MXN.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// What people call a unit of it, such as kg or m.
    #[schema(max_length = 20, example = "kg")]
    unit: Option<String>,
    /// Decimals of its quantities: 0 if it is sold by the piece, 3 if it is sold by weight or length. They do not change any more
    /// once stock has moved.
    #[schema(value_type = shapes::QuantityDecimals)]
    quantity_decimals: u8,
    /// Stock on hand of the product itself, sold when an order names no variant.
    #[schema(value_type = shapes::Quantity)]
    inventory: Measure,
    /// Whether the product can be ordered; defaults to `active`.
    #[schema(value_type = shapes::ProductStatus)]
    status: ProductStatus,
    /// Stock level below which `inventory.low` is emitted; `null` means the account's setting applies.
    #[schema(value_type = Option<shapes::Quantity>)]
    low_stock_threshold: Option<Measure>,
    /// Whether the price includes taxes; defaults to `true`.
    tax_included: bool,
    /// Taxes on the product; an empty list means the issuer's default taxes apply.
    taxes: Vec<TaxBody>,
    /// SAT product or service key (c_ClaveProdServ), 8 digits.
    sat_product_key: Option<String>,
    /// SAT unit key (c_ClaveUnidad), e.g. `H87` for a piece.
    sat_unit_key: Option<String>,
    /// Brand.
    #[schema(max_length = 100, example = "Talavera de Puebla")]
    brand: Option<String>,
    /// Unit price that it was sold at before, to be shown beside the price.
    #[schema(value_type = Option<shapes::Amount>)]
    compare_at_price: Option<Amount>,
    /// What a unit costs you, in the currency of the price, where no receipt of goods has said it. Never shown to customers.
    #[schema(value_type = Option<shapes::Amount>)]
    cost: Option<Amount>,
    /// URLs of images, the main one first, at most 20. They are not fetched.
    images: Vec<String>,
    /// Weight in kilograms, with at most 3 decimal places.
    #[schema(value_type = Option<shapes::Amount>, example = 0.35)]
    weight: Option<Amount>,
    /// Length, width and height in centimetres.
    dimensions: Option<DimensionsBody>,
    /// Categories that it is directly in, at most 10.
    #[schema(value_type = Vec<String>)]
    category_ids: Vec<CategoryId>,
    /// Variants of the product, at most 100.
    variants: Vec<VariantBody>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the product was last changed; stock movements from sales do not count.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
    #[serde(skip)]
    stock_digest: u32,
}

/// How long, wide and high a product is, in centimetres with at most 2 decimal places.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Dimensions)]
struct DimensionsBody {
    /// Length.
    #[schema(value_type = shapes::Amount, example = 12)]
    length: Amount,
    /// Width.
    #[schema(value_type = shapes::Amount, example = 8.5)]
    width: Amount,
    /// Height.
    #[schema(value_type = shapes::Amount, example = 10)]
    height: Amount,
}

/// A variant of a product, such as a size or color.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Variant)]
pub(super) struct VariantBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9")]
    id: VariantId,
    /// What distinguishes the variant, e.g. its size or color.
    name: String,
    /// Stock-keeping unit, unique across products and variants.
    sku: Option<String>,
    /// Barcode number (EAN, UPC or GTIN).
    #[schema(value_type = Option<String>)]
    ean: Option<Ean>,
    /// Unit price; `null` means the product's price applies.
    #[schema(value_type = Option<shapes::Amount>)]
    price: Option<Amount>,
    /// Stock on hand of the variant.
    #[schema(value_type = shapes::Quantity)]
    inventory: Measure,
}

impl Resource for ProductBody {
    type Thing = Product;

    const PATH: &'static str = "/products";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version_and_digest(self.version, self.stock_digest)
    }

    fn weight(product: &Product) -> usize {
        lines(product.variants.len(), product.description.as_deref())
    }
}

impl ProductBody {
    /// How many lines of orders it takes as much room as, where others show it.
    pub(in crate::resources) fn lines(&self) -> usize {
        lines(self.variants.len(), self.description.as_deref())
    }
}

/// How many lines of orders a product takes as much room as.
fn lines(variants: usize, description: Option<&str>) -> usize {
    1 + variants + description.unwrap_or_default().len() / LINE_BYTES
}

impl From<Product> for ProductBody {
    fn from(product: Product) -> Self {
        let details = product.details.clone();
        Self {
            stock_digest: product.stock_digest(),
            id: product.id,
            external_id: product.external_id,
            name: product.name,
            sku: product.sku,
            description: product.description,
            ean: product.ean,
            price: product.price,
            currency: product.currency,
            unit: details.unit,
            quantity_decimals: product.quantity_decimals.count(),
            inventory: product.inventory,
            status: product.status,
            low_stock_threshold: product.low_stock_threshold,
            tax_included: product.tax_included,
            taxes: product.taxes.into_iter().map(TaxBody::from).collect(),
            sat_product_key: product.sat_product_key,
            sat_unit_key: product.sat_unit_key,
            category_ids: product.category_ids,
            brand: details.brand,
            compare_at_price: details.compare_at_price,
            cost: details.cost,
            images: details.images,
            weight: details.weight,
            dimensions: details.dimensions.map(|it| DimensionsBody {
                length: it.length,
                width: it.width,
                height: it.height,
            }),
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
