//! Conekta on this machine: its books, what payers do, and the notifications that it signs. It knows no idempotency keys: a
//! request that comes twice is carried out twice.

#![allow(
    clippy::indexing_slicing,
    reason = "a test kit fails loudly, and JSON gives null for what it has not"
)]

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{KeyPair, RSA_PKCS1_SHA256, RsaKeyPair},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::key;
use serde_json::{Value, json};

use crate::{
    invoicing::{COMPANY, PASSWORD},
    provider::{Answer, Books, FakeProvider, Request},
};

/// Conekta, as a server.
pub type FakeConekta = FakeProvider<ConektaBooks>;

/// The key that the fake takes.
pub const KEY: &str = "key_la_clave_del_comercio";

fn pair() -> RsaKeyPair {
    let (_, key_file) = COMPANY;
    let der = key::decrypt(key_file, PASSWORD).expect("the fixture's key opens");
    RsaKeyPair::from_pkcs8(&der).expect("an RSA key")
}

/// The public key that notifications are checked with, as Conekta shows it.
#[must_use]
pub fn public_key() -> String {
    let key = pair().public_key().as_ref().to_vec();
    let long = |tag: u8, value: &[u8]| {
        let length = u16::try_from(value.len()).expect("short").to_be_bytes();
        [&[tag, 0x82, length[0], length[1]], value].concat()
    };
    let algorithm =
        [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
    let bits = long(0x03, &[&[0], key.as_slice()].concat());
    let info = STANDARD.encode(long(0x30, &[&algorithm, bits.as_slice()].concat()));
    let lines: Vec<String> =
        info.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"))
}

/// The value of the header `DIGEST` of a body.
#[must_use]
pub fn digest(body: &str) -> String {
    let pair = pair();
    let mut signature = vec![0; pair.public_modulus_len()];
    let signed =
        pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), body.as_bytes(), &mut signature);
    signed.expect("the key signs");
    STANDARD.encode(signature)
}

/// What Conekta has on record.
#[derive(Default)]
pub struct ConektaBooks {
    orders: Vec<Value>,
}

impl Books for ConektaBooks {
    fn call(request: &Request) -> &'static str {
        let path = request.path.as_str();
        match request.method.as_str() {
            "POST" if path.ends_with("/refunds") => "refund",
            "POST" if path.ends_with("/capture") => "capture",
            "POST" if path.ends_with("/cancel") => "cancel",
            "POST" => "create",
            _ if path == "/orders" => "list",
            _ => "fetch",
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        if request.header("authorization") != Some(&format!("Bearer {KEY}")) {
            return error(401, "authentication_error", "Please include your access key");
        }
        if request.header("accept") != Some("application/vnd.conekta-v2.3.0+json") {
            return error(400, "parameter_validation_error", "Unknown version");
        }
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        match Self::call(request) {
            "create" => self.make(&body),
            "list" => self.list(request),
            call => {
                let id = request.path.split('/').nth(2).unwrap_or_default();
                let Some(order) = self.orders.iter_mut().find(|order| order["id"] == id) else {
                    return error(404, "resource_not_found_error", "The order does not exist");
                };
                match act(order, call, &body) {
                    Ok(()) => Answer::json(200, order),
                    Err(words) => error(422, "parameter_validation_error", words),
                }
            }
        }
    }

    fn failed(&mut self, _: &Request, _: &Answer) {}
}

fn error(status: u16, kind: &str, words: &str) -> Answer {
    let details =
        json!([{"code": "conekta.errors.test", "debug_message": words, "message": words}]);
    let body = json!({"object": "error", "type": kind, "log_id": "1", "details": details});
    Answer::json(status, &body)
}

fn act(order: &mut Value, call: &str, body: &Value) -> Result<(), &'static str> {
    match call {
        "capture" if order["payment_status"] != "pre_authorized" => Err("It is not authorized"),
        "capture" => {
            mark(order, "paid");
            Ok(())
        }
        "cancel" if order["payment_status"] == "paid" => Err("It is paid"),
        "cancel" => {
            order["payment_status"] = json!("canceled");
            Ok(())
        }
        "refund" => give_back(order, body["amount"].as_i64().unwrap_or_default()),
        _ => Ok(()),
    }
}

/// Gives so much of an order back.
///
/// # Errors
/// When there is not so much left.
pub fn give_back(order: &mut Value, amount: i64) -> Result<(), &'static str> {
    let back = order["amount_refunded"].as_i64().unwrap_or_default() + amount;
    let total = order["amount"].as_i64().unwrap_or_default();
    if amount <= 0 || back > total {
        return Err("The amount is more than is left");
    }
    order["amount_refunded"] = json!(back);
    order["payment_status"] = json!(if back == total { "refunded" } else { "partially_refunded" });
    let id = order["id"].clone();
    let Some(refunds) = order["charges"]["data"][0]["refunds"]["data"].as_array_mut() else {
        return Err("There is no charge");
    };
    let number = refunds.len() + 1;
    refunds.push(json!({
        "id": format!("{}_{number}", id.as_str().unwrap_or_default()), "object": "refund",
        "amount": -amount, "created_at": 1, "status": null,
    }));
    Ok(())
}

