//! Every filter of a list is answered from an index: SQLite plans its statements by what the migrations tell it of long
//! lists, not by what is in them. Conditions are spelled as the store spells them.

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection,
    connection::SimpleConnection, sql_query, sql_types::Text,
};
use testkit::{Database, DatabaseKind};

use crate::batches::Shop;

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn migrated() -> (Database, SqliteConnection) {
    let database = Database::fresh(DatabaseKind::Sqlite);
    let path = database.url.strip_prefix("sqlite://").unwrap();
    let conn = SqliteConnection::establish(path).unwrap();
    (database, conn)
}

/// The steps of a plan. Values are bound, so that no plan depends on them.
fn steps(conn: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let rows: Vec<Step> = sql_query(format!("EXPLAIN QUERY PLAN {sql}")).load(conn).unwrap();
    rows.into_iter().map(|row| row.detail).collect()
}

/// What a list is filtered by, and the index that has it: `PRIMARY KEY` where identifiers bound the search.
const FILTERS: &[(&str, &[(&str, &str)])] = &[
    (
        "products",
        &[
            ("status = ?", "products_by_status"),
            ("ean = ?", "products_by_ean"),
            ("external_id = ?", "products_by_external_id"),
        ],
    ),
    (
        "customers",
        &[
            ("group_id = ?", "customers_by_group"),
            ("rfc = ?", "customers_by_rfc"),
            ("phone = ?", "customers_by_phone"),
            ("email_key = ?", "customers_by_email"),
        ],
    ),
    (
        "leads",
        &[
            ("status = ?", "leads_by_status"),
            ("source = ?", "leads_by_source"),
            ("owner_id = ?", "leads_by_owner"),
        ],
    ),
    (
        "orders",
        &[
            ("status = ?", "orders_by_status"),
            ("customer_id = ?", "orders_by_customer"),
            ("customer_id = ? AND status || '' = ?", "orders_by_customer"),
            ("id >= ? AND id < ? AND created_at >= ?", "PRIMARY KEY"),
            ("NOT orders.commits AND orders.status IN ('pending', 'paid')", "orders_left"),
            (
                "fulfillment_status = ? AND orders.fulfillment_status <> 'unfulfilled'",
                "orders_by_fulfillment",
            ),
            ("orders.amount_refunded > 0", "orders_refunded"),
            ("orders.paid_at IS NULL AND orders.status <> 'pending'", "orders_unpaid"),
            (
                "orders.paid_at IS NULL \
                 AND COALESCE(orders.amount_paid, 0) >= orders.total - orders.returned_total",
                "orders_free",
            ),
        ],
    ),
    (
        "deals",
        &[
            ("pipeline_id = ?", "deals_by_pipeline"),
            ("stage_id = ?", "deals_by_stage"),
            ("status = ?", "deals_by_status"),
            ("owner_id = ?", "deals_by_owner"),
            ("status = ? AND owner_id = ?", "deals_by_owner"),
            ("customer_id = ?", "deals_by_customer"),
            ("lead_id = ?", "deals_by_lead"),
        ],
    ),
    (
        "activities",
        &[
            ("kind = ?", "activities_by_kind"),
            ("assignee_id = ?", "activities_by_assignee"),
            ("done_at IS NOT NULL", "activities_done"),
            ("done_at IS NULL AND kind <> 'note'", "activities_open"),
            ("deal_id = ?", "activities_by_deal"),
            ("lead_id = ?", "activities_by_lead"),
            ("customer_id = ?", "activities_by_customer"),
            ("due_at >= ? AND due_at < ?", "activities_due"),
        ],
    ),
    (
        "quotes",
        &[
            ("number = ?", "quotes_by_number"),
            ("status = ?", "quotes_by_state"),
            ("status = ? AND expires_at > ?", "quotes_by_state"),
            ("customer_id = ?", "quotes_by_customer"),
            ("deal_id = ?", "quotes_by_deal"),
            ("order_id = ?", "quotes_by_order"),
            ("id >= ? AND id < ?", "PRIMARY KEY"),
        ],
    ),
    (
        "payments",
        &[
            ("order_id = ?", "payments_by_order"),
            ("invoice_id = ?", "payments_by_invoice"),
            ("customer_id = ?", "payments_by_customer"),
            ("status = ?", "payments_by_status"),
            ("provider = ?", "payments_by_provider"),
            ("method = ?", "payments_by_method"),
            ("link_id = ?", "payments_by_link"),
            ("flags <> '' AND flags LIKE ?", "payments_flagged"),
        ],
    ),
    (
        "refunds",
        &[
            ("payment_id = ?", "refunds_by_payment"),
            ("order_id = ?", "refunds_by_order"),
            ("status = ?", "refunds_by_status"),
        ],
    ),
    (
        "payment_links",
        &[
            ("stage = ?", "payment_links_by_stage"),
            ("order_id = ?", "payment_links_by_order"),
            ("invoice_id = ?", "payment_links_by_invoice"),
        ],
    ),
    (
        "approvals",
        &[
            ("entity_type IN (?, ?) AND status = ?", "approvals_by_status"),
            ("entity_type IN (?, ?) AND entity_id = ?", "approvals_by_entity"),
        ],
    ),
    (
        "invoices",
        &[
            ("status = ?", "invoices_by_status"),
            ("kind = ?", "invoices_by_kind"),
            ("series = ?", "invoices_by_series"),
            ("receiver_rfc = ?", "invoices_by_receiver"),
            ("customer_id = ?", "invoices_by_customer"),
            ("cancellation_status = ?", "invoices_by_cancellation"),
            ("issuer_id <> '' AND issuer_id = ?", "invoices_by_issuer"),
            ("branch_id = ?", "invoices_by_branch"),
            ("receipt_due = 1", "invoices_receipt_due"),
        ],
    ),
    (
        "withholdings",
        &[
            ("status = ?", "withholdings_by_status"),
            ("code = ?", "withholdings_by_code"),
            ("year = ?", "withholdings_by_year"),
            ("issuer_id = ?", "withholdings_by_issuer"),
            ("receiver_rfc = ?", "withholdings_by_receiver"),
            ("customer_id = ?", "withholdings_by_customer"),
        ],
    ),
    ("transfers", &[("status = ?", "transfers_by_status")]),
    (
        "stock_counts",
        &[
            ("status = ?", "stock_counts_by_status"),
            ("warehouse_id = ?", "stock_counts_by_warehouse"),
        ],
    ),
    (
        "cost_changes",
        &[
            ("product_id = ?", "cost_changes_by_product"),
            ("variant_id = ?", "cost_changes_by_variant"),
        ],
    ),
    (
        "credit_entries",
        &[
            ("kind IN ('grant', 'release') AND kind = ?", "credit_entries_seldom"),
            ("invoice_id = ?", "credit_entries_by_invoice"),
            ("withholding_id = ?", "credit_entries_by_withholding"),
        ],
    ),
    (
        "deliveries",
        &[
            ("subscription_id = ? AND state = 'failed'", "deliveries_failed"),
            ("subscription_id = ? AND next_attempt_at IS NOT NULL", "deliveries_due"),
        ],
    ),
];

