//! A shop that sells: the steps that stories about orders have in common.

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply};

/// A service with one account, its key, and a customer who buys.
pub(crate) struct Shop {
    pub(crate) app: App,
    pub(crate) account: AccountId,
    pub(crate) client: Client,
    pub(crate) customer: String,
}

impl Shop {
    /// A shop in a service of its own, without limits.
    pub(crate) fn open(kind: DatabaseKind) -> Self {
        Self::of(App::start(kind))
    }

    /// A shop in this service.
    pub(crate) fn of(app: App) -> Self {
        let account = app.account();
        let client = app.client_of(account, "*");
        let customer = id(&client.post("/customers", &json!({"name": "Ana"})).expect(201));
        Self { app, account, client, customer }
    }

    /// Creates something and answers what it became.
    #[track_caller]
    pub(crate) fn make(&self, path: &str, body: &Value) -> Value {
        self.client.post(path, body).expect(201)
    }

    /// A product on sale.
    #[track_caller]
    pub(crate) fn product(&self, sku: &str, price: f64, inventory: i64) -> String {
        let product = json!({"name": sku, "sku": sku, "price": price, "inventory": inventory});
        id(&self.make("/products", &product))
    }

    /// The body of an order for these products and quantities.
    pub(crate) fn cart(&self, items: &[(&str, i64)]) -> Value {
        let items: Vec<Value> = items
            .iter()
            .map(|(product, quantity)| json!({"productId": product, "quantity": quantity}))
            .collect();
        json!({"customerId": self.customer, "items": items})
    }

    /// Tries to place an order.
    pub(crate) fn try_order(&self, items: &[(&str, i64)]) -> Reply {
        self.client.post("/orders", &self.cart(items))
    }

    /// Places an order.
    #[track_caller]
    pub(crate) fn order(&self, items: &[(&str, i64)]) -> Value {
        self.try_order(items).expect(201)
    }

    /// Places an order and answers its id.
    #[track_caller]
    pub(crate) fn order_id(&self, items: &[(&str, i64)]) -> String {
        id(&self.order(items))
    }

    /// Changes an order.
    pub(crate) fn change(&self, order: &str, changes: &Value) -> Reply {
        self.client.patch(&format!("/orders/{order}"), changes)
    }

    /// Moves an order to a status with all that this takes.
    pub(crate) fn step(&self, order: &str, status: &str) -> Reply {
        let changes = match status {
            "cancelled" => json!({"status": status, "reason": "changed mind", "refund": true}),
            _ => json!({"status": status}),
        };
        self.change(order, &changes)
    }

    /// An order as it is now.
    #[track_caller]
    pub(crate) fn read(&self, order: &str) -> Reply {
        let reply = self.client.get(&format!("/orders/{order}"));
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply
    }

    /// The stock of a product that is sold without naming a variant.
    #[track_caller]
    pub(crate) fn stock(&self, product: &str) -> i64 {
        let product = self.client.get(&format!("/products/{product}")).expect(200);
        product["inventory"].as_i64().expect("a whole number")
    }

    /// How many orders the account has.
    #[track_caller]
    pub(crate) fn orders(&self) -> u64 {
        self.client.get("/orders?limit=1").expect(200)["total"].as_u64().expect("a count")
    }

    /// The payloads of the account's events of one name, oldest first.
    pub(crate) fn told(&self, name: &str) -> Vec<Value> {
        let events = self.app.database.events(self.account, name);
        events.iter().map(|event| event["data"].clone()).collect()
    }

    /// The names of the account's events about orders, oldest first.
    pub(crate) fn order_events(&self) -> Vec<String> {
        let names = self.app.database.event_names(self.account);
        names.into_iter().filter(|name| name.starts_with("order.")).collect()
    }
}

/// The identifier of something.
#[track_caller]
pub(crate) fn id(thing: &Value) -> String {
    thing["id"].as_str().expect("an id").to_owned()
}

/// Whether a text is a moment in UTC with milliseconds, such as `2026-01-31T18:05:07.123Z`.
pub(crate) fn is_moment(text: &Value) -> bool {
    let shape: String = text
        .as_str()
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    shape == "0000-00-00T00:00:00.000Z"
}
