//! What is sent to Mercado Pago.

use kernel::{Amount, Timestamp};
use payments::{CallFault, Method, Payment, gateway::Asked};
use serde_json::{Map, Value, json};

use super::{faults::rejected, is_paged};

/// Whether the payer is sent to its page.
pub(super) fn is_hosted(payment: &Payment) -> bool {
    is_paged(payment.method)
}

fn title(payment: &Payment) -> String {
    payment.description.clone().unwrap_or_else(|| payment.id.to_string())
}

fn metadata(asked: &Asked) -> Value {
    json!({"account": asked.account, "payment": asked.payment.id, "call": asked.call})
}

/// The same for all: what it is, and where it is to be told of.
fn common(asked: &Asked, told_at: Option<String>) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("external_reference".to_owned(), json!(asked.payment.id));
    body.insert("metadata".to_owned(), metadata(asked));
    if let Some(url) = told_at {
        body.insert("notification_url".to_owned(), json!(url));
    }
    body
}

/// A page. Cards exclude what is paid elsewhere; a wallet is for those who have an account there.
pub(super) fn preference(asked: &Asked, told_at: Option<String>) -> Value {
    let payment = &asked.payment;
    let mut body = common(asked, told_at);
    let item = json!({
        "id": payment.id, "title": title(payment), "quantity": 1,
        "unit_price": payment.amount, "currency_id": payment.currency.code(),
    });
    body.insert("items".to_owned(), json!([item]));
    if let Some(email) = &payment.payer.email {
        body.insert("payer".to_owned(), json!({"email": email, "name": payment.payer.name}));
    }
    if let Some(back) = &payment.return_url {
        let urls = json!({"success": back, "pending": back, "failure": back});
        body.insert("back_urls".to_owned(), urls);
    }
    match payment.method {
        Method::Wallet => {
            body.insert("purpose".to_owned(), json!("wallet_purchase"));
        }
        _ => {
            let elsewhere = ["ticket", "atm", "bank_transfer", "account_money", "digital_currency"];
            let excluded: Vec<Value> = elsewhere.iter().map(|id| json!({ "id": id })).collect();
            // The page offers every number of months up to this one.
            let largest = payment.installments.last().copied().unwrap_or(1);
            let methods = json!({"excluded_payment_types": excluded, "installments": largest});
            body.insert("payment_methods".to_owned(), methods);
        }
    }
    if let Some(end) = payment.expires_at {
        body.insert("expires".to_owned(), json!(true));
        body.insert("expiration_date_to".to_owned(), json!(moment(end)));
    }
    Value::Object(body)
}

/// Cash at OXXO, or a transfer.
pub(super) fn payment(asked: &Asked, told_at: Option<String>) -> Result<Value, CallFault> {
    let payment = &asked.payment;
    let method = match payment.method {
        Method::Oxxo => "oxxo",
        Method::Spei => "clabe",
        _ => return Err(rejected("invalid_request", "Mercado Pago has no such method here.")),
    };
    let required = || rejected("payer_required", "payer.email is required by Mercado Pago.");
    let email = payment.payer.email.clone().ok_or_else(required)?;
    let mut payer = json!({"email": email, "entity_type": "individual"});
    if let (Some(name), Some(payer)) = (&payment.payer.name, payer.as_object_mut()) {
        let (first, last) = name.rsplit_once(' ').unwrap_or((name, ""));
        payer.insert("first_name".to_owned(), json!(first));
        payer.insert("last_name".to_owned(), json!(last));
    }
    let mut body = common(asked, told_at);
    body.insert("transaction_amount".to_owned(), json!(payment.amount));
    body.insert("description".to_owned(), json!(title(payment)));
    body.insert("payment_method_id".to_owned(), json!(method));
    body.insert("payer".to_owned(), payer);
    if let Some(end) = payment.expires_at {
        body.insert("date_of_expiration".to_owned(), json!(moment(end)));
    }
    Ok(Value::Object(body))
}

/// The query of a page of what was made in a time, the oldest first: what comes meanwhile comes last.
pub(super) fn search(from: Timestamp, to: Timestamp, offset: usize, limit: usize) -> String {
    let escaped = |at| moment(at).replace('+', "%2B");
    let (from, to) = (escaped(from), escaped(to));
    format!(
        "range=date_created&begin_date={from}&end_date={to}&sort=date_created&criteria=asc&offset={offset}&limit={limit}"
    )
}

/// A moment as Mercado Pago wants it: with an offset that is a number.
fn moment(at: Timestamp) -> String {
    at.to_string().replace('Z', "+00:00")
}

pub(super) fn capture(amount: Amount) -> Value {
    json!({"capture": true, "transaction_amount": amount})
}

pub(super) fn cancelling() -> Value {
    json!({"status": "cancelled"})
}

/// A page that nobody can pay on any more.
pub(super) fn closing(now: Timestamp) -> Value {
    json!({"expires": true, "expiration_date_to": moment(now)})
}

pub(super) fn refund(amount: Amount) -> Value {
    json!({ "amount": amount })
}
