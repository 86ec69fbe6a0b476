//! The audit through the API: every order that was acknowledged, and no other.

use std::collections::HashSet;

use anyhow::Context;
use serde_json::Value;

use crate::chaos::book::Book;
use crate::chaos::order::ShownOrder;
use crate::chaos::verdict::Invariant;
use crate::service::ApiClient;

const PAGE: usize = 100;
/// Beyond so many orders only the newest are walked through each time.
const FULL_WALK_ORDERS_MAX: usize = 50_000;
/// How often all are walked through even then.
const FULL_WALK_CYCLES: u32 = 10;
/// Orders of the last cycle that are also read one by one.
const SINGLE_READS: usize = 100;

/// Whether this cycle's audit looks at everything there is.
pub(crate) fn is_full(book: &Book, cycle: u32, last: bool) -> bool {
    last || book.orders.len() <= FULL_WALK_ORDERS_MAX || cycle.is_multiple_of(FULL_WALK_CYCLES)
}

/// Compares what the API shows with the book.
pub(crate) async fn audit(
    book: &mut Book,
    client: &mut ApiClient,
    full: bool,
) -> anyhow::Result<()> {
    let mut met = HashSet::new();
    let mut cursor = String::new();
    // A cursor that leads in a circle must not keep the audit for ever.
    let pages_max = book.orders.len() / PAGE + 10;
    for _ in 0..pages_max {
        let path = format!("/api/v1/orders?limit={PAGE}{cursor}");
        let page = client.get(&path).await?;
        check_total(book, &page);
        let orders = page.get("data").and_then(Value::as_array).context("a page without data")?;
        let mut news = false;
        for order in orders {
            news |= meet(book, order, &mut met);
        }
        let next = page.get("nextCursor").and_then(Value::as_str);
        match next {
            Some(next) if full || news => cursor = format!("&cursor={next}"),
            _ => break,
        }
    }
    check_missing(book, &met, full);
    read_singly(book, client).await?;
    check_stock(book, client).await
}

fn check_total(book: &mut Book, page: &Value) {
    let total = page.get("total").and_then(Value::as_u64);
    let known = book.orders.len() as u64;
    book.verdict.check(Invariant::TotalIsExact, total == Some(known), || {
        format!("the list says {total:?}, {known} orders are known")
    });
}

/// Checks one listed order; whether no earlier walk has met it.
fn meet(book: &mut Book, order: &Value, met: &mut HashSet<usize>) -> bool {
    let shown = ShownOrder::read(order, &book.products);
    let place = shown.as_ref().and_then(|shown| book.order_by_id.get(&shown.id).copied());
    // Listed twice counts as unexplained: no key explains the second.
    let explained = place.is_some_and(|place| met.insert(place));
    book.verdict.check(Invariant::NoUnexplainedOrder, explained, || order.to_string());
    let known = place.and_then(|place| book.orders.get_mut(place));
    let (Some(known), Some(shown)) = (known, shown) else { return true };
    book.verdict.check(Invariant::OrderIsKept, known.shown == shown, || {
        format!("{:?} became {shown:?}", known.shown)
    });
    !std::mem::replace(&mut known.seen, true)
}

fn check_missing(book: &mut Book, met: &HashSet<usize>, full: bool) {
    for (place, order) in book.orders.iter().enumerate() {
        let listed = if full { met.contains(&place) } else { order.seen };
        if !listed {
            book.verdict.check(Invariant::OrderIsKept, false, || {
                format!("{} {} is not listed", order.shown.id, order.shown.number)
            });
        }
    }
}

async fn read_singly(book: &mut Book, client: &mut ApiClient) -> anyhow::Result<()> {
    let first = book.orders.len().saturating_sub(SINGLE_READS);
    for place in first..book.orders.len() {
        let order = client.get(&book.order_path(place)).await;
        let shown = order.as_ref().ok().and_then(|order| ShownOrder::read(order, &book.products));
        let known = book.orders.get(place).map(|order| &order.shown);
        let kept = shown.as_ref() == known;
        book.verdict.check(Invariant::OrderIsKept, kept, || format!("{known:?} reads {order:?}"));
    }
    Ok(())
}

async fn check_stock(book: &mut Book, client: &mut ApiClient) -> anyhow::Result<()> {
    let expected = book.expected_stock();
    for (place, expected) in expected.into_iter().enumerate() {
        let Some(product) = book.products.get(place) else { continue };
        let shown = client.get(&format!("/api/v1/products/{}", product.id)).await?;
        let stock = shown.get("inventory").and_then(Value::as_i64);
        let id = product.id.clone();
        book.verdict.check(Invariant::StockAddsUp, stock == Some(expected), || {
            format!("{id}: {expected} expected, {stock:?} shown")
        });
        let held = stock.is_some_and(|stock| stock >= 0);
        book.verdict.check(Invariant::StockIsNotNegative, held, || format!("{id}: {stock:?}"));
    }
    Ok(())
}
