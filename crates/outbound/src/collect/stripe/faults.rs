//! What Stripe's answers say of a call.

use kernel::reason::Reason;
use payments::{CallFault, Failure};
use serde_json::Value;

use crate::collect::{
    http::{Answer, nonsense},
    json::{at, message, text},
};

/// Declines after which another try with the same means is of no use; the payer's bank wants the card back, or says that
/// it must not be tried again.
const FINAL: &[&str] = &[
    "fraudulent",
    "lost_card",
    "merchant_blacklist",
    "pickup_card",
    "restricted_card",
    "revocation_of_all_authorizations",
    "revocation_of_authorization",
    "security_violation",
    "stolen_card",
    "stop_payment_order",
];

/// The object of an answer, or why there is none.
pub(super) fn read(answer: &Answer) -> Result<Value, CallFault> {
    let is_replayed = answer.header("idempotent-replayed") == Some("true");
    match answer.told_by_status() {
        // The stored failure of the first attempt, as often as it is asked for.
        Some(CallFault::Unknown(why)) if is_replayed && answer.status >= 500 => {
            return Err(CallFault::Stuck(why));
        }
        Some(fault) => return Err(fault),
        None => {}
    }
    let body: Value = serde_json::from_slice(&answer.body).map_err(|_| nonsense())?;
    match answer.status {
        200..=299 if body.is_object() => Ok(body),
        200..=299 => Err(nonsense()),
        // A gateway in between has errors of its own; only Stripe's own word says that nothing has happened.
        _ => Err(at(&body, &["error"]).map_or_else(nonsense, refusal)),
    }
}

fn refusal(error: &Value) -> CallFault {
    match text(error, &["type"]) {
        Some("card_error") => CallFault::Declined(decline(error)),
        // The key came with other words before, which may have had an effect.
        Some("idempotency_error") => CallFault::Stuck(Reason::KeyReused.alone()),
        Some(_) => rejected(rejection_code(error), text(error, &["message"]).unwrap_or_default()),
        None => nonsense(),
    }
}

/// Why the payer's means were refused, in the words that all providers share.
pub(super) fn decline(error: &Value) -> Failure {
    let code = text(error, &["decline_code"]).or_else(|| text(error, &["code"]));
    let reason = code.unwrap_or_default();
    let advice = text(error, &["advice_code"]);
    let code = match reason {
        "insufficient_funds" => "insufficient_funds",
        "expired_card" => "expired_card",
        _ => "card_declined",
    };
    Failure {
        code: code.to_owned(),
        message: message(text(error, &["message"]).unwrap_or_default()),
        is_retryable: !FINAL.contains(&reason) && advice != Some("do_not_try_again"),
    }
}

fn rejection_code(error: &Value) -> &'static str {
    match text(error, &["code"]).unwrap_or_default() {
        "resource_missing" => "not_found",
        "amount_too_large" => "amount_too_large",
        "amount_too_small" => "amount_too_small",
        "payment_intent_unexpected_state" => "not_open",
        "charge_already_captured" | "charge_expired_for_capture" => "capture_failed",
        "charge_already_refunded" | "charge_disputed" | "charge_not_refundable" => "not_refundable",
        _ => "invalid_request",
    }
}

/// A call that is refused.
pub(super) fn rejected(code: &str, text: &str) -> CallFault {
    let (code, message) = (code.to_owned(), message(text));
    CallFault::Rejected(Failure { code, message, is_retryable: false })
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
    use serde_json::json;

    use super::*;

    fn of(status: u16, body: &str, replayed: bool) -> Result<Value, CallFault> {
        let replay = (HeaderName::from_static("idempotent-replayed"), "true");
        let headers = replayed.then_some((replay.0, HeaderValue::from_static(replay.1)));
        let headers = HeaderMap::from_iter(headers);
        read(&Answer { status, headers, body: body.as_bytes().to_vec() })
    }

    fn error(of: &Value) -> String {
        json!({ "error": of }).to_string()
    }

    #[test]
    fn what_answers_say() {
        let page = "<html>";
        let invalid = error(&json!({"type": "invalid_request_error", "message": "No"}));
        let key = error(&json!({"type": "idempotency_error"}));
        assert!(of(200, "{}", false).is_ok());
        for (status, body, replayed, told) in [
            (200, page, false, "unknown"),
            (200, "[]", false, "unknown"),
            (302, "{}", false, "unknown"),
            (400, page, false, "unknown"),
            (400, "{}", false, "unknown"),
            (400, &invalid, false, "rejected"),
            (404, &invalid, true, "rejected"),
            (400, &key, false, "stuck"),
            (401, &invalid, false, "config"),
            (403, page, false, "config"),
            (409, &invalid, false, "unknown"),
            (423, &invalid, false, "unknown"),
            (429, &invalid, false, "limited"),
            (500, &invalid, false, "unknown"),
            (500, &invalid, true, "stuck"),
            (503, page, false, "unknown"),
        ] {
            let found = match of(status, body, replayed) {
                Err(CallFault::Unknown(_)) => "unknown",
                Err(CallFault::Rejected(_)) => "rejected",
                Err(CallFault::Config(_)) => "config",
                Err(CallFault::RateLimited { .. }) => "limited",
                Err(CallFault::Stuck(_)) => "stuck",
                other => panic!("{other:?}"),
            };
            assert_eq!(found, told, "{status} {body} {replayed}");
        }
    }

    #[test]
    fn declines_have_the_codes_that_all_providers_share() {
        for (reason, code, is_retryable) in [
            ("insufficient_funds", "insufficient_funds", true),
            ("expired_card", "expired_card", true),
            ("generic_decline", "card_declined", true),
            ("authentication_required", "card_declined", true),
            ("stolen_card", "card_declined", false),
            ("lost_card", "card_declined", false),
        ] {
            let body =
                json!({"type": "card_error", "code": "card_declined", "decline_code": reason});
            let Err(CallFault::Declined(failure)) = of(402, &error(&body), false) else {
                panic!("{reason}")
            };
            assert_eq!((failure.code.as_str(), failure.is_retryable), (code, is_retryable));
        }
        let advised = json!({"code": "card_declined", "advice_code": "do_not_try_again"});
        assert!(!decline(&advised).is_retryable);
    }
}
