//! What the database knows of what a batch of orders asks for, in one round trip.

use std::collections::hash_map::Entry;

use ::orders::{CustomerGroupId, CustomerId, Offer, WarehouseId};
use diesel::{
    PgConnection, QueryResult, RunQueryDsl,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Bool, Nullable, Text},
};
use inventory::Allocation;
use kernel::{AccountId, Amount};

use crate::{
    catalog::product_rates,
    ordering::rows::{sold, variant_column},
    orders::{
        COUNTER, LAST_NUMBER,
        place::plan::{Buyer, Kept, Loaded, OrderCounts, Premise, Stocking, Wanted, first_of},
    },
    outbox::deliveries::Subscriber,
    rows::{corrupt, currency, decimals, read, read_name},
    stored::from_text,
};

/// Another text as soon as the row of a product `p` is written, or that of its variant `v`: by whom ever, to which end ever.
pub(super) const OFFER_ROWS: &str = "p.xmin::text || COALESCE('/' || v.xmin::text, '')";

/// Another number as soon as there is anything else than the rows of catalog and customers that orders of an account `a`
/// depend on. The rows themselves will not do: some of them are written all the time, with what orders do not ask for.
pub(super) const FACTS: &str = "hashtextextended(json_build_array(pg_postmaster_start_time(), a.allocation, a.default_warehouse_id, a.low_stock_threshold, \
    a.commits_stock, a.price_lists > 0, \
    (SELECT json_agg(json_build_array(b.id, b.events) ORDER BY b.id) FROM subscriptions b \
    WHERE b.account_id = a.id AND b.disabled_at IS NULL AND b.deleted_at IS NULL), \
    EXISTS (SELECT 1 FROM backlogs u WHERE u.account_id = a.id), \
    (SELECT json_agg(json_build_array(i.default_taxes, i.shipping_taxes)) FROM issuers i \
    WHERE i.account_id = a.id AND i.is_default = 1), \
    (SELECT json_agg(json_build_array(h.id, h.priority) ORDER BY h.id) FROM warehouses h \
    WHERE h.account_id = a.id AND h.kind = 'store'))::text, 0)";

/// The wanted things as columns.
struct Columns {
    item_accounts: Vec<String>,
    item_products: Vec<String>,
    item_variants: Vec<String>,
    customer_accounts: Vec<String>,
    customers: Vec<String>,
    key_accounts: Vec<String>,
    key_operations: Vec<String>,
    keys: Vec<String>,
    accounts: Vec<String>,
}

