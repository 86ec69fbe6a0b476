//! Two services on one PostgreSQL database: what holds on one node holds across both.

use std::{
    net::SocketAddr,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use api::{Clock, SystemClock};
use serde_json::{Value, json};
use testkit::{App, Database, DatabaseKind};
use trastienda::{Running, Service};

use super::crowd::{at_once, counted};
use crate::{
    lifecycle::wire::{Answer, Wire},
    orders::shop::{Shop, id},
};

/// A shop's service and a second one beside it.
struct Nodes {
    // Stops before the first, whose database is audited at its end.
    second: Running,
    key: String,
    shop: Shop,
}

impl Nodes {
    fn start() -> Self {
        let shop = Shop::open(DatabaseKind::Postgres);
        let unlimited = 1_000_000_000;
        let api = api::Settings {
            ip_rate_per_minute: unlimited,
            key_rate_per_hour: unlimited,
            ..api::Settings::default()
        };
        let second = Service::new(shop.app.database.settings(), api);
        let second = trastienda::start(second).expect("a second service starts");
        let (key, _) = shop.app.key(shop.account, "*");
        Self { second, key, shop }
    }

    /// One node for even numbers, the other for odd ones.
    fn addr(&self, number: usize) -> SocketAddr {
        let first = self.shop.app.origin();
        let first = first.strip_prefix("http://").expect("a plain address");
        if number.is_multiple_of(2) {
            first.parse().expect("an address")
        } else {
            self.second.addr()
        }
    }

    /// Places an order on one of the nodes.
    fn order(&self, number: usize, idempotency_key: &str, cart: &Value) -> Answer {
        let headers = [("Idempotency-Key", idempotency_key)];
        self.send(number, ("POST", "/orders"), &headers, Some(cart))
    }

    /// Sends a request to one of the nodes.
    fn send(
        &self,
        number: usize,
        (method, path): (&str, &str),
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let mut wire = Wire::connect(self.addr(number), &self.key).expect("the node listens");
        let path = format!("/api/v1{path}");
        wire.send(method, &path, headers, body).expect("the node answers")
    }

    /// Deletes a customer on the first node while the second is asked for things that name it: either the
    /// customer is gone and nothing names it, or it stays.
    fn assert_named_or_gone(&self, customer: &str, naming: &[(String, Value)]) {
        let place = format!("/customers/{customer}");
        let answers = at_once(naming.len() + 1, |number| match number.checked_sub(1) {
            None => self.send(0, ("DELETE", &place), &[], None),
            Some(index) => {
                let (path, body) = &naming[index];
                self.send(1, ("POST", path), &[], Some(body))
            }
        });
        let (deleted, others) = answers.split_first().expect("an answer to each");
        let named = others.iter().filter(|answer| answer.status < 300).count();
        for answer in others.iter().filter(|answer| answer.status >= 300) {
            assert_eq!(answer.json()["error"], "validation_failed", "{}", answer.text);
        }
        match deleted.status {
            200 => assert_eq!(named, 0, "what is gone is not named"),
            _ => {
                assert_eq!(deleted.json()["error"], "conflict", "{}", deleted.text);
                assert!(named > 0, "what nothing names can be deleted");
            }
        }
    }
}

#[test]
fn the_last_pieces_are_sold_once_across_two_nodes() {
    let nodes = Nodes::start();
    let mug = nodes.shop.product("TAZA", 19.99, 50);
    let cart = nodes.shop.cart(&[(&mug, 1)]);
    let answers = at_once(200, |buyer| nodes.order(buyer, &format!("k{buyer}"), &cart));
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(answer.json()["error"], "insufficient_stock", "{}", answer.text);
    }
    assert_eq!(counted(answers.iter().map(|answer| answer.status)), [(201, 50), (409, 150)]);
    assert_eq!((nodes.shop.stock(&mug), nodes.shop.orders()), (0, 50));
    assert_eq!(nodes.shop.told("order.created").len(), 50);
}

#[test]
fn the_last_pieces_are_sold_once_across_two_nodes_in_spanish() {
    testkit::in_spanish(the_last_pieces_are_sold_once_across_two_nodes);
}

#[test]
fn twins_of_a_key_are_one_order_across_two_nodes_in_spanish() {
    testkit::in_spanish(twins_of_a_key_are_one_order_across_two_nodes);
}

/// Nodes that write at one moment undo one of the two, which tries again.
#[test]
fn everybody_is_served_across_two_nodes() {
    const BUYERS: usize = 16;
    const ORDERS_EACH: usize = 25;
    let nodes = Nodes::start();
    let mug = nodes.shop.product("TAZA", 19.99, 1_000);
    let cart = nodes.shop.cart(&[(&mug, 1)]);
    let answers = at_once(BUYERS, |buyer| {
        let order = |number| nodes.order(buyer, &format!("k{buyer}-{number}"), &cart).status;
        (0..ORDERS_EACH).map(order).collect::<Vec<_>>()
    });
    let all = BUYERS * ORDERS_EACH;
    assert_eq!(counted(answers.into_iter().flatten()), [(201, all)]);
    assert_eq!((nodes.shop.stock(&mug), nodes.shop.orders()), (1_000 - all as i64, all as u64));
}

#[test]
fn everybody_is_served_across_two_nodes_in_spanish() {
    testkit::in_spanish(everybody_is_served_across_two_nodes);
}

