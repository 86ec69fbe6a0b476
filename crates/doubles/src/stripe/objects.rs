//! Intents, pages and refunds as Stripe documents them.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::books::invalid;
use crate::provider::Answer;

/// What is made of a call.
pub(super) type Made = Result<Value, Answer>;

/// A form that came.
pub(super) struct Form(pub(super) Vec<(String, String)>);

impl Form {
    /// Refuses what is not documented of a call.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Answer> {
        let is_known = |name: &str| {
            known.iter().any(|known| match known.strip_suffix('[') {
                Some(_) => name.starts_with(known),
                None => name == *known,
            })
        };
        match self.0.iter().find(|(name, _)| !is_known(name) && name != "expand[]") {
            Some((name, _)) => {
                Err(invalid("parameter_unknown", &format!("Received unknown parameter: {name}")))
            }
            None => Ok(()),
        }
    }

    pub(super) fn text(&self, name: &str) -> String {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    pub(super) fn whole(&self, name: &str) -> Result<i64, Answer> {
        let missing = || invalid("parameter_missing", &format!("Missing required param: {name}."));
        self.text(name).parse().map_err(|_| missing())
    }

    pub(super) fn metadata(&self, prefix: &str) -> Value {
        let named = self.0.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix(prefix)?.strip_suffix(']')?;
            Some((name.to_owned(), json!(value)))
        });
        Value::Object(named.collect::<Map<_, _>>())
    }

    fn expands(&self, path: &str) -> bool {
        self.0.iter().any(|(name, value)| name == "expand[]" && value == path)
    }
}

/// A refund.
#[derive(Clone)]
#[allow(missing_docs, reason = "as Stripe documents them")]
pub struct Refund {
    pub id: String,
    pub amount: i64,
    pub status: String,
    pub metadata: Value,
    pub failure_reason: Option<String>,
    /// Whether it has moved the account's balance.
    pub moves: bool,
}

pub(super) fn refund_json(refund: &Refund) -> Value {
    json!({
        "id": refund.id, "object": "refund", "amount": refund.amount, "currency": "mxn",
        "status": refund.status, "metadata": refund.metadata,
        "failure_reason": refund.failure_reason,
        "balance_transaction": refund.moves.then(|| format!("txn_{}", refund.id)),
    })
}

/// A payment intent.
#[derive(Clone)]
#[allow(missing_docs, reason = "as Stripe documents them")]
pub struct Intent {
    pub id: String,
    pub created: i64,
    pub amount: i64,
    pub currency: String,
    pub method: String,
    pub is_manual: bool,
    pub metadata: Value,
    pub status: String,
    pub received: i64,
    pub error: Value,
    pub reason: Option<String>,
    pub expires_after: Option<i64>,
    pub refunds: Vec<Refund>,
    /// Whether the payer may choose a plan of installments.
    pub has_installments: bool,
    /// The number of months that they have chosen.
    pub months: Option<i64>,
}

fn has_installments(form: &Form) -> bool {
    form.text("payment_method_options[card][installments][enabled]") == "true"
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_secs()).expect("seconds that fit")
}

impl Intent {
    fn plain(number: usize) -> Self {
        Self {
            id: format!("pi_{number:04}"),
            created: now(),
            amount: 1_000,
            currency: "mxn".to_owned(),
            method: "card".to_owned(),
            is_manual: false,
            metadata: json!({}),
            status: "requires_payment_method".to_owned(),
            received: 0,
            error: Value::Null,
            reason: None,
            expires_after: None,
            refunds: Vec::new(),
            has_installments: false,
            months: None,
        }
    }

    pub(super) fn of_somebody_else(number: usize) -> Self {
        Self::plain(number)
    }

