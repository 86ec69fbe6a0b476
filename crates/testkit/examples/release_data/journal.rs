//! What the merchants know at the end: the answers that repeats get again, and how everything reads.

use std::{collections::BTreeSet, fmt};

use kernel::Timestamp;
use serde_json::{Value, json};
use testkit::App;

use crate::merchant::{Merchant, id};

/// The lists of the API and where their elements are read.
const LISTS: &[(&str, &str)] = &[
    ("/products?limit=100", "/products"),
    ("/customers?limit=100", "/customers"),
    ("/crm/leads?limit=100", "/crm/leads"),
    ("/orders?limit=100", "/orders"),
    ("/webhooks?limit=100", "/webhooks"),
    ("/invoices?limit=100", "/invoices"),
    ("/withholdings?limit=100", "/withholdings"),
    ("/invoices/cfdi/issuer/certificates", "/invoices/cfdi/issuer/certificates"),
];

/// Read as they are.
const SINGLES: &[&str] =
    &["/invoices/cfdi/issuer", "/invoices/cfdi/provider", "/credits", "/credits/ledger?limit=100"];

/// Written as JSON, an entry a line.
pub(crate) struct Journal {
    made_at: Timestamp,
    merchants: Vec<Value>,
    kept: Vec<Value>,
    readings: Vec<Value>,
}

impl Journal {
    /// Of these merchants of a service.
    pub(crate) fn of(app: &App, merchants: [Merchant; 2]) -> Self {
        let in_database =
            "SELECT account_id || ' ' || operation || ' ' || key AS line FROM idempotency_answers";
        let in_database: BTreeSet<String> = app.database.lines(in_database).into_iter().collect();
        let mut journal = Self {
            made_at: app.now(),
            merchants: Vec::new(),
            kept: Vec::new(),
            readings: Vec::new(),
        };
        for merchant in merchants {
            journal.read_all(&merchant);
            let text =
                |call: &Value, name: &str| call[name].as_str().unwrap_or_default().to_owned();
            let is_kept = |call: &Value| {
                let (account, path) = (text(call, "account"), text(call, "path"));
                in_database
                    .contains(&format!("{account} POST {path} {}", text(call, "idempotencyKey")))
            };
            let (account, key) = (merchant.account.to_string(), merchant.key);
            journal.merchants.push(json!({"account": account, "key": key}));
            journal.kept.extend(merchant.kept.into_iter().filter(is_kept));
        }
        let of_call = |call: &Value| call["status"].as_u64().is_some_and(|status| status < 300);
        assert!(journal.kept.iter().all(of_call), "refusals are not kept");
        journal
    }

    fn read_all(&mut self, merchant: &Merchant) {
        for (list, one) in LISTS {
            let page = self.read(merchant, list);
            for element in page["data"].as_array().expect("a list") {
                let place = format!("{one}/{}", id(element));
                let _ = self.read(merchant, &place);
                if *one == "/webhooks" {
                    let _ = self.read(merchant, &format!("{place}/deliveries?limit=100"));
                }
            }
        }
        for path in SINGLES {
            let _ = self.read(merchant, path);
        }
    }

    fn read(&mut self, merchant: &Merchant, path: &str) -> Value {
        let (account, body) = (merchant.account.to_string(), merchant.client.get(path).expect(200));
        self.readings.push(json!({"account": account, "path": path, "body": body}));
        body
    }
}

impl fmt::Display for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |entries: &[Value]| {
            entries.iter().map(|entry| format!("  {entry}")).collect::<Vec<_>>().join(",\n")
        };
        writeln!(f, "{{\"madeAt\": \"{}\",", self.made_at)?;
        writeln!(f, "\"merchants\": [\n{}\n],", lines(&self.merchants))?;
        writeln!(f, "\"kept\": [\n{}\n],", lines(&self.kept))?;
        writeln!(f, "\"readings\": [\n{}\n]}}", lines(&self.readings))
    }
}
