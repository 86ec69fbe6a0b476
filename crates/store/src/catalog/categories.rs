//! Categories as rows, and which products are in them.

use std::collections::{BTreeSet, HashSet};

use catalog::{
    Categories, Category, CategoryError, CategoryId, NewCategory, ProductId, Tree, UpdateCategory,
    category::CATEGORIES_MAX,
};
use diesel::{
    prelude::*,
    result::{DatabaseErrorKind, Error as DieselError},
};
use imports::{CategoryPath, Remembered};
use kernel::{
    AccountId, Ctx, Fault, FieldFault, Pending, Refused, Timestamp, Written, text::folded,
};

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
    folded_name: Option<String>,
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
            folded_name: Some(folded(&category.name)),
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
    read_all(rows).map(Tree::of)
}

fn read_all(rows: Vec<CategoryRow>) -> QueryResult<Vec<Category>> {
    rows.into_iter().map(CategoryRow::category).collect()
}

/// The part of the tree that these paths lead through, whatever other categories there are of the same names.
pub(crate) fn named(
    db: &mut Db,
    account: AccountId,
    paths: &HashSet<&CategoryPath>,
) -> QueryResult<Tree> {
    let names = paths.iter().flat_map(|path| path.iter());
    let names: BTreeSet<String> = names.map(|name| folded(name)).collect();
    if names.len() > CATEGORIES_MAX {
        return tree(db, account);
    }
    let own = || table::table.filter(table::account_id.eq(account.to_string()));
    let rows: Vec<CategoryRow> = own()
        .filter(table::folded_name.is_null().or(table::folded_name.eq_any(names)))
        .select(CategoryRow::as_select())
        .load(db)?;
    let known = read_all(rows)?;
    let part = Tree::part(known.iter().cloned(), 0);
    if leads_through(&part, paths) {
        return Ok(part);
    }
    // Some are made: the account has no more than so many.
    let all: i64 = own().count().get_result(db)?;
    let others = usize::try_from(all).unwrap_or_default().saturating_sub(known.len());
    Ok(Tree::part(known, others))
}

/// Whether there is every category that these paths name.
fn leads_through(tree: &Tree, paths: &HashSet<&CategoryPath>) -> bool {
    let step = |inside: Option<CategoryId>, name: &String| tree.named(inside, name).map(Some);
    paths.iter().all(|path| path.iter().try_fold(None, step).is_some())
}

/// Keeps once more how the names of an account's categories are compared: nodes of the last release change names alone.
pub(crate) fn fold_names(db: &mut Db, account: AccountId) -> QueryResult<()> {
    let rows: Vec<(String, String, Option<String>)> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .select((table::id, table::name, table::folded_name))
        .load(db)?;
    for (id, name, known) in rows {
        let right = folded(&name);
        if known.as_ref() == Some(&right) {
            continue;
        }
        // Whoever changes the name meanwhile keeps that, too.
        let this = table::table
            .filter(table::account_id.eq(account.to_string()))
            .filter(table::id.eq(id))
            .filter(table::name.eq(name));
        diesel::update(this).set(table::folded_name.eq(Some(right))).execute(db)?;
    }
    Ok(())
}

/// Keeps the categories of an account as they are until the end of the transaction.
pub(super) fn keep(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    places::keep(tx, account)
}

/// The same for an import that makes those that are not there: what is read stays as it is until the end of the transaction.
/// Whoever makes none leaves others of the account their way. That none is to be made is looked at before, but for paths that
/// the import has found already.
pub(crate) fn holding(
    tx: &mut Tx<'_>,
    account: AccountId,
    paths: &HashSet<&CategoryPath>,
    found: &Remembered,
) -> QueryResult<Tree> {
    let is_sqlite = matches!(tx.db, Db::Sqlite(_));
    if is_sqlite || !paths.iter().all(|path| found.contains(&key(path))) {
        let seen = named(tx.db, account, paths)?;
        if !leads_through(&seen, paths) {
            places::lock(tx, account)?;
            return if is_sqlite { Ok(seen) } else { named(tx.db, account, paths) };
        }
        if is_sqlite {
            return Ok(seen);
        }
    }
    keep(tx, account)?;
    let kept = named(tx.db, account, paths)?;
    if !leads_through(&kept, paths) {
        found.clear();
        return Err(removed_meanwhile());
    }
    paths.iter().for_each(|path| found.insert(&key(path)));
    Ok(kept)
}

/// A path as it is remembered.
fn key(path: &[String]) -> String {
    path.join("\0")
}

/// Has everything tried again: what is kept cannot be locked any more.
fn removed_meanwhile() -> DieselError {
    let reason = "a category was removed meanwhile".to_owned();
    DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, Box::new(reason))
}

/// Records categories that are new, of what an import is `holding`.
pub(super) fn add(tx: &mut Tx<'_>, account: AccountId, made: &[Category]) -> QueryResult<()> {
    if !made.is_empty() {
        places::lock(tx, account)?;
    }
    made.iter().try_for_each(|category| save(tx, account, category))
}

/// Those of these categories that there are.
fn some(db: &mut Db, account: AccountId, ids: &[CategoryId]) -> QueryResult<Tree> {
    let rows: Vec<CategoryRow> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq_any(ids.iter().map(ToString::to_string)))
        .select(CategoryRow::as_select())
        .load(db)?;
    read_all(rows).map(Tree::of)
}

/// The categories that there are not, of those that a product is to be in. They are kept.
pub(super) fn unknown(
    tx: &mut Tx<'_>,
    account: AccountId,
    wanted: &[CategoryId],
) -> QueryResult<Vec<FieldFault>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    Ok(some(tx.db, account, wanted)?.refuse_unknown(wanted).err().unwrap_or_default())
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
    places::lock(tx, account)?;
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
