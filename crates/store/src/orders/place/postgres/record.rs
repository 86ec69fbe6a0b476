//! Writing a batch of orders as one statement.

use std::collections::BTreeMap;

use diesel::{
    PgConnection, QueryResult, RunQueryDsl,
    pg::Pg,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::BigInt,
};

use super::load::{FACTS, OFFER_ROWS};
use crate::{
    orders::place::plan::Plan,
    outbox::positions::{Places, RAISE},
    statement::{Column, columns, unnest},
};

/// Inserts orders, items, movements, events and answers, moves levels and counters from the values that
/// were loaded, and fails as a serialization does when one of them was not there any more, naming the accounts.
struct Record {
    orders: Vec<Column>,
    items: Vec<Column>,
    allocations: Vec<Column>,
    movements: Vec<Column>,
    events: Vec<Column>,
    /// The accounts that the events are of.
    feeds: Vec<Column>,
    answers: Vec<Column>,
    deliveries: Vec<Column>,
    levels: Vec<Column>,
    counters: Vec<Column>,
    customers: Vec<Column>,
    offers: Vec<Column>,
    /// Of the second kind of batch alone.
    others: Vec<Column>,
    accounts: Vec<Column>,
    /// Accounts whose upgrade must not be finished before the batch is committed.
    waiting: Vec<Column>,
    found: Premises,
}

/// What must be found as it was.
struct Premises {
    levels: Found,
    counters: Found,
    customers: Found,
    offers: Found,
    accounts: Found,
    others: Found,
    waiting: Found,
}

impl Premises {
    fn of(plan: &Plan) -> Self {
        Self {
            levels: Found::of(plan.levels.iter().map(|level| level.account_id.as_str())),
            counters: Found::of(plan.counters.iter().map(|counter| counter.account_id.as_str())),
            customers: Found::of(plan.customers.iter().map(|(account, ..)| account.as_str())),
            offers: Found::of(plan.offers.iter().map(|offer| offer.account_id.as_str())),
            accounts: Found::of(plan.accounts.iter().map(|premise| premise.account_id.as_str())),
            others: Found::of(plan.others.iter().map(|other| other.account_id.as_str())),
            waiting: Found::of(plan.waiting.iter().map(String::as_str)),
        }
    }
}

/// How many of something must be found. Each kind is compared by itself: what is found too often of one does not make up
/// for what is missing of another.
struct Found {
    all: i64,
    /// Accounts, and how many of each.
    of_each: Vec<Column>,
}

impl Found {
    /// As many of each account as it is named.
    fn of<'a>(accounts: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
        accounts.for_each(|account| *counts.entry(account).or_default() += 1);
        let all = counts.values().sum();
        let accounts = counts.keys().map(|account| (*account).to_owned()).collect();
        let counts = counts.into_values().collect();
        Self { all, of_each: vec![Column::Texts(accounts), Column::Numbers(counts)] }
    }

    /// Fails unless as many are among these, and names the accounts of which there are not. What comes behind is not looked
    /// at any more: that might have to wait for others.
    fn walk<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, among: &str) -> QueryResult<()> {
        out.push_sql(" WHEN (SELECT count(*) FROM ");
        out.push_sql(among);
        out.push_sql(") <> ");
        out.push_bind_param::<BigInt, _>(&self.all)?;
        out.push_sql(" THEN premises_changed((SELECT string_agg(w.account, ' ') FROM ");
        unnest(out, &self.of_each)?;
        out.push_sql(" AS w (account, found) WHERE w.found <> (SELECT count(*) FROM ");
        out.push_sql(among);
        out.push_sql(" x WHERE x.account = w.account)))");
        Ok(())
    }
}

/// The usual batch: it takes from first warehouses alone, the others of their accounts have nothing of it, and all orders
/// commit their stock.
#[derive(QueryId)]
struct Plain(Record);

/// Any other batch.
#[derive(QueryId)]
struct Spread(Record);

/// Records a batch.
pub(super) fn record(conn: &mut PgConnection, plan: &Plan) -> QueryResult<()> {
    let is_plain = plan.allocations.is_empty()
        && plan.waiting.is_empty()
        && plan.levels.iter().all(|level| level.is_alone());
    let record = Record::of(plan);
    match is_plain {
        true => Plain(record).execute(conn),
        false => Spread(record).execute(conn),
    }
    .map(drop)
}

