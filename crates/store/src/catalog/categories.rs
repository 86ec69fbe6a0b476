//! Categories as rows, and which products are in them.

use std::collections::HashSet;

use catalog::{
    Categories, Category, CategoryError, CategoryId, NewCategory, ProductError, ProductId, Tree,
    UpdateCategory,
};
use diesel::prelude::*;
use imports::CategoryPath;
use kernel::{AccountId, Ctx, Fault, Pending, Refused, Timestamp, Written};

use crate::{
    db::{Db, on},
    error::{Failure, refuse_stale},
    readers::Cost,
    rows::read,
    schema::{categories as table, product_categories as inside, products},
    stock::places,
    store::Store,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<CategoryError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct CategoryRow {
    account_id: String,
    id: String,
    parent_id: Option<String>,
    name: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl CategoryRow {
    fn of(account: AccountId, category: &Category) -> Self {
        Self {
            account_id: account.to_string(),
            id: category.id.to_string(),
            parent_id: category.parent.map(|id| id.to_string()),
            name: category.name.clone(),
            created_at: category.created_at.micros(),
            updated_at: category.updated_at.micros(),
            version: category.version,
        }
    }

    fn category(self) -> QueryResult<Category> {
        Ok(Category {
            id: read(&self.id, CategoryId::parse)?,
            name: self.name,
            parent: self.parent_id.map(|id| read(&id, CategoryId::parse)).transpose()?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// All categories of an account.
pub(crate) fn tree(db: &mut Db, account: AccountId) -> QueryResult<Tree> {
    let rows: Vec<CategoryRow> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .select(CategoryRow::as_select())
        .load(db)?;
    let all: Vec<Category> =
        rows.into_iter().map(CategoryRow::category).collect::<QueryResult<_>>()?;
    Ok(Tree::of(all))
}

/// Keeps the categories of an account as they are until the end of the transaction.
pub(super) fn keep(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    places::keep(tx.db, account)
}

/// The tree for an import that makes those of these categories that are not there: it stays as it is until the end of the
/// transaction. Whoever makes none leaves others of the account their way.
pub(crate) fn holding(
    tx: &mut Tx<'_>,
    account: AccountId,
    paths: &HashSet<&CategoryPath>,
) -> QueryResult<Tree> {
    let seen = tree(tx.db, account)?;
    if matches!(tx.db, Db::Sqlite(_)) {
        return Ok(seen);
    }
    let step = |inside: Option<CategoryId>, name: &String| seen.named(inside, name).map(Some);
    let is_there = |path: &&&CategoryPath| path.iter().try_fold(None, step).is_some();
    if paths.iter().filter(is_there).count() == paths.len() {
        keep(tx, account)?;
    } else {
        places::lock(tx.db, account)?;
    }
    tree(tx.db, account)
}

/// Records categories that are new.
pub(super) fn add(tx: &mut Tx<'_>, account: AccountId, made: &[Category]) -> QueryResult<()> {
    if !made.is_empty() {
        places::lock(tx.db, account)?;
    }
    made.iter().try_for_each(|category| save(tx, account, category))
}

/// Puts a product into its categories, which are kept, instead of those that it was in before.
pub(super) fn file(
    tx: &mut Tx<'_>,
    account: AccountId,
    product: ProductId,
    (before, after): (&[CategoryId], &[CategoryId]),
) -> Result<(), Failure<ProductError>> {
    if before == after {
        return Ok(());
    }
    tree(tx.db, account)?.refuse_unknown(after).map_err(Refused::Invalid)?;
    take_out(tx, account, product, before)?;
    let row = |category: &CategoryId| {
        (
            inside::account_id.eq(account.to_string()),
            inside::category_id.eq(category.to_string()),
            inside::product_id.eq(product.to_string()),
        )
    };
    for category in after {
        diesel::insert_into(inside::table).values(row(category)).execute(tx.db)?;
    }
    Ok(())
}

/// Takes a product out of the categories that it is in.
pub(super) fn take_out(
    tx: &mut Tx<'_>,
    account: AccountId,
    product: ProductId,
    before: &[CategoryId],
) -> QueryResult<()> {
    let before: Vec<String> = before.iter().map(ToString::to_string).collect();
    if before.is_empty() {
        return Ok(());
    }
    let own = inside::table
        .filter(inside::account_id.eq(account.to_string()))
        .filter(inside::category_id.eq_any(before))
        .filter(inside::product_id.eq(product.to_string()));
    diesel::delete(own).execute(tx.db).map(drop)
}

impl Categories for Store {
    fn get(&self, account: AccountId, id: CategoryId) -> Pending<Result<Option<Category>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row: Option<CategoryRow> = table::table
                .find((account.to_string(), id.to_string()))
                .select(CategoryRow::as_select())
                .first(db)
                .optional()?;
            row.map(CategoryRow::category).transpose()
        })
    }

    fn all(&self, account: AccountId) -> Pending<Result<Vec<Category>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| {
            Ok(tree(db, account)?.newest_first().collect())
        })
    }

    fn create(&self, ctx: Ctx, command: NewCategory) -> Pending<Written<Category, CategoryError>> {
        self.write(ctx, move |tx, ctx| create(tx, ctx, command.clone()))
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdateCategory,
    ) -> Pending<Written<Category, CategoryError>> {
        self.write(ctx, move |tx, ctx| update(tx, ctx, &command))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: CategoryId,
        version: Option<i64>,
    ) -> Pending<Written<CategoryId, CategoryError>> {
        self.write(ctx, move |tx, ctx| delete(tx, ctx, id, version))
    }
}

/// The tree, which nobody else changes until the end of the transaction.
fn locked(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Tree> {
    places::lock(tx.db, account)?;
    tree(tx.db, account)
}

fn create(tx: &mut Tx<'_>, ctx: &Ctx, new: NewCategory) -> Outcome<Category> {
    let tree = locked(tx, ctx.account)?;
    let made = tree.create(new, CategoryId::from_u128(tx.ids.next()), ctx.now)?;
    save(tx, ctx.account, &made)?;
    Ok(made)
}

fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdateCategory) -> Outcome<Category> {
    let tree = locked(tx, ctx.account)?;
    let before = tree.get(command.id).ok_or(Refused::NotFound)?;
    refuse_stale(command.version, before.version)?;
    let after = tree.update(command.id, command.changes.clone(), ctx.now)?;
    if after.version != before.version {
        save(tx, ctx.account, &after)?;
    }
    Ok(after)
}

fn delete(tx: &mut Tx<'_>, ctx: &Ctx, id: CategoryId, version: Option<i64>) -> Outcome<CategoryId> {
    let tree = locked(tx, ctx.account)?;
    refuse_stale(version, tree.delete(id)?.version)?;
    let (account, key) = (ctx.account.to_string(), id.to_string());
    let rows = || {
        inside::table.filter(inside::account_id.eq(&account)).filter(inside::category_id.eq(&key))
    };
    let product: Option<String> = products::table
        .filter(products::account_id.eq(&account))
        .filter(products::deleted_at.is_null())
        .filter(products::id.eq_any(rows().select(inside::product_id)))
        .select(products::id)
        .first(tx.db)
        .optional()?;
    if product.is_some() {
        return Err(Refused::Rule(CategoryError::HasProducts).into());
    }
    // Of products that a node of the last release has deleted, which knows of no categories.
    diesel::delete(rows()).execute(tx.db)?;
    let this = table::table.filter(table::account_id.eq(account)).filter(table::id.eq(key));
    diesel::delete(this).execute(tx.db)?;
    Ok(id)
}

fn save(tx: &mut Tx<'_>, account: AccountId, category: &Category) -> QueryResult<()> {
    let row = CategoryRow::of(account, category);
    on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict((table::account_id, table::id))
        .do_update()
        .set(&row)
        .execute(conn))
    .map(drop)
}
