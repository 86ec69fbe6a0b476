//! Loading and recording a batch of orders on SQLite: many small statements, each prepared once.

mod account;
mod insert;
mod offer;
mod remembered;

use std::collections::HashMap;

use ::orders::{CustomerGroupId, ItemSku, Offer, WarehouseId};
use diesel::{
    SqliteConnection,
    prelude::*,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{BigInt, Text},
    sqlite::Sqlite,
};
use inventory::{Allocation, Kind};
use kernel::{AccountId, Amount, Quantity};

use account::FindAccount;
use insert::{InsertAnswer, InsertEvent, InsertItem, InsertMovement, InsertOrder, insert_all};
use offer::{FindOffer, FindOffers, OfferColumns};

pub(super) use remembered::Remembered;

use super::plan::{
    Buyer, CounterChange, Kept, LevelChange, Loaded, OrderCounts, Plan, Stocking, Wanted, first_of,
};
use crate::{
    catalog::product_rates,
    ordering::rows::variant_column,
    outbox::{deliveries as outbox, positions::last_position},
    rows::{currency, decimals, read, read_name},
    schema::{
        customers, deliveries, idempotency_answers as answers, order_allocations, stock_levels,
        variants, warehouses,
    },
    stock::places::first_warehouse,
    stored::from_text,
};

/// So many products are looked up by one statement.
const PRODUCTS_MANY: usize = 16;

/// What a batch asks for, as far as it is not `loaded` yet.
pub(super) fn load(
    conn: &mut SqliteConnection,
    wanted: &Wanted,
    mut loaded: Loaded,
) -> QueryResult<Loaded> {
    for name in &wanted.keys {
        let kept = answers::table
            .find((name.0.to_string(), &name.1, &name.2))
            .select((answers::digest, answers::answer, answers::created_at))
            .first::<(String, String, i64)>(conn)
            .optional()?;
        if let Some((digest, answer, created_at)) = kept {
            loaded.answers.insert(name.clone(), Kept { digest, answer, created_at });
        }
    }
    for (account, customer) in &wanted.customers {
        if loaded.customers.contains_key(&(*account, *customer)) {
            continue;
        }
        let known = customers::table
            .find((account.to_string(), customer.to_string()))
            .select((customers::search_text, customers::group_id));
        let known: Option<(String, Option<String>)> = known.first(conn).optional()?;
        if let Some((terms, group)) = known {
            let group = group.map(|id| read(&id, CustomerGroupId::parse)).transpose()?;
            loaded
                .customers
                .insert((*account, *customer), Buyer { terms, group, row: String::new() });
        }
    }
    for account in &wanted.accounts {
        let of = account.to_string();
        if !loaded.stocking.contains_key(account) {
            load_account(conn, (*account, &of), &mut loaded)?;
        }
        let wants_others =
            wanted.naming.contains(account) || !is_plain(*account, loaded.stocking(*account));
        if wants_others && !loaded.warehouses.contains_key(account) {
            loaded.warehouses.insert(*account, sources(conn, account)?);
        }
        let first = first_warehouse(&of);
        let threshold = loaded.thresholds.get(account).copied().unwrap_or_default();
        let wanted = wanted.items.iter().filter(|(owner, _)| owner == account);
        let wanted = wanted.filter(|wanted| !loaded.offers.contains_key(*wanted));
        let wanted = wanted.map(|(_, sold)| *sold).collect();
        for mut offer in offers(conn, (&of, &first), wanted, threshold)? {
            if wants_others && offer.elsewhere > 0 {
                offer.others = others(conn, *account, offer.sold)?;
            }
            loaded.offers.insert((*account, offer.sold), offer);
        }
    }
    Ok(loaded)
}

/// What all orders of an account have in common.
fn load_account(
    conn: &mut SqliteConnection,
    (account, of): (AccountId, &str),
    loaded: &mut Loaded,
) -> QueryResult<()> {
    let (
        threshold,
        allocation,
        default,
        commits,
        lists,
        taxes,
        of_shipping,
        orders,
        last_number,
        is_telling,
    ) = FindAccount(of).find(conn)?;
    loaded.thresholds.insert(account, threshold);
    let counts = OrderCounts {
        orders: orders.unwrap_or_default(),
        last_number: last_number.unwrap_or_default(),
    };
    loaded.counts.insert(account, counts);
    loaded.subscribers.insert(account, outbox::enabled!(conn, account)?);
    if is_telling {
        loaded.telling.insert(account);
    }
    if let Some(taxes) = taxes {
        loaded.issuer_taxes.insert(account, from_text(&taxes)?);
    }
    if let Some(of_shipping) = of_shipping {
        loaded.shipping_taxes.insert(account, from_text(&of_shipping)?);
    }
    if lists > 0 {
        loaded.with_lists.insert(account);
    }
    let stocking = Stocking {
        allocation: read_name(&allocation, Allocation::EVERY, Allocation::name)?,
        default: default.map(|id| read(&id, WarehouseId::parse)).transpose()?,
        commits,
    };
    loaded.stocking.insert(account, stocking);
    Ok(())
}

