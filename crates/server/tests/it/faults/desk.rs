//! A desk where invoices are stamped by a provider that fails.

use std::{
    thread,
    time::{Duration, Instant},
};

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{
    App, Client, DatabaseKind, FakePac, Reply,
    pac::{Behaviour, Call},
};

/// How long a call to the provider may take here.
pub(super) const TIMEOUT: Duration = Duration::from_secs(1);
/// Longer than every pause between two attempts.
pub(super) const PAUSE_SECONDS_MAX: i64 = 7_201;
/// Longer than anything here takes.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

pub(super) const PROVIDER: &str = "/invoices/cfdi/provider";

/// Which provider is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pac {
    Sw,
    Finkok,
}

impl Pac {
    pub(super) const EVERY: [Self; 2] = [Self::Sw, Self::Finkok];

    /// The choice of it.
    pub(super) fn choice(self) -> Value {
        match self {
            Self::Sw => json!({"provider": "sw", "token": FakePac::TOKEN}),
            Self::Finkok => json!({
                "provider": "finkok", "user": FakePac::USER, "password": FakePac::PASSWORD
            }),
        }
    }
}

/// An account that invoices, and its provider.
pub(super) struct Desk {
    // Stops before the provider, which it may be calling.
    pub(super) app: App,
    pub(super) account: AccountId,
    pub(super) client: Client,
    pub(super) pac: FakePac,
}

impl Desk {
    /// A desk whose clock moves by hand.
    pub(super) fn open(kind: DatabaseKind, which: Pac) -> Self {
        let pac = FakePac::start();
        let app = App::with(kind).pac(&pac).certifying_with(|certifying| {
            certifying.engine.provider_timeout = TIMEOUT;
            certifying.providers.timeout = TIMEOUT;
        });
        let app = app.start();
        app.hold_clock();
        let account = app.account();
        app.can_invoice(account);
        app.grant(account, 100_000);
        let client = app.client_of(account, "*");
        let desk = Self { app, account, client, pac };
        let _ = desk.choose(&which.choice()).expect(200);
        desk
    }

    /// Chooses a provider.
    pub(super) fn choose(&self, choice: &Value) -> Reply {
        self.client.send("PUT", PROVIDER, choice)
    }

    /// Makes the draft of a sale and answers its id.
    #[track_caller]
    pub(super) fn draft(&self) -> String {
        self.client.post("/invoices", &sale()).expect(201)["id"].as_str().unwrap().to_owned()
    }

    /// Makes a stamped sale and answers its id and fiscal folio.
    #[track_caller]
    pub(super) fn stamped(&self) -> (String, String) {
        self.pac.always(Call::Stamp, Behaviour::documented());
        let id = self.draft();
        let uuid = self.stamp(&id, None).expect(200)["uuid"].as_str().unwrap().to_owned();
        (id, uuid)
    }

    /// Has an invoice stamped.
    pub(super) fn stamp(&self, id: &str, key: Option<&str>) -> Reply {
        let request = self.client.request("POST", &format!("/invoices/{id}/timbrar"));
        Reply::to(match key {
            Some(key) => request.header("Idempotency-Key", key),
            None => request,
        })
    }

    /// Has an invoice cancelled.
    pub(super) fn cancel(&self, id: &str) -> Reply {
        self.client.post(&format!("/invoices/{id}/cancel"), &json!({"reason": "02"}))
    }

    /// An invoice as it is now.
    #[track_caller]
    pub(super) fn read(&self, id: &str) -> Value {
        self.client.get(&format!("/invoices/{id}")).expect(200)
    }

    /// What is available of the credits, and what is set aside.
    #[track_caller]
    pub(super) fn credits(&self) -> (i64, i64) {
        let credits = self.client.get("/credits").expect(200);
        (credits["available"].as_i64().unwrap(), credits["reserved"].as_i64().unwrap())
    }

    /// How often the ledger charges an invoice, and what it sums up to.
    #[track_caller]
    pub(super) fn charged(&self, id: &str) -> (usize, i64) {
        let page =
            self.client.get(&format!("/credits/ledger?limit=100&invoiceId={id}")).expect(200);
        let entries = page["data"].as_array().unwrap();
        let commits = entries.iter().filter(|entry| entry["kind"] == "commit").count();
        (commits, entries.iter().map(|entry| entry["amount"].as_i64().unwrap()).sum())
    }

    /// What is under way for an invoice: the attempts so far, and whether somebody is at it.
    pub(super) fn task(&self, id: &str) -> Option<String> {
        let query = format!(
            "SELECT substr(kind, 10) || ' ' || attempts || CASE WHEN claim_id IS NULL THEN '' ELSE ' held' END AS line \
             FROM tasks WHERE exclusive_key = '{id}'"
        );
        self.app.database.lines(&query).pop()
    }

    /// Lets the service go on by itself until nothing is under way for an invoice.
    #[track_caller]
    pub(super) fn leave_alone(&self, id: &str) {
        for _ in 0..10 {
            let Some(before) = self.task(id) else { return };
            self.app.advance_seconds(PAUSE_SECONDS_MAX);
            self.wait(|| match self.task(id) {
                None => true,
                Some(now) => now != before && !now.ends_with("held"),
            });
        }
        panic!("still under way: {}", self.read(id));
    }

    /// Waits until something is as wanted.
    #[track_caller]
    pub(super) fn wait(&self, wanted: impl Fn() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !wanted() {
            assert!(Instant::now() < end, "not as wanted; tasks: {:?}", self.tasks());
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn tasks(&self) -> Vec<String> {
        self.app.database.lines(
            "SELECT subject || ' ' || kind || ' due ' || due_at || ' until ' || \
             COALESCE(claimed_until, 0) AS line FROM tasks WHERE due_at IS NOT NULL",
        )
    }

    /// Asserts that an invoice has the only stamp since there were `stamps`, and was charged once.
    #[track_caller]
    pub(super) fn assert_stamped_once(&self, id: &str, stamps: usize) {
        let invoice = self.read(id);
        assert_eq!(invoice["status"], "stamped", "{invoice}");
        assert_eq!(invoice["lastError"], Value::Null);
        let made = self.pac.stamps().split_off(stamps);
        let [stamp] = made.as_slice() else { panic!("{} stamps: {made:#?}", made.len()) };
        assert!(stamp.uuid.eq_ignore_ascii_case(invoice["uuid"].as_str().unwrap()), "{invoice}");
        let xml = self.client.get(&format!("/invoices/{id}/xml")).text;
        assert!(xml.contains(&stamp.seal), "the stamp is of what was sealed: {xml}");
        assert!(xml.to_uppercase().contains(&stamp.uuid.to_uppercase()), "{xml}");
        assert_eq!(self.charged(id), (1, -10), "one charge");
        assert_eq!(self.task(id), None, "nothing is under way");
    }
}

/// The body of a sale.
pub(super) fn sale() -> Value {
    json!({
        "receiver": {"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
            "taxZip": "86991", "taxRegime": "601", "cfdiUse": "G03"},
        "paymentForm": "03",
        "items": [{"description": "Taza", "satProductKey": "52152100", "quantity": 1,
            "unitPrice": 116}],
    })
}