impl Record {
    fn of(plan: &Plan) -> Self {
        let mut orders = columns!(
            plan.orders,
            Texts account_id, Texts id, OptionalTexts external_id, Numbers number, Texts status, Texts fulfillment_status, Texts customer_id,
            Numbers total, Texts currency, Numbers refund_due, OptionalTexts notes, Texts metadata, Texts search_text,
            Numbers search_version, Numbers created_at, Numbers updated_at, Numbers version,
            OptionalNumbers tax_total, OptionalTexts terms,
        );
        orders.push(Column::Flags(plan.commits.clone()));
        let mut items = columns!(
            plan.items,
            Texts account_id, Texts order_id, Numbers line, Texts product_id, Texts variant_id, Texts name,
            Texts sku, Numbers quantity, Numbers unit_price, OptionalTexts terms,
        );
        items.push(Column::OptionalNumbers(plan.unit_costs.clone()));
        let places = Places::of(plan.events.iter().map(|row| row.account_id.as_str()));
        let mut events = columns!(
            plan.events,
            Texts account_id, Texts id, Texts name, Texts entity_id, Texts body, Numbers created_at,
        );
        events.push(places.behind);
        Self {
            orders,
            items,
            allocations: columns!(
                plan.allocations,
                Texts account_id, Texts order_id, Numbers line, Texts warehouse_id, Numbers quantity,
            ),
            movements: columns!(
                plan.movements,
                Texts account_id, Texts id, Texts product_id, Texts variant_id, Texts warehouse_id, Numbers delta,
                Numbers quantity_after, Texts reason, Texts reference, Numbers created_at, Numbers committed_delta,
            ),
            events,
            feeds: places.accounts,
            answers: columns!(
                plan.answers,
                Texts account_id, Texts operation, Texts key, Texts digest, Texts answer, Numbers created_at,
            ),
            deliveries: columns!(
                plan.deliveries,
                Texts account_id, Texts subscription_id, Texts id, Texts event_id, Texts event_name, Texts state,
                Numbers attempts, OptionalNumbers next_attempt_at, Numbers created_at,
            ),
            levels: columns!(
                plan.levels,
                Texts account_id, Texts product_id, Texts variant_id, Texts warehouse_id, Numbers before, Numbers after,
                Numbers committed, OptionalNumbers average, Numbers elsewhere_before, Numbers elsewhere_after,
            ),
            counters: columns!(plan.counters, Texts account_id, Texts name, Numbers before, Numbers after),
            customers: vec![
                Column::Texts(plan.customers.iter().map(|(account, ..)| account.clone()).collect()),
                Column::Texts(plan.customers.iter().map(|(_, id, _)| id.clone()).collect()),
                Column::Texts(plan.customers.iter().map(|(.., row)| row.clone()).collect()),
            ],
            offers: columns!(
                plan.offers,
                Texts account_id, Texts product_id, Texts variant_id, Texts rows,
            ),
            others: columns!(
                plan.others,
                Texts account_id, Texts product_id, Texts variant_id, Texts warehouse_id, Numbers quantity,
            ),
            accounts: columns!(plan.accounts, Texts account_id, Numbers facts),
            waiting: vec![Column::Texts(plan.waiting.iter().cloned().collect())],
            found: Premises::of(plan),
        }
    }
}

impl RunQueryDsl<PgConnection> for Plain {}
impl RunQueryDsl<PgConnection> for Spread {}

impl QueryFragment<Pg> for Plain {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let levels = self.0.levels.get(..PLAIN_LEVEL_COLUMNS).unwrap_or_default();
        let update = (
            "s AS (UPDATE stock_levels s SET quantity = w.after, committed = s.committed + w.committed, \
             is_low = (w.after < s.low_below) IS TRUE FROM ",
            levels,
            " AS w (account, product, variant, warehouse, before, after, committed, average) WHERE s.account_id = w.account \
             AND s.product_id = w.product AND s.variant_id = w.variant AND s.warehouse_id = w.warehouse \
             AND s.quantity = w.before AND s.average_cost IS NOT DISTINCT FROM w.average AND s.elsewhere = 0 \
             RETURNING s.account_id AS account), ",
        );
        self.0.walk(out, None, update, None)
    }
}