/// Whether orders that name no warehouse take from the first one alone.
fn is_plain(account: AccountId, stocking: Stocking) -> bool {
    let is_first = stocking.default.is_none_or(|default| default == first_of(account));
    stocking.allocation == Allocation::Default && is_first
}

/// The warehouses that goods are sold from, with their priority.
fn sources(
    conn: &mut SqliteConnection,
    account: &AccountId,
) -> QueryResult<Vec<(i64, WarehouseId)>> {
    let rows: Vec<(i64, String)> = warehouses::table
        .filter(warehouses::account_id.eq(account.to_string()))
        .filter(warehouses::kind.eq(Kind::Store.name()))
        .select((warehouses::priority, warehouses::id))
        .load(conn)?;
    let read = |(priority, id): (i64, String)| Ok((priority, read(&id, WarehouseId::parse)?));
    rows.into_iter().map(read).collect()
}

/// What warehouses other than the first one have of something.
fn others(
    conn: &mut SqliteConnection,
    account: AccountId,
    sold: ItemSku,
) -> QueryResult<Vec<(WarehouseId, Quantity)>> {
    let rows: Vec<(String, Quantity)> = stock_levels::table
        .filter(stock_levels::account_id.eq(account.to_string()))
        .filter(stock_levels::product_id.eq(sold.product.to_string()))
        .filter(stock_levels::variant_id.eq(variant_column(sold)))
        .filter(stock_levels::warehouse_id.ne(first_of(account).to_string()))
        .filter(stock_levels::sellable.eq(true))
        .select((stock_levels::warehouse_id, stock_levels::quantity))
        .load(conn)?;
    let read = |(id, quantity): (String, _)| Ok((read(&id, WarehouseId::parse)?, quantity));
    rows.into_iter().map(read).collect()
}

/// What is offered of what is wanted: products by one statement, where they are many.
fn offers(
    conn: &mut SqliteConnection,
    (account, first): (&str, &str),
    wanted: Vec<ItemSku>,
    threshold: Quantity,
) -> QueryResult<Vec<Offer>> {
    let (products, mut others): (Vec<_>, Vec<_>) =
        wanted.into_iter().partition(|sold| sold.variant.is_none());
    let mut found = Vec::new();
    if products.len() < PRODUCTS_MANY {
        others.extend(products);
    } else {
        let ids: Vec<String> =
            products.iter().map(|sold| format!("\"{}\"", sold.product)).collect();
        let ids = format!("[{}]", ids.join(","));
        let wanted = FindOffers { account, warehouse: first, products: &ids };
        for (place, columns) in wanted.find(conn)? {
            let sold = usize::try_from(place).ok().and_then(|place| products.get(place));
            if let Some(sold) = sold {
                found.extend(offer(conn, account, *sold, columns, threshold)?);
            }
        }
    }
    for sold in others {
        let (product, variant) = (sold.product.to_string(), variant_column(sold));
        let wanted = FindOffer { account, product: &product, variant: &variant, warehouse: first };
        if let Some(columns) = wanted.find(conn)? {
            found.extend(offer(conn, account, sold, columns, threshold)?);
        }
    }
    Ok(found)
}

/// An offer from its columns and, of a variant, from its row.
fn offer(
    conn: &mut SqliteConnection,
    account: &str,
    sold: ItemSku,
    columns: OfferColumns,
    threshold: Quantity,
) -> QueryResult<Option<Offer>> {
    let (
        mut name,
        mut sku,
        mut price,
        code,
        status,
        own_threshold,
        tax_included,
        taxes,
        own_cost,
        kept_decimals,
        available,
        elsewhere,
        cost,
    ) = columns;
    if sold.variant.is_some() {
        let row = variants::table
            .find((account, sold.product.to_string(), variant_column(sold)))
            .select((variants::name, variants::sku, variants::price))
            .first::<(String, Option<String>, Option<i64>)>(conn)
            .optional()?;
        let Some((variant_name, variant_sku, variant_price)) = row else { return Ok(None) };
        name = format!("{name} / {variant_name}");
        sku = variant_sku.unwrap_or(sku);
        price = variant_price.unwrap_or(price);
    }
    let decimals = decimals(kept_decimals)?;
    Ok(Some(Offer {
        sold,
        name,
        sku,
        price: Amount::from_micros(price),
        listed: Vec::new(),
        currency: currency(&code)?,
        tax_included,
        taxes: product_rates(&taxes)?,
        decimals,
        available: available.unwrap_or_default(),
        elsewhere: elsewhere.unwrap_or_default(),
        others: Vec::new(),
        unit_cost: cost.or(own_cost).map(Amount::from_micros),
        threshold: own_threshold.unwrap_or_else(|| threshold.saturating_mul(decimals.scale())),
        on_sale: status == "active",
    }))
}

