//! Adding, changing and removing products.

use std::collections::{BTreeSet, HashSet};

use catalog::{
    NewProduct, Product, ProductError, ProductId, PutProduct, SavedProduct, UpdateProduct,
    VariantId, product,
};
use diesel::{
    prelude::*,
    result::{DatabaseErrorKind, Error as DieselError},
};
use kernel::{AccountId, Ctx, Decimals, Refused, text::spellings};

use super::{
    are_low_alike, bulk,
    rows::{ProductRow, SearchColumns, with_variants},
};
use crate::{
    catalog::{categories, price_lists, stock},
    counters,
    db::{Db, first_locked},
    error::{Failure, refuse_stale, with_faults},
    events,
    rows::{decimals, external_id_holder, read, refuse_taken_external_id},
    schema::{products, skus},
    search,
    stock::{
        levels::{self, Levels},
        places,
    },
    tx::Tx,
};

pub(super) fn product_create(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: NewProduct,
) -> Result<Product, Failure<ProductError>> {
    if !command.category_ids.is_empty() {
        categories::keep(tx, ctx.account)?;
    }
    refuse_decimals_before_upgrade(tx, ctx.account, Some(command.quantity_decimals))?;
    let unknown = categories::unknown(tx, ctx.account, &command.category_ids)?;
    let made: Result<_, Failure<ProductError>> =
        product::create(command, tx.ids, ctx.now).map_err(|faults| Refused::Invalid(faults).into());
    let outcome = with_faults(unknown, made)?;
    let is_put_home = outcome.stock.is_empty() || places::keep_default(tx, ctx.account)?;
    let product = outcome.product;
    let account = ctx.account.to_string();
    refuse_taken_skus(tx.db, (&account, product.id), product.skus())?;
    refuse_taken_external_id!(
        tx.db,
        products,
        account,
        product.external_id.as_deref(),
        Some(product.id),
        ProductId::parse,
        ProductError
    );
    let threshold = bulk::threshold_of(tx.db, ctx.account)?;
    let stock = (outcome.stock.as_slice(), is_put_home);
    bulk::insert(tx, ctx.account, (ctx.now, threshold), &product, stock)?;
    counters::add(tx.db, ctx.account, super::COUNTER, 1)?;
    events::append(tx, ctx.account, ctx.now, outcome.events)?;
    Ok(product)
}

pub(super) fn product_update(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &UpdateProduct,
) -> Result<Product, Failure<ProductError>> {
    let recounts = changes_decimals(tx, ctx.account, command)?;
    if recounts {
        // Before the stock, as those do who change warehouses: nobody counts anything of it meanwhile.
        places::lock(tx, ctx.account)?;
        refuse_decimals_before_upgrade(tx, ctx.account, command.changes.quantity_decimals)?;
    }
    if command.changes.category_ids.is_some() {
        categories::keep(tx, ctx.account)?;
    }
    if command.changes.may_move_stock() {
        places::keep_default(tx, ctx.account)?;
    }
    let (before, mut levels) = locked(tx, ctx.account, command.id)?;
    if command.seen.is_some_and(|seen| seen.is_stale(&before, &command.changes)) {
        return Err(Refused::Stale.into());
    }
    let threshold = bulk::threshold_of(tx.db, ctx.account)?;
    if !command.changes.remove_variants.is_empty() && matches!(tx.db, Db::Postgres(_)) {
        // What has come to other warehouses while the first one was waited for counts, too.
        levels = levels_of(tx, ctx.account, command.id)?;
    }
    let mut holdings = stock::holdings(&levels, &before);
    let decimals = command.changes.quantity_decimals;
    if decimals.is_some_and(|decimals| decimals != before.quantity_decimals) {
        if !recounts {
            return Err(changed_meanwhile().into());
        }
        if stock::is_counted(tx.db, ctx.account, command.id)? {
            holdings = holdings.counted();
        }
    }
    let changes = command.changes.clone();
    let wanted = changes.category_ids.as_ref().filter(|wanted| **wanted != before.category_ids);
    let unknown = match wanted {
        Some(wanted) => categories::unknown(tx, ctx.account, wanted)?,
        None => Vec::new(),
    };
    let changed = product::update(&before, changes, &holdings, threshold, tx.ids, ctx.now);
    let outcome = with_faults(unknown, changed.map_err(Failure::Refused))?;
    if outcome.product.version == before.version {
        return Ok(before);
    }
    save_changed(tx, ctx, &before, &outcome.product)?;
    let variants = |product: &Product| -> Vec<VariantId> {
        product.variants.iter().map(|variant| variant.id).collect()
    };
    let after = outcome.product;
    let (had, has) = (variants(&before), variants(&after));
    let added: Vec<VariantId> = has.iter().filter(|id| !had.contains(id)).copied().collect();
    if !added.is_empty() {
        stock::make_room(tx, ctx.account, after.id, added.into_iter())?;
    }
    stock::apply(tx, ctx.account, ctx.now, &outcome.stock)?;
    let removed: Vec<VariantId> = had.into_iter().filter(|id| !has.contains(id)).collect();
    stock::clear(tx, ctx.account, ctx.now, after.id, Some(&removed))?;
    if !are_low_alike(&before, &after) {
        levels::renew_low(tx.db, ctx.account, &[after.id.to_string()])?;
    }
    price_lists::forget(tx, ctx.account, after.id, Some(&removed))?;
    events::append(tx, ctx.account, ctx.now, outcome.events)?;
    Ok(after)
}