#[test]
fn every_filter_has_its_index() {
    let (_database, mut conn) = migrated();
    let mut walks = Vec::new();
    for (table, filters) in FILTERS {
        for (filter, index) in *filters {
            let sql = format!(
                "SELECT * FROM {table} WHERE account_id = ? AND {filter} ORDER BY id DESC LIMIT 21"
            );
            let steps = steps(&mut conn, &sql);
            if !steps[0].contains(&format!("{index} (account_id=?")) {
                walks.push(format!("{table}, {filter}: {steps:?}"));
            }
        }
    }
    assert_eq!(walks, [""; 0]);
}

/// Matches of a range are read from its index, in whatever order, as long as they are few.
#[test]
fn ranges_have_their_index() {
    let (_database, mut conn) = migrated();
    for (table, filter, index) in [
        ("products", "updated_at >= ?", "products_by_change"),
        ("products", "price >= ? AND price <= ?", "products_by_price"),
        ("customers", "updated_at >= ?", "customers_by_change"),
        ("leads", "updated_at >= ?", "leads_by_change"),
        ("orders", "updated_at >= ?", "orders_by_change"),
        ("deals", "updated_at >= ?", "deals_by_update"),
        ("invoices", "updated_at >= ?", "invoices_by_change"),
    ] {
        let sql = format!("SELECT id FROM {table} WHERE account_id = ? AND {filter} LIMIT 10001");
        let steps = steps(&mut conn, &sql);
        assert!(steps[0].contains(index), "{table}, {filter}: {steps:?}");
    }
}

