//! An office that invoices: the steps that stories about invoices have in common.

use std::{
    thread,
    time::{Duration, Instant},
};

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, invoicing::CREDITS};

pub(crate) use crate::orders::shop::{id, is_moment};

/// Longer than anything here takes; a test that hangs says what it waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A service with one account that can invoice, and its key.
pub(crate) struct Office {
    pub(crate) app: App,
    pub(crate) account: AccountId,
    pub(crate) client: Client,
}

impl Office {
    /// An office in a service of its own: issuer, certificate and credits are there.
    pub(crate) fn open(kind: DatabaseKind) -> Self {
        Self::of(App::start(kind))
    }

    /// An office whose account is live, in a service of its own.
    pub(crate) fn live(kind: DatabaseKind) -> Self {
        let app = App::start(kind);
        let account = app.live_account();
        Self::of_account(app, account)
    }

    /// An office in that service.
    pub(crate) fn of(app: App) -> Self {
        let account = app.account();
        Self::of_account(app, account)
    }

    /// The office of an account, which gets an issuer, a certificate and credits.
    pub(crate) fn of_account(app: App, account: AccountId) -> Self {
        app.can_invoice(account);
        app.grant(account, CREDITS);
        let client = app.client_of(account, "*");
        Self { app, account, client }
    }

    /// Creates something and answers what it became.
    #[track_caller]
    pub(crate) fn make(&self, path: &str, body: &Value) -> Value {
        self.client.post(path, body).expect(201)
    }

    /// Makes a draft.
    #[track_caller]
    pub(crate) fn draft(&self, body: &Value) -> Value {
        self.make("/invoices", body)
    }

    /// Makes the draft of a sale at this price, taxes inside, and answers its id.
    #[track_caller]
    pub(crate) fn sale(&self, price: f64) -> String {
        id(&self.draft(&sale(price)))
    }

    /// Makes a stamped sale.
    #[track_caller]
    pub(crate) fn stamped_sale(&self, price: f64) -> Value {
        self.stamped(&sale(price))
    }

    /// Makes a stamped invoice.
    #[track_caller]
    pub(crate) fn stamped(&self, body: &Value) -> Value {
        self.stamp(&id(&self.draft(body))).expect(200)
    }

    /// Has an invoice stamped.
    pub(crate) fn stamp(&self, invoice: &str) -> Reply {
        self.client.act(&format!("/invoices/{invoice}/timbrar"))
    }

    /// Has an invoice cancelled.
    pub(crate) fn cancel(&self, invoice: &str, reason: &str) -> Reply {
        self.client.post(&format!("/invoices/{invoice}/cancel"), &json!({"reason": reason}))
    }

    /// A job once it has ended.
    #[track_caller]
    pub(crate) fn ended(&self, job: &str) -> Value {
        self.client.ended(job)
    }

    /// What an invoice would be refused for.
    #[track_caller]
    pub(crate) fn verdict(&self, invoice: &str) -> Value {
        self.client.act(&format!("/invoices/{invoice}/validate")).expect(200)
    }

    /// The codes of what an invoice would be refused for.
    #[track_caller]
    pub(crate) fn findings(&self, invoice: &str) -> Vec<(String, String)> {
        let verdict = self.verdict(invoice);
        let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
        let findings = verdict["findings"].as_array().unwrap().iter();
        findings.map(|finding| (text(finding, "code"), text(finding, "field"))).collect()
    }

    /// What a path shows somebody who reads Spanish.
    #[track_caller]
    pub(crate) fn in_spanish(&self, path: &str) -> Value {
        let request = self.client.request("GET", path);
        Reply::to(request.header("Accept-Language", "es")).expect(200)
    }

    /// An invoice as it is now.
    #[track_caller]
    pub(crate) fn read(&self, invoice: &str) -> Value {
        self.client.get(&format!("/invoices/{invoice}")).expect(200)
    }

    /// Changes a draft.
    pub(crate) fn change(&self, invoice: &str, changes: &Value) -> Reply {
        self.client.patch(&format!("/invoices/{invoice}"), changes)
    }

