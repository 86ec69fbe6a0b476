//! Products and their taxes.

use catalog::{
    Ean, Product, ProductId, ProductStatus, SavedProduct, Tax, TaxFactor, TaxKind, Variant,
    VariantId,
};
use kernel::{Amount, Currency, Metadata, Quantity, Timestamp};
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, forms};

forms!(ProductForm of Product, SavedProductForm of SavedProduct, VariantForm of Variant, TaxForm of Tax);

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
    inventory: Quantity,
    #[serde(with = "ProductStatusForm")]
    status: ProductStatus,
    low_stock_threshold: Option<Quantity>,
    tax_included: bool,
    #[serde(with = "Each::<TaxForm>")]
    taxes: Vec<Tax>,
    sat_product_key: Option<String>,
    sat_unit_key: Option<String>,
    metadata: Metadata,
    #[serde(with = "Each::<VariantForm>")]
    variants: Vec<Variant>,
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
    inventory: Quantity,
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
