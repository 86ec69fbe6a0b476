//! What Stripe shows of payments.

use kernel::{Amount, Currency, Timestamp};
use payments::{
    CallFault, CallResult, Card, Failure, Funding, Instructions, Method, PaymentId, RefundId,
    RefundStatus, Seen, SeenRefund, SeenState, gateway::Asked,
};
use serde_json::Value;

use super::faults::{decline, rejected};
use crate::collect::{
    http::nonsense,
    json::{at, each, message, owned, text, whole},
    money::from_minor,
};

/// Whether an identifier is that of a page.
pub(super) fn is_session(id: &str) -> bool {
    id.starts_with("cs_")
}

/// What an object shows, whichever of the two it is.
pub(super) fn of(asked: &Asked, object: &Value) -> CallResult {
    match text(object, &["id"]).is_some_and(is_session) {
        true => of_session(asked, object),
        false => of_intent(asked, object),
    }
}

/// What an intent shows.
pub(super) fn of_intent(asked: &Asked, intent: &Value) -> CallResult {
    refuse_foreign(asked, intent)?;
    let payment = &asked.payment;
    let known = Known {
        method: payment.method,
        has_received: payment.received > Amount::ZERO,
        is_typed: payment.method == Method::Card && payment.return_url.is_none(),
    };
    read(known, intent)
}

/// What an intent in a list shows, whosever it is.
pub(super) fn of_listed(intent: &Value) -> CallResult {
    read(Known { method: method(intent), has_received: false, is_typed: false }, intent)
}

/// How an intent is paid. Those of others may be paid in several ways, of which a card is the commonest.
fn method(intent: &Value) -> Method {
    let is = |method: &str| each(intent, &["payment_method_types"]).iter().any(|one| one == method);
    let others = [("oxxo", Method::Oxxo), ("customer_balance", Method::Spei)];
    let other = others.into_iter().find(|(name, _)| is(name)).map(|(_, method)| method);
    other.filter(|_| !is("card")).unwrap_or(Method::Card)
}

/// When an object was made.
pub(super) fn created_at(object: &Value) -> Option<Timestamp> {
    moment(object, &["created"])
}

/// Whether a card's intent in a list may be the try of a page, which shows what the payment is.
pub(super) fn is_try(seen: &Seen, intent: &Value) -> bool {
    method(intent) == Method::Card
        && matches!(
            seen.state,
            SeenState::RequiresAction(_) | SeenState::Canceled | SeenState::Expired
        )
}

/// What is known of a payment beside what its intent shows.
#[derive(Clone, Copy)]
struct Known {
    method: Method,
    /// Whether something of it had arrived.
    has_received: bool,
    /// Whether the card is typed into a page of the merchant's.
    is_typed: bool,
}

fn read(known: Known, intent: &Value) -> CallResult {
    let mut seen = outline(intent, "amount")?;
    let details = details(known, intent, &seen).ok_or_else(nonsense)?;
    seen.state = details.state;
    seen.received = details.received;
    seen.instructions = instructions(known, intent);
    seen.expires_at = details.expires_at;
    seen.card = card(intent);
    seen.installments_chosen = installments(intent);
    seen.fee = fee(intent, seen.currency);
    seen.refunds = refunds(intent).ok_or_else(nonsense)?;
    Ok(seen)
}

/// What a page shows. Once the payer has paid there, its intent says more.
pub(super) fn of_session(asked: &Asked, session: &Value) -> CallResult {
    refuse_foreign(asked, session)?;
    let mut seen = outline(session, "amount_total")?;
    let intent = at(session, &["payment_intent"]).filter(|intent| intent.is_object());
    let of_intent = intent.map(|intent| of_intent(asked, intent)).transpose()?;
    let status = text(session, &["status"]).ok_or_else(nonsense)?;
    let is_moved = |seen: &Seen| {
        !matches!(
            seen.state,
            SeenState::RequiresAction(_) | SeenState::Canceled | SeenState::Expired
        )
    };
    seen.state = match (status, of_intent) {
        (_, Some(paid)) if is_moved(&paid) || status == "complete" => {
            return Ok(Seen { provider_ref: seen.provider_ref, ..paid });
        }
        ("open", Some(Seen { state: SeenState::RequiresAction(failure), .. })) => {
            SeenState::RequiresAction(failure)
        }
        ("open", _) => SeenState::RequiresAction(None),
        ("expired", _) => SeenState::Expired,
        ("complete", None) => SeenState::Processing,
        _ => return Err(nonsense()),
    };
    let url = owned(session, &["url"]);
    seen.instructions = url.map(|url| Instructions { url: Some(url), ..Instructions::default() });
    seen.expires_at = moment(session, &["expires_at"]);
    Ok(seen)
}

