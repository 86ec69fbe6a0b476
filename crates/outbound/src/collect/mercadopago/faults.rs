//! What Mercado Pago's answers say of a call.

use payments::{CallFault, Failure};
use serde_json::Value;

use crate::collect::{
    http::{Answer, nonsense},
    json::{message, text},
};

/// The object of an answer, or why there is none.
pub(super) fn read(answer: &Answer) -> Result<Value, CallFault> {
    if let Some(fault) = answer.told_by_status() {
        return Err(fault);
    }
    let body: Value = serde_json::from_slice(&answer.body).map_err(|_| nonsense())?;
    match answer.status {
        200..=299 if body.is_object() => Ok(body),
        200..=299 => Err(nonsense()),
        // Its errors repeat the status and have words; what has not is a gateway's.
        status => {
            let is_its_own = body.get("status").and_then(Value::as_u64) == Some(u64::from(status));
            let words = text(&body, &["message"]).filter(|_| is_its_own).ok_or_else(nonsense)?;
            let code = if status == 404 { "not_found" } else { "invalid_request" };
            Err(rejected(code, words))
        }
    }
}

/// Why a payer's means were refused, in the words that all providers share.
pub(super) fn decline(detail: &str) -> Failure {
    let code = match detail {
        "cc_rejected_insufficient_amount" => "insufficient_funds",
        "cc_rejected_bad_filled_date" => "expired_card",
        _ => "card_declined",
    };
    let is_final = matches!(
        detail,
        "cc_rejected_blacklist" | "cc_rejected_high_risk" | "cc_rejected_max_attempts"
    );
    let message = message(&detail.replace('_', " "));
    Failure { code: code.to_owned(), message, is_retryable: !is_final }
}

/// A call that is refused.
pub(super) fn rejected(code: &str, words: &str) -> CallFault {
    let (code, message) = (code.to_owned(), message(words));
    CallFault::Rejected(Failure { code, message, is_retryable: false })
}
