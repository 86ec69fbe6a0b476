//! The feed of an account's events, followed by its cursor from the first to the last.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;
use tokio::time;

use super::promise::NodePromise;
use crate::chaos::book::{Book, CANCELLED};
use crate::chaos::verdict::Verdict;
use crate::service::ApiClient;
use crate::service::client::text_field;

const CREATED: &str = "order.created";
const ENDED: &str = "order.cancelled";
/// When there is nothing new.
const PAUSE: Duration = Duration::from_millis(100);
/// Longer than any transaction of a node may hold events back.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a client has seen that polls.
#[derive(Debug, Default)]
pub(super) struct Feed {
    cursor: Option<String>,
    seen: HashSet<String>,
    repeated: Vec<String>,
    /// What was told of each order, in this order: whether it was placed, or has ended.
    orders: HashMap<String, Vec<bool>>,
    told: usize,
}

impl Feed {
    /// Polls until there is an end of it. A page that does not come is asked for again.
    pub(super) async fn follow(mut self, mut client: ApiClient, is_over: Arc<AtomicBool>) -> Self {
        while !is_over.load(Ordering::Relaxed) {
            let page = client.get(&self.path()).await;
            if !page.is_ok_and(|page| self.take(&page)) {
                time::sleep(PAUSE).await;
            }
        }
        self
    }

    /// Reads on until all that these orders call for was told, or for long nothing is.
    pub(super) async fn catch_up(
        &mut self,
        client: &mut ApiClient,
        book: &Book,
    ) -> anyhow::Result<()> {
        let ended = book.orders.iter().filter(|order| order.shown.status == CANCELLED).count();
        let due = book.orders.len() + ended;
        let mut since = Instant::now();
        loop {
            let before = self.seen.len();
            let page = client.get(&self.path()).await.context("following the feed")?;
            let has_more = self.take(&page);
            if self.seen.len() > before {
                since = Instant::now();
            }
            if !has_more && (self.told >= due || since.elapsed() > PATIENCE) {
                return Ok(());
            }
            if !has_more {
                time::sleep(PAUSE).await;
            }
        }
    }

    /// Compares what was told with what was acknowledged.
    pub(super) fn audit(&self, verdict: &mut Verdict<NodePromise>, book: &Book) {
        for event in &self.repeated {
            verdict.check(NodePromise::FeedRepeatsNothing, false, || event.clone());
        }
        for order in &book.orders {
            let id = &order.shown.id;
            let told = self.orders.get(id).map(Vec::as_slice).unwrap_or_default();
            let due = 1 + usize::from(order.shown.status == CANCELLED);
            let is_complete =
                told.len() == due && told.iter().filter(|is_end| !**is_end).count() == 1;
            verdict.check(NodePromise::FeedIsComplete, is_complete, || {
                format!("{id} is {}, the feed told {told:?}", order.shown.status)
            });
            verdict.check(NodePromise::FeedIsInOrder, told.first() != Some(&true), || {
                format!("{id}: its end came first")
            });
            verdict.check(NodePromise::FeedRepeatsNothing, told.len() <= due, || {
                format!("{id} is {}, the feed told {told:?}", order.shown.status)
            });
        }
        let strangers = self.orders.keys().filter(|id| !book.order_by_id.contains_key(*id));
        let strangers: Vec<&String> = strangers.collect();
        verdict
            .check(NodePromise::FeedIsExplained, strangers.is_empty(), || format!("{strangers:?}"));
    }

    fn path(&self) -> String {
        match &self.cursor {
            Some(cursor) => format!("/api/v1/events?limit=100&cursor={cursor}"),
            None => "/api/v1/events?limit=100".to_owned(),
        }
    }