impl QueryFragment<Pg> for Spread {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let allocations = (
            "a",
            "order_allocations (account_id, order_id, line, warehouse_id, quantity)",
            "*",
            &self.0.allocations,
            "",
        );
        let update = (
            "s AS (UPDATE stock_levels s SET quantity = w.after, committed = s.committed + w.committed, \
             elsewhere = w.elsewhere_after, is_low = (w.after + w.elsewhere_after < s.low_below) IS TRUE FROM ",
            self.0.levels.as_slice(),
            " AS w (account, product, variant, warehouse, before, after, committed, average, elsewhere_before, elsewhere_after) \
             WHERE s.account_id = w.account AND s.product_id = w.product AND s.variant_id = w.variant \
             AND s.warehouse_id = w.warehouse AND s.quantity = w.before AND s.average_cost IS NOT DISTINCT FROM w.average \
             AND s.elsewhere = w.elsewhere_before RETURNING s.account_id AS account), ",
        );
        self.0.walk(out, Some(allocations), update, Some(&self.0.waiting))
    }
}

/// The columns of the key of an answer.
const KEY_COLUMNS: usize = 3;
/// The columns of a level whose account has nothing of it elsewhere.
const PLAIN_LEVEL_COLUMNS: usize = 8;

/// An insert: its name, its table with columns, what it selects, from what, and how that is joined.
type Insert<'b> = (&'static str, &'static str, &'static str, &'b Vec<Column>, &'static str);

