//! Writing a batch of orders as one statement.

use std::collections::BTreeMap;

use diesel::{
    PgConnection, QueryResult, RunQueryDsl,
    pg::Pg,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{BigInt, Text},
};

use super::{
    forms::{ANY, FORMS, Form, LAST, Room, Rows, Size},
    load::{FACTS, OFFER_ROWS},
};
use crate::{
    orders::place::plan::Plan,
    outbox::positions::{Places, RAISE},
    statement::{Column, columns},
};

/// Inserts orders, items, movements, events and answers, moves levels and counters from the values that
/// were loaded, and fails as a serialization does when one of them was not there any more, naming the accounts.
struct Record {
    is_spread: bool,
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
    /// Of a batch that is spread.
    others: Vec<Column>,
    accounts: Vec<Column>,
    /// Accounts whose upgrade must not be finished before the batch is committed.
    waiting: Vec<Column>,
    /// An account of the batch.
    account: String,
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
    fn walk<'b>(
        &'b self,
        out: &mut AstPass<'_, 'b, Pg>,
        among: &str,
        only: Option<&'b str>,
    ) -> QueryResult<()> {
        out.push_sql(" WHEN (SELECT count(*) FROM ");
        out.push_sql(among);
        out.push_sql(") <> ");
        out.push_bind_param::<BigInt, _>(&self.all)?;
        out.push_sql(" THEN premises_changed(");
        if let Some(account) = only {
            out.push_bind_param::<Text, _>(account)?;
            out.push_sql(")");
            return Ok(());
        }
        out.push_sql("(SELECT string_agg(w.account, ' ') FROM ");
        Rows::Arrays.of(out, &self.of_each)?;
        out.push_sql(" AS w (account, found) WHERE w.found <> (SELECT count(*) FROM ");
        out.push_sql(among);
        out.push_sql(" x WHERE x.account = w.account)))");
        Ok(())
    }
}

/// A batch, written in one of [`FORMS`].
struct Batch<const FORM: usize>(Record);

impl<const FORM: usize> QueryId for Batch<FORM> {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<const FORM: usize> RunQueryDsl<PgConnection> for Batch<FORM> {}

impl<const FORM: usize> QueryFragment<Pg> for Batch<FORM> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk(out, FORMS.get(FORM).copied().unwrap_or(ANY))
    }
}

/// Records a batch.
pub(super) fn record(conn: &mut PgConnection, plan: &Plan) -> QueryResult<()> {
    let record = Record::of(plan);
    macro_rules! in_form {
        ($($form:literal)*) => {{
            // Each form but the last has its number here: one that is left out would be written as the last.
            const _: () = {
                assert!([$($form),*].len() == LAST);
                $(assert!($form < LAST);)*
            };
            match Form::of(record.size()) {
                $($form => Batch::<$form>(record).execute(conn),)*
                _ => Batch::<LAST>(record).execute(conn),
            }
        }};
    }
    in_form!(0 1 2 3 4 5 6 7 8).map(drop)
}

impl Record {
    fn of(plan: &Plan) -> Self {
        let is_spread = !plan.allocations.is_empty()
            || !plan.waiting.is_empty()
            || !plan.levels.iter().all(|level| level.is_alone());
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
            is_spread,
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
            account: plan.events.first().map(|event| event.account_id.clone()).unwrap_or_default(),
            found: Premises::of(plan),
        }
    }

    /// The usual batch takes from first warehouses alone, the others of their accounts have nothing of it, and all orders
    /// commit their stock. Any other is spread.
    fn size(&self) -> Size {
        let rows = |columns: &[Column]| columns.first().map_or(0, Column::len);
        let of_orders = [&self.orders, &self.events, &self.answers, &self.customers];
        let of_lines = [&self.items, &self.movements, &self.levels, &self.offers];
        Size {
            accounts: rows(&self.feeds),
            is_spread: self.is_spread,
            room: Room {
                orders: of_orders
                    .into_iter()
                    .map(|columns| rows(columns))
                    .max()
                    .unwrap_or_default(),
                lines: of_lines.into_iter().map(|columns| rows(columns)).max().unwrap_or_default(),
                deliveries: rows(&self.deliveries),
            },
        }
    }
}

/// The columns of the key of an answer.
const KEY_COLUMNS: usize = 3;
/// The columns of a level whose account has nothing of it elsewhere.
const PLAIN_LEVEL_COLUMNS: usize = 8;
/// The counters of an account that orders raise.
const COUNTERS: usize = 2;

