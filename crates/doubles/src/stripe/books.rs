//! What Stripe does with calls.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{
    KEY, VERSION,
    objects::{Form, Intent, Made, Session, refund_json},
};
use crate::provider::{Answer, Books, Request};

/// What Stripe has on record.
#[derive(Default)]
pub struct StripeBooks {
    intents: Vec<Intent>,
    sessions: Vec<Session>,
    customers: Vec<String>,
    /// What the first request under each key was, and how it was answered.
    keys: HashMap<String, (String, Answer)>,
}

impl Books for StripeBooks {
    fn call(request: &Request) -> &'static str {
        let path = request.path.as_str();
        match (request.method.as_str(), path) {
            ("POST", "/v1/payment_intents" | "/v1/checkout/sessions") => "create",
            ("POST", "/v1/customers") => "customer",
            ("POST", "/v1/refunds") => "refund",
            ("POST", _) if path.ends_with("/capture") => "capture",
            ("POST", _) if path.ends_with("/cancel") || path.ends_with("/expire") => "cancel",
            ("GET", "/v1/payment_intents" | "/v1/checkout/sessions" | "/v1/refunds") => "list",
            ("GET", _) => "fetch",
            _ => "other",
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        if request.header("authorization") != Some(&format!("Bearer {KEY}")) {
            let message = "Invalid API Key provided: sk_test_****rcio";
            return error(401, "invalid_request_error", "", message);
        }
        if request.header("stripe-version") != Some(VERSION) {
            return error(400, "invalid_request_error", "", "Unknown version");
        }
        let form = Form(request.form());
        let outcome = match request.method.as_str() {
            "GET" => self.read(&request.path, &form),
            _ => return self.once(request, &form),
        };
        outcome.map_or_else(|error| error, |body| Answer::json(200, &body))
    }

    fn failed(&mut self, request: &Request, answer: &Answer) {
        if let Some(key) = request.header("idempotency-key").filter(|_| answer.status >= 500) {
            let first = (said(request), answer.clone());
            self.keys.insert(key.to_owned(), first);
        }
    }
}

/// An error as Stripe words it.
fn error(status: u16, kind: &str, code: &str, message: &str) -> Answer {
    let mut error = json!({"type": kind, "message": message});
    if !code.is_empty() {
        error["code"] = json!(code);
    }
    Answer::json(status, &json!({ "error": error }))
}

pub(super) fn invalid(code: &str, message: &str) -> Answer {
    error(400, "invalid_request_error", code, message)
}

fn missing() -> Answer {
    error(404, "invalid_request_error", "resource_missing", "No such object")
}

/// What a key stands for.
fn said(request: &Request) -> String {
    format!("{} {}", request.path, request.body)
}

fn part(path: &str, index: usize) -> &str {
    path.split('/').nth(index).unwrap_or_default()
}

impl StripeBooks {
    /// Has something done, once under its key.
    fn once(&mut self, request: &Request, form: &Form) -> Answer {
        let Some(key) = request.header("idempotency-key") else {
            return invalid("", "A test kit wants an Idempotency-Key");
        };
        if let Some((first, answer)) = self.keys.get(key) {
            if *first != said(request) {
                return error(400, "idempotency_error", "", "Keys for idempotent requests …");
            }
            let mut answer = answer.clone();
            answer.headers.push(("Idempotent-Replayed".to_owned(), "true".to_owned()));
            return answer;
        }
        let answer = match self.write(&request.path, form) {
            Ok(body) => Answer::json(200, &body),
            Err(answer) => answer,
        };
        self.keys.insert(key.to_owned(), (said(request), answer.clone()));
        answer
    }

    fn write(&mut self, path: &str, form: &Form) -> Made {
        match path {
            "/v1/customers" => {
                form.only(&["name", "email", "phone", "metadata["])?;
                let id = format!("cus_{:04}", self.customers.len() + 1);
                self.customers.push(id.clone());
                Ok(json!({"id": id, "object": "customer"}))
            }
            "/v1/payment_intents" => {
                let intent = Intent::asked(self.intents.len() + 1, form, &self.customers)?;
                self.intents.push(intent.clone());
                Ok(intent.json(form))
            }
            "/v1/checkout/sessions" => {
                let session = Session::asked(self.sessions.len() + 1, form)?;
                self.sessions.push(session.clone());
                Ok(self.session_json(&session, form))
            }
            "/v1/refunds" => {
                form.only(&["payment_intent", "amount", "metadata["])?;
                let id = form.text("payment_intent");
                let intent = self.find(|intent| intent.id == id)?;
                let amount = form.whole("amount")?;
                let refund = intent.refund(amount, form.metadata("metadata["))?;
                Ok(refund_json(&refund))
            }
            _ if path.starts_with("/v1/checkout/sessions/") => {
                let id = part(path, 4).to_owned();
                let session = self.sessions.iter_mut().find(|session| session.id == id);
                let session = session.ok_or_else(missing)?;
                if session.status != "open" {
                    return Err(invalid("", "Only Checkout Sessions with a status in …"));
                }
                "expired".clone_into(&mut session.status);
                let session = session.clone();
                Ok(self.session_json(&session, form))
            }
            _ => {
                let (id, action) = (part(path, 3).to_owned(), part(path, 4).to_owned());
                let intent = self.find(|intent| intent.id == id)?;
                match action.as_str() {
                    "capture" => intent.capture(form)?,
                    "cancel" => intent.cancel(form)?,
                    _ => return Err(missing()),
                }
                Ok(intent.json(form))
            }
        }
    }