    /// Takes in a page; whether more can be had at once.
    fn take(&mut self, page: &Value) -> bool {
        for event in page.get("data").and_then(Value::as_array).into_iter().flatten() {
            let id = text_field(event, "id");
            let name = text_field(event, "event");
            if name == CREATED || name == ENDED {
                let order = event.get("data").map(|order| text_field(order, "id"));
                self.orders.entry(order.unwrap_or_default()).or_default().push(name == ENDED);
                self.told += 1;
            }
            if self.seen.contains(&id) {
                self.repeated.push(format!("{id} {name}"));
            } else {
                self.seen.insert(id);
            }
        }
        if let Some(cursor) = page.get("nextCursor").and_then(Value::as_str) {
            self.cursor = Some(cursor.to_owned());
        }
        page.get("hasMore").and_then(Value::as_bool).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    use crate::chaos::order::Product;
    use crate::random::SplitMix64;
    use crate::service::Answer;

    /// A book with the orders `ord_0`, which is cancelled, and `ord_1`.
    fn book() -> Book {
        let product = Product { id: "prd_a".into(), price_cents: 1000, initial_stock: 50 };
        let mut book = Book { products: vec![product], ..Book::default() };
        for number in 0..2 {
            let ask = book.ask(&mut SplitMix64::new(number));
            let quantity = book.asks[ask].lines[0].quantity;
            let body = json!({
                "id": format!("ord_{number}"), "orderNumber": "ORD-1", "status": "pending",
                "totalAmount": 10 * quantity, "items": [{"productId": "prd_a", "quantity": quantity}]
            });
            let body = body.to_string().into_bytes();
            book.order_answered(ask, &Answer { status: 201, replayed: false, body }, false);
        }
        book.cancelled(0);
        assert_eq!((book.orders.len(), book.verdict.violations()), (2, 0));
        book
    }

    fn page(events: &[(&str, &str, &str)]) -> Value {
        let events = events
            .iter()
            .map(|(id, name, order)| json!({"id": id, "event": name, "data": {"id": order}}));
        json!({"data": events.collect::<Vec<_>>(), "nextCursor": "c", "hasMore": true})
    }

    #[track_caller]
    fn assert_violations(events: &[(&str, &str, &str)], expected: &[NodePromise]) {
        let (mut feed, mut verdict) = (Feed::default(), Verdict::default());
        assert!(feed.take(&page(events)));
        feed.audit(&mut verdict, &book());
        let report = verdict.report();
        for promise in expected {
            assert!(report.contains(&format!("- {promise:?}: ")), "{promise:?}: {report}");
        }
        assert_eq!(verdict.violations(), expected.len() as u64, "{report}");
    }

    const PLACED: (&str, &str, &str) = ("evt_1", CREATED, "ord_0");
    const OVER: (&str, &str, &str) = ("evt_2", ENDED, "ord_0");
    const OTHER: (&str, &str, &str) = ("evt_3", CREATED, "ord_1");

    #[test]
    fn every_fault_of_a_feed_is_told() {
        let product = ("evt_4", "product.updated", "prd_a");
        assert_violations(&[PLACED, product, OTHER, OVER], &[]);
        assert_violations(&[PLACED, OTHER], &[NodePromise::FeedIsComplete]);
        assert_violations(&[OVER, PLACED, OTHER], &[NodePromise::FeedIsInOrder]);
        assert_violations(
            &[PLACED, product, product, OTHER, OVER],
            &[NodePromise::FeedRepeatsNothing],
        );
        let again = ("evt_5", CREATED, "ord_1");
        let twice = [NodePromise::FeedIsComplete, NodePromise::FeedRepeatsNothing];
        assert_violations(&[PLACED, OTHER, OVER, again], &twice);
        let stranger = ("evt_6", CREATED, "ord_9");
        assert_violations(&[PLACED, OTHER, OVER, stranger], &[NodePromise::FeedIsExplained]);
    }

    #[test]
    fn a_follower_goes_on_where_it_was() {
        let mut feed = Feed::default();
        assert_eq!(feed.path(), "/api/v1/events?limit=100");
        feed.take(&json!({"data": [], "nextCursor": null, "hasMore": false}));
        assert_eq!(feed.path(), "/api/v1/events?limit=100");
        feed.take(&page(&[]));
        assert_eq!(feed.path(), "/api/v1/events?limit=100&cursor=c");
    }
}