/// How a level is moved that its account has nothing of elsewhere.
const MOVE: (&str, &str) = (
    "s AS (UPDATE stock_levels s SET quantity = w.after, committed = s.committed + w.committed, \
     is_low = (w.after < s.low_below) IS TRUE FROM ",
    " AS w (account, product, variant, warehouse, before, after, committed, average) WHERE s.account_id = w.account \
     AND s.product_id = w.product AND s.variant_id = w.variant AND s.warehouse_id = w.warehouse \
     AND s.quantity = w.before AND s.average_cost IS NOT DISTINCT FROM w.average AND s.elsewhere = 0 \
     RETURNING s.account_id AS account), ",
);
/// How any level is moved.
const MOVE_SPREAD: (&str, &str) = (
    "s AS (UPDATE stock_levels s SET quantity = w.after, committed = s.committed + w.committed, \
     elsewhere = w.elsewhere_after, is_low = (w.after + w.elsewhere_after < s.low_below) IS TRUE FROM ",
    " AS w (account, product, variant, warehouse, before, after, committed, average, elsewhere_before, elsewhere_after) \
     WHERE s.account_id = w.account AND s.product_id = w.product AND s.variant_id = w.variant \
     AND s.warehouse_id = w.warehouse AND s.quantity = w.before AND s.average_cost IS NOT DISTINCT FROM w.average \
     AND s.elsewhere = w.elsewhere_before RETURNING s.account_id AS account), ",
);

/// What is inserted: under which name, into which table and columns, and the rows.
type Insert<'b> = (&'static str, &'static str, &'b [Column], Rows);

