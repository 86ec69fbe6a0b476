//! The audit beneath the API: events, the stock ledger and the database's files.

use std::collections::HashMap;

use anyhow::Context;

use crate::chaos::book::{Book, CANCELLED};
use crate::chaos::verdict::Invariant;
use crate::database::Database;

/// Compares what the database holds for the account with the book.
pub(crate) fn audit(
    book: &mut Book,
    database: &Database,
    account_id: &str,
    full: bool,
) -> anyhow::Result<()> {
    audit_event_counts(book, database, account_id)?;
    audit_ledger(book, database, account_id)?;
    if !full {
        return Ok(());
    }
    audit_events(book, database, account_id)?;
    if let Some(faults) = database.integrity_faults()? {
        let whole = faults.is_empty();
        book.verdict.check(Invariant::DatabaseIsWhole, whole, || faults.join("; "));
    }
    Ok(())
}

/// One event of each kind for each order that calls for it, and for nothing else.
fn audit_events(book: &mut Book, database: &Database, account_id: &str) -> anyhow::Result<()> {
    let kinds = [
        ("order.created", Invariant::OneCreatedEvent),
        ("order.cancelled", Invariant::OneCancelledEvent),
    ];
    for (name, invariant) in kinds {
        let sql = format!(
            "SELECT entity_id, COUNT(*) FROM events \
             WHERE account_id = '{account_id}' AND name = '{name}' GROUP BY entity_id"
        );
        let mut counts = counts(database, &sql)?;
        for order in &book.orders {
            let found = counts.remove(&order.shown.id).unwrap_or_default();
            let due = i64::from(name == "order.created" || order.shown.status == CANCELLED);
            book.verdict.check(invariant, found == due, || {
                format!("{} has {found} {name}, {due} are due", order.shown.id)
            });
        }
        for (entity, found) in counts {
            book.verdict.check(invariant, false, || format!("{found} {name} for {entity}"));
        }
    }
    Ok(())
}

/// The counts alone, which stay cheap when there are many orders.
fn audit_event_counts(
    book: &mut Book,
    database: &Database,
    account_id: &str,
) -> anyhow::Result<()> {
    let sql = format!(
        "SELECT COUNT(*), COUNT(DISTINCT entity_id) FROM events \
         WHERE account_id = '{account_id}' AND name = 'order.created'"
    );
    let known = book.orders.len().to_string();
    let row = database.query(&sql)?.into_iter().next().unwrap_or_default();
    let exact = row == [known.as_str(), known.as_str()];
    book.verdict.check(Invariant::OneCreatedEvent, exact, || {
        format!("{row:?} events and orders of events, {known} orders")
    });
    Ok(())
}

/// The ledger's sum, the stock level and the book agree on each product.
fn audit_ledger(book: &mut Book, database: &Database, account_id: &str) -> anyhow::Result<()> {
    let sum = |column: &str, table: &str| {
        format!(
            "SELECT product_id, SUM({column}) FROM {table} \
             WHERE account_id = '{account_id}' GROUP BY product_id"
        )
    };
    let levels = counts(database, &sum("quantity", "stock_levels"))?;
    let moved = counts(database, &sum("delta", "stock_movements"))?;
    let expected = book.expected_stock();
    for (product, expected) in book.products.iter().zip(expected) {
        let level = levels.get(&product.id).copied();
        let ledger = moved.get(&product.id).copied();
        let agree = level == Some(expected) && ledger == level;
        book.verdict.check(Invariant::LedgerAddsUp, agree, || {
            format!("{}: level {level:?}, ledger {ledger:?}, expected {expected}", product.id)
        });
    }
    Ok(())
}

fn counts(database: &Database, sql: &str) -> anyhow::Result<HashMap<String, i64>> {
    let mut counts = HashMap::new();
    for row in database.query(sql)? {
        let mut values = row.into_iter();
        let (Some(name), Some(count)) = (values.next(), values.next()) else { continue };
        counts.insert(name, count.parse().with_context(|| format!("{count} in {sql}"))?);
    }
    Ok(counts)
}