#[test]
fn sales_are_read_by_their_payment() {
    let (_database, mut conn) = migrated();
    let paid = "SELECT * FROM orders WHERE account_id = ? AND paid_at >= ? AND paid_at < ? ORDER BY paid_at, id LIMIT 1000";
    let lately = "SELECT COUNT(*) FROM (SELECT id FROM orders WHERE account_id = ? AND paid_at >= ? \
        ORDER BY paid_at DESC, id DESC LIMIT ?) o WHERE NOT EXISTS \
        (SELECT 1 FROM invoice_orders h WHERE h.account_id = ? AND h.order_id = o.id)";
    for sql in [paid, lately] {
        let steps = steps(&mut conn, sql);
        assert!(
            steps.iter().any(|step| step.contains("orders_by_payment (account_id=?")),
            "{steps:?}"
        );
        assert!(steps.iter().all(|step| !step.contains("TEMP B-TREE")), "{steps:?}");
    }
}

/// Few orders of a state among a million are found by what has these and few others.
#[test]
fn filters_of_orders_by_their_states_have_their_indexes() {
    let (_database, mut conn) = migrated();
    let of_either = |one: &str, other: &str| {
        format!(
            "id IN (SELECT o.id FROM orders o WHERE o.account_id = ? AND {one} \
             UNION ALL SELECT o.id FROM orders o WHERE o.account_id = ? AND {other})"
        )
    };
    let free = "o.paid_at IS NULL AND COALESCE(o.amount_paid, 0) >= o.total - o.returned_total";
    let unpaid = "o.paid_at IS NULL AND o.status <> 'pending'";
    for (filter, indexes) in [
        (of_either("o.paid_at > 0", free), vec!["orders_by_payment", "orders_free"]),
        (of_either("o.status = 'pending'", unpaid), vec!["orders_by_status", "orders_unpaid"]),
        ("status IN ('pending', 'paid', 'cancelled')".to_owned(), vec!["orders_by_status"]),
        (
            "id IN (SELECT h.order_id FROM invoice_orders h WHERE h.account_id = ?)".to_owned(),
            vec!["SEARCH h USING"],
        ),
    ] {
        let sql = format!("SELECT id FROM orders WHERE account_id = ? AND {filter} LIMIT 10001");
        let steps = steps(&mut conn, &sql);
        for index in indexes {
            assert!(steps.iter().any(|step| step.contains(index)), "{filter}: {steps:?}");
        }
        assert!(steps.iter().all(|step| !step.starts_with("SCAN")), "{filter}: {steps:?}");
    }
}

/// The products of some categories or of a price list are found by these, not one after the other.
#[test]
fn filters_of_products_by_other_tables_have_their_index() {
    let (_database, mut conn) = migrated();
    for (filter, index) in [
        (
            "SELECT product_id FROM product_categories WHERE account_id = 'a' AND category_id IN ('b', 'c')",
            "product_categories USING PRIMARY KEY (account_id=? AND category_id=?",
        ),
        (
            "SELECT product_id FROM price_list_items WHERE account_id = 'a' AND list_id = 'b'",
            "price_list_items USING COVERING INDEX price_list_items_by_list (account_id=? AND list_id=?",
        ),
    ] {
        let steps = steps(
            &mut conn,
            &format!(
                "SELECT * FROM products WHERE account_id = 'a' AND deleted_at IS NULL \
                 AND id IN ({filter}) ORDER BY id DESC LIMIT 21"
            ),
        );
        assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}");
        assert!(steps.iter().all(|step| !step.starts_with("SCAN")), "{steps:?}");
    }
}

/// What is low is read from an index that has nothing else.
#[test]
fn low_stock_has_its_index() {
    let (_database, mut conn) = migrated();
    let low = "l.account_id = ? AND (? = '' OR l.variant_id = ?) AND l.is_low";
    let count =
        format!("SELECT COUNT(*) FROM (SELECT 1 FROM stock_levels l WHERE {low} LIMIT ?) AS c");
    let page = format!(
        "SELECT * FROM stock_levels l CROSS JOIN products p LEFT JOIN variants v ON v.account_id = l.account_id \
         AND v.product_id = l.product_id AND v.id = l.variant_id WHERE {low} AND p.account_id = l.account_id \
         AND p.id = l.product_id AND (l.product_id, l.variant_id) > (?, ?) ORDER BY l.product_id, l.variant_id LIMIT ? OFFSET ?"
    );
    let there = format!(
        "SELECT * FROM stock_levels l CROSS JOIN stock_levels h WHERE {low} AND h.account_id = l.account_id \
         AND h.product_id = l.product_id AND h.variant_id = l.variant_id AND h.warehouse_id = ? ORDER BY l.product_id, l.variant_id"
    );
    for sql in [count, page, there] {
        let steps = steps(&mut conn, &sql);
        let is_found = |step: &String| step.contains("stock_levels_low (account_id=?");
        assert!(steps.iter().any(is_found), "{steps:?}");
        assert!(steps.iter().all(|step| !step.contains("TEMP B-TREE")), "{steps:?}");
    }
}