/// Whether a change gives a product other decimals than it has.
fn changes_decimals(
    tx: &mut Tx<'_>,
    account: AccountId,
    command: &UpdateProduct,
) -> QueryResult<bool> {
    match command.changes.quantity_decimals {
        Some(decimals) => Ok(decimals_of(tx, account, command.id)? != Some(decimals)),
        None => Ok(false),
    }
}

/// Writes what has changed of a product in its row, its variants, its SKUs and its categories.
fn save_changed(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    before: &Product,
    after: &Product,
) -> Result<(), Failure<ProductError>> {
    let account = ctx.account.to_string();
    let had: HashSet<&str> = before.skus().collect();
    let taken = after.skus().filter(|sku| !had.contains(sku));
    refuse_taken_skus(tx.db, (&account, after.id), taken)?;
    if after.external_id != before.external_id {
        refuse_taken_external_id!(
            tx.db,
            products,
            account,
            after.external_id.as_deref(),
            Some(after.id),
            ProductId::parse,
            ProductError
        );
    }
    Ok(bulk::save(tx, ctx.account, before, after)?)
}

/// Adds the product with an external identifier, or changes it.
pub(super) fn product_put(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &PutProduct,
) -> Result<SavedProduct, Failure<ProductError>> {
    let account = ctx.account.to_string();
    let external_id = command.external_id.as_str();
    let holder = external_id_holder!(tx.db, products, account, external_id)?;
    if command.exists.is_some_and(|exists| exists != holder.is_some()) {
        return Err(Refused::Stale.into());
    }
    let Some(holder) = holder else {
        if command.seen.is_some() {
            return Err(Refused::Stale.into());
        }
        let new = NewProduct::of(command.changes.clone()).map_err(Refused::Invalid)?;
        let new = NewProduct { external_id: Some(external_id.to_owned()), ..new };
        let product = product_create(tx, ctx, new)?;
        return Ok(SavedProduct { product, is_new: true });
    };
    let id = read(&holder, ProductId::parse)?;
    let update = UpdateProduct { id, seen: command.seen, changes: command.changes.clone() };
    let product = product_update(tx, ctx, &update)?;
    Ok(SavedProduct { product, is_new: false })
}

/// The row stays, so that orders that name the product stay readable.
pub(super) fn product_delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: ProductId,
    version: Option<i64>,
) -> Result<ProductId, Failure<ProductError>> {
    let (product, _) = locked(tx, ctx.account, id)?;
    refuse_stale(version, product.version)?;
    let outcome = product::delete(&product);
    let account = ctx.account.to_string();
    free_skus(tx, &account, id)?;
    categories::take_out(tx, ctx.account, id, &product.category_ids)?;
    let this = products::table
        .filter(products::account_id.eq(&account))
        .filter(products::id.eq(id.to_string()));
    let freed = products::external_id.eq(None::<String>);
    diesel::update(this).set((products::deleted_at.eq(ctx.now.micros()), freed)).execute(tx.db)?;
    levels::renew_low(tx.db, ctx.account, &[id.to_string()])?;
    stock::clear(tx, ctx.account, ctx.now, id, None)?;
    price_lists::forget(tx, ctx.account, id, None)?;
    counters::add(tx.db, ctx.account, super::COUNTER, -1)?;
    events::append(tx, ctx.account, ctx.now, outcome.events)?;
    Ok(id)
}