    pub(super) fn asked(number: usize, form: &Form, customers: &[String]) -> Result<Self, Answer> {
        form.only(&[
            "amount",
            "currency",
            "payment_method_types[]",
            "description",
            "metadata[",
            "capture_method",
            "customer",
            "confirm",
            "payment_method_data[",
            "payment_method_options[",
        ])?;
        let method = form.text("payment_method_types[]");
        let is_confirmed = form.text("confirm") == "true";
        let intent = Self {
            amount: form.whole("amount")?,
            currency: form.text("currency"),
            is_manual: form.text("capture_method") == "manual",
            metadata: form.metadata("metadata["),
            method: method.clone(),
            has_installments: has_installments(form),
            ..Self::plain(number)
        };
        let data = |name: &str| form.text(&format!("payment_method_data{name}"));
        let option = |name: &str| form.text(&format!("payment_method_options[{method}]{name}"));
        match method.as_str() {
            "card" => Ok(intent),
            "oxxo" => {
                let days = form.whole("payment_method_options[oxxo][expires_after_days]")?;
                let is_named = !data("[billing_details][name]").is_empty()
                    && data("[billing_details][email]").contains('@');
                if !is_named
                    || data("[type]") != "oxxo"
                    || !is_confirmed
                    || !(1..=7).contains(&days)
                {
                    return Err(invalid("parameter_missing", "Missing billing details"));
                }
                let status = "requires_action".to_owned();
                let expires_after = Some(intent.created + days * 86_400);
                Ok(Self { status, expires_after, ..intent })
            }
            "customer_balance" => {
                let is_right = customers.contains(&form.text("customer"))
                    && option("[funding_type]") == "bank_transfer"
                    && option("[bank_transfer][type]") == "mx_bank_transfer"
                    && data("[type]") == "customer_balance"
                    && is_confirmed;
                if !is_right {
                    return Err(invalid("parameter_missing", "A customer is required"));
                }
                Ok(Self { status: "requires_action".to_owned(), ..intent })
            }
            _ => Err(invalid("", "The payment method type is invalid")),
        }
    }

    /// The payer pays: by card, at the counter, or all that is missing by transfer.
    pub fn pay(&mut self) {
        let left = self.amount - self.received;
        self.arrive(left);
    }

    /// The payer chooses a plan of installments, and pays.
    ///
    /// # Panics
    /// When installments are not switched on.
    pub fn pay_in(&mut self, months: i64) {
        assert!(self.has_installments, "no installments are offered");
        self.months = Some(months);
        self.pay();
    }

    /// So much arrives.
    pub fn arrive(&mut self, amount: i64) {
        self.error = Value::Null;
        if self.is_manual {
            self.status = "requires_capture".to_owned();
            return;
        }
        self.received += amount;
        if self.received >= self.amount {
            self.status = "succeeded".to_owned();
        }
    }

    /// The card is refused; the payer may try another.
    pub fn decline(&mut self, decline_code: &str) {
        self.error = json!({
            "type": "card_error", "code": "card_declined", "decline_code": decline_code,
            "message": "Your card was declined.",
        });
    }

    /// The time of the slip passes.
    pub fn expire(&mut self) {
        self.status = "requires_payment_method".to_owned();
        self.error = json!({
            "type": "invalid_request_error", "code": "payment_intent_payment_attempt_expired",
            "message": "The latest attempt to make a payment has expired.",
        });
    }

    /// Stripe calls it off by itself.
    pub fn lapse(&mut self) {
        (self.status, self.reason) = ("canceled".to_owned(), Some("automatic".to_owned()));
    }

    pub(super) fn capture(&mut self, form: &Form) -> Result<(), Answer> {
        form.only(&["amount_to_capture"])?;
        let amount = form.whole("amount_to_capture")?;
        if self.status != "requires_capture" {
            return Err(invalid("payment_intent_unexpected_state", "It cannot be captured"));
        }
        if amount > self.amount {
            return Err(invalid("amount_too_large", "It is more than was authorized"));
        }
        (self.status, self.received) = ("succeeded".to_owned(), amount);
        if amount < self.amount {
            // What is released stands among the refunds, and moves nothing.
            let release = self.refunded(self.amount - amount, json!({}));
            self.refunds.push(Refund { moves: false, ..release });
        }
        Ok(())
    }

    pub(super) fn cancel(&mut self, form: &Form) -> Result<(), Answer> {
        form.only(&[])?;
        if matches!(self.status.as_str(), "succeeded" | "canceled") {
            return Err(invalid("payment_intent_unexpected_state", "It cannot be canceled"));
        }
        self.call_off();
        Ok(())
    }

