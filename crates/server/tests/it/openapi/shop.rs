//! A small shop of one account: one of everything, to be called upon.

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{App, Client};

/// An account with one of everything.
pub(crate) struct Shop {
    pub(crate) account: AccountId,
    /// May do everything.
    pub(crate) client: Client,
    pub(crate) product: String,
    pub(crate) variant: String,
    /// Has ordered.
    pub(crate) buyer: String,
    /// Has not.
    pub(crate) customer: String,
    pub(crate) order: String,
    pub(crate) lead: String,
}

impl Shop {
    /// Opens one.
    pub(crate) fn open(app: &App) -> Self {
        let account = app.account();
        let client = app.client_of(account, "*");
        let made = |path: &str, body: Value| client.post(path, &body).expect(201);
        let product = made("/products", product());
        let person = |name: &str| {
            let body = json!({"name": name, "email": format!("{name}@shop.example"),
                "phone": "+525550001111", "rfc": "XAXX010101000"});
            id(&made("/customers", body))
        };
        let (buyer, customer) = (person("buyer"), person("idle"));
        let order = json!({"customerId": buyer, "notes": "Ring twice",
            "items": [{"productId": product["id"], "quantity": 1}]});
        let lead = json!({"name": "Rosa", "email": "rosa@lead.example", "source": "web",
            "ownerId": "luis", "estimatedValue": 10});
        Self {
            account,
            order: id(&made("/orders", order)),
            lead: id(&made("/crm/leads", lead)),
            variant: id(&product["variants"][0]),
            product: id(&product),
            buyer,
            customer,
            client,
        }
    }

    /// The identifier that belongs into a path; the customer is the one who may be deleted.
    pub(crate) fn id_in(&self, path: &str) -> &str {
        let resources = [
            ("/products/", &self.product),
            ("/orders/", &self.order),
            ("/customers/", &self.customer),
            ("/crm/leads/", &self.lead),
        ];
        let found = resources.iter().find(|(root, _)| path.starts_with(root));
        found.unwrap_or_else(|| panic!("the shop has nothing for {path}")).1
    }

    /// All that can be read of it, and its events: equal when nothing has changed.
    pub(crate) fn snapshot(&self, app: &App) -> Vec<String> {
        let paths = [
            format!("/products/{}", self.product),
            format!("/orders/{}", self.order),
            format!("/customers/{}", self.customer),
            format!("/customers/{}", self.buyer),
            format!("/crm/leads/{}", self.lead),
            "/products".to_owned(),
            "/orders".to_owned(),
            "/customers".to_owned(),
            "/crm/leads".to_owned(),
        ];
        let read = paths.iter().map(|path| self.client.get(path).text);
        read.chain(app.database.event_names(self.account)).collect()
    }
}

fn product() -> Value {
    json!({"name": "Piñata", "sku": "PIN-1", "ean": "7501031311309", "price": 19.99,
        "inventory": 100, "variants": [{"name": "Roja", "sku": "PIN-1R", "inventory": 10}]})
}

/// The identifier of a resource.
pub(crate) fn id(resource: &Value) -> String {
    resource["id"].as_str().expect("an id").to_owned()
}
