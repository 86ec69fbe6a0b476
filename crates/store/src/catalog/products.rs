//! Products, their variants and their stock.

pub(crate) mod bulk;
mod list;
mod lookup;
mod names;
mod rows;
mod write;

pub(crate) use names::of as product_names;
pub(crate) use rows::products_by_key;
pub(crate) use write::renew_terms;

use catalog::{
    Code, Match, NewProduct, Product, ProductError, ProductFilter, ProductId, ProductNames,
    ProductQuery, Products, PutProduct, SavedProduct, UpdateProduct,
};
use kernel::{AccountId, Ctx, Fault, Page, Pending, Written, page::Sorting};

use crate::{
    counters::Counter,
    listing,
    readers::{Cost, snapshot},
    store::Store,
};

/// How many products an account has.
const COUNTER: Counter = Counter("products");
/// So many codes at most name a few dozen rows.
const FEW_CODES: usize = 20;

impl Products for Store {
    fn get(&self, account: AccountId, id: ProductId) -> Pending<Result<Option<Product>, Fault>> {
        let key = (account.to_string(), id.to_string());
        self.engine.look_up(&self.products, key, |db, (account, id)| {
            snapshot(db, |db| rows::product_by_id(db, account, id))
        })
    }

    fn list(
        &self,
        account: AccountId,
        query: ProductQuery,
    ) -> Pending<Result<Page<Product>, Fault>> {
        let plain = query.filter == ProductFilter::default()
            && query.sort == Sorting::default()
            && query.page.offset() < listing::OFFSET_QUICK;
        let cost = if plain { Cost::Fixed } else { Cost::Large };
        self.engine.read_of(account, cost, move |db| {
            snapshot(db, |db| list::products_list(db, account, &query))
        })
    }

    fn names(
        &self,
        account: AccountId,
        ids: Vec<ProductId>,
    ) -> Pending<Result<Vec<ProductNames>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| names::of(db, account, &ids))
    }

    fn look_up(&self, account: AccountId, code: Code) -> Pending<Result<Vec<Match>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| lookup::by_code(db, &account.to_string(), &code))
        })
    }

    fn look_up_all(
        &self,
        account: AccountId,
        codes: Vec<Code>,
    ) -> Pending<Result<Vec<Vec<Match>>, Fault>> {
        let cost = if codes.len() <= FEW_CODES { Cost::Small } else { Cost::Large };
        self.engine.read_of(account, cost, move |db| {
            snapshot(db, |db| lookup::by_codes(db, &account.to_string(), &codes))
        })
    }

    fn create(&self, ctx: Ctx, command: NewProduct) -> Pending<Written<Product, ProductError>> {
        self.write(ctx, move |tx, ctx| write::product_create(tx, ctx, command.clone()))
    }

    fn update(&self, ctx: Ctx, command: UpdateProduct) -> Pending<Written<Product, ProductError>> {
        self.write(ctx, move |tx, ctx| write::product_update(tx, ctx, &command))
    }

    fn put(&self, ctx: Ctx, command: PutProduct) -> Pending<Written<SavedProduct, ProductError>> {
        self.write(ctx, move |tx, ctx| write::product_put(tx, ctx, &command))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: ProductId,
        version: Option<i64>,
    ) -> Pending<Written<ProductId, ProductError>> {
        self.write(ctx, move |tx, ctx| write::product_delete(tx, ctx, id, version))
    }
}

/// Whether the same stock of the same things counts as low, before and after.
fn are_low_alike(before: &Product, after: &Product) -> bool {
    let is_kept = |id| after.variants.iter().any(|variant| variant.id == id);
    before.low_stock_threshold == after.low_stock_threshold
        && before.quantity_decimals == after.quantity_decimals
        && before.variants.iter().all(|variant| is_kept(variant.id))
}