    /// It is called off; what has arrived of it goes back to the payer.
    pub fn call_off(&mut self) {
        self.status = "canceled".to_owned();
        self.received = 0;
    }

    fn refunded(&self, amount: i64, metadata: Value) -> Refund {
        Refund {
            id: format!("re_{}_{}", self.id, self.refunds.len() + 1),
            amount,
            status: "succeeded".to_owned(),
            metadata,
            failure_reason: None,
            moves: true,
        }
    }

    /// Gives so much back.
    ///
    /// # Errors
    /// When there is not so much left.
    pub fn refund(&mut self, amount: i64, metadata: Value) -> Result<Refund, Answer> {
        let held = self.refunds.iter().filter(|refund| refund.moves && refund.status != "failed");
        if self.status != "succeeded"
            || held.map(|r| r.amount).sum::<i64>() + amount > self.received
        {
            return Err(invalid("charge_already_refunded", "It has been refunded"));
        }
        let refund = self.refunded(amount, metadata);
        self.refunds.push(refund.clone());
        Ok(refund)
    }

    /// The bank sends back what was refunded last.
    ///
    /// # Panics
    /// When nothing was refunded.
    pub fn fail_refund(&mut self) {
        let refund = self.refunds.last_mut().expect("a refund");
        refund.status = "failed".to_owned();
        refund.failure_reason = Some("expired_or_canceled_card".to_owned());
    }

    /// As a notification shows it.
    #[must_use]
    pub fn shown(&self) -> Value {
        self.json(&Form(Vec::new()))
    }

    pub(super) fn json(&self, form: &Form) -> Value {
        self.json_under(form, "")
    }

    pub(super) fn json_under(&self, form: &Form, prefix: &str) -> Value {
        let is_charged = matches!(self.status.as_str(), "succeeded" | "requires_capture");
        let charge = is_charged.then(|| self.charge(form, prefix));
        json!({
            "id": self.id, "object": "payment_intent", "amount": self.amount,
            "amount_capturable": if self.status == "requires_capture" { self.amount } else { 0 },
            "amount_received": if self.status == "succeeded" { self.received } else { 0 },
            "capture_method": if self.is_manual { "manual" } else { "automatic" },
            "cancellation_reason": self.reason, "created": self.created,
            "currency": self.currency, "client_secret": format!("{}_secret_xyz", self.id),
            "payment_method_types": [self.method],
            "last_payment_error": self.error, "latest_charge": charge, "livemode": false,
            "metadata": self.metadata, "next_action": self.next_action(), "status": self.status,
        })
    }

    fn next_action(&self) -> Value {
        match (self.status.as_str(), self.method.as_str()) {
            ("requires_action", "oxxo") => {
                json!({"type": "oxxo_display_details", "oxxo_display_details": {
                    "expires_after": self.expires_after,
                    "hosted_voucher_url": format!("https://payments.stripe.com/oxxo/voucher/{}", self.id),
                    "number": "98000006954591202611240000100008",
                }})
            }
            ("requires_action", "customer_balance") => {
                json!({"type": "display_bank_transfer_instructions",
                "display_bank_transfer_instructions": {
                    "amount_remaining": self.amount - self.received, "currency": "mxn",
                    "financial_addresses": [{"type": "spei", "supported_networks": ["spei"],
                        "spei": {"clabe": "124180089007680009", "bank_code": "124", "bank_name": "CITI"}}],
                    "hosted_instructions_url": "https://payments.stripe.com/bank_transfers/1",
                    "reference": "GMGXLHWZDRVY", "type": "mx_bank_transfer"}})
            }
            _ => Value::Null,
        }
    }