/// Has an order and its charge be in a status; a card is used where there is no charge yet.
pub fn mark(order: &mut Value, status: &str) {
    order["payment_status"] = json!(status);
    let amount = order["amount"].clone();
    if order["charges"]["data"].as_array().is_none_or(Vec::is_empty) {
        let card = json!({"object": "card_payment", "type": "credit", "account_type": "Credit",
            "brand": "visa", "last4": "4242"});
        order["charges"] = json!({"object": "list", "data": [{"id": "ch_1", "amount": amount,
            "fee": 390, "payment_method": card,
            "refunds": {"object": "list", "data": [], "has_more": false}}]});
    }
    order["charges"]["data"][0]["status"] = json!(status);
    order["charges"]["data"][0]["paid_at"] = json!(1_790_000_000);
}

impl ConektaBooks {
    fn make(&mut self, body: &Value) -> Answer {
        let info = &body["customer_info"];
        if !["name", "email", "phone"].iter().all(|field| info[field].is_string()) {
            return error(422, "parameter_validation_error", "customer_info is missing");
        }
        let line = &body["line_items"][0];
        let name = line["name"].as_str().unwrap_or_default().chars().count();
        let Some(price) = line["unit_price"].as_i64().filter(|_| (3..=249).contains(&name)) else {
            return error(422, "parameter_validation_error", "line_items is invalid");
        };
        let id = format!("ord_{:04}", self.orders.len() + 1);
        let mut order = json!({
            "id": id, "object": "order", "amount": price, "amount_refunded": 0,
            "currency": body["currency"], "metadata": body["metadata"],
            "payment_status": "pending_payment", "created_at": now(),
        });
        let means = &body["charges"][0]["payment_method"];
        match means["type"].as_str() {
            Some(kind) => {
                let mut shown =
                    json!({"object": "payment_source", "expires_at": means["expires_at"]});
                if kind == "spei" {
                    shown["clabe"] = json!("646180111805034237");
                    shown["bank"] = json!("STP");
                } else {
                    shown["reference"] = json!("93000262276908");
                    shown["barcode_url"] = json!("https://barcodes.conekta.com/93000262276908.png");
                }
                order["charges"] = json!({"object": "list", "data": [{"id": format!("ch_{id}"),
                    "amount": price, "status": "pending_payment", "payment_method": shown,
                    "refunds": {"object": "list", "data": [], "has_more": false}}]});
            }
            None if body["checkout"]["type"] == "HostedPayment" => {
                order["checkout"] = json!({"id": "c", "status": "Issued", "type": "HostedPayment",
                    "url": format!("https://pay.conekta.com/checkout/{id}"),
                    "expires_at": body["checkout"]["expires_at"]});
            }
            None => return error(422, "parameter_validation_error", "charges is missing"),
        }
        self.orders.push(order.clone());
        Answer::json(201, &order)
    }

    fn list(&self, request: &Request) -> Answer {
        let asked = request.form();
        let value = |name: &str| asked.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(20_usize);
        let all: Vec<&Value> = self.orders.iter().rev().collect();
        let after = value("next").and_then(|id| all.iter().position(|order| order["id"] == id));
        let from = after.map_or(0, |index| index + 1);
        // It neither narrows the time nor shows refunds in lists.
        let shown = all.iter().skip(from).take(limit).map(|order| {
            let mut order = (*order).clone();
            for charge in order["charges"]["data"].as_array_mut().into_iter().flatten() {
                charge["refunds"] = Value::Null;
            }
            order
        });
        let data: Vec<Value> = shown.collect();
        let has_more = all.len() > from + data.len();
        Answer::json(200, &json!({"object": "list", "has_more": has_more, "data": data}))
    }

    /// How many orders there are of a payment of ours.
    #[must_use]
    pub fn times(&self, payment: &Value) -> usize {
        self.orders.iter().filter(|order| order["metadata"]["payment"] == payment["id"]).count()
    }

    /// The order of a payment.
    ///
    /// # Panics
    /// When there is none.
    pub fn of(&mut self, payment: &Value) -> &mut Value {
        let mut orders = self.orders.iter_mut();
        let found = orders.find(|order| order["metadata"]["payment"] == payment["id"]);
        found.expect("an order of the payment")
    }

    /// What was made of a payment is gone.
    pub fn forget(&mut self, payment: &Value) {
        self.orders.retain(|order| order["metadata"]["payment"] != payment["id"]);
    }

    /// Orders of somebody else, newer than all there are.
    pub fn crowd(&mut self, count: usize) {
        for _ in 0..count {
            let id = format!("ord_{:04}", self.orders.len() + 1);
            self.orders.push(
                json!({"id": id, "object": "order", "amount": 1_000, "currency": "MXN",
                "amount_refunded": 0, "payment_status": "pending_payment", "created_at": now(),
                "metadata": {}}),
            );
        }
    }
}

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.expect("a clock after 1970").as_secs()
}