/// Writes the rows. The writer is alone: what was loaded still stands.
pub(super) fn record(conn: &mut SqliteConnection, plan: &mut Plan) -> QueryResult<()> {
    for (account, operation, key) in &plan.expired {
        diesel::delete(answers::table.find((account.to_string(), operation, key))).execute(conn)?;
    }
    for (row, commits) in plan.orders.iter().zip(&plan.commits) {
        InsertOrder(row, commits).execute(conn)?;
    }
    let items = plan.items.iter().zip(&plan.unit_costs);
    insert_all(conn, &items.map(|(row, cost)| InsertItem(row, cost)).collect::<Vec<_>>())?;
    for row in &plan.allocations {
        diesel::insert_into(order_allocations::table).values(row).execute(conn)?;
    }
    insert_all(conn, &plan.movements.iter().map(InsertMovement).collect::<Vec<_>>())?;
    let mut positions = HashMap::new();
    for row in &mut plan.events {
        let last = match positions.get(&row.account_id) {
            Some(last) => *last,
            None => last_position(conn, &row.account_id)?,
        };
        row.position = last + 1;
        positions.insert(row.account_id.clone(), row.position);
        InsertEvent(row).execute(conn)?;
    }
    for row in &plan.deliveries {
        diesel::insert_into(deliveries::table).values(row).execute(conn)?;
    }
    for row in &plan.answers {
        InsertAnswer(row).execute(conn)?;
    }
    for level in &plan.levels {
        SetLevel(level).execute(conn)?;
    }
    for counter in &plan.counters {
        SetCounter(counter).execute(conn)?;
    }
    Ok(())
}

/// Sets a stock level. Written out, because diesel prepares its own updates anew every time.
struct SetLevel<'a>(&'a LevelChange);

impl QueryId for SetLevel<'_> {
    type QueryId = SetLevel<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl RunQueryDsl<SqliteConnection> for SetLevel<'_> {}

impl QueryFragment<Sqlite> for SetLevel<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        let level = self.0;
        out.push_sql("UPDATE stock_levels SET quantity = ");
        out.push_bind_param::<BigInt, _>(&level.after)?;
        out.push_sql(", committed = committed + ");
        out.push_bind_param::<BigInt, _>(&level.committed)?;
        out.push_sql(", elsewhere = ");
        out.push_bind_param::<BigInt, _>(&level.elsewhere_after)?;
        out.push_sql(", is_low = (");
        out.push_bind_param::<BigInt, _>(&level.after)?;
        out.push_sql(" + ");
        out.push_bind_param::<BigInt, _>(&level.elsewhere_after)?;
        out.push_sql(" < low_below) IS TRUE");
        let key = [
            (" WHERE account_id = ", &level.account_id),
            (" AND product_id = ", &level.product_id),
            (" AND variant_id = ", &level.variant_id),
            (" AND warehouse_id = ", &level.warehouse_id),
        ];
        for (column, value) in key {
            out.push_sql(column);
            out.push_bind_param::<Text, _>(value)?;
        }
        Ok(())
    }
}

/// Sets a counter. Written out, because diesel prepares what it does on a conflict anew every time.
struct SetCounter<'a>(&'a CounterChange);

impl QueryId for SetCounter<'_> {
    type QueryId = SetCounter<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl RunQueryDsl<SqliteConnection> for SetCounter<'_> {}

impl QueryFragment<Sqlite> for SetCounter<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        let CounterChange { account_id, name, after, .. } = self.0;
        out.push_sql("INSERT INTO counters (account_id, name, value) VALUES (");
        out.push_bind_param::<Text, _>(account_id)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(name)?;
        out.push_sql(", ");
        out.push_bind_param::<BigInt, _>(after)?;
        out.push_sql(") ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value");
        Ok(())
    }
}
