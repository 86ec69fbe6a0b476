//! Sums that are kept beside the entries that they sum up.

use diesel::QueryResult;
use engine::db::Db;

use super::{Finding, STOCK_AUDITS, texts, told};

/// What is shown of what does not add up.
const SHOWN_MAX: usize = 5;

/// A subject and a query for what is wrong with it: one text for each case, at most six.
const LEDGERS: &[(&str, &str)] = &[
    (
        "credits",
        "SELECT a.id FROM accounts a WHERE COALESCE((SELECT b.available FROM credit_balances b WHERE b.account_id = a.id), 0) \
         <> (SELECT COALESCE(SUM(e.amount), 0) FROM credit_entries e WHERE e.account_id = a.id) LIMIT 6",
    ),
    (
        "deals",
        "SELECT s.stage_id || ' of ' || s.account_id FROM deal_sums s \
         WHERE s.deal_count <> (SELECT COUNT(*) FROM deals d WHERE d.account_id = s.account_id \
         AND d.pipeline_id = s.pipeline_id AND d.stage_id = s.stage_id AND d.currency = s.currency) \
         OR s.units <> (SELECT COALESCE(SUM(d.value / 1000000), 0) FROM deals d WHERE d.account_id = s.account_id \
         AND d.pipeline_id = s.pipeline_id AND d.stage_id = s.stage_id AND d.currency = s.currency) LIMIT 6",
    ),
    (
        "counters",
        "SELECT name || ' of ' || id FROM (SELECT a.id AS id, c.name AS name, c.value AS value, CASE c.name \
         WHEN 'orders' THEN (SELECT COUNT(*) FROM orders o WHERE o.account_id = a.id) \
         WHEN 'products' THEN (SELECT COUNT(*) FROM products p WHERE p.account_id = a.id AND p.deleted_at IS NULL) \
         WHEN 'customers' THEN (SELECT COUNT(*) FROM customers u WHERE u.account_id = a.id) \
         ELSE (SELECT COUNT(*) FROM leads l WHERE l.account_id = a.id) END AS counted \
         FROM accounts a JOIN counters c ON c.account_id = a.id \
         WHERE c.name IN ('orders', 'products', 'customers', 'leads')) AS kept WHERE value <> counted \
         UNION ALL SELECT 'events of ' || c.account_id FROM counters c WHERE c.name = 'events' \
         AND c.value < (SELECT MAX(e.position) FROM events e WHERE e.account_id = c.account_id) LIMIT 6",
    ),
];

/// One finding for each ledger.
pub(super) fn examine(db: &mut Db) -> Vec<Finding> {
    let stock = told("stock", stock(db));
    let findings = LEDGERS.iter().map(|(subject, sql)| told(subject, ledger(db, subject, sql)));
    std::iter::once(stock).chain(findings).collect()
}

fn stock(db: &mut Db) -> QueryResult<Finding> {
    let mut wrong = Vec::new();
    for sql in STOCK_AUDITS {
        wrong.extend(texts(db, sql)?);
    }
    Ok(judged("stock", &wrong))
}

fn ledger(db: &mut Db, subject: &'static str, sql: &'static str) -> QueryResult<Finding> {
    Ok(judged(subject, &texts(db, sql)?))
}

/// What is said of a ledger that is wrong in these cases.
fn judged(subject: &'static str, wrong: &[String]) -> Finding {
    if wrong.is_empty() {
        return Finding::fine(subject, "the sums are those of the entries");
    }
    let more = if wrong.len() > SHOWN_MAX { ", and more" } else { "" };
    let shown: Vec<&str> = wrong.iter().take(SHOWN_MAX).map(String::as_str).collect();
    let text =
        format!("the sum is not that of the entries: {}{more}; please report it", shown.join(", "));
    Finding::failure(subject, text)
}