/// A board takes the first deals of each stage from the index of their order, however many there are.
#[test]
fn boards_enter_each_stage_by_its_order() {
    let (_database, mut conn) = migrated();
    let sql = "SELECT d.id, s.id FROM pipeline_stages s CROSS JOIN deals d WHERE d.account_id = s.account_id \
        AND d.stage_id = s.id AND d.rank <= COALESCE((SELECT e.rank FROM deals e WHERE e.account_id = s.account_id \
        AND e.stage_id = s.id ORDER BY e.rank LIMIT 1 OFFSET ?), '~') AND s.account_id = ? AND s.pipeline_id = ? \
        ORDER BY s.place, d.rank";
    let steps = steps(&mut conn, sql);
    let by_order = "deals_in_order (account_id=? AND stage_id=?";
    assert_eq!(steps.iter().filter(|step| step.contains(by_order)).count(), 2, "{steps:?}");
}

/// A code that a scanner reads may be of a product or of a variant.
#[test]
fn a_code_is_found_by_both_of_its_indexes() {
    let (_database, mut conn) = migrated();
    let sql = "SELECT * FROM products WHERE account_id = ? AND deleted_at IS NULL AND (ean = ? OR id IN \
         (SELECT product_id FROM variants WHERE account_id = ? AND ean = ?)) ORDER BY id DESC LIMIT 21";
    let steps = steps(&mut conn, sql);
    for index in ["products_by_ean", "variants_by_ean"] {
        assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}");
    }
}

/// An index of which nothing is said looks better than all others of its table.
#[test]
fn where_something_is_said_of_a_table_it_is_said_of_each_of_its_indexes() {
    let (_database, mut conn) = migrated();
    let silent = "SELECT s.tbl || ' ' || i.name AS line FROM (SELECT DISTINCT tbl FROM sqlite_stat1) s, \
        pragma_index_list(s.tbl) i WHERE NOT EXISTS (SELECT 1 FROM sqlite_stat1 k WHERE k.tbl = s.tbl \
        AND k.idx = CASE i.origin WHEN 'pk' THEN s.tbl ELSE i.name END)";
    let wrong = "SELECT k.tbl || ' ' || k.idx AS line FROM sqlite_stat1 k WHERE \
        1 + (SELECT COUNT(*) FROM pragma_index_list(k.tbl) i, pragma_index_info(i.name) c \
        WHERE CASE i.origin WHEN 'pk' THEN k.tbl ELSE i.name END = k.idx) <> \
        1 + LENGTH(k.stat) - LENGTH(REPLACE(k.stat, ' ', ''))";
    for query in [silent, wrong] {
        let rows: Vec<Line> = sql_query(query).load(&mut conn).unwrap();
        let lines: Vec<String> = rows.into_iter().map(|row| row.line).collect();
        assert_eq!(lines, [""; 0]);
    }
}

/// As connections of look-ups are set, and what they ask for.
const BY_KEY_ONLY: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
    SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan";
const LOOK_UP: &str = "SELECT * FROM products WHERE products.ctid = ANY(ARRAY(SELECT k.ctid \
    FROM unnest($1, $2) AS w (account_id, id) CROSS JOIN LATERAL (SELECT r.ctid FROM products r \
    WHERE r.account_id = w.account_id AND r.id >= w.id AND r.id <= w.id ORDER BY r.id LIMIT 1) k)) AND deleted_at IS NULL";
const PAGE: &str =
    "SELECT * FROM products WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id DESC LIMIT $2";

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    line: String,
}