impl Record {
    fn walk<'b>(
        &'b self,
        mut out: AstPass<'_, 'b, Pg>,
        allocations: Option<Insert<'b>>,
        (begin, levels, end): (&'static str, &'b [Column], &'static str),
        waiting: Option<&'b Vec<Column>>,
    ) -> QueryResult<()> {
        let inserts = [
            (
                "o",
                "orders (account_id, id, external_id, number, status, fulfillment_status, customer_id, total, currency, \
                 refund_due, notes, metadata, search_text, search_version, created_at, updated_at, version, tax_total, terms, commits)",
                "*",
                &self.orders,
                "",
            ),
            (
                "i",
                "order_items (account_id, order_id, line, product_id, variant_id, name, sku, quantity, unit_price, \
                 terms, unit_cost)",
                "*",
                &self.items,
                "",
            ),
            (
                "m",
                "stock_movements (account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after, \
                 reason, reference, created_at, committed_delta)",
                "*",
                &self.movements,
                "",
            ),
            (
                "e",
                "events (account_id, id, name, entity_id, body, created_at, position)",
                "w.account, w.id, w.name, w.entity, w.body, w.created_at, v.value - w.behind",
                &self.events,
                " AS w (account, id, name, entity, body, created_at, behind) JOIN v ON v.account_id = w.account",
            ),
            (
                "d",
                "deliveries (account_id, subscription_id, id, event_id, event_name, state, attempts, \
                 next_attempt_at, created_at)",
                "*",
                &self.deliveries,
                "",
            ),
            (
                "k",
                "idempotency_answers (account_id, operation, key, digest, answer, created_at)",
                "*",
                &self.answers,
                "",
            ),
        ];
        out.push_sql("WITH v AS (");
        for (place, part) in RAISE.split('?').enumerate() {
            if place > 0 {
                unnest(&mut out, &self.feeds)?;
            }
            out.push_sql(part);
        }
        out.push_sql("), ");
        for (name, table, values, columns, joined) in inserts.into_iter().chain(allocations) {
            out.push_sql(name);
            out.push_sql(" AS (INSERT INTO ");
            out.push_sql(table);
            out.push_sql(" SELECT ");
            out.push_sql(values);
            out.push_sql(" FROM ");
            unnest(&mut out, columns)?;
            out.push_sql(joined);
            out.push_sql("), ");
        }
        out.push_sql(begin);
        unnest(&mut out, levels)?;
        out.push_sql(end);
        out.push_sql("n AS (INSERT INTO counters AS n (account_id, name, value) SELECT w.account, w.name, w.after FROM ");
        unnest(&mut out, &self.counters)?;
        out.push_sql(
            " AS w (account, name, before, after) ON CONFLICT (account_id, name) DO UPDATE SET value = EXCLUDED.value \
             WHERE n.value = (SELECT c.before FROM ",
        );
        unnest(&mut out, &self.counters)?;
        out.push_sql(
            " AS c (account, name, before, after) WHERE c.account = n.account_id AND c.name = n.name) \
             RETURNING n.account_id AS account), \
             c AS (SELECT c.account_id AS account FROM customers c JOIN ",
        );
        unnest(&mut out, &self.customers)?;
        out.push_sql(
            " AS w (account, customer, version) ON c.account_id = w.account AND c.id = w.customer \
             WHERE (w.version = '' OR c.xmin::text = w.version) FOR KEY SHARE OF c), q AS (SELECT w.account FROM ",
        );
        unnest(&mut out, &self.offers)?;
        out.push_sql(
            " AS w (account, product, variant, versions) \
             JOIN LATERAL (SELECT p.xmin FROM products p WHERE p.account_id = w.account AND p.id = w.product LIMIT 1) p ON true \
             LEFT JOIN LATERAL (SELECT v.xmin FROM variants v WHERE v.account_id = w.account AND v.product_id = w.product \
             AND v.id = w.variant LIMIT 1) v ON true WHERE w.versions = ",
        );
        out.push_sql(OFFER_ROWS);
        out.push_sql("), f AS (SELECT w.account FROM ");
        unnest(&mut out, &self.accounts)?;
        out.push_sql(
            " AS w (account, facts) JOIN LATERAL (SELECT * FROM accounts a WHERE a.id = w.account LIMIT 1) a ON true \
             WHERE w.facts = ",
        );
        out.push_sql(FACTS);
        out.push_sql(")");
        if waiting.is_some() {
            out.push_sql(", h AS (SELECT w.account FROM ");
            unnest(&mut out, &self.others)?;
            out.push_sql(
                " AS w (account, product, variant, warehouse, quantity) LEFT JOIN LATERAL (SELECT s.quantity FROM stock_levels s \
                 WHERE s.account_id = w.account AND s.product_id = w.product AND s.variant_id = w.variant \
                 AND s.warehouse_id = w.warehouse AND s.sellable LIMIT 1) s ON true \
                 WHERE coalesce(s.quantity, 0) = w.quantity)",
            );
        }
        if let Some(waiting) = waiting {
            // Whoever finishes the upgrade waits for these orders, or they for it.
            out.push_sql(", u AS (SELECT u.id AS account FROM accounts u JOIN ");
            unnest(&mut out, waiting)?;
            out.push_sql(
                " AS w (account) ON u.id = w.account WHERE NOT u.commits_stock FOR SHARE OF u)",
            );
        }
        // A key that was used before is found out before anything is written.
        out.push_sql(" SELECT CASE WHEN EXISTS (SELECT 1 FROM ");
        unnest(&mut out, self.answers.get(..KEY_COLUMNS).unwrap_or_default())?;
        out.push_sql(
            " AS w (account, operation, key) JOIN LATERAL (SELECT 1 FROM idempotency_answers k \
             WHERE k.account_id = w.account AND k.operation = w.operation AND k.key = w.key LIMIT 1) k ON true) \
             THEN premises_changed()",
        );
        let Premises { levels, counters, customers, offers, accounts, others, waiting: unfinished } =
            &self.found;
        let usual =
            [("s", levels), ("n", counters), ("c", customers), ("q", offers), ("f", accounts)];
        let spread = [("h", others), ("u", unfinished)];
        let spread = spread.into_iter().filter(|_| waiting.is_some());
        for (among, found) in usual.into_iter().chain(spread) {
            found.walk(&mut out, among)?;
        }
        // The feed is taken behind all that may have to wait for others: from here on others wait for it.
        out.push_sql(" WHEN (SELECT count(*) FROM v) >= 0 THEN 1 END");
        Ok(())
    }
}
