//! Global invoices: the sales of a period, invoiced when it ends or when somebody asks.

mod by_hand;
mod by_itself;
mod troubles;

use kernel::Timestamp;
use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::office::{Office, attribute, id};

/// The path of the settings.
const SETTINGS: &str = "/invoices/cfdi/global";
/// Where documents are dated six hours behind UTC: the office of the tests is in Hidalgo.
const MIDNIGHT: &str = "T06:00:00Z";
/// After the end of a period until its sales are invoiced, and a little more.
const SETTLED_SECONDS: i64 = 61;

/// An office that sells to the public, its clock held.
struct Shop {
    office: Office,
    customer: String,
    mug: String,
}

impl Shop {
    /// A shop at noon of a day to come.
    fn open(kind: DatabaseKind, day: &str) -> Self {
        Self::of(Office::open(kind), day)
    }

    fn of(office: Office, day: &str) -> Self {
        office.app.hold_clock();
        office.app.advance_to(at(&format!("{day}T18:00:00Z")));
        Self::at_once(office)
    }

    /// A shop at this moment.
    fn today(kind: DatabaseKind) -> Self {
        let office = Office::open(kind);
        office.app.hold_clock();
        Self::at_once(office)
    }

    fn at_once(office: Office) -> Self {
        let customer = office.customer();
        let mug = office.product("TAZA", 116.0, &json!({}));
        Self { office, customer, mug }
    }

    /// An order of a mug, as it was placed.
    fn ordered(&self) -> Value {
        self.office.order(&self.customer, &[(&self.mug, 1)])
    }

    /// A paid order of a mug; its identifier.
    #[track_caller]
    fn sold(&self) -> String {
        let order = id(&self.ordered());
        self.pay(&order);
        order
    }

    #[track_caller]
    fn pay(&self, order: &str) {
        let paid =
            self.office.client.patch(&format!("/orders/{order}"), &json!({"status": "paid"}));
        let _ = paid.expect(200);
        // No two at one moment.
        self.office.app.advance_seconds(1);
    }

    /// Sets how the sales are invoiced.
    #[track_caller]
    fn set(&self, settings: &Value) -> Value {
        self.office.client.send("PUT", SETTINGS, settings).expect(200)
    }

    /// The clock moves to a minute after a midnight.
    fn wait_for(&self, day: &str) {
        let moment = at(&format!("{day}{MIDNIGHT}")).plus_seconds(SETTLED_SECONDS);
        self.office.app.advance_to(moment);
    }

    /// The jobs of the sales of these days, newest first.
    fn jobs(&self, days: &str) -> Vec<Value> {
        let path = format!("/jobs?kind=invoices.global&subject={days}");
        self.office.client.get(&path).expect(200)["data"].as_array().unwrap().clone()
    }

    /// The last job of the sales of these days, once it has ended.
    #[track_caller]
    fn ended(&self, days: &str) -> Value {
        let path = format!("/jobs?kind=invoices.global&subject={days}");
        let is_ended = |page: &Value| !page["data"][0]["endedAt"].is_null();
        let page = self.office.client.once(&path, |page| page["total"] != 0 && is_ended(page));
        page["data"][0].clone()
    }

    /// What has come of the sales of these days.
    #[track_caller]
    fn result(&self, days: &str) -> Value {
        let job = self.ended(days);
        assert_eq!(job["status"], "succeeded", "{job}");
        job["result"].clone()
    }

    /// What a stamped invoice states of its period.
    fn stated(&self, invoice: &Value) -> [String; 3] {
        let xml = self.office.client.get(&format!("/invoices/{}/xml", id(invoice))).text;
        let (_, global) = xml.split_once("<cfdi:InformacionGlobal").expect("a period");
        ["Periodicidad", "Meses", "Año"].map(|name| attribute(global, name).to_owned())
    }

    /// The orders that an invoice has.
    fn orders(&self, invoice: &Value) -> Value {
        self.office.read(&id(invoice))["orderIds"].clone()
    }
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// Settings by which each day is invoiced and stamped by itself.
fn daily() -> Value {
    json!({"automatic": true, "periodicity": "01", "paymentForm": "01", "stamp": true})
}

/// The settings with other values.
fn with(mut settings: Value, more: &Value) -> Value {
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    settings
}
