//! What holds in every database at every moment, whatever was called.

use accounts::Action;
use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection,
    connection::{Instrumentation, SimpleConnection},
    sql_query,
    sql_types::Text,
};
use kernel::Actor;

use crate::{Database, DatabaseKind};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Runs an expression on a connection to either database, of whose statements nobody keeps a record.
macro_rules! on_connection {
    ($database:expr, |$conn:ident| $run:expr) => {
        match $database.kind {
            DatabaseKind::Sqlite => {
                let path = $database.url.strip_prefix("sqlite://").unwrap_or_default();
                let mut $conn = SqliteConnection::establish(path).expect("the database opens");
                $conn.set_instrumentation(Unrecorded::None);
                $conn.batch_execute("PRAGMA busy_timeout = 10000").expect("it waits");
                $run
            }
            DatabaseKind::Postgres => {
                let mut $conn =
                    PgConnection::establish(&$database.url).expect("the database opens");
                $conn.set_instrumentation(Unrecorded::None);
                $run
            }
        }
    };
}

type Unrecorded = Option<Box<dyn Instrumentation>>;

/// Queries that find what must not be; each row is a violation.
const AUDITS: &[&str] = &[
    "SELECT 'account ' || i.account_id || ' holds more for credit notes of refunds than there are' AS line \
     FROM invoices i WHERE i.credited > 0 GROUP BY i.account_id HAVING SUM(i.credited) > (SELECT COALESCE(SUM(n.total), 0) \
     FROM refunds r JOIN invoices n ON n.account_id = r.account_id AND n.id = r.credit_note_id \
     WHERE r.account_id = i.account_id AND n.status <> 'cancelled')",
    "SELECT 'invoice ' || i.id || ' is credited beyond its total' AS line FROM invoices i WHERE i.credited > 0 AND i.credited > i.total",
    "SELECT 'payment ' || p.id || ' has no receipt of that name' AS line FROM payments p \
     WHERE p.receipt_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.account_id = p.account_id \
     AND i.id = p.receipt_id AND i.kind = 'P')",
    "SELECT 'refund ' || r.id || ' has no credit note of that name' AS line FROM refunds r \
     WHERE r.credit_note_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.account_id = r.account_id \
     AND i.id = r.credit_note_id AND i.kind = 'E')",
    "SELECT 'product ' || c.product_id || ' is in a category that it does not name' AS line FROM product_categories c \
     LEFT JOIN products p ON p.account_id = c.account_id AND p.id = c.product_id AND p.deleted_at IS NULL \
     WHERE COALESCE(' ' || p.category_ids || ' ', '') NOT LIKE '% ' || c.category_id || ' %' \
     OR NOT EXISTS (SELECT 1 FROM categories g WHERE g.account_id = c.account_id AND g.id = c.category_id)",
    "SELECT 'product ' || p.id || ' is not found in all of its categories' AS line FROM products p \
     WHERE p.deleted_at IS NULL AND p.category_ids IS NOT NULL \
     AND LENGTH(p.category_ids) - LENGTH(REPLACE(p.category_ids, ' ', '')) + 1 <> (SELECT COUNT(*) \
     FROM product_categories c WHERE c.account_id = p.account_id AND c.product_id = p.id)",
    "SELECT 'movement ' || m.id || ' does not follow the one before' AS line FROM (SELECT id, quantity_after, SUM(delta) OVER \
     (PARTITION BY account_id, product_id, variant_id, warehouse_id ORDER BY id) AS quantity FROM stock_movements) m \
     WHERE m.quantity_after <> m.quantity",
    "SELECT 'order ' || o.id || ' was not told exactly once' AS line FROM orders o \
     WHERE 1 <> (SELECT COUNT(*) FROM events e WHERE e.account_id = o.account_id AND e.entity_id = o.id \
     AND e.name = 'order.created')",
    "SELECT 'shipment ' || s.id || ' was not told as it is' AS line FROM shipments s \
     WHERE 1 <> (SELECT COUNT(*) FROM events e WHERE e.account_id = s.account_id AND e.entity_id = s.id \
     AND e.name = 'shipment.created') OR CASE WHEN s.status = 'shipped' THEN 0 ELSE 1 END \
     <> (SELECT COUNT(*) FROM events e WHERE e.account_id = s.account_id AND e.entity_id = s.id \
     AND e.name = 'shipment.' || s.status)",
    "SELECT 'approval ' || p.id || ' was not asked for exactly once' AS line FROM approvals p \
     WHERE 1 <> (SELECT COUNT(*) FROM events e WHERE e.account_id = p.account_id AND e.entity_id = p.id \
     AND e.name = 'approval.requested')",
    "SELECT 'approval ' || p.id || ' was not told as it was decided' AS line FROM approvals p \
     WHERE CASE WHEN p.status IN ('approved', 'rejected') THEN 1 ELSE 0 END \
     <> (SELECT COUNT(*) FROM events e WHERE e.account_id = p.account_id AND e.entity_id = p.id \
     AND e.name = 'approval.decided')",
    "SELECT 'approval ' || p.id || ' and its order do not go together' AS line FROM approvals p \
     WHERE p.command_kind = 'place_order' AND CASE WHEN p.effect = 'applied' THEN 1 ELSE 0 END \
     <> (SELECT COUNT(*) FROM orders o WHERE o.account_id = p.account_id AND o.id = p.entity_id)",
    "SELECT 'approval ' || p.id || ' was approved by nobody' AS line FROM approvals p \
     WHERE p.status = 'approved' AND NOT EXISTS (SELECT 1 FROM approval_decisions d \
     WHERE d.account_id = p.account_id AND d.approval_id = p.id AND d.verdict = 'approve')",
    "SELECT 'payment ' || p.id || ' does not hold what its refunds and approvals do' AS line FROM payments p \
     WHERE p.refund_pending <> (SELECT COALESCE(SUM(r.amount), 0) FROM refunds r WHERE r.account_id = p.account_id \
     AND r.payment_id = p.id AND r.status IN ('pending', 'processing', 'requires_action')) \
     + (SELECT COALESCE(SUM(h.amount), 0) FROM approval_holds h \
     WHERE h.account_id = p.account_id AND h.payment_id = p.id)",
    "SELECT 'approval ' || h.approval_id || ' has ended and still holds money' AS line FROM approval_holds h \
     WHERE NOT EXISTS (SELECT 1 FROM approvals p WHERE p.account_id = h.account_id AND p.id = h.approval_id \
     AND p.status IN ('pending', 'expired'))",
    "SELECT 'order ' || o.id || ' has no items' AS line FROM orders o \
     WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.account_id = o.account_id AND i.order_id = o.id)",
    "SELECT 'the deals of stage ' || s.stage_id || ' in ' || s.currency || ' are not their sum' AS line FROM deal_sums s \
     WHERE s.deal_count <> (SELECT COUNT(*) FROM deals d WHERE d.account_id = s.account_id \
     AND d.pipeline_id = s.pipeline_id AND d.stage_id = s.stage_id AND d.currency = s.currency) \
     OR s.units <> (SELECT COALESCE(SUM(d.value / 1000000), 0) FROM deals d WHERE d.account_id = s.account_id \
     AND d.pipeline_id = s.pipeline_id AND d.stage_id = s.stage_id AND d.currency = s.currency) \
     OR s.micros <> (SELECT COALESCE(SUM(d.value % 1000000), 0) FROM deals d WHERE d.account_id = s.account_id \
     AND d.pipeline_id = s.pipeline_id AND d.stage_id = s.stage_id AND d.currency = s.currency)",
    "SELECT 'deal ' || d.id || ' is in no sum' AS line FROM deals d WHERE d.stage_id IS NOT NULL AND NOT EXISTS \
     (SELECT 1 FROM deal_sums s WHERE s.account_id = d.account_id AND s.pipeline_id = d.pipeline_id \
     AND s.stage_id = d.stage_id AND s.currency = d.currency)",
    "SELECT 'deal ' || d.id || ' is not what its stage is' AS line FROM deals d WHERE d.stage_id IS NOT NULL AND d.status <> \
     COALESCE((SELECT s.kind FROM pipeline_stages s WHERE s.account_id = d.account_id AND s.pipeline_id = d.pipeline_id \
     AND s.id = d.stage_id), '')",
    "SELECT 'deal ' || d.id || ' was not told exactly as often as it was won and lost' AS line FROM deals d \
     WHERE d.stage_id IS NOT NULL AND (SELECT COUNT(*) FROM deal_history h WHERE h.account_id = d.account_id \
     AND h.deal_id = d.id AND h.what IN ('won', 'lost')) \
     <> (SELECT COUNT(*) FROM events e WHERE e.account_id = d.account_id AND e.entity_id = d.id \
     AND e.name IN ('deal.won', 'deal.lost'))",
    "SELECT 'the counter of orders is off in ' || a.id AS line FROM accounts a \
     WHERE (SELECT COUNT(*) FROM orders o WHERE o.account_id = a.id) \
     <> COALESCE((SELECT c.value FROM counters c WHERE c.account_id = a.id AND c.name = 'orders'), 0)",
    "SELECT 'the counter of products is off in ' || a.id AS line FROM accounts a \
     WHERE (SELECT COUNT(*) FROM products p WHERE p.account_id = a.id AND p.deleted_at IS NULL) \
     <> COALESCE((SELECT c.value FROM counters c WHERE c.account_id = a.id AND c.name = 'products'), 0)",
    "SELECT 'the counter of customers is off in ' || a.id AS line FROM accounts a \
     WHERE (SELECT COUNT(*) FROM customers p WHERE p.account_id = a.id) \
     <> COALESCE((SELECT c.value FROM counters c WHERE c.account_id = a.id AND c.name = 'customers'), 0)",
    "SELECT 'the counter of leads is off in ' || a.id AS line FROM accounts a \
     WHERE (SELECT COUNT(*) FROM leads p WHERE p.account_id = a.id) \
     <> COALESCE((SELECT c.value FROM counters c WHERE c.account_id = a.id AND c.name = 'leads'), 0)",
    "SELECT 'the counter of merged leads is off in ' || a.id AS line FROM accounts a \
     WHERE (SELECT COUNT(*) FROM leads p WHERE p.account_id = a.id AND p.merged_into IS NOT NULL) \
     <> COALESCE((SELECT c.value FROM counters c WHERE c.account_id = a.id AND c.name = 'merged_leads'), 0)",
    "SELECT 'the feed of ' || c.account_id || ' will go on before its end' AS line FROM counters c \
     WHERE c.name = 'events' AND c.value < (SELECT MAX(e.position) FROM events e WHERE e.account_id = c.account_id)",
    "SELECT 'the reservation of order ' || o.id || ' is off' AS line FROM orders o WHERE o.status <> 'cancelled' AND \
     (SELECT SUM(i.quantity) FROM order_items i WHERE i.account_id = o.account_id AND i.order_id = o.id) \
     <> -(SELECT SUM(m.delta) FROM stock_movements m WHERE m.account_id = o.account_id AND m.reference = o.id)",
    "SELECT 'delivery ' || d.id || ' waits without its event' AS line FROM deliveries d \
     WHERE d.next_attempt_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events e \
     WHERE e.account_id = d.account_id AND e.id = d.event_id)",
    "SELECT 'the attempts of delivery ' || d.id || ' are not 1 to ' || d.attempts AS line FROM deliveries d \
     WHERE d.attempts <> (SELECT COUNT(*) FROM attempts a WHERE a.account_id = d.account_id AND a.delivery_id = d.id) \
     OR d.attempts <> COALESCE((SELECT MAX(a.number) FROM attempts a \
     WHERE a.account_id = d.account_id AND a.delivery_id = d.id), 0)",
    "SELECT 'attempt ' || a.number || ' is of no delivery: ' || a.delivery_id AS line FROM attempts a \
     WHERE (a.account_id, a.delivery_id) NOT IN (SELECT d.account_id, d.id FROM deliveries d)",
    "SELECT 'delivery ' || d.id || ' is of no webhook' AS line FROM deliveries d \
     WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.account_id = d.account_id AND s.id = d.subscription_id)",
    "SELECT 'delivery ' || d.id || ' is delivered, but its last attempt was not taken' AS line FROM deliveries d \
     WHERE d.state = 'delivered' AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.account_id = d.account_id \
     AND a.delivery_id = d.id AND a.number = d.attempts AND a.status BETWEEN 200 AND 299)",
    "SELECT 'the credits of ' || a.id || ' are not the sum of their ledger' AS line FROM accounts a \
     WHERE COALESCE((SELECT b.available FROM credit_balances b WHERE b.account_id = a.id), 0) \
     <> (SELECT COALESCE(SUM(e.amount), 0) FROM credit_entries e WHERE e.account_id = a.id)",
    "SELECT 'the reserved credits of ' || a.id || ' are not those of its stampings' AS line FROM accounts a \
     WHERE COALESCE((SELECT b.reserved FROM credit_balances b WHERE b.account_id = a.id), 0) \
     <> 10 * ((SELECT COUNT(*) FROM invoices i WHERE i.account_id = a.id AND i.status = 'stamping') \
     + (SELECT COUNT(*) FROM withholdings w WHERE w.account_id = a.id AND w.status = 'stamping'))",
    "SELECT 'withholding ' || w.id || ' is ' || w.status || ', but its credits are not settled so' AS line \
     FROM withholdings w WHERE (CASE WHEN w.status = 'draft' THEN 0 ELSE -10 END) \
     <> (SELECT COALESCE(SUM(e.amount), 0) FROM credit_entries e \
     WHERE e.account_id = w.account_id AND e.withholding_id = w.id)",
    "SELECT 'withholding ' || w.id || ' was not paid for exactly once' AS line FROM withholdings w \
     WHERE (CASE WHEN w.status IN ('stamped', 'cancelled') THEN 1 ELSE 0 END) <> (SELECT COUNT(*) \
     FROM credit_entries e WHERE e.account_id = w.account_id AND e.withholding_id = w.id AND e.kind = 'commit')",
    "SELECT 'withholding ' || w.id || ' is being stamped by no task' AS line FROM withholdings w \
     WHERE (CASE WHEN w.status = 'stamping' THEN 1 ELSE 0 END) <> (SELECT COUNT(*) FROM tasks t \
     WHERE t.account_id = w.account_id AND t.exclusive_key = w.id AND t.kind = 'invoices.stamp_withholding')",
    "SELECT 'withholding ' || w.id || ' is ' || w.status || ' without its documents' AS line FROM withholdings w \
     LEFT JOIN withholding_papers p ON p.account_id = w.account_id AND p.withholding_id = w.id \
     WHERE (w.status IN ('stamped', 'cancelled') AND p.stamped_xml IS NULL) \
     OR (w.status = 'stamping' AND p.sealed_xml IS NULL) OR (w.status = 'draft' AND p.sealed_xml IS NOT NULL)",
    "SELECT 'invoice ' || i.id || ' was not paid for exactly once' AS line FROM invoices i \
     WHERE (CASE WHEN i.status IN ('stamped', 'cancelled') THEN 1 ELSE 0 END) <> (SELECT COUNT(*) \
     FROM credit_entries e WHERE e.account_id = i.account_id AND e.invoice_id = i.id AND e.kind = 'commit')",
    "SELECT 'invoice ' || i.id || ' is ' || i.status || ', but its credits are not settled so' AS line \
     FROM invoices i WHERE (CASE WHEN i.status = 'draft' THEN 0 ELSE -10 END) \
     <> (SELECT COALESCE(SUM(e.amount), 0) FROM credit_entries e \
     WHERE e.account_id = i.account_id AND e.invoice_id = i.id)",
    "SELECT 'invoice ' || i.id || ' is being stamped by no task' AS line FROM invoices i \
     WHERE (CASE WHEN i.status = 'stamping' THEN 1 ELSE 0 END) <> (SELECT COUNT(*) FROM tasks t \
     WHERE t.account_id = i.account_id AND t.exclusive_key = i.id AND t.kind = 'invoices.stamp') \
     + (SELECT COUNT(*) FROM invoice_tasks o WHERE o.account_id = i.account_id AND o.invoice_id = i.id AND o.step = 'stamp')",
    "SELECT 'invoice ' || i.id || ' is being cancelled by no task' AS line FROM invoices i \
     WHERE (CASE WHEN i.cancellation_status = 'requested' THEN 1 ELSE 0 END) <> (SELECT COUNT(*) FROM tasks t \
     WHERE t.account_id = i.account_id AND t.exclusive_key = i.id AND t.kind IN ('invoices.cancel', 'invoices.follow')) \
     + (SELECT COUNT(*) FROM invoice_tasks o WHERE o.account_id = i.account_id AND o.invoice_id = i.id AND o.step <> 'stamp')",
    "SELECT 'task ' || t.id || ' has ended in a state of its own' AS line FROM tasks t \
     WHERE (t.state = 'open') <> (t.due_at IS NOT NULL) OR (t.state <> 'open' AND t.exclusive_key IS NOT NULL)",
    "SELECT 'invoice ' || i.id || ' is ' || i.status || ' without its documents' AS line FROM invoices i \
     LEFT JOIN invoice_papers p ON p.account_id = i.account_id AND p.invoice_id = i.id \
     WHERE (i.status IN ('stamped', 'cancelled') AND p.stamped_xml IS NULL) \
     OR (i.status = 'stamping' AND p.sealed_xml IS NULL)",
    "SELECT 'invoice ' || i.id || ' was not told exactly once' AS line FROM invoices i \
     WHERE 1 <> (SELECT COUNT(*) FROM events e WHERE e.account_id = i.account_id AND e.entity_id = i.id \
     AND e.name = 'invoice.created')",
    "SELECT 'the sandbox stamped ' || s.uuid || ', which nothing has' AS line FROM sandbox_stamps s \
     WHERE NOT EXISTS (SELECT 1 FROM invoices i WHERE i.account_id = s.account_id \
     AND (i.uuid = s.uuid OR i.status = 'stamping')) \
     AND NOT EXISTS (SELECT 1 FROM withholdings w WHERE w.account_id = s.account_id \
     AND (w.uuid = s.uuid OR w.status = 'stamping'))",
];