fn refuse_foreign(asked: &Asked, object: &Value) -> Result<(), CallFault> {
    let account = text(object, &["metadata", "account"]);
    match account.is_some_and(|account| account != asked.account.to_string()) {
        true => Err(rejected("not_found", "It is a payment of another account.")),
        false => Ok(()),
    }
}

/// What intents and pages have in common.
fn outline(object: &Value, amount: &str) -> CallResult {
    let provider_ref = owned(object, &["id"]).ok_or_else(nonsense)?;
    let currency = currency(object).ok_or_else(nonsense)?;
    let amount = whole(object, &[amount]).and_then(|minor| from_minor(minor, currency));
    Ok(Seen {
        provider_ref,
        payment: text(object, &["metadata", "payment"]).and_then(PaymentId::parse),
        amount: amount.ok_or_else(nonsense)?,
        currency,
        state: SeenState::Processing,
        received: Amount::ZERO,
        instructions: None,
        expires_at: None,
        card: None,
        installments_chosen: None,
        tracking_key: None,
        fee: None,
        refunds: Vec::new(),
    })
}

fn currency(object: &Value) -> Option<Currency> {
    Currency::parse(&text(object, &["currency"])?.to_uppercase()).ok()
}

fn moment(object: &Value, path: &[&str]) -> Option<Timestamp> {
    let seconds = whole(object, path)?;
    seconds.checked_mul(1_000_000).map(Timestamp::from_micros)
}

/// Where an intent stands.
struct Details {
    state: SeenState,
    received: Amount,
    expires_at: Option<Timestamp>,
}

fn details(known: Known, intent: &Value, seen: &Seen) -> Option<Details> {
    let money = |path: &[&str]| from_minor(whole(intent, path)?, seen.currency);
    let method = known.method;
    let of = |state| Details { state, received: Amount::ZERO, expires_at: None };
    Some(match text(intent, &["status"])? {
        "requires_payment_method" if method != Method::Card => of(over(intent)),
        "requires_payment_method" | "requires_confirmation" => {
            of(SeenState::RequiresAction(failure(intent)))
        }
        "requires_action" => Details {
            received: arrived(intent, seen),
            expires_at: moment(intent, &["next_action", "oxxo_display_details", "expires_after"]),
            ..of(SeenState::RequiresAction(failure(intent)))
        },
        "processing" => of(SeenState::Processing),
        "requires_capture" => Details {
            expires_at: moment(
                intent,
                &["latest_charge", "payment_method_details", "card", "capture_before"],
            ),
            ..of(SeenState::Authorized(money(&["amount_capturable"])?))
        },
        "succeeded" => {
            let captured = money(&["amount_received"])?;
            let at = moment(intent, &["latest_charge", "balance_transaction", "created"]);
            Details { received: captured, ..of(SeenState::Paid { captured, at }) }
        }
        "canceled" => of(called_off(known, intent)),
        _ => return None,
    })
}

/// A slip that can be paid no more has its intent wait for other means, which nobody will bring.
fn over(intent: &Value) -> SeenState {
    let error = at(intent, &["last_payment_error"]);
    let code = error.and_then(|error| text(error, &["code"]));
    match error {
        Some(_) if code == Some("payment_intent_payment_attempt_expired") => SeenState::Expired,
        Some(error) => SeenState::Failed(decline(error)),
        None => SeenState::RequiresAction(None),
    }
}

fn called_off(known: Known, intent: &Value) -> SeenState {
    match text(intent, &["cancellation_reason"]) {
        // What has arrived of a transfer stays in the balance that the payer has there.
        _ if known.has_received => SeenState::Returned,
        Some("automatic" | "expired") => SeenState::Expired,
        _ => SeenState::Canceled,
    }
}

fn failure(intent: &Value) -> Option<Failure> {
    at(intent, &["last_payment_error"]).map(decline)
}

/// What has arrived of a transfer that is not complete.
fn arrived(intent: &Value, seen: &Seen) -> Amount {
    let shown = at(intent, &["next_action", "display_bank_transfer_instructions"]);
    let left = shown.and_then(|shown| whole(shown, &["amount_remaining"]));
    let left = left.and_then(|minor| from_minor(minor, seen.currency)).unwrap_or(seen.amount);
    Amount::from_micros(seen.amount.micros().saturating_sub(left.micros()).max(0))
}

