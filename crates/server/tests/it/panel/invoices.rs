//! Invoices in the panel, and what invoicing needs.

mod drafts;
mod home;
mod making;
mod many;
mod settings;
mod stamped;

use accounts::{Accounts, slug};
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, invoicing::CREDITS};

use super::{browser::Browser, once::forms};
use crate::invoices::office::sale;

/// The panel of a test account, for which the sandbox stamps, and a client of its API.
struct Shop {
    app: App,
    browser: Browser,
    account: String,
    client: Client,
}

impl Shop {
    /// Without an issuer.
    fn bare(kind: DatabaseKind) -> Self {
        Self::of(App::start(kind))
    }

    /// Without an issuer, in a service of its own.
    fn of(app: App) -> Self {
        let (browser, _) = Browser::of_owner(&app);
        let accounts = app.store().list_accounts().wait().unwrap().unwrap();
        let live = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
        let test = app.test_account(live);
        app.grant(test, CREDITS);
        let client = app.client_of(test, "*");
        let account = format!("/panel/{}/", slug::of_test_account("flores-del-sur"));
        Self { app, browser, account, client }
    }

    /// With an issuer and its certificate.
    fn open(kind: DatabaseKind) -> Self {
        Self::bare(kind).ready()
    }

    /// With an issuer and its certificate from now on.
    fn ready(self) -> Self {
        let shop = self;
        let accounts = shop.app.store().list_accounts().wait().unwrap().unwrap();
        let live = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
        shop.app.can_invoice(shop.app.test_account(live));
        shop
    }

    fn place(&self, path: &str) -> String {
        format!("{}{path}", self.account)
    }

    fn read(&self, path: &str) -> String {
        self.browser.read(&self.place(path))
    }

    /// Sends a form to the page that shows it.
    #[track_caller]
    fn send(&self, path: &str, fields: &[(&str, &str)]) -> testkit::Reply {
        let place = self.place(path);
        self.browser.send(&place, &place, fields)
    }

    /// Sends a page's form as it is filled in, but for these fields.
    #[track_caller]
    fn correct(&self, path: &str, fields: &[(&str, &str)]) -> testkit::Reply {
        let mut all = filled(&self.read(path));
        all.retain(|(known, _)| fields.iter().all(|(name, _)| name != known));
        let all = all.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let all: Vec<_> = all.chain(fields.iter().copied()).collect();
        self.browser.post(&self.place(path), &all)
    }

    /// What has come of the rows of bulk actions is not on record any more, and they go on.
    fn unrecorded(&self) {
        let database = &self.app.database;
        database.execute("UPDATE bulk_action_rows SET outcome = NULL, code = NULL");
        database.execute("UPDATE bulk_actions SET done = 0, refused = 0, skipped = 0");
        database.execute(
            "UPDATE tasks SET state = 'open', due_at = created_at, ended_at = NULL, outcome = NULL, done = 0 \
             WHERE kind IN ('orders.bulk', 'invoices.bulk', 'webhooks.bulk')",
        );
    }

    fn invoices(&self) -> Vec<Value> {
        self.client.get("/invoices").expect(200)["data"].as_array().unwrap().clone()
    }

    /// A stamped sale, by the path of its page.
    fn stamped(&self) -> String {
        let mut sale = sale(116.0);
        sale["stamp"] = json!(true);
        let made = self.client.post("/invoices", &sale).expect(201);
        format!("invoices/{}", made["id"].as_str().unwrap())
    }
}

/// What the longest form of a page would send as it is filled in.
fn filled(html: &str) -> Vec<(String, String)> {
    let fields = forms(html).into_iter().map(|form| form.fields);
    fields.max_by_key(Vec::len).unwrap_or_else(|| panic!("{html}"))
}

/// Where a form has led to, below the account.
#[track_caller]
fn led(shop: &Shop, reply: &testkit::Reply) -> String {
    assert_eq!(reply.status, 303, "{}", reply.text);
    let location = reply.header("location").unwrap();
    location.strip_prefix(&shop.account).unwrap_or_else(|| panic!("{location}")).to_owned()
}

/// The page that a form has led to.
#[track_caller]
fn shown(shop: &Shop, reply: &testkit::Reply) -> String {
    let html = shop.read(&led(shop, reply));
    assert!(html.contains("role=\"status\""), "{html}");
    html
}