    fn charge(&self, form: &Form, prefix: &str) -> Value {
        let id = format!("ch_{}", self.id);
        let path = format!("{prefix}latest_charge");
        let (settled, refunds) = (format!("{path}.balance_transaction"), format!("{path}.refunds"));
        if !form.expands(&settled) && !form.expands(&refunds) {
            return json!(id);
        }
        let card = json!({"brand": "visa", "last4": "4242", "funding": "credit",
            "capture_before": self.is_manual.then_some(self.created + 7 * 86_400),
            "installments": self.months.map(|count| json!({"plan": {"type": "fixed_count",
                "interval": "month", "count": count}}))});
        let settlement = json!({"id": "txn_1", "object": "balance_transaction", "currency": "mxn",
            "fee": self.received * 36 / 1_000, "created": self.created});
        let mut charge = json!({"id": id, "object": "charge", "amount": self.amount,
            "amount_captured": self.received, "metadata": self.metadata,
            "payment_method_details": {"type": self.method}});
        if self.method == "card" {
            charge["payment_method_details"]["card"] = card;
        }
        if self.status == "succeeded" {
            let is_shown = form.expands(&settled);
            charge["balance_transaction"] = if is_shown { settlement } else { json!("txn_1") };
        }
        if form.expands(&refunds) {
            // As Stripe, no more than ten.
            let data: Vec<Value> = self.refunds.iter().rev().take(10).map(refund_json).collect();
            let has_more = self.refunds.len() > 10;
            charge["refunds"] = json!({"object": "list", "data": data, "has_more": has_more});
        }
        charge
    }
}

/// A Checkout Session.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) status: String,
    pub(super) metadata: Value,
    pub(super) intent: Option<String>,
    amount: i64,
    currency: String,
    expires_at: i64,
    is_manual: bool,
    intent_metadata: Value,
    has_installments: bool,
}

impl Session {
    pub(super) fn asked(number: usize, form: &Form) -> Result<Self, Answer> {
        form.only(&[
            "mode",
            "payment_method_types[]",
            "success_url",
            "cancel_url",
            "expires_at",
            "client_reference_id",
            "customer_email",
            "line_items[0][",
            "payment_intent_data[",
            "payment_method_options[card][installments][enabled]",
            "metadata[",
        ])?;
        let (created, expires_at) = (now(), form.whole("expires_at")?);
        if !(created + 1_800..=created + 86_400).contains(&expires_at) {
            return Err(invalid(
                "",
                "The `expires_at` timestamp must be 30 minutes to 24 hours away",
            ));
        }
        if form.text("mode") != "payment" || !form.text("success_url").starts_with("http") {
            return Err(invalid("parameter_missing", "Missing required param"));
        }
        let price = "line_items[0][price_data]";
        if form.text(&format!("{price}[product_data][name]")).is_empty() {
            return Err(invalid("parameter_missing", "Missing the name of the product"));
        }
        Ok(Self {
            id: format!("cs_test_{number:04}"),
            created,
            status: "open".to_owned(),
            metadata: form.metadata("metadata["),
            intent: None,
            amount: form.whole(&format!("{price}[unit_amount]"))?
                * form.whole("line_items[0][quantity]")?,
            currency: form.text(&format!("{price}[currency]")),
            expires_at,
            is_manual: form.text("payment_intent_data[capture_method]") == "manual",
            intent_metadata: form.metadata("payment_intent_data[metadata]["),
            has_installments: has_installments(form),
        })
    }

    /// The intent that comes to be when the payer pays.
    pub(super) fn intent(&self, number: usize) -> Intent {
        Intent {
            amount: self.amount,
            currency: self.currency.clone(),
            is_manual: self.is_manual,
            metadata: self.intent_metadata.clone(),
            has_installments: self.has_installments,
            ..Intent::plain(number)
        }
    }

    pub(super) fn json(&self, intent: Option<&Intent>, form: &Form) -> Value {
        let is_shown = form.0.iter().any(|(_, value)| value.starts_with("payment_intent"));
        let intent = intent.map(|intent| match is_shown {
            true => intent.json_under(form, "payment_intent."),
            false => json!(intent.id),
        });
        json!({
            "id": self.id, "object": "checkout.session", "amount_total": self.amount,
            "currency": self.currency, "created": self.created, "expires_at": self.expires_at,
            "metadata": self.metadata, "payment_intent": intent, "status": self.status,
            "payment_status": if self.status == "complete" { "paid" } else { "unpaid" },
            "url": (self.status == "open").then(|| format!("https://checkout.stripe.com/c/pay/{}", self.id)),
        })
    }
}