    /// What is available of the credits, and what is set aside.
    #[track_caller]
    pub(crate) fn credits(&self) -> (i64, i64) {
        let credits = self.client.get("/credits").expect(200);
        let number = |name: &str| credits[name].as_i64().expect("a whole number");
        (number("available"), number("reserved"))
    }

    /// Kinds and amounts of the ledger's entries about an invoice, oldest first.
    #[track_caller]
    pub(crate) fn ledger(&self, invoice: &str) -> Vec<(String, i64)> {
        let page = self.client.get(&format!("/credits/ledger?invoiceId={invoice}")).expect(200);
        let entries = page["data"].as_array().unwrap().iter().rev();
        let kind = |entry: &Value| entry["kind"].as_str().unwrap().to_owned();
        entries.map(|entry| (kind(entry), entry["amount"].as_i64().unwrap())).collect()
    }

    /// Has the sandbox pretend.
    #[track_caller]
    pub(crate) fn simulate(&self, stamping: &str, cancellation: &str) {
        let choice = json!({"provider": "sandbox",
            "simulate": {"stamping": stamping, "cancellation": cancellation}});
        let _ = self.client.send("PUT", "/invoices/cfdi/provider", &choice).expect(200);
    }

    /// Waits until an invoice is as wanted, and answers it.
    #[track_caller]
    pub(crate) fn until(&self, invoice: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let seen = self.read(invoice);
            if wanted(&seen) {
                return seen;
            }
            assert!(Instant::now() < end, "not as wanted: {seen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A product on sale.
    #[track_caller]
    pub(crate) fn product(&self, sku: &str, price: f64, more: &Value) -> String {
        let mut product = json!({"name": sku, "sku": sku, "price": price, "inventory": 1_000});
        for (name, value) in more.as_object().into_iter().flatten() {
            product[name] = value.clone();
        }
        id(&self.make("/products", &product))
    }

    /// A customer whose tax data are complete.
    #[track_caller]
    pub(crate) fn customer(&self) -> String {
        let mut customer = company();
        customer["name"] = json!("Universidad");
        id(&self.make("/customers", &customer))
    }

    /// An order of a customer, as it was placed.
    #[track_caller]
    pub(crate) fn order(&self, customer: &str, items: &[(&str, i64)]) -> Value {
        let items: Vec<Value> = items
            .iter()
            .map(|(product, quantity)| json!({"productId": product, "quantity": quantity}))
            .collect();
        self.make("/orders", &json!({"customerId": customer, "items": items}))
    }

    /// The payloads of the account's events of invoices, oldest first.
    pub(crate) fn told(&self) -> Vec<Value> {
        let events = self.app.database.events(self.account, "invoice.created");
        events.iter().map(|event| event["data"].clone()).collect()
    }
}

/// The receiver of most invoices here, a company.
pub(crate) fn company() -> Value {
    json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
        "taxZip": "86991", "taxRegime": "601", "cfdiUse": "G03"})
}

/// An item at this price, taxes inside.
pub(crate) fn item(price: f64) -> Value {
    json!({"description": "Taza", "satProductKey": "52152100", "quantity": 1, "unitPrice": price})
}

/// The body of a sale at this price, taxes inside, paid by transfer.
pub(crate) fn sale(price: f64) -> Value {
    json!({"receiver": company(), "paymentForm": "03", "items": [item(price)]})
}

/// The body of a sale that is paid in parts.
pub(crate) fn sale_in_parts(price: f64) -> Value {
    json!({"receiver": company(), "paymentMethod": "PPD", "items": [item(price)]})
}

/// The text between the quotes of an attribute's first occurrence.
#[track_caller]
pub(crate) fn attribute<'a>(xml: &'a str, name: &str) -> &'a str {
    let start = format!(" {name}=\"");
    let (_, rest) = xml.split_once(&start).unwrap_or_else(|| panic!("no {name} in {xml}"));
    rest.split('"').next().unwrap()
}
