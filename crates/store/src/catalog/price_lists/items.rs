//! Prices of lists as rows.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use catalog::{
    ListItem, ListItemQuery, PriceListId, Priced, ProductId, SetPrices, VariantId,
    price_list::PRICE_STEPS_MAX,
};
use diesel::prelude::*;
use inventory::{Sku, adjustment::Named};
use kernel::{
    AccountId, Amount, FieldFault, Measure, Message, Page, Quantity, Refused, message, page::Cursor,
};

use super::Outcome;
use crate::{
    db::{Db, on},
    listing,
    rows::read,
    schema::{
        price_list_items::{self as table, dsl},
        products,
    },
    stock::{ledger::variant_column, naming, units::Units},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct ItemRow {
    account_id: String,
    product_id: String,
    variant_id: String,
    list_id: String,
    min_quantity: i64,
    price: i64,
}

impl ItemRow {
    fn product(&self) -> QueryResult<inventory::ProductId> {
        read(&self.product_id, inventory::ProductId::parse)
    }

    fn item(&self, units: &Units) -> QueryResult<ListItem> {
        let decimals = units.decimals(self.product()?);
        let variant = Some(self.variant_id.as_str()).filter(|id| !id.is_empty());
        Ok(ListItem {
            product: read(&self.product_id, ProductId::parse)?,
            variant: variant.map(|id| read(id, VariantId::parse)).transpose()?,
            min_quantity: Measure::of(self.min_quantity, decimals),
            price: Amount::from_micros(self.price),
        })
    }

    /// Where it stands in its list.
    fn place(&self) -> Cursor {
        let key = format!("{} {}", self.min_quantity, self.variant_id);
        Cursor { sort: ORDER.to_owned(), key, id: self.product_id.clone() }
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

/// The order of the items, as their cursors name it.
const ORDER: &str = "productId";

/// A page of the prices of a list, by product, variant and quantity.
pub(super) fn page(
    db: &mut Db,
    account: AccountId,
    list: PriceListId,
    ListItemQuery { product, page }: &ListItemQuery,
) -> QueryResult<Page<ListItem>> {
    let all = || -> Filtered {
        let query = table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::list_id.eq(list.to_string()))
            .into_boxed();
        match product {
            Some(product) => query.filter(dsl::product_id.eq(product.to_string())),
            None => query,
        }
    };
    let some = |db: &mut Db, at_most| -> QueryResult<Vec<i64>> {
        all().limit(at_most).select(dsl::min_quantity).load(db)
    };
    let count = |db: &mut Db| all().count().get_result(db);
    let total = listing::bounded_total(db, page, some, count)?;
    let mut query = all();
    if let Some(Cursor { key, id, .. }) = &page.cursor {
        let (quantity, variant) = key.split_once(' ').unwrap_or((key, ""));
        let quantity: i64 = quantity.parse().unwrap_or(i64::MAX);
        let (product, variant) = (id.clone(), variant.to_owned());
        let in_variant = dsl::variant_id.eq(variant.clone()).and(dsl::min_quantity.gt(quantity));
        let in_product =
            dsl::product_id.eq(product.clone()).and(dsl::variant_id.gt(variant).or(in_variant));
        query = query
            .filter(dsl::product_id.ge(product.clone()))
            .filter(dsl::product_id.gt(product).or(in_product));
    }
    let rows: Vec<ItemRow> = query
        .order((dsl::product_id, dsl::variant_id, dsl::min_quantity))
        .offset(page.offset())
        .limit(listing::fetched(page))
        .select(ItemRow::as_select())
        .load(db)?;
    let read = |rows: Vec<ItemRow>| {
        let products = rows.iter().map(ItemRow::product).collect::<QueryResult<Vec<_>>>()?;
        let units = Units::of(db, account, products)?;
        rows.iter().map(|row| row.item(&units)).collect()
    };
    listing::page_of(rows, page, total, ItemRow::place, read)
}

/// Sets and removes prices of a list that is kept; nobody changes the decimals of a product meanwhile.
pub(super) fn set(tx: &mut Tx<'_>, account: AccountId, command: &SetPrices) -> Outcome<()> {
    let wanted = kept(tx, account, command)?;
    let key = |sku: &Sku| (sku.product.to_string(), variant_column(*sku));
    // In the order of their keys, so that two who set the same never wait for each other.
    let mut ordered: Vec<_> = wanted.iter().collect();
    ordered.sort_by_key(|(sku, min_quantity, _)| (*sku, *min_quantity));
    for (sku, min_quantity, price) in ordered {
        let (product_id, variant_id) = key(sku);
        let row = ItemRow {
            account_id: account.to_string(),
            product_id,
            variant_id,
            list_id: command.list.to_string(),
            min_quantity: *min_quantity,
            price: price.unwrap_or_default().micros(),
        };
        match price {
            Some(_) => put(tx, &row)?,
            None => {
                let key = (
                    &row.account_id,
                    &row.product_id,
                    &row.variant_id,
                    &row.list_id,
                    row.min_quantity,
                );
                diesel::delete(table::table.find(key)).execute(tx.db)?;
            }
        }
    }
    let products: BTreeSet<String> =
        wanted.iter().map(|(sku, ..)| sku.product.to_string()).collect();
    let rows: Vec<(String, String)> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::list_id.eq(command.list.to_string()))
        .filter(dsl::product_id.eq_any(&products))
        .select((dsl::product_id, dsl::variant_id))
        .load(tx.db)?;
    let mut steps: BTreeMap<(String, String), usize> = BTreeMap::new();
    for row in rows {
        *steps.entry(row).or_default() += 1;
    }
    let has_many = |sku: &Sku| steps.get(&key(sku)).is_some_and(|steps| *steps > PRICE_STEPS_MAX);
    let Some(place) = wanted.iter().position(|(sku, ..)| has_many(sku)) else { return Ok(()) };
    let problem = message!(
        "would be the price number {steps} of it in this list; the most are {PRICE_STEPS_MAX}",
        "sería su precio número {steps} en esta lista; el máximo es {PRICE_STEPS_MAX}",
        steps = PRICE_STEPS_MAX + 1
    );
    let field = format!("items[{place}].minQuantity");
    Err(Refused::Invalid(vec![FieldFault::new(field, problem)]).into())
}

/// What the prices are of, which nobody removes from the catalog until the end of the transaction.
fn kept(
    tx: &mut Tx<'_>,
    account: AccountId,
    command: &SetPrices,
) -> Outcome<Vec<(Sku, Quantity, Option<Amount>)>> {
    let mut held = BTreeSet::new();
    loop {
        let wanted = named(tx, account, command)?;
        let products: BTreeSet<String> =
            wanted.iter().map(|(sku, ..)| sku.product.to_string()).collect();
        if matches!(tx.db, Db::Sqlite(_)) || products.is_subset(&held) {
            return Ok(wanted);
        }
        // Whoever was waited for may have removed one, or given its code to another.
        hold(tx.db, account, &products)?;
        held.extend(products);
    }
}

/// Keeps products from being removed until the end of the transaction, always in the same order.
fn hold(db: &mut Db, account: AccountId, named: &BTreeSet<String>) -> QueryResult<()> {
    let Db::Postgres(conn) = db else { return Ok(()) };
    let these = products::table
        .filter(products::account_id.eq(account.to_string()))
        .filter(products::id.eq_any(named))
        .order(products::id)
        .select(products::id);
    let held: Vec<String> = these.for_key_share().load(conn)?;
    drop(held);
    Ok(())
}

/// What the prices are of; each product or variant once from a quantity on.
fn named(
    tx: &mut Tx<'_>,
    account: AccountId,
    command: &SetPrices,
) -> Outcome<Vec<(Sku, Quantity, Option<Amount>)>> {
    let names: Vec<Named> = command.prices.iter().map(|one| name(&one.priced)).collect();
    let found = naming::found(tx.db, account, &names)?;
    let (mut wanted, mut faults, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (place, (one, name)) in command.prices.iter().zip(&names).enumerate() {
        let mut refuse = |field: &str, problem: Message| {
            faults.push(FieldFault::new(format!("items[{place}].{field}"), problem));
        };
        // From any quantity on.
        let least = |sku: &Sku| one.min_quantity.unwrap_or_else(|| sku.measure(1));
        match found.get(name) {
            None => refuse(field_of(&one.priced), not_there()),
            Some(sku) if !seen.insert((*sku, least(sku))) => {
                let problem = message!(
                    "is in the list already, from this quantity on",
                    "ya está en la lista, a partir de esta cantidad"
                );
                refuse(field_of(&one.priced), problem);
            }
            Some(sku) => match least(sku).kept(sku.decimals) {
                Ok(from) => wanted.push((*sku, from, one.price)),
                Err(problem) => refuse("minQuantity", problem),
            },
        }
    }
    if faults.is_empty() { Ok(wanted) } else { Err(Refused::Invalid(faults).into()) }
}

fn name(priced: &Priced) -> Named {
    match priced {
        Priced::Id(product, variant) => Named::Id(Sku::named(
            inventory::ProductId::from_u128(product.to_u128()),
            variant.map(|id| inventory::VariantId::from_u128(id.to_u128())),
        )),
        Priced::Sku(sku) => Named::Code(sku.clone()),
        Priced::Ean(ean) => Named::Ean(ean.clone()),
    }
}

const fn field_of(priced: &Priced) -> &'static str {
    match priced {
        Priced::Id(_, None) => "productId",
        Priced::Id(_, Some(_)) => "variantId",
        Priced::Sku(_) => "sku",
        Priced::Ean(_) => "ean",
    }
}

fn not_there() -> Message {
    message!(
        "names no product or variant of this account",
        "no corresponde a ningún producto ni variante de esta cuenta"
    )
}

fn put(tx: &mut Tx<'_>, row: &ItemRow) -> QueryResult<()> {
    on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(row)
        .on_conflict((
            table::account_id,
            table::product_id,
            table::variant_id,
            table::list_id,
            table::min_quantity
        ))
        .do_update()
        .set(table::price.eq(row.price))
        .execute(conn))
    .map(drop)
}

/// Removes the prices of a product, or of some of its variants alone.
pub(crate) fn forget(
    tx: &mut Tx<'_>,
    account: AccountId,
    product: ProductId,
    variants: Option<&[VariantId]>,
) -> QueryResult<()> {
    let own = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::product_id.eq(product.to_string()));
    match variants {
        None => diesel::delete(own).execute(tx.db),
        Some([]) => Ok(0),
        Some(variants) => {
            let variants = variants.iter().map(ToString::to_string);
            diesel::delete(own.filter(dsl::variant_id.eq_any(variants))).execute(tx.db)
        }
    }
    .map(drop)
}
