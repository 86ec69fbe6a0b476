//! What is sent to Conekta.

use kernel::{Amount, Currency, Timestamp};
use payments::{CallFault, Method, Payment, gateway::Asked};
use serde_json::{Map, Value, json};

use super::faults::rejected;
use crate::collect::money::to_minor;

/// How many characters the name of what is paid has, at least and at most.
const NAME_CHARS: (usize, usize) = (3, 249);

/// An order with one line, and with how it is paid.
pub(super) fn order(asked: &Asked) -> Result<Value, CallFault> {
    let payment = &asked.payment;
    let mut body = Map::new();
    let line = json!({
        "name": name(payment), "quantity": 1,
        "unit_price": to_minor(payment.amount, payment.currency),
    });
    body.insert("currency".to_owned(), json!(payment.currency.code()));
    body.insert("customer_info".to_owned(), customer(payment)?);
    body.insert("line_items".to_owned(), json!([line]));
    body.insert(
        "metadata".to_owned(),
        json!({
            "account": asked.account, "payment": payment.id, "call": asked.call,
        }),
    );
    body.insert("pre_authorize".to_owned(), json!(!payment.is_captured_at_once));
    let end = payment.expires_at.map(seconds);
    let kind = match payment.method {
        Method::Card => {
            body.insert("checkout".to_owned(), page(payment, end));
            return Ok(Value::Object(body));
        }
        Method::Oxxo => "cash",
        Method::Spei => "spei",
        _ => return Err(rejected("invalid_request", "Conekta has no such method here.")),
    };
    let charge = json!({"payment_method": {"type": kind, "expires_at": end}});
    body.insert("charges".to_owned(), json!([charge]));
    Ok(Value::Object(body))
}

/// Its own page, where the payer types the card.
fn page(payment: &Payment, end: Option<i64>) -> Value {
    let mut page = json!({
        "type": "HostedPayment", "allowed_payment_methods": ["card"],
        "monthly_installments_enabled": !payment.installments.is_empty(), "expires_at": end,
    });
    if let (false, Some(page)) = (payment.installments.is_empty(), page.as_object_mut()) {
        page.insert("monthly_installments_options".to_owned(), json!(payment.installments));
    }
    if let (Some(back), Some(page)) = (&payment.return_url, page.as_object_mut()) {
        page.insert("success_url".to_owned(), json!(back));
        page.insert("failure_url".to_owned(), json!(back));
    }
    page
}

fn name(payment: &Payment) -> String {
    let (least, most) = NAME_CHARS;
    let named = payment.description.as_deref().filter(|text| text.trim().chars().count() >= least);
    let named = named.map_or_else(|| payment.id.to_string(), str::to_owned);
    named.chars().take(most).collect()
}

fn customer(payment: &Payment) -> Result<Value, CallFault> {
    let payer = &payment.payer;
    let required = |field: &str, value: &Option<String>| {
        let missing = || rejected("payer_required", &format!("{field} is required by Conekta."));
        value.clone().ok_or_else(missing)
    };
    Ok(json!({
        "name": required("payer.name", &payer.name)?,
        "email": required("payer.email", &payer.email)?,
        "phone": required("payer.phone", &payer.phone)?,
    }))
}

const fn seconds(at: Timestamp) -> i64 {
    at.micros().div_euclid(1_000_000)
}

pub(super) fn capture(amount: Amount, currency: Currency) -> Value {
    json!({"amount": to_minor(amount, currency)})
}

pub(super) fn refund(amount: Amount, currency: Currency) -> Value {
    json!({"amount": to_minor(amount, currency), "reason": "requested_by_client"})
}
