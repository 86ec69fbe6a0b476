//! What a node has locked that stands still, as a connection of the test does here, holds up whoever needs it, and nobody else.

use std::{sync::Arc, thread, time::Duration};

use api::{Clock, SystemClock};
use kernel::AccountId;
use serde_json::json;
use testkit::{App, Client, Database, DatabaseKind, Held};

use super::nodes::{wait_for_commands, wait_for_figure};
use crate::orders::shop::id;

/// An account that sells.
struct Seller {
    account: AccountId,
    client: Client,
    customer: String,
    product: String,
}

impl Seller {
    fn new(app: &App) -> Self {
        let account = app.account();
        let client = app.client_of(account, "*");
        let customer = id(&client.post("/customers", &json!({"name": "Ana"})).expect(201));
        let mug = json!({"name": "Taza", "sku": "TAZA", "price": 10, "inventory": 1_000});
        let product = id(&client.post("/products", &mug).expect(201));
        Self { account, client, customer, product }
    }

    /// Places an order of two pieces on a node.
    fn order(&self, node: &App, customer: &str) -> u16 {
        let items = json!([{"productId": self.product, "quantity": 2}]);
        let cart = json!({"customerId": customer, "items": items});
        self.client.at(node).post("/orders", &cart).status
    }

    fn order_id(&self) -> String {
        let items = json!([{"productId": self.product, "quantity": 2}]);
        let cart = json!({"customerId": self.customer, "items": items});
        id(&self.client.post("/orders", &cart).expect(201))
    }

    fn rename(&self, node: &App) -> u16 {
        let name = json!({"name": "Ana María"});
        self.client.at(node).patch(&format!("/customers/{}", self.customer), &name).status
    }

    /// Pays a quarter of an order.
    fn pay(&self, node: &App, order: &str) -> u16 {
        let cash = json!({"orderId": order, "method": "cash", "amount": 5});
        self.client.at(node).post("/payments", &cash).status
    }

    fn hold(&self, node: &App) -> Held {
        let rows = ["stock_levels", "customers", "orders"].map(|table| {
            format!("SELECT 1 FROM {table} WHERE account_id = '{}' FOR UPDATE", self.account)
        });
        node.database.hold(&rows.join("; "))
    }
}

/// Accounts whose commands take the same lane on every node. The test kit's services have two, of which the other one also has
/// what is done for nobody.
fn neighbours<const N: usize>(app: &App) -> [Seller; N] {
    let mut alike = std::iter::repeat_with(|| Seller::new(app))
        .filter(|seller| seller.account.to_u128() % 2 == 1);
    std::array::from_fn(|_| alike.next().expect("another one"))
}

/// Orders, which are placed together, payments in hand, which are too, and commands: on both nodes.
#[test]
fn who_is_held_up_keeps_nobody_else_waiting() {
    let mut database = Database::fresh(DatabaseKind::Postgres);
    database.lock_timeout = Duration::from_secs(2);
    let first = App::on(Arc::new(database), SystemClock.now()).start();
    let second = first.again().start();
    let nodes = [&first, &second];
    let [stuck, others @ ..] = neighbours::<3>(&first);
    let orders: Vec<String> = others.iter().map(Seller::order_id).collect();
    let order = stuck.order_id();
    let held = stuck.hold(&first);
    let (stuck, order) = (&stuck, order.as_str());
    thread::scope(|scope| {
        let mut waiting = Vec::new();
        for node in nodes {
            waiting.push(scope.spawn(move || (stuck.order(node, &stuck.customer), 201)));
            waiting.push(scope.spawn(move || (stuck.rename(node), 200)));
            waiting.push(scope.spawn(move || (stuck.pay(node, order), 201)));
        }
        for node in nodes {
            wait_for_figure(node, "store_commands_held_up", 1.0);
        }
        for _ in 0..2 {
            for (other, order) in others.iter().zip(&orders) {
                assert_eq!(nodes.map(|node| other.order(node, &other.customer)), [201; 2]);
                assert_eq!(nodes.map(|node| other.rename(node)), [200; 2]);
                assert_eq!(nodes.map(|node| other.pay(node, order)), [201; 2]);
            }
        }
        assert!(!waiting.iter().any(thread::ScopedJoinHandle::is_finished), "it is locked still");
        drop(held);
        for answered in waiting {
            let (status, expected) = answered.join().expect("nobody panics");
            assert_eq!(status, expected);
        }
    });
    let placed = stuck.client.get("/orders?limit=1").expect(200);
    assert_eq!(placed["total"], 3);
}

