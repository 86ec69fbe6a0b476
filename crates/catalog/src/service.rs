//! The use cases of the catalog.

use kernel::{
    AccountId, Amount, Ctx, Currency, Decimals, Fault, Measure, Page, PageRequest, Pending,
    Timestamp, Written, page::Sorting, search::Words,
};

use crate::{
    Category, CategoryError, CategoryId, Code, ListItem, ListItemQuery, Match, NewCategory,
    NewPriceList, NewProduct, PriceList, PriceListError, PriceListId, Product, ProductChanges,
    ProductId, ProductStatus, Seen, SetPrices, UpdateCategory, UpdatePriceList, VariantId,
};

/// Why a command about products was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum ProductError {
    /// Another product of the account has this external identifier.
    DuplicateExternalId {
        external_id: String,
        /// Product that has it.
        holder: ProductId,
    },
    /// Another product or variant of the account has this SKU.
    DuplicateSku {
        sku: String,
        /// Product that has it.
        holder: ProductId,
    },
    /// A relative change would take more than there is.
    InsufficientStock {
        /// The field that changes it.
        field: String,
        available: Measure,
    },
    /// There are units of a variant that is to be removed: for sale or not, promised to orders or in transit.
    VariantHoldsStock { id: VariantId, on_hand: Measure },
    /// Quantities with decimals have to wait until the upgrade to this release is finished.
    UpgradeUnfinished,
    /// Something is counted in the decimals that it has.
    QuantityDecimalsFixed {
        /// Those that it has.
        decimals: Decimals,
    },
    /// The currency changes of a product that has an average cost, itself or a variant of it: the cost is in the present one.
    HasAverageCost {
        /// The variant that has it, if it is one.
        variant: Option<VariantId>,
        cost: Amount,
        currency: Currency,
    },
}

/// In which order products are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum ProductSort {
    #[default]
    CreatedAt,
    UpdatedAt,
    /// By name, ignoring accents and case.
    Name,
    Price,
}

/// Which products are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ProductFilter {
    /// These alone.
    pub ids: Option<Vec<ProductId>>,
    /// Words in the names, SKUs and EANs of the product and its variants.
    pub search: Option<Words>,
    /// Exact external identifier.
    pub external_id: Option<String>,
    /// Exact SKU.
    pub sku: Option<String>,
    /// Exact barcode number.
    pub ean: Option<String>,
    pub status: Option<ProductStatus>,
    /// In it, or in a category that is in it.
    pub category: Option<CategoryId>,
    /// With a price in this list, of its own or of a variant.
    pub price_list: Option<PriceListId>,
    pub updated_since: Option<Timestamp>,
    /// Entries of metadata that it has, by name and value.
    pub metadata: Vec<(String, String)>,
}

/// A wanted page of products.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ProductQuery {
    pub filter: ProductFilter,
    pub sort: Sorting<ProductSort>,
    pub page: PageRequest,
}

/// What a product and its variants are called, for whoever names it beside something else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ProductNames {
    pub id: ProductId,
    pub name: String,
    pub sku: String,
    /// In their order.
    pub variants: Vec<VariantNames>,
}

/// What a variant is called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct VariantNames {
    pub id: VariantId,
    pub name: String,
    pub sku: Option<String>,
}

/// A change of one product.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateProduct {
    pub id: ProductId,
    /// What the caller has seen: the command is refused if the product, or stock that it sets, has changed since.
    pub seen: Option<Seen>,
    pub changes: ProductChanges,
}

/// A product to be saved under its external identifier, whether it is there or not.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PutProduct {
    pub external_id: String,
    /// What is changed if there is one, and what it is made of if there is none.
    pub changes: ProductChanges,
    /// What the caller has seen.
    pub seen: Option<Seen>,
    /// Whether there must be one already, or must be none yet; `None` if either will do.
    pub exists: Option<bool>,
}

/// A product that was saved under its external identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct SavedProduct {
    pub product: Product,
    /// Whether there was none before.
    pub is_new: bool,
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

    /// What products are called, by one look, in any order; nothing of those that the account does not have.
    fn names(
        &self,
        account: AccountId,
        ids: Vec<ProductId>,
    ) -> Pending<Result<Vec<ProductNames>, Fault>>;

    /// What a code names, archived products too; nothing where there is no such code.
    fn look_up(&self, account: AccountId, code: Code) -> Pending<Result<Vec<Match>, Fault>>;

    /// The same of several codes by one look: what each of them names, in their order.
    fn look_up_all(
        &self,
        account: AccountId,
        codes: Vec<Code>,
    ) -> Pending<Result<Vec<Vec<Match>>, Fault>>;

    /// Adds a product.
    fn create(&self, ctx: Ctx, command: NewProduct) -> Pending<Written<Product, ProductError>>;

    /// Changes a product, its variants or its stock.
    fn update(&self, ctx: Ctx, command: UpdateProduct) -> Pending<Written<Product, ProductError>>;

    /// Adds the product with an external identifier, or changes it.
    fn put(&self, ctx: Ctx, command: PutProduct) -> Pending<Written<SavedProduct, ProductError>>;

    /// Takes a product out of the catalog. Orders that name it stay readable; its SKU becomes free.
    fn delete(
        &self,
        ctx: Ctx,
        id: ProductId,
        version: Option<i64>,
    ) -> Pending<Written<ProductId, ProductError>>;
}

/// Categories of products, each method one transaction.
pub trait Categories: Send + Sync {
    /// One category; `None` when the account has no such category.
    fn get(&self, account: AccountId, id: CategoryId) -> Pending<Result<Option<Category>, Fault>>;

    /// All of them, the newest first.
    fn all(&self, account: AccountId) -> Pending<Result<Vec<Category>, Fault>>;

    /// Adds a category.
    fn create(&self, ctx: Ctx, command: NewCategory) -> Pending<Written<Category, CategoryError>>;

    /// Changes a category, with all that is in it.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdateCategory,
    ) -> Pending<Written<Category, CategoryError>>;

    /// Removes a category that nothing is in.
    fn delete(
        &self,
        ctx: Ctx,
        id: CategoryId,
        version: Option<i64>,
    ) -> Pending<Written<CategoryId, CategoryError>>;
}

/// Price lists and what is in them, each method one transaction.
pub trait PriceLists: Send + Sync {
    /// One price list; `None` when the account has no such list.
    fn get(&self, account: AccountId, id: PriceListId)
    -> Pending<Result<Option<PriceList>, Fault>>;

    /// All of them, the newest first.
    fn all(&self, account: AccountId) -> Pending<Result<Vec<PriceList>, Fault>>;

    /// Adds a price list.
    fn create(
        &self,
        ctx: Ctx,
        command: NewPriceList,
    ) -> Pending<Written<PriceList, PriceListError>>;

    /// Changes a price list.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdatePriceList,
    ) -> Pending<Written<PriceList, PriceListError>>;

    /// Removes a price list with its prices.
    fn delete(
        &self,
        ctx: Ctx,
        id: PriceListId,
        version: Option<i64>,
    ) -> Pending<Written<PriceListId, PriceListError>>;

    /// A page of the prices of a list, by product, variant and quantity; `None` when the account has no such list.
    fn items(
        &self,
        account: AccountId,
        id: PriceListId,
        query: ListItemQuery,
    ) -> Pending<Result<Option<Page<ListItem>>, Fault>>;

    /// Sets and removes prices of a list: all of them, or none.
    fn set_prices(
        &self,
        ctx: Ctx,
        command: SetPrices,
    ) -> Pending<Written<PriceList, PriceListError>>;
}
