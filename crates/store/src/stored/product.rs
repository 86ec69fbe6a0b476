//! Products and their taxes.

use catalog::{
    Category, CategoryId, CustomerGroupId, Dimensions, Ean, PriceList, PriceListId, Product,
    ProductDetails, ProductId, ProductStatus, SavedProduct, Tax, TaxFactor, TaxKind, Variant,
    VariantId,
};
use kernel::{Amount, Currency, Decimals, Measure, Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, Maybe, forms};

forms!(ProductForm of Product, SavedProductForm of SavedProduct, VariantForm of Variant, TaxForm of Tax, DimensionsForm of Dimensions, CategoryForm of Category, PriceListForm of PriceList);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Product", rename_all = "camelCase")]
pub(super) struct ProductForm {
    id: ProductId,
    external_id: Option<String>,
    name: String,
    sku: String,
    description: Option<String>,
    ean: Option<Ean>,
    price: Amount,
    currency: Currency,
    #[serde(default, skip_serializing_if = "is_by_the_piece")]
    quantity_decimals: Decimals,
    inventory: Measure,
    #[serde(with = "ProductStatusForm")]
    status: ProductStatus,
    low_stock_threshold: Option<Measure>,
    tax_included: bool,
    #[serde(with = "Each::<TaxForm>")]
    taxes: Vec<Tax>,
    sat_product_key: Option<String>,
    sat_unit_key: Option<String>,
    #[serde(default)]
    category_ids: Vec<CategoryId>,
    #[serde(default, with = "DetailsForm")]
    details: ProductDetails,
    metadata: Metadata,
    #[serde(with = "Each::<VariantForm>")]
    variants: Vec<Variant>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) const fn is_by_the_piece(decimals: &Decimals) -> bool {
    decimals.is_zero()
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ProductDetails", rename_all = "camelCase")]
struct DetailsForm {
    brand: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    compare_at_price: Option<Amount>,
    cost: Option<Amount>,
    #[serde(default)]
    images: Vec<String>,
    weight: Option<Amount>,
    #[serde(default, with = "Maybe::<DimensionsForm>")]
    dimensions: Option<Dimensions>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Dimensions")]
pub(super) struct DimensionsForm {
    length: Amount,
    width: Amount,
    height: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Category")]
pub(super) struct CategoryForm {
    id: CategoryId,
    name: String,
    parent: Option<CategoryId>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PriceList")]
pub(super) struct PriceListForm {
    id: PriceListId,
    name: String,
    currency: Currency,
    group: Option<CustomerGroupId>,
    priority: i64,
    valid_from: Option<Timestamp>,
    valid_until: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SavedProduct")]
pub(super) struct SavedProductForm {
    #[serde(with = "ProductForm")]
    product: Product,
    is_new: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Variant", rename_all = "camelCase")]
struct VariantForm {
    id: VariantId,
    name: String,
    sku: Option<String>,
    ean: Option<Ean>,
    price: Option<Amount>,
    inventory: Measure,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ProductStatus", rename_all = "lowercase")]
enum ProductStatusForm {
    Active,
    Archived,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Tax")]
pub(super) struct TaxForm {
    #[serde(with = "TaxKindForm")]
    tax: TaxKind,
    #[serde(with = "TaxFactorForm")]
    factor: TaxFactor,
    rate: Option<Amount>,
    withheld: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TaxKind", rename_all = "UPPERCASE")]
enum TaxKindForm {
    Iva,
    Isr,
    Ieps,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TaxFactor")]
enum TaxFactorForm {
    Tasa,
    Cuota,
    Exento,
}