impl Columns {
    fn of(wanted: &Wanted) -> Self {
        let item_accounts: Vec<String> =
            wanted.items.iter().map(|(account, _)| account.to_string()).collect();
        Self {
            item_products: wanted.items.iter().map(|(_, sold)| sold.product.to_string()).collect(),
            item_variants: wanted.items.iter().map(|(_, sold)| variant_column(*sold)).collect(),
            item_accounts,
            customer_accounts: wanted
                .customers
                .iter()
                .map(|(account, _)| account.to_string())
                .collect(),
            customers: wanted.customers.iter().map(|(_, customer)| customer.to_string()).collect(),
            key_accounts: wanted.keys.iter().map(|(account, _, _)| account.to_string()).collect(),
            key_operations: wanted.keys.iter().map(|(_, operation, _)| operation.clone()).collect(),
            keys: wanted.keys.iter().map(|(_, _, key)| key.clone()).collect(),
            accounts: wanted.accounts.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Reads offers, customers, kept answers, order numbers, subscribers, the issuer's taxes, warehouses and the number of all
/// facts as rows of one shape.
#[derive(QueryId)]
struct Load(Columns);

impl Query for Load {
    type SqlType = (
        Text,
        Text,
        Text,
        Text,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<BigInt>,
        Nullable<BigInt>,
        Nullable<BigInt>,
        Nullable<Bool>,
        Nullable<Bool>,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<BigInt>,
        Nullable<BigInt>,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<Bool>,
        Nullable<Bool>,
        Nullable<Text>,
        Nullable<BigInt>,
        Nullable<BigInt>,
    );
}

type Row = (
    String,
    String,
    String,
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<bool>,
    Option<bool>,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<String>,
    Option<String>,
    Option<bool>,
    Option<bool>,
    Option<String>,
    Option<i64>,
    Option<i64>,
);

impl RunQueryDsl<PgConnection> for Load {}

impl QueryFragment<Pg> for Load {
    // What grows with every order is looked up by key, one row each (`LATERAL … LIMIT`): joined to what was a small table
    // when the statement was planned, it would be read whole. Products and customers are asked for in the order of their
    // identifiers, which no index but the primary key gives: of a small table any other that has both columns looks as cheap.
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let Columns {
            item_accounts,
            item_products,
            item_variants,
            customer_accounts,
            customers,
            key_accounts,
            key_operations,
            keys,
            accounts,
        } = &self.0;
        out.push_sql(
            "SELECT 'offer', w.account, w.product, w.variant, \
             CASE WHEN v.id IS NULL THEN p.name ELSE p.name || ' / ' || v.name END, COALESCE(v.sku, p.sku), p.currency, \
             COALESCE(v.price, p.price), COALESCE(s.quantity, 0), \
             COALESCE(p.low_stock_threshold, a.low_stock_threshold * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END), p.status = 'active', p.tax_included, p.taxes, \
             s.warehouse_id, s.elsewhere, COALESCE(s.average_cost, p.cost), a.allocation, a.default_warehouse_id, a.commits_stock, a.price_lists > 0, ",
        );
        out.push_sql(OFFER_ROWS);
        out.push_sql(", s.average_cost, p.quantity_decimals FROM unnest(");
        bind_texts(&mut out, &[item_accounts, item_products, item_variants])?;
        out.push_sql(
            ") AS w (account, product, variant) \
             JOIN LATERAL (SELECT p.*, p.xmin FROM products p WHERE p.account_id = w.account \
             AND p.id >= w.product AND p.id <= w.product AND p.deleted_at IS NULL ORDER BY p.id LIMIT 1) p ON true \
             JOIN accounts a ON a.id = w.account \
             LEFT JOIN variants v ON v.account_id = w.account AND v.product_id = w.product AND v.id = w.variant \
             LEFT JOIN stock_levels s ON s.account_id = w.account AND s.product_id = w.product \
             AND s.variant_id = w.variant AND s.sellable \
             WHERE w.variant = '' OR v.id IS NOT NULL \
             UNION ALL SELECT 'customer', c.account_id, c.id, c.search_text, c.group_id, c.row_version, NULL, NULL, NULL, NULL, NULL, \
             NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM unnest(",
        );
        bind_texts(&mut out, &[customer_accounts, customers])?;
        out.push_sql(
            ") AS w (account, customer) JOIN LATERAL (SELECT c.account_id, c.id, c.search_text, c.group_id, \
             c.xmin::text AS row_version FROM customers c WHERE c.account_id = w.account \
             AND c.id >= w.customer AND c.id <= w.customer ORDER BY c.id LIMIT 1) c ON true \
             UNION ALL SELECT 'answer', k.account_id, k.operation, k.key, k.digest, k.answer, NULL, k.created_at, \
             NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM unnest(",
        );
        bind_texts(&mut out, &[key_accounts, key_operations, keys])?;
        out.push_sql(
            ") AS w (account, operation, key) JOIN LATERAL (SELECT * FROM idempotency_answers k \
             WHERE k.account_id = w.account AND k.operation = w.operation AND k.key = w.key LIMIT 1) k ON true \
             UNION ALL SELECT 'counter', n.account_id, n.name, '', NULL, NULL, NULL, n.value, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL \
             FROM unnest(",
        );
        bind_texts(&mut out, &[accounts])?;
        out.push_sql(
            ") AS w (account) JOIN counters n ON n.account_id = w.account AND n.name IN (",
        );
        out.push_bind_param::<Text, _>(COUNTER.0)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(LAST_NUMBER.0)?;
        out.push_sql(")");
        out.push_sql(
            " UNION ALL SELECT 'subscriber', b.account_id, b.id, '', b.events, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL \
             FROM unnest(",
        );
        bind_texts(&mut out, &[accounts])?;
        out.push_sql(
            ") AS w (account) JOIN subscriptions b ON b.account_id = w.account \
             AND b.disabled_at IS NULL AND b.deleted_at IS NULL \
             UNION ALL SELECT 'issuer', i.account_id, '', '', i.default_taxes, i.shipping_taxes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL \
             FROM unnest(",
        );
        bind_texts(&mut out, &[accounts])?;
        out.push_sql(
            ") AS w (account) JOIN issuers i ON i.account_id = w.account AND i.is_default = 1 \
             UNION ALL SELECT 'warehouse', h.account_id, h.id, '', NULL, NULL, NULL, h.priority, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL \
             FROM unnest(",
        );
        bind_texts(&mut out, &[accounts])?;
        out.push_sql(
            ") AS w (account) JOIN warehouses h ON h.account_id = w.account AND h.kind = 'store' \
             UNION ALL SELECT 'facts', a.id, '', '', NULL, NULL, NULL, ",
        );
        out.push_sql(FACTS);
        out.push_sql(
            ", NULL, NULL, EXISTS (SELECT 1 FROM backlogs u WHERE u.account_id = a.id), \
             NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM unnest(",
        );
        bind_texts(&mut out, &[accounts])?;
        out.push_sql(
            ") AS w (account) JOIN LATERAL (SELECT * FROM accounts a WHERE a.id = w.account LIMIT 1) a ON true",
        );
        Ok(())
    }
}

/// Locks stock levels, then counters of orders, each in the same order as whoever changes them, and reads them as they are then.
#[derive(QueryId)]
pub(super) struct Lock(Columns);

impl Lock {
    pub(super) fn of(wanted: &Wanted) -> Self {
        Self(Columns::of(wanted))
    }
}

/// What is locked: `level` or `counter`, its account, then product, variant, warehouse, what is there and what is elsewhere,
/// or name and value. Only levels that orders take from are told of.
pub(in crate::orders::place) type Locked = (String, String, String, String, String, i64, i64);

impl Query for Lock {
    type SqlType = (Text, Text, Text, Text, Text, BigInt, BigInt);
}

impl RunQueryDsl<PgConnection> for Lock {}

impl QueryFragment<Pg> for Lock {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let columns = &self.0;
        out.push_sql(
            "WITH levels AS (SELECT s.account_id, s.product_id, s.variant_id, s.warehouse_id, s.quantity, s.elsewhere, s.sellable \
             FROM stock_levels s JOIN unnest(",
        );
        bind_texts(
            &mut out,
            &[&columns.item_accounts, &columns.item_products, &columns.item_variants],
        )?;
        out.push_sql(
            ") AS w (account, product, variant) ON s.account_id = w.account AND s.product_id = w.product \
             AND s.variant_id = w.variant \
             ORDER BY s.account_id, s.product_id, s.variant_id, s.warehouse_id FOR UPDATE OF s), \
             numbers AS (SELECT n.account_id, n.name, n.value FROM counters n JOIN unnest(",
        );
        bind_texts(&mut out, &[&columns.accounts])?;
        out.push_sql(") AS w (account) ON n.account_id = w.account AND n.name IN (");
        out.push_bind_param::<Text, _>(COUNTER.0)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(LAST_NUMBER.0)?;
        out.push_sql(") ORDER BY n.account_id, n.name = ");
        out.push_bind_param::<Text, _>(LAST_NUMBER.0)?;
        out.push_sql(
            " FOR UPDATE OF n) SELECT 'level', l.account_id, l.product_id, l.variant_id, l.warehouse_id, l.quantity, l.elsewhere \
             FROM levels l WHERE l.sellable \
             UNION ALL SELECT 'counter', n.account_id, n.name, '', '', n.value, 0 FROM numbers n",
        );
        Ok(())
    }
}

/// Binds the arguments of `unnest`.
pub(super) fn bind_texts<'b>(
    out: &mut AstPass<'_, 'b, Pg>,
    columns: &[&'b Vec<String>],
) -> QueryResult<()> {
    for (position, column) in columns.iter().enumerate() {
        if position > 0 {
            out.push_sql(", ");
        }
        out.push_bind_param::<Array<Text>, _>(*column)?;
    }
    Ok(())
}

/// Brings what is remembered up to date with what has been locked; whether that is all of it.
pub(in crate::orders::place) fn refresh(
    loaded: &mut Loaded,
    locked: &[Locked],
) -> QueryResult<bool> {
    // What has a row is locked and told; what has none counts nothing yet.
    loaded.counts.values_mut().for_each(|counts| *counts = OrderCounts::default());
    let mut levels = 0;
    for (kind, account, of, variant, warehouse, number, elsewhere) in locked {
        let account = read(account, AccountId::parse)?;
        if kind == "counter" {
            loaded.counts.entry(account).or_default().set(of, *number);
            continue;
        }
        let sold = sold(of, variant)?;
        let warehouse = read(warehouse, WarehouseId::parse)?;
        let Some(offer) = loaded.offers.get_mut(&(account, sold)) else { return Ok(false) };
        if warehouse == first_of(account) {
            (offer.available, offer.elsewhere) = (*number, *elsewhere);
        } else {
            let mut others = offer.others.iter_mut();
            let Some((_, quantity)) = others.find(|(other, _)| *other == warehouse) else {
                return Ok(false);
            };
            *quantity = *number;
        }
        levels += 1;
    }
    let known = loaded.offers.values().map(|offer| 1 + offer.others.len());
    Ok(known.sum::<usize>() == levels)
}

/// Loads what the batch needs to know.
pub(in crate::orders::place) fn load(
    conn: &mut PgConnection,
    wanted: &Wanted,
) -> QueryResult<Loaded> {
    let rows: Vec<Row> = Load(Columns::of(wanted)).load(conn)?;
    let mut loaded = Loaded::default();
    for row in rows {
        take(&mut loaded, row)?;
    }
    Ok(loaded)
}

fn take(loaded: &mut Loaded, row: Row) -> QueryResult<()> {
    let account = read(&row.1, AccountId::parse)?;
    match row {
        (
            kind,
            _,
            product,
            variant,
            Some(name),
            Some(sku),
            Some(code),
            Some(price),
            Some(available),
            Some(threshold),
            Some(on_sale),
            Some(tax_included),
            Some(taxes),
            place,
            elsewhere,
            cost,
            Some(allocation),
            default,
            Some(commits),
            has_lists,
            Some(rows),
            average,
            kept_decimals,
        ) if kind == "offer" => {
            if has_lists == Some(true) {
                loaded.with_lists.insert(account);
            }
            let sold = sold(&product, &variant)?;
            if let Entry::Vacant(entry) = loaded.stocking.entry(account) {
                entry.insert(Stocking {
                    allocation: read_name(&allocation, Allocation::EVERY, Allocation::name)?,
                    default: default.map(|id| read(&id, WarehouseId::parse)).transpose()?,
                    commits,
                });
            }
            // Each of its levels is a row.
            let offer = match loaded.offers.entry((account, sold)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(Offer {
                    sold,
                    name,
                    sku,
                    price: Amount::from_micros(price),
                    listed: Vec::new(),
                    currency: currency(&code)?,
                    tax_included,
                    taxes: product_rates(&taxes)?,
                    decimals: decimals(kept_decimals.unwrap_or_default())?,
                    available: 0,
                    elsewhere: 0,
                    others: Vec::new(),
                    unit_cost: None,
                    threshold,
                    on_sale,
                }),
            };
            match place.map(|id| read(&id, WarehouseId::parse)).transpose()? {
                Some(place) if place == first_of(account) => {
                    offer.available = available;
                    offer.elsewhere = elsewhere.unwrap_or_default();
                    offer.unit_cost = cost.map(Amount::from_micros);
                    loaded.premises.insert((account, offer.sold), Premise { rows, average });
                }
                Some(place) => offer.others.push((place, available)),
                None => {}
            }
        }
        (kind, _, id, _, _, _, _, Some(priority), ..) if kind == "warehouse" => {
            let warehouse = read(&id, WarehouseId::parse)?;
            loaded.warehouses.entry(account).or_default().push((priority, warehouse));
        }
        (kind, _, _, _, Some(taxes), of_shipping, ..) if kind == "issuer" => {
            loaded.issuer_taxes.insert(account, from_text(&taxes)?);
            if let Some(of_shipping) = of_shipping {
                loaded.shipping_taxes.insert(account, from_text(&of_shipping)?);
            }
        }
        (kind, _, customer, terms, group, Some(row), ..) if kind == "customer" => {
            let group = group.map(|id| read(&id, CustomerGroupId::parse)).transpose()?;
            let buyer = Buyer { terms, group, row };
            loaded.customers.insert((account, read(&customer, CustomerId::parse)?), buyer);
        }
        (kind, _, operation, key, Some(digest), Some(answer), _, Some(created_at), ..)
            if kind == "answer" =>
        {
            loaded.answers.insert((account, operation, key), Kept { digest, answer, created_at });
        }
        (kind, _, id, _, Some(topics), ..) if kind == "subscriber" => {
            let subscriber = Subscriber::of(&account.to_string(), &id, &topics)?;
            loaded.subscribers.entry(account).or_default().extend(subscriber);
        }
        (kind, _, name, _, _, _, _, Some(value), ..) if kind == "counter" => {
            loaded.counts.entry(account).or_default().set(&name, value);
        }
        (kind, _, _, _, _, _, _, Some(facts), _, _, Some(is_telling), ..) if kind == "facts" => {
            loaded.facts.insert(account, facts);
            if is_telling {
                loaded.telling.insert(account);
            }
        }
        (kind, ..) => return Err(corrupt(format!("an incomplete {kind}"))),
    }
    Ok(())
}