/// Tables and their columns of text.
const SQLITE_TEXTS: &str = "SELECT t.name || ' ' || c.name AS line \
    FROM pragma_table_list t, pragma_table_info(t.name) c \
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND c.type = 'TEXT'";
const POSTGRES_TEXTS: &str = "SELECT table_name || ' ' || column_name AS line \
    FROM information_schema.columns WHERE table_schema = current_schema() AND data_type = 'text'";

impl Database {
    /// What does not add up; nothing, unless there is a defect.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        let mut found = self.lines_of_each(AUDITS.iter().chain(store::STOCK_AUDITS).copied());
        found.extend(self.untold());
        found
    }

    /// Entries of the audit log that cannot be read, or not be asked for.
    fn untold(&self) -> impl Iterator<Item = String> {
        let entries = "SELECT DISTINCT action || ' by ' || actor AS line FROM audit_entries";
        let is_known = |entry: &String| {
            let (action, actor) = entry.split_once(" by ").unwrap_or_default();
            Action::named(action).is_some() && Actor::parse(actor).is_some()
        };
        let unknown = self.lines(entries).into_iter().filter(move |entry| !is_known(entry));
        unknown.map(|entry| format!("the audit log has {entry}, which is unknown"))
    }

    /// The column `line` of every row of a query.
    ///
    /// # Panics
    /// When the database refuses the query.
    #[must_use]
    pub fn lines(&self, query: &str) -> Vec<String> {
        self.lines_of_each([query])
    }

    /// The same of several queries, on one connection: a new one costs PostgreSQL more than most queries.
    fn lines_of_each<Q: AsRef<str>>(&self, queries: impl IntoIterator<Item = Q>) -> Vec<String> {
        let mut lines = Vec::new();
        on_connection!(self, |conn| for query in queries {
            let query = query.as_ref();
            let rows: Vec<Line> = sql_query(query)
                .load(&mut conn)
                .unwrap_or_else(|refused| panic!("{query}: {refused}"));
            lines.extend(rows.into_iter().map(|row| row.line));
        });
        lines
    }

    /// Does to the rows what no call does.
    ///
    /// # Panics
    /// When the database refuses.
    pub fn execute(&self, sql: &str) {
        on_connection!(self, |conn| sql_query(sql).execute(&mut conn))
            .unwrap_or_else(|refused| panic!("{sql}: {refused}"));
    }

    /// Has PostgreSQL look at a table that was filled: where it runs for a test, it does not do so by itself within a minute.
    ///
    /// # Panics
    /// When there is no such table.
    pub fn analyze(&self, table: &str) {
        if self.kind == DatabaseKind::Postgres {
            self.execute(&format!("ANALYZE {table}"));
        }
    }

    /// The same with many statements; how the database refuses one.
    ///
    /// # Errors
    /// The refusal.
    pub fn try_all(&self, statements: &str) -> Result<(), String> {
        on_connection!(self, |conn| conn.batch_execute(statements))
            .map_err(|refused| refused.to_string())
    }

    /// The same with many statements.
    ///
    /// # Panics
    /// When the database refuses.
    pub fn execute_all(&self, statements: &str) {
        self.try_all(statements).expect("the statements run");
    }

    /// Every text that is kept anywhere, as `table.column: text`.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let columns = match self.kind {
            DatabaseKind::Sqlite => self.lines(SQLITE_TEXTS),
            DatabaseKind::Postgres => self.lines(POSTGRES_TEXTS),
        };
        let texts = columns.iter().filter_map(|column| {
            let (table, column) = column.split_once(' ')?;
            Some(format!(
                "SELECT '{table}.{column}: ' || {column} AS line FROM {table} WHERE {column} IS NOT NULL"
            ))
        });
        self.lines_of_each(texts)
    }

    /// The bodies of an account's events of one name, oldest first.
    #[must_use]
    pub fn events(&self, account: kernel::AccountId, name: &str) -> Vec<serde_json::Value> {
        let query = format!(
            "SELECT body AS line FROM events WHERE account_id = '{account}' AND name = '{name}' ORDER BY id"
        );
        self.lines(&query)
            .iter()
            .map(|body| serde_json::from_str(body).expect("an event is JSON"))
            .collect()
    }

    /// The names of an account's events, oldest first.
    #[must_use]
    pub fn event_names(&self, account: kernel::AccountId) -> Vec<String> {
        self.lines(&format!(
            "SELECT name AS line FROM events WHERE account_id = '{account}' ORDER BY id"
        ))
    }
}
