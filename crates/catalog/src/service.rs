//! The use cases of the catalog.

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{NewProduct, Product, ProductChanges, ProductId, ProductStatus};

/// Why a command about products was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProductError {
    /// Another product or variant of the account has this SKU.
    DuplicateSku {
        /// The SKU.
        sku: String,
        /// The product that has it.
        holder: ProductId,
    },
}

/// In which order products are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProductSort {
    /// By creation.
    #[default]
    CreatedAt,
    /// By last change.
    UpdatedAt,
    /// By name without accents and case.
    Name,
    /// By price.
    Price,
}

/// Which products are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductFilter {
    /// Words in name, SKU or EAN, accents and case aside.
    pub search: Option<String>,
    /// The SKU, exactly.
    pub sku: Option<String>,
    /// The EAN, exactly.
    pub ean: Option<String>,
    /// The status.
    pub status: Option<ProductStatus>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
}

/// A wanted page of products.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductQuery {
    /// Which products.
    pub filter: ProductFilter,
    /// By what they are ordered.
    pub sort: ProductSort,
    /// Smallest or oldest first instead of last.
    pub ascending: bool,
    /// Which page of them.
    pub page: PageRequest,
}

/// A change of one product.
#[derive(Clone, Debug)]
pub struct UpdateProduct {
    /// Which.
    pub id: ProductId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
    pub changes: ProductChanges,
}

/// Products and their stock, each method one transaction with its events.
pub trait Products: Send + Sync {
    /// One product; `None` when the account has no such product.
    fn get(&self, account: AccountId, id: ProductId) -> Pending<Result<Option<Product>, Fault>>;

    /// A page of products.
    fn list(
        &self,
        account: AccountId,
        query: ProductQuery,
    ) -> Pending<Result<Page<Product>, Fault>>;

    /// Adds a product.
    fn create(&self, ctx: Ctx, command: NewProduct) -> Pending<Written<Product, ProductError>>;

    /// Changes a product, its variants or its stock.
    fn update(&self, ctx: Ctx, command: UpdateProduct) -> Pending<Written<Product, ProductError>>;

    /// Takes a product out of the catalog. Orders that name it stay readable; its SKU becomes free.
    fn delete(
        &self,
        ctx: Ctx,
        id: ProductId,
        version: Option<i64>,
    ) -> Pending<Written<ProductId, ProductError>>;
}