    fn read(&self, path: &str, form: &Form) -> Made {
        match path {
            "/v1/payment_intents" => {
                let since = form.whole("created[gte]")?;
                let until = form.whole("created[lt]").unwrap_or(i64::MAX);
                let found = self.intents.iter().filter(|one| (since..until).contains(&one.created));
                Ok(list(form, found.map(|intent| intent.json_under(form, "data.")).collect()))
            }
            "/v1/checkout/sessions" => {
                let since = form.whole("created[gte]")?;
                let found = self.sessions.iter().filter(|session| session.created >= since);
                Ok(list(form, found.map(|session| self.session_json(session, form)).collect()))
            }
            "/v1/refunds" => {
                let id = form.text("payment_intent");
                let intent = self.intents.iter().find(|intent| intent.id == id);
                let refunds = &intent.ok_or_else(missing)?.refunds;
                Ok(list(form, refunds.iter().map(refund_json).collect()))
            }
            _ if path.starts_with("/v1/checkout/sessions/") => {
                let session = self.sessions.iter().find(|session| session.id == part(path, 4));
                Ok(self.session_json(session.ok_or_else(missing)?, form))
            }
            _ => {
                let intent = self.intents.iter().find(|intent| intent.id == part(path, 3));
                Ok(intent.ok_or_else(missing)?.json(form))
            }
        }
    }

    fn session_json(&self, session: &Session, form: &Form) -> Value {
        let intent = self.intents.iter().find(|intent| Some(&intent.id) == session.intent.as_ref());
        session.json(intent, form)
    }

    fn find(&mut self, is_it: impl Fn(&Intent) -> bool) -> Result<&mut Intent, Answer> {
        self.intents.iter_mut().find(|intent| is_it(intent)).ok_or_else(missing)
    }

    /// Every payment that was ever made, by what it says it is; a page and the intent that it was paid by are one.
    #[must_use]
    pub fn payments(&self) -> Vec<String> {
        let named = |metadata: &Value| metadata["payment"].as_str().unwrap_or_default().to_owned();
        let of_page =
            |id: &String| self.sessions.iter().any(|page| page.intent.as_ref() == Some(id));
        let intents = self.intents.iter().filter(|intent| !of_page(&intent.id));
        let intents = intents.map(|intent| named(&intent.metadata));
        intents.chain(self.sessions.iter().map(|session| named(&session.metadata))).collect()
    }

    /// The intent of a payment.
    ///
    /// # Panics
    /// When there is none.
    pub fn of(&mut self, payment: &Value) -> &mut Intent {
        let id = payment["id"].as_str().unwrap_or_default();
        self.intent(id).expect("an intent of the payment")
    }

    /// The intent of a payment, by the payment's identifier; of a page there is one once it is paid.
    pub fn intent(&mut self, payment: &str) -> Option<&mut Intent> {
        self.intents.iter_mut().find(|intent| intent.metadata["payment"] == payment)
    }

    /// Every intent that was ever made.
    #[must_use]
    pub fn intents(&self) -> &[Intent] {
        &self.intents
    }

    /// Every page that was ever made: what payment it is of, and whether it is `open`, `complete` or `expired`.
    pub fn pages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sessions.iter().map(|page| {
            let payment = page.metadata["payment"].as_str().unwrap_or_default();
            (payment, page.status.as_str())
        })
    }

    /// Has the payer pay on the page of a payment.
    ///
    /// # Panics
    /// When there is no page.
    pub fn pay_on_page(&mut self, payment: &Value) -> &mut Intent {
        let id = payment["id"].as_str().unwrap_or_default();
        self.pay_on_open_page(id).expect("an open page of the payment")
    }

    /// Has the payer pay on the page of a payment, if there is one that is open.
    pub fn pay_on_open_page(&mut self, payment: &str) -> Option<&mut Intent> {
        let is_open = |page: &&mut Session| {
            page.metadata["payment"] == payment && page.status == "open" && page.intent.is_none()
        };
        let session = self.sessions.iter_mut().find(is_open)?;
        let mut intent = session.intent(self.intents.len() + 1);
        session.intent = Some(intent.id.clone());
        "complete".clone_into(&mut session.status);
        intent.pay();
        self.intents.push(intent);
        self.intents.last_mut()
    }

    /// Lets the time of a page pass.
    ///
    /// # Panics
    /// When there is no page.
    pub fn expire_page(&mut self, payment: &Value) {
        let session = self.sessions.iter_mut().find(|s| s.metadata["payment"] == payment["id"]);
        "expired".clone_into(&mut session.expect("a page of the payment").status);
    }

    /// What was made of a payment is gone.
    pub fn forget(&mut self, payment: &Value) {
        self.intents.retain(|intent| intent.metadata["payment"] != payment["id"]);
        self.sessions.retain(|session| session.metadata["payment"] != payment["id"]);
    }

    /// Payments of somebody else, newer than all there are.
    pub fn crowd(&mut self, count: usize) {
        for _ in 0..count {
            let intent = Intent::of_somebody_else(self.intents.len() + 1);
            self.intents.push(intent);
        }
    }
}

/// A page of a list, newest first.
fn list(form: &Form, mut all: Vec<Value>) -> Value {
    all.reverse();
    let after = form.text("starting_after");
    let from = all.iter().position(|one| one["id"] == after.as_str()).map_or(0, |index| index + 1);
    let limit = usize::try_from(form.whole("limit").unwrap_or(10)).unwrap_or(10);
    let has_more = all.len() > from + limit;
    let data: Vec<Value> = all.into_iter().skip(from).take(limit).collect();
    json!({"object": "list", "data": data, "has_more": has_more, "url": "/v1"})
}