#[test]
fn who_is_held_up_keeps_nobody_else_waiting_in_spanish() {
    testkit::in_spanish(who_is_held_up_keeps_nobody_else_waiting);
}

/// An order of the batch has lost its premises to the other node: it locks first then, and the other is recorded without it.
#[test]
fn who_is_overtaken_undoes_no_neighbour() {
    let first = App::start(DatabaseKind::Postgres);
    let second = first.again().start();
    let [busy, overtaken, neighbour] = &neighbours::<3>(&first);
    let beto = overtaken.client.post("/customers", &json!({"name": "Beto"})).expect(201);
    let beto = id(&beto);
    let hold = |customer: &str| {
        first.database.hold(&format!("SELECT 1 FROM customers WHERE id = '{customer}' FOR UPDATE"))
    };
    let (mut ana_of_overtaken, mut ana_of_busy) = (hold(&overtaken.customer), hold(&busy.customer));
    let statuses = thread::scope(|scope| {
        // It has taken its stock, and waits for its customer.
        let faster = scope.spawn(|| overtaken.order(&first, &overtaken.customer));
        ana_of_overtaken.wait_for(1, || false);
        // While this one waits for its own, the next batch of the second node gathers.
        let before = scope.spawn(|| busy.order(&second, &busy.customer));
        ana_of_busy.wait_for(1, || false);
        let slower = scope.spawn(|| overtaken.order(&second, &beto));
        let beside = scope.spawn(|| neighbour.order(&second, &neighbour.customer));
        wait_for_commands(&second, 2.0);
        drop(ana_of_busy);
        // It waits for the stock, by what it has read before.
        ana_of_overtaken.wait_for(2, || false);
        drop(ana_of_overtaken);
        [faster, before, slower, beside].map(|order| order.join().expect("nobody panics"))
    });
    assert_eq!(statuses, [201; 4]);
    assert_eq!(second.gauge("store_overtaken_total"), 1.0);
    // One of the busy account, and one of the neighbour: the batch that locks first is neither.
    let batches = ["from_memory", "looked_up"]
        .map(|how| second.gauge(&format!("store_order_batches_{how}_total")));
    assert_eq!(batches.iter().sum::<f64>(), 2.0);
    // As long as it locks first it is told what is there, and what else has changed meanwhile is found out.
    let items = json!([{"productId": overtaken.product, "quantity": 2}]);
    let cart = json!({"customerId": beto, "items": items});
    let (on_first, on_second) = (overtaken.client.at(&first), overtaken.client.at(&second));
    for client in [&on_second, &on_first, &on_second] {
        assert_eq!(client.post("/orders", &cart).expect(201)["totalAmount"], 20);
    }
    let path = format!("/products/{}", overtaken.product);
    let _ = on_first.patch(&path, &json!({"price": 15})).expect(200);
    assert_eq!(on_second.post("/orders", &cart).expect(201)["totalAmount"], 30);
    let once = [&on_first, &on_second].map(|client| client.post_once("/orders", "k", &cart));
    assert_eq!((once[0].status, &once[0].text), (201, &once[1].text));
    assert_eq!(on_second.get(&path).expect(200)["inventory"], 1_000 - 2 * 7);
}
