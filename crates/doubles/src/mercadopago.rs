//! Mercado Pago on this machine: its books, what payers do, and the notifications that it signs.

#![allow(
    clippy::indexing_slicing,
    reason = "a test kit fails loudly, and JSON gives null for what it has not"
)]

use std::{
    collections::HashMap,
    time::{SystemTime, UNIX_EPOCH},
};

use aws_lc_rs::hmac;
use kernel::Timestamp;
use serde_json::{Value, json};

use crate::provider::{Answer, Books, FakeProvider, Request};

/// Mercado Pago, as a server.
pub type FakeMercadoPago = FakeProvider<MercadoPagoBooks>;

/// The token that the fake takes.
pub const KEY: &str = "APP_USR-la-clave-del-comercio";
/// The secret that its notifications are signed with.
pub const SECRET: &str = "el secreto del comercio en Mercado Pago";

/// The value of the header `x-signature` of a notification.
#[must_use]
pub fn signature(secret: &str, id: &str, request: &str, now: Timestamp) -> String {
    let seconds = now.micros() / 1_000_000;
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("id:{id};request-id:{request};ts:{seconds};").as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("ts={seconds},v1={hex}")
}

/// What Mercado Pago has on record.
#[derive(Default)]
pub struct MercadoPagoBooks {
    payments: Vec<Value>,
    pages: Vec<Value>,
    /// How the first request under each key was answered.
    keys: HashMap<String, Answer>,
}

impl Books for MercadoPagoBooks {
    fn call(request: &Request) -> &'static str {
        let path = request.path.as_str();
        match request.method.as_str() {
            "POST" if path.ends_with("/refunds") => "refund",
            "POST" => "create",
            "PUT" => "change",
            _ if path.ends_with("/search") => "search",
            _ => "fetch",
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        if request.header("authorization") != Some(&format!("Bearer {KEY}")) {
            return error(401, "invalid access token");
        }
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        match request.method.as_str() {
            "GET" => self.read(request),
            "PUT" => self.change(&request.path, &body),
            _ => {
                let Some(key) = request.header("x-idempotency-key").filter(|key| key.len() <= 64)
                else {
                    return error(400, "Header X-Idempotency-Key can't be null");
                };
                if let Some(answer) = self.keys.get(key) {
                    return answer.clone();
                }
                let answer = self.make(&request.path, &body);
                self.keys.insert(key.to_owned(), answer.clone());
                answer
            }
        }
    }

    fn failed(&mut self, _: &Request, _: &Answer) {}
}

fn error(status: u16, message: &str) -> Answer {
    let body = json!({"message": message, "error": "bad_request", "status": status, "cause": []});
    Answer::json(status, &body)
}

fn found(body: Option<&Value>) -> Answer {
    body.map_or_else(|| error(404, "Resource not found"), |body| Answer::json(200, body))
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    Timestamp::from_micros(i64::try_from(since.as_micros()).expect("moments that fit"))
}

fn number(payment: &Value) -> String {
    payment["id"].to_string().trim_matches('"').to_owned()
}

impl MercadoPagoBooks {
    fn make(&mut self, path: &str, body: &Value) -> Answer {
        match path {
            "/checkout/preferences" => {
                let item = &body["items"][0];
                if !item["unit_price"].is_number() || item["currency_id"] != "MXN" {
                    return error(400, "unit_price invalid");
                }
                let id = format!("202809963-{:08}", self.pages.len() + 1);
                let mut page = body.clone();
                page["init_point"] = json!(format!(
                    "https://www.mercadopago.com.mx/checkout/v1/redirect?pref_id={id}"
                ));
                page["id"] = json!(id);
                self.pages.push(page.clone());
                Answer::json(201, &page)
            }
            "/v1/payments" => {
                let is_known = ["oxxo", "clabe"].iter().any(|id| body["payment_method_id"] == *id);
                if !is_known || !body["payer"]["email"].is_string() {
                    return error(400, "payer.email must be a valid email");
                }
                let payment = self.payment(body, "pending");
                Answer::json(201, &payment)
            }
            _ => {
                let id = path.split('/').nth(3).unwrap_or_default();
                let Some(payment) = self.payments.iter_mut().find(|one| number(one) == id) else {
                    return error(404, "Payment not found");
                };
                match give_back(payment, &body["amount"]) {
                    Some(refund) => Answer::json(201, &refund),
                    None => error(400, "The amount of the refund exceeds the payment"),
                }
            }
        }
    }

