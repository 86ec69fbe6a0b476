//! What Conekta's answers say of a call.

use payments::{CallFault, Failure};
use serde_json::Value;

use crate::collect::{
    http::{Answer, nonsense},
    json::{each, message, text},
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
        // A gateway in between has errors of its own.
        _ if text(&body, &["object"]) != Some("error") => Err(nonsense()),
        402 => Err(CallFault::Declined(refusal(&body, 402))),
        status => Err(CallFault::Rejected(refusal(&body, status))),
    }
}

fn refusal(body: &Value, status: u16) -> Failure {
    let detail = each(body, &["details"]).first();
    let words = detail
        .and_then(|detail| text(detail, &["debug_message"]).or_else(|| text(detail, &["message"])));
    let code = detail.and_then(|detail| text(detail, &["code"])).unwrap_or_default();
    match status {
        402 => Failure { message: message(words.unwrap_or_default()), ..decline(code) },
        404 => failure("not_found", words.unwrap_or_default()),
        _ => failure("invalid_request", words.unwrap_or_default()),
    }
}

/// Why a payer's means were refused, in the words that all providers share.
pub(super) fn decline(reason: &str) -> Failure {
    let is = |word: &str| reason.contains(word);
    let code = match reason {
        _ if is("insufficient_funds") => "insufficient_funds",
        _ if is("expired_card") => "expired_card",
        _ => "card_declined",
    };
    let is_final = is("suspected_fraud") || is("stolen_card") || is("lost_card");
    Failure { is_retryable: !is_final, ..failure(code, &reason.replace('_', " ")) }
}

fn failure(code: &str, words: &str) -> Failure {
    Failure { code: code.to_owned(), message: message(words), is_retryable: false }
}

/// A call that is refused.
pub(super) fn rejected(code: &str, words: &str) -> CallFault {
    CallFault::Rejected(failure(code, words))
}