#[test]
fn twins_of_a_key_are_one_order_across_two_nodes() {
    let nodes = Nodes::start();
    let mug = nodes.shop.product("TAZA", 19.99, 100);
    let cart = nodes.shop.cart(&[(&mug, 1)]);
    for round in 1..=5 {
        let key = format!("k{round}");
        let twins = at_once(64, |twin| nodes.order(twin, &key, &cart));
        let (placed, rest): (Vec<_>, Vec<_>) = twins.iter().partition(|twin| twin.status == 201);
        let first = placed.first().expect("one is placed");
        assert!(placed.iter().all(|twin| twin.text == first.text), "one order, one answer");
        for twin in rest {
            assert_eq!(twin.json()["error"], "idempotency_key_in_use", "{}", twin.text);
        }
        assert_eq!((nodes.shop.orders(), nodes.shop.stock(&mug)), (round, 100 - round as i64));
    }
}

#[test]
fn a_key_revoked_on_one_node_dies_on_the_other() {
    let nodes = Nodes::start();
    let (text, key) = nodes.shop.app.key(nodes.shop.account, "*");
    let mut wire = Wire::connect(nodes.second.addr(), &text).expect("the node listens");
    let mut ask = || wire.send("GET", "/api/v1/orders", &[], None).expect("an answer").status;
    assert_eq!(ask(), 200);
    nodes.shop.app.revoke(key);
    crate::keys::assert_refused_soon(ask);
}

#[test]
fn no_deal_names_a_customer_who_is_deleted_on_the_other_node() {
    let nodes = Nodes::start();
    for round in 0..30 {
        let customer = id(&nodes.shop.make("/customers", &json!({"name": "Ana"})));
        let conversion = |number| {
            let lead = json!({"name": format!("lead {round}-{number}")});
            let path = format!("/crm/leads/{}/convert", id(&nodes.shop.make("/crm/leads", &lead)));
            (path, json!({"customerId": customer}))
        };
        let conversions: Vec<_> = (0..2).map(conversion).collect();
        nodes.assert_named_or_gone(&customer, &conversions);
    }
}

#[test]
fn no_invoice_names_a_customer_who_is_deleted_on_the_other_node() {
    let nodes = Nodes::start();
    nodes.shop.app.can_invoice(nodes.shop.account);
    let item =
        json!({"description": "Taza", "satProductKey": "52152100", "quantity": 1, "unitPrice": 10});
    for _ in 0..30 {
        let customer = json!({"name": "Universidad", "rfc": "URE180429TM6",
            "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA", "taxZip": "86991", "taxRegime": "601"});
        let customer = id(&nodes.shop.make("/customers", &customer));
        let invoice = json!({"customerId": customer, "paymentForm": "03", "items": [item]});
        let invoices = vec![("/invoices".to_owned(), invoice); 2];
        nodes.assert_named_or_gone(&customer, &invoices);
    }
}

/// How long a test waits for commands to wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until so many commands wait for a writer of a node.
pub(super) fn wait_for_commands(node: &App, count: f64) {
    wait_for_figure(node, "store_commands_waiting", count);
}

/// Waits until a figure of a node is so great.
pub(super) fn wait_for_figure(node: &App, name: &str, least: f64) {
    let deadline = Instant::now() + PATIENCE;
    while node.gauge(name) < least {
        assert!(Instant::now() < deadline, "{name} stays less");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A batch that keeps the settings of an account and then changes them waits for none of the other node that does the same: the
/// server would find out after an hour.
#[test]
fn settings_are_changed_on_both_nodes_beside_what_keeps_them() {
    let mut database = Database::fresh(DatabaseKind::Postgres);
    database.url.push_str("%20-cdeadlock_timeout%3D1h");
    let shop = Shop::of(App::on(Arc::new(database), SystemClock.now()).start());
    let second = shop.app.again().start();
    let nodes = [(&shop.app, shop.client.clone()), (&second, shop.client.at(&second))];
    let group = id(&shop.make("/customer-groups", &json!({"name": "Mayoreo"})));
    let customer = || id(&shop.make("/customers", &json!({"name": "Beto"})));
    let (busy, kept) = ([customer(), customer()], [customer(), customer()]);
    let hold = |some: &[String; 2]| {
        let named = some.join("', '");
        let sql = format!("SELECT 1 FROM customers WHERE id IN ('{named}') FOR UPDATE");
        shop.app.database.hold(&sql)
    };
    let (mut first, mut next) = (hold(&busy), hold(&kept));
    let change = |number: usize, customer: &str, changes: Value| {
        nodes[number].1.patch(&format!("/customers/{customer}"), &changes)
    };
    let (change, group) = (&change, &group);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let mut threads = Vec::new();
        for (number, customer) in busy.iter().enumerate() {
            let rename = move || change(number, customer, json!({"name": "Berta"}));
            threads.push(scope.spawn(rename));
        }
        first.wait_for(2, || false);
        // Both are in the next batch of their node: one keeps the settings, and waits; the other changes them.
        for ((number, customer), (node, client)) in kept.iter().enumerate().zip(&nodes) {
            let join = move || change(number, customer, json!({"groupId": group}));
            threads.push(scope.spawn(join));
            wait_for_commands(node, 1.0);
            let add = move || client.post("/price-lists", &json!({"name": format!("L{number}")}));
            threads.push(scope.spawn(add));
            wait_for_commands(node, 2.0);
        }
        drop(first);
        next.wait_for(2, || false);
        drop(next);
        threads.into_iter().map(|thread| thread.join().expect("nobody panics").status).collect()
    });
    assert_eq!(statuses, [200, 200, 200, 201, 200, 201]);
}