fn instructions(known: Known, intent: &Value) -> Option<Instructions> {
    let none = Instructions::default();
    let next = |name: &str| at(intent, &["next_action", name]);
    if let Some(slip) = next("oxxo_display_details") {
        let number = owned(slip, &["number"]);
        let url = owned(slip, &["hosted_voucher_url"]);
        return Some(Instructions { reference: number.clone(), barcode: number, url, ..none });
    }
    if let Some(transfer) = next("display_bank_transfer_instructions") {
        let spei = each(transfer, &["financial_addresses"]).iter().find_map(|a| at(a, &["spei"]));
        return Some(Instructions {
            clabe: spei.and_then(|spei| owned(spei, &["clabe"])),
            bank: spei.and_then(|spei| owned(spei, &["bank_name"])),
            reference: owned(transfer, &["reference"]),
            url: owned(transfer, &["hosted_instructions_url"]),
            ..none
        });
    }
    let client_secret = owned(intent, &["client_secret"]).filter(|_| known.is_typed)?;
    let url = next("redirect_to_url").and_then(|next| owned(next, &["url"]));
    Some(Instructions { url, client_secret: Some(client_secret), ..none })
}

fn card(intent: &Value) -> Option<Card> {
    let card = at(intent, &["latest_charge", "payment_method_details", "card"])?;
    let funding = match text(card, &["funding"]) {
        Some("credit") => Some(Funding::Credit),
        Some("debit") => Some(Funding::Debit),
        Some("prepaid") => Some(Funding::Prepaid),
        _ => None,
    };
    Some(Card { brand: owned(card, &["brand"]), last4: owned(card, &["last4"]), funding })
}

/// In how many months the payer pays, by the plan that they have chosen.
fn installments(intent: &Value) -> Option<u8> {
    let card = at(intent, &["latest_charge", "payment_method_details", "card"])?;
    let months = whole(card, &["installments", "plan", "count"])?;
    u8::try_from(months).ok().filter(|months| *months > 1)
}

/// What Stripe keeps, where it settles in the payment's own currency.
fn fee(intent: &Value, paid_in: Currency) -> Option<Amount> {
    let settled = at(intent, &["latest_charge", "balance_transaction"])?;
    let fee = whole(settled, &["fee"])?;
    from_minor(fee, paid_in).filter(|_| currency(settled) == Some(paid_in))
}

/// Whether the answer does not hold every refund.
pub(super) fn has_more_refunds(intent: &Value) -> bool {
    let more = at(intent, &["latest_charge", "refunds", "has_more"]).and_then(Value::as_bool);
    more == Some(true)
}

fn refunds(intent: &Value) -> Option<Vec<SeenRefund>> {
    let shown = each(intent, &["latest_charge", "refunds", "data"]).iter();
    shown.filter(|refund| !is_release(intent, refund)).map(of_refund).collect()
}

/// Whether what stands among the refunds is the part of an authorization that was not captured: no money that had been
/// taken. It moves nothing on the account's balance.
pub(super) fn is_release(intent: &Value, refund: &Value) -> bool {
    let is_ours = at(refund, &["metadata", "refund"]).is_some();
    let is_done = text(refund, &["status"]) == Some("succeeded");
    let moves = at(refund, &["balance_transaction"]).is_some();
    let is_held = text(intent, &["capture_method"]) == Some("manual");
    is_held && is_done && !is_ours && !moves
}

/// What a refund shows.
pub(super) fn of_refund(refund: &Value) -> Option<SeenRefund> {
    let status = match text(refund, &["status"])? {
        "pending" => RefundStatus::Processing,
        "requires_action" => RefundStatus::RequiresAction,
        "succeeded" => RefundStatus::Succeeded,
        "failed" => RefundStatus::Failed,
        "canceled" => RefundStatus::Canceled,
        _ => return None,
    };
    let reason = text(refund, &["failure_reason"]);
    let failure = (status == RefundStatus::Failed).then(|| Failure {
        code: "refund_failed".to_owned(),
        message: message(&reason.unwrap_or("unknown").replace('_', " ")),
        is_retryable: true,
    });
    Some(SeenRefund {
        provider_ref: owned(refund, &["id"])?,
        refund: text(refund, &["metadata", "refund"]).and_then(RefundId::parse),
        amount: from_minor(whole(refund, &["amount"])?, currency(refund)?)?,
        status,
        failure,
    })
}