    /// Puts a payment on record.
    fn payment(&mut self, of: &Value, status: &str) -> Value {
        let id = 51_096_146_000_u64 + u64::try_from(self.payments.len()).expect("few payments");
        let method = of["payment_method_id"].as_str().unwrap_or("visa").to_owned();
        let mut payment = json!({
            "id": id, "status": status, "status_detail": "pending_waiting_payment",
            "transaction_amount": of["transaction_amount"], "currency_id": "MXN",
            "transaction_amount_refunded": 0, "refunds": [], "fee_details": [],
            "external_reference": of["external_reference"], "metadata": of["metadata"],
            "date_of_expiration": of["date_of_expiration"], "payment_method_id": method,
            "payment_type_id": if method == "visa" { "credit_card" } else { "ticket" },
            "card": {}, "date_created": now(),
        });
        if method != "visa" {
            payment["transaction_details"] = json!({
                "external_resource_url": format!("https://www.mercadopago.com.mx/payments/{id}/ticket"),
                "payment_method_reference_id": "1234567890",
            });
            payment["payment_method"] = json!({"data": {"reference_id": "6410293433784980810"}});
        }
        self.payments.push(payment.clone());
        payment
    }

    fn change(&mut self, path: &str, body: &Value) -> Answer {
        let id = path.rsplit('/').next().unwrap_or_default();
        let all = if path.starts_with("/checkout") { &mut self.pages } else { &mut self.payments };
        let Some(object) = all.iter_mut().find(|one| number(one) == id) else {
            return error(404, "Resource not found");
        };
        if body["capture"] == true {
            approve(object);
            object["transaction_amount"] = body["transaction_amount"].clone();
        } else if body["status"] == "cancelled" && object["status"] == "approved" {
            return error(400, "Payment cannot be cancelled");
        } else {
            for (name, value) in body.as_object().into_iter().flatten() {
                object[name] = value.clone();
            }
        }
        found(Some(object))
    }

    fn read(&self, request: &Request) -> Answer {
        let asked = request.form();
        let reference = asked.iter().find(|(name, _)| name == "external_reference");
        let is_it = |one: &&Value| {
            Some(one["external_reference"].as_str().unwrap_or_default())
                == reference.map(|(_, value)| value.as_str())
        };
        match request.path.as_str() {
            "/v1/payments/search" if reference.is_none() => self.listed(&asked),
            "/v1/payments/search" => {
                let results: Vec<&Value> = self.payments.iter().rev().filter(is_it).collect();
                Answer::json(200, &json!({"paging": {"total": results.len()}, "results": results}))
            }
            "/checkout/preferences/search" => {
                let elements: Vec<&Value> = self.pages.iter().rev().filter(is_it).collect();
                Answer::json(200, &json!({"total": elements.len(), "elements": elements}))
            }
            path => {
                let id = path.rsplit('/').next().unwrap_or_default();
                let of_pages = path.starts_with("/checkout");
                let all = if of_pages { &self.pages } else { &self.payments };
                found(all.iter().find(|one| number(one) == id))
            }
        }
    }

