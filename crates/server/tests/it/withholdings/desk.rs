//! A desk that certifies withheld taxes: the steps that stories about withholdings have in common.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use crate::invoices::office::{Office, id};

/// Longer than anything here takes; a test that hangs says what it waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// An office that withholds.
pub(super) struct Desk {
    pub(super) office: Office,
}

impl Desk {
    pub(super) fn open(kind: DatabaseKind) -> Self {
        Self { office: Office::open(kind) }
    }

    /// The body of a withholding from the fees of a professional, in this year; each has a number of its own.
    pub(super) fn fees(&self) -> Value {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let folio = format!("R{}", NUMBER.fetch_add(1, Relaxed));
        let receiver = json!({"national": {"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
            "taxZip": "36257"}});
        json!({"code": "01", "folio": folio, "receiver": receiver, "period": self.period(), "totals": {"taxed": 10000},
        "taxes": [
            {"tax": "ISR", "base": 10000, "amount": 1000, "paymentKind": "04"},
            {"tax": "IVA", "base": 1600, "amount": 1066.67, "paymentKind": "01"},
        ]})
    }

    /// The first month of this year.
    pub(super) fn period(&self) -> Value {
        json!({"firstMonth": 1, "lastMonth": 1, "year": self.year()})
    }

    pub(super) fn year(&self) -> i64 {
        self.office.app.now().to_string()[..4].parse().unwrap()
    }

    /// Makes a draft.
    #[track_caller]
    pub(super) fn draft(&self, body: &Value) -> String {
        id(&self.office.make("/withholdings", body))
    }

    /// Makes a stamped withholding.
    #[track_caller]
    pub(super) fn stamped(&self, body: &Value) -> Value {
        self.stamp(&self.draft(body)).expect(200)
    }

    pub(super) fn stamp(&self, withholding: &str) -> Reply {
        self.office.client.act(&format!("/withholdings/{withholding}/stamp"))
    }

    pub(super) fn cancel(&self, withholding: &str, body: &Value) -> Reply {
        self.office.client.post(&format!("/withholdings/{withholding}/cancel"), body)
    }

    pub(super) fn change(&self, withholding: &str, changes: &Value) -> Reply {
        self.office.client.patch(&format!("/withholdings/{withholding}"), changes)
    }

    pub(super) fn get(&self, withholding: &str, document: &str) -> Reply {
        self.office.client.get(&format!("/withholdings/{withholding}/{document}"))
    }

    /// It as it is now.
    #[track_caller]
    pub(super) fn read(&self, withholding: &str) -> Value {
        self.office.client.get(&format!("/withholdings/{withholding}")).expect(200)
    }

    /// Waits until it is as wanted, and answers it.
    #[track_caller]
    pub(super) fn until(&self, withholding: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let seen = self.read(withholding);
            if wanted(&seen) {
                return seen;
            }
            assert!(Instant::now() < end, "not as wanted: {seen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kinds and amounts of the ledger's entries about it, oldest first.
    #[track_caller]
    pub(super) fn ledger(&self, withholding: &str) -> Vec<(String, i64)> {
        let path = format!("/credits/ledger?withholdingId={withholding}");
        let page = self.office.client.get(&path).expect(200);
        let entries = page["data"].as_array().unwrap().iter().rev();
        let kind = |entry: &Value| entry["kind"].as_str().unwrap().to_owned();
        entries.map(|entry| (kind(entry), entry["amount"].as_i64().unwrap())).collect()
    }

    /// The payloads of the events of that name, oldest first.
    pub(super) fn told(&self, name: &str) -> Vec<Value> {
        let events = self.office.app.database.events(self.office.account, name);
        events.iter().map(|event| event["data"].clone()).collect()
    }

    /// What the sandbox has stamped.
    pub(super) fn stamps(&self) -> Vec<String> {
        self.office.app.database.lines("SELECT uuid AS line FROM sandbox_stamps")
    }
}