/// Makes the search terms of a product anew, also of one that was deleted.
pub(crate) fn renew_terms(tx: &mut Tx<'_>, account: &str, id: &str) -> QueryResult<()> {
    let this = products::table.filter(products::account_id.eq(account)).filter(products::id.eq(id));
    let Some(row) = first_locked!(tx.db, ProductRow, this)? else { return Ok(()) };
    match with_variants(tx.db, row) {
        Ok(product) => diesel::update(this).set(&SearchColumns::of(&product)).execute(tx.db),
        Err(DieselError::DeserializationError(_)) => {
            diesel::update(this).set(products::search_version.eq(search::VERSION)).execute(tx.db)
        }
        Err(error) => Err(error),
    }
    .map(drop)
}

/// The product and its stock, both locked until the end of the transaction. Stock is locked first, as orders
/// do, so that the two never wait for each other.
fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ProductId,
) -> Result<(Product, Levels), Failure<ProductError>> {
    let levels = levels_of(tx, account, id)?;
    let row = first_locked!(
        tx.db,
        ProductRow,
        products::table
            .filter(products::account_id.eq(account.to_string()))
            .filter(products::id.eq(id.to_string()))
            .filter(products::deleted_at.is_null())
    )?;
    Ok((with_variants(tx.db, row.ok_or(Refused::NotFound)?)?, levels))
}

fn levels_of(tx: &mut Tx<'_>, account: AccountId, id: ProductId) -> QueryResult<Levels> {
    Levels::of_products(tx.db, account, &BTreeSet::from([id.to_string()]))
}

/// The decimals that a product has, unless somebody is changing them.
fn decimals_of(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ProductId,
) -> QueryResult<Option<Decimals>> {
    let this = products::table.find((account.to_string(), id.to_string()));
    let count: Option<i64> = this.select(products::quantity_decimals).first(tx.db).optional()?;
    count.map(decimals).transpose()
}

/// Has everything tried again: what locks the account comes before what locks a product.
fn changed_meanwhile() -> DieselError {
    let reason = "the decimals of a product were changed meanwhile".to_owned();
    DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, Box::new(reason))
}

/// Release 0.1 takes every quantity for a number of pieces.
fn refuse_decimals_before_upgrade(
    tx: &mut Tx<'_>,
    account: AccountId,
    decimals: Option<Decimals>,
) -> Result<(), Failure<ProductError>> {
    let has_decimals = decimals.is_some_and(|decimals| !decimals.is_zero());
    if has_decimals && !places::commits(tx.db, account)? {
        return Err(Refused::Rule(ProductError::UpgradeUnfinished).into());
    }
    Ok(())
}

/// Refuses what another product has. Of two nodes that take the same SKU at once the database refuses one, which finds it taken
/// then.
fn refuse_taken_skus<'p>(
    db: &mut Db,
    of: (&str, ProductId),
    wanted: impl Iterator<Item = &'p str>,
) -> Result<(), Failure<ProductError>> {
    for sku in wanted {
        if let Some(holder) = sku_holder(db, of, sku)? {
            let (sku, holder) = (sku.to_owned(), read(&holder, ProductId::parse)?);
            return Err(Refused::Rule(ProductError::DuplicateSku { sku, holder }).into());
        }
    }
    Ok(())
}

/// Which other product of the account has a SKU, in whatever spelling.
fn sku_holder(
    db: &mut Db,
    (account, own): (&str, ProductId),
    sku: &str,
) -> QueryResult<Option<String>> {
    skus::table
        .filter(skus::account_id.eq(account))
        .filter(skus::sku.eq_any(spellings(sku)))
        .filter(skus::product_id.ne(own.to_string()))
        .select(skus::product_id)
        .first(db)
        .optional()
}

fn free_skus(tx: &mut Tx<'_>, account: &str, product: ProductId) -> QueryResult<()> {
    let own = skus::table
        .filter(skus::account_id.eq(account))
        .filter(skus::product_id.eq(product.to_string()));
    diesel::delete(own).execute(tx.db).map(drop)
}