    /// A page of what was made in a time, the oldest first.
    fn listed(&self, asked: &[(String, String)]) -> Answer {
        let value = |name: &str| {
            let found = asked.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let moment = |text: &str| Timestamp::parse(text).expect("a moment");
        let is_right = value("range") == "date_created" && value("criteria") == "asc";
        if !is_right || value("sort") != "date_created" {
            return error(400, "range, sort and criteria are wanted");
        }
        let span = moment(&value("begin_date"))..=moment(&value("end_date"));
        let is_within =
            |one: &&Value| span.contains(&moment(one["date_created"].as_str().unwrap_or_default()));
        let all: Vec<&Value> = self.payments.iter().filter(is_within).collect();
        let number = |name: &str| value(name).parse().unwrap_or(0_usize);
        let page = all.iter().skip(number("offset")).take(number("limit"));
        // It shows no refunds in lists.
        let results: Vec<Value> = page
            .map(|one| {
                let mut one = (*one).clone();
                one["refunds"] = Value::Null;
                one
            })
            .collect();
        let paging = json!({"total": all.len(), "offset": number("offset")});
        Answer::json(200, &json!({"paging": paging, "results": results}))
    }

    /// What was made of a payment is gone.
    pub fn forget(&mut self, payment: &Value) {
        self.payments.retain(|one| one["external_reference"] != payment["id"]);
        self.pages.retain(|one| one["external_reference"] != payment["id"]);
    }

    /// Payments of somebody else, newer than all there are.
    pub fn crowd(&mut self, count: usize) {
        for _ in 0..count {
            let of = json!({"transaction_amount": 10, "external_reference": "another system"});
            let _ = self.payment(&of, "approved");
        }
    }

    /// How many pages and payments there are of a payment of ours.
    #[must_use]
    pub fn times(&self, payment: &Value) -> usize {
        let all = self.pages.iter().chain(&self.payments);
        all.filter(|one| one["external_reference"] == payment["id"]).count()
    }

    /// The newest payment there of one of ours; its number.
    ///
    /// # Panics
    /// When there is none.
    pub fn change_payment(&mut self, payment: &Value, change: impl FnOnce(&mut Value)) -> String {
        let found = self.payments.iter_mut().rev();
        let found = found.into_iter().find(|one| one["external_reference"] == payment["id"]);
        let found = found.expect("a payment there");
        change(found);
        number(found)
    }

    /// Somebody pays on the page of a payment, or tries to; its number.
    ///
    /// # Panics
    /// When there is no page.
    pub fn pay_on_page(&mut self, payment: &Value, status: &str, detail: &str) -> String {
        let page = self.pages.iter().find(|one| one["external_reference"] == payment["id"]);
        let mut of = page.expect("a page of the payment").clone();
        of["transaction_amount"] = of["items"][0]["unit_price"].clone();
        let made = self.payment(&of, status);
        self.change_payment(payment, |one| {
            one["status_detail"] = json!(detail);
            one["card"] = json!({"last_four_digits": "3704"});
            if status == "approved" {
                approve(one);
            }
        });
        number(&made)
    }
}

/// Marks a payment as paid.
pub fn approve(payment: &mut Value) {
    payment["status"] = json!("approved");
    payment["date_approved"] = json!("2026-11-24T10:00:00.000-06:00");
    payment["fee_details"] = json!([
        {"type": "mercadopago_fee", "amount": 4.05, "fee_payer": "collector"},
        {"type": "financing_fee", "amount": 9.0, "fee_payer": "payer"},
    ]);
}

/// Gives so much of a payment back, if there is so much.
pub fn give_back(payment: &mut Value, amount: &Value) -> Option<Value> {
    let wanted = amount.as_f64()?;
    let back = payment["transaction_amount_refunded"].as_f64()?;
    if payment["status"] != "approved" || back + wanted > payment["transaction_amount"].as_f64()? {
        return None;
    }
    let refunds = payment["refunds"].as_array_mut()?;
    let refund = json!({"id": 1_000 + refunds.len(), "amount": amount, "status": "approved"});
    refunds.push(refund.clone());
    payment["transaction_amount_refunded"] = json!(back + wanted);
    if payment["transaction_amount_refunded"] == payment["transaction_amount"] {
        payment["status"] = json!("refunded");
    }
    Some(refund)
}