/// The same on PostgreSQL, whose statements are planned without their values. A level that stays above its threshold is
/// moved without a write to any index: none has a column that such a move changes.
#[test]
fn low_stock_has_its_index_on_postgresql() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let products: Vec<_> = (0..300).map(|number| shop.products_pending(number)).collect();
    assert!(products.into_iter().all(|made| made.wait().unwrap().is_ok()));
    let mut conn = PgConnection::establish(&shop.database.url).unwrap();
    conn.batch_execute(BY_KEY_ONLY).unwrap();
    // All but a few are not low.
    conn.batch_execute(
        "UPDATE products SET low_stock_threshold = 1 WHERE id > (SELECT id FROM products ORDER BY id OFFSET 3 LIMIT 1); \
         UPDATE stock_levels l SET low_below = 1, is_low = FALSE FROM products p WHERE p.id = l.product_id \
         AND p.low_stock_threshold = 1; ANALYZE stock_levels; ANALYZE products; ANALYZE variants; \
         PREPARE low (text, text, text, bigint) AS SELECT COUNT(*) FROM (SELECT 1 FROM stock_levels l \
         WHERE l.account_id = $1 AND ($2 = '' OR l.variant_id = $3) AND l.is_low LIMIT $4) AS counted; \
         PREPARE page (text, text, text, text, text, bigint, bigint) AS SELECT * FROM stock_levels l CROSS JOIN products p \
         LEFT JOIN variants v ON v.account_id = l.account_id AND v.product_id = l.product_id AND v.id = l.variant_id \
         WHERE l.account_id = $1 AND ($2 = '' OR l.variant_id = $3) AND l.is_low AND p.account_id = l.account_id \
         AND p.id = l.product_id AND (l.product_id, l.variant_id) > ($4, $5) ORDER BY l.product_id, l.variant_id LIMIT $6 OFFSET $7",
    )
    .unwrap();
    for execute in ["low ('a', '', '', 10001)", "page ('a', '', '', '', '', 21, 0)"] {
        let lines: Vec<Plan> =
            sql_query(format!("EXPLAIN EXECUTE {execute}")).load(&mut conn).unwrap();
        let plan = lines.into_iter().map(|plan| plan.line).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("stock_levels_low"), "{execute}: {plan}");
    }
    let columns = "SELECT DISTINCT a.attname::text AS line FROM pg_index x JOIN pg_attribute a ON a.attrelid = x.indrelid \
        WHERE x.indrelid = 'stock_levels'::regclass AND (a.attnum = ANY (x.indkey) \
        OR pg_get_expr(x.indpred, x.indrelid) LIKE '%' || a.attname || '%') AND a.attnum > 0 ORDER BY 1";
    let rows: Vec<Line> = sql_query(columns).load(&mut conn).unwrap();
    let columns: Vec<String> = rows.into_iter().map(|row| row.line).collect();
    assert_eq!(columns, ["account_id", "is_low", "product_id", "variant_id", "warehouse_id"]);
}

/// A plan that was made while a table was empty serves until it is made anew, which look-ups have done after 64 uses or a
/// minute: then it goes by the key.
#[test]
fn look_ups_go_by_the_key_of_a_table_that_was_empty() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let mut conn = PgConnection::establish(&shop.database.url).unwrap();
    let mut run = |sql: &str| conn.batch_execute(sql).unwrap();
    run(BY_KEY_ONLY);
    run("ANALYZE products");
    run(&format!(
        "PREPARE look_up (text[], text[]) AS {LOOK_UP}; PREPARE page (text, bigint) AS {PAGE}"
    ));
    run("EXECUTE look_up (ARRAY['a'], ARRAY['b']); EXECUTE page ('a', 21)");
    let products: Vec<_> = (0..500).map(|number| shop.products_pending(number)).collect();
    assert!(products.into_iter().all(|made| made.wait().unwrap().is_ok()));
    conn.batch_execute("DISCARD PLANS").unwrap();
    let mut planned = |execute: &str| {
        let lines: Vec<Plan> =
            sql_query(format!("EXPLAIN EXECUTE {execute}")).load(&mut conn).unwrap();
        lines.into_iter().map(|plan| plan.line).collect::<Vec<_>>().join("\n")
    };
    let look_up = planned("look_up (ARRAY['a'], ARRAY['b'])");
    assert!(look_up.contains("Tid Scan on products"), "{look_up}");
    assert!(look_up.contains("Index Scan using products_pkey on products r"), "{look_up}");
    let page = planned("page ('a', 21)");
    assert!(page.contains("Index Scan Backward using products_pkey"), "{page}");
    for plan in [look_up, page] {
        assert!(!plan.contains("Seq Scan") && !plan.contains("Sort"), "{plan}");
    }
}