impl Record {
    /// The rows that are inserted as they are.
    fn inserts(&self, form: Form) -> Vec<Insert<'_>> {
        let (orders, lines) = (form.rows(|room| room.orders), form.rows(|room| room.lines));
        let deliveries = form.rows(|room| room.deliveries);
        let mut inserts: Vec<Insert<'_>> = vec![
            (
                "o",
                "orders (account_id, id, external_id, number, status, fulfillment_status, customer_id, total, currency, \
                 refund_due, notes, metadata, search_text, search_version, created_at, updated_at, version, tax_total, terms, commits)",
                self.orders.as_slice(),
                orders,
            ),
            (
                "i",
                "order_items (account_id, order_id, line, product_id, variant_id, name, sku, quantity, unit_price, \
                 terms, unit_cost)",
                self.items.as_slice(),
                lines,
            ),
            (
                "m",
                "stock_movements (account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after, \
                 reason, reference, created_at, committed_delta)",
                self.movements.as_slice(),
                lines,
            ),
            (
                "k",
                "idempotency_answers (account_id, operation, key, digest, answer, created_at)",
                self.answers.as_slice(),
                orders,
            ),
        ];
        if deliveries != Rows::Values(0) {
            inserts.push((
                "d",
                "deliveries (account_id, subscription_id, id, event_id, event_name, state, attempts, \
                 next_attempt_at, created_at)",
                self.deliveries.as_slice(),
                deliveries,
            ));
        }
        if form.is_spread() {
            inserts.push((
                "a",
                "order_allocations (account_id, order_id, line, warehouse_id, quantity)",
                self.allocations.as_slice(),
                Rows::Arrays,
            ));
        }
        inserts
    }

    fn walk<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>, form: Form) -> QueryResult<()> {
        out.push_sql("WITH v AS (");
        for (place, part) in RAISE.split('?').enumerate() {
            if place > 0 {
                form.rows(|_| 1).of(&mut out, &self.feeds)?;
            }
            out.push_sql(part);
        }
        out.push_sql("), ");
        for (name, table, columns, rows) in self.inserts(form) {
            out.push_sql(name);
            out.push_sql(" AS (INSERT INTO ");
            out.push_sql(table);
            out.push_sql(" SELECT * FROM ");
            rows.of(&mut out, columns)?;
            // Of a row that there is no more of, its account is NULL.
            out.push_sql(" AS w (account) WHERE w.account IS NOT NULL), ");
        }
        out.push_sql(
            "e AS (INSERT INTO events (account_id, id, name, entity_id, body, created_at, position) \
             SELECT w.account, w.id, w.name, w.entity, w.body, w.created_at, v.value - w.behind FROM ",
        );
        form.rows(|room| room.orders).of(&mut out, &self.events)?;
        out.push_sql(
            " AS w (account, id, name, entity, body, created_at, behind) JOIN v ON v.account_id = w.account), ",
        );
        let (columns, (begin, end)) = match form.is_spread() {
            true => (self.levels.as_slice(), MOVE_SPREAD),
            false => (self.levels.get(..PLAIN_LEVEL_COLUMNS).unwrap_or_default(), MOVE),
        };
        out.push_sql(begin);
        form.rows(|room| room.lines).of(&mut out, columns)?;
        out.push_sql(end);
        let counters = form.rows(|_| COUNTERS);
        out.push_sql("n AS (INSERT INTO counters AS n (account_id, name, value) SELECT w.account, w.name, w.after FROM ");
        counters.of(&mut out, &self.counters)?;
        out.push_sql(
            " AS w (account, name, before, after) ON CONFLICT (account_id, name) DO UPDATE SET value = EXCLUDED.value \
             WHERE n.value = (SELECT c.before FROM ",
        );
        counters.of(&mut out, &self.counters)?;
        out.push_sql(
            " AS c (account, name, before, after) WHERE c.account = n.account_id AND c.name = n.name) \
             RETURNING n.account_id AS account), \
             c AS (SELECT w.account FROM ",
        );
        form.rows(|room| room.orders).of(&mut out, &self.customers)?;
        out.push_sql(
            " AS w (account, customer, version) JOIN LATERAL (SELECT c.xmin FROM customers c WHERE c.account_id = w.account \
             AND c.id >= w.customer AND c.id <= w.customer ORDER BY c.id LIMIT 1 FOR KEY SHARE) c ON true \
             WHERE w.version = '' OR c.xmin::text = w.version), q AS (SELECT w.account FROM ",
        );
        form.rows(|room| room.lines).of(&mut out, &self.offers)?;
        out.push_sql(
            " AS w (account, product, variant, versions) \
             JOIN LATERAL (SELECT p.xmin FROM products p WHERE p.account_id = w.account AND p.id >= w.product \
             AND p.id <= w.product ORDER BY p.id LIMIT 1) p ON true \
             LEFT JOIN LATERAL (SELECT v.xmin FROM variants v WHERE v.account_id = w.account AND v.product_id = w.product \
             AND v.id = w.variant LIMIT 1) v ON true WHERE w.versions = ",
        );
        out.push_sql(OFFER_ROWS);
        out.push_sql("), f AS (SELECT w.account FROM ");
        form.rows(|_| 1).of(&mut out, &self.accounts)?;
        out.push_sql(
            " AS w (account, facts) JOIN LATERAL (SELECT * FROM accounts a WHERE a.id = w.account LIMIT 1) a ON true \
             WHERE w.facts = ",
        );
        out.push_sql(FACTS);
        out.push_sql(")");
        if form.is_spread() {
            out.push_sql(", h AS (SELECT w.account FROM ");
            Rows::Arrays.of(&mut out, &self.others)?;
            out.push_sql(
                " AS w (account, product, variant, warehouse, quantity) LEFT JOIN LATERAL (SELECT s.quantity FROM stock_levels s \
                 WHERE s.account_id = w.account AND s.product_id = w.product AND s.variant_id = w.variant \
                 AND s.warehouse_id = w.warehouse AND s.sellable LIMIT 1) s ON true \
                 WHERE coalesce(s.quantity, 0) = w.quantity)",
            );
            // Whoever finishes the upgrade waits for these orders, or they for it.
            out.push_sql(", u AS (SELECT u.id AS account FROM accounts u JOIN ");
            Rows::Arrays.of(&mut out, &self.waiting)?;
            out.push_sql(
                " AS w (account) ON u.id = w.account WHERE NOT u.commits_stock FOR SHARE OF u)",
            );
        }
        self.walk_premises(out, form)
    }

    /// Compares what was found.
    fn walk_premises<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>, form: Form) -> QueryResult<()> {
        // A key that was used before is found out before anything is written.
        out.push_sql(" SELECT CASE WHEN EXISTS (SELECT 1 FROM ");
        let keys = self.answers.get(..KEY_COLUMNS).unwrap_or_default();
        form.rows(|room| room.orders).of(&mut out, keys)?;
        out.push_sql(
            " AS w (account, operation, key) JOIN LATERAL (SELECT 1 FROM idempotency_answers k \
             WHERE k.account_id = w.account AND k.operation = w.operation AND k.key = w.key LIMIT 1) k ON true) \
             THEN premises_changed()",
        );
        let Premises { levels, counters, customers, offers, accounts, others, waiting } =
            &self.found;
        let usual =
            [("s", levels), ("n", counters), ("c", customers), ("q", offers), ("f", accounts)];
        let spread = [("h", others), ("u", waiting)];
        let spread = spread.into_iter().filter(|_| form.is_spread());
        let only = form.is_of_one_account().then_some(self.account.as_str());
        for (among, found) in usual.into_iter().chain(spread) {
            found.walk(&mut out, among, only)?;
        }
        // The feed is taken behind all that may have to wait for others: from here on others wait for it.
        out.push_sql(" WHEN (SELECT count(*) FROM v) >= 0 THEN 1 END");
        Ok(())
    }
}
