//! What Mercado Pago shows of payments.

use kernel::{Amount, Currency, Timestamp};
use payments::{
    CallResult, Card, Funding, Instructions, Method, PaymentId, RefundStatus, Seen, SeenRefund,
    SeenState, gateway::Asked, reconcile::Theirs,
};
use serde_json::Value;

use super::faults::{decline, rejected};
use crate::collect::{
    http::nonsense,
    json::{at, each, owned, text},
};

/// Whether an identifier can stand in a path.
pub(super) fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Whether an identifier is that of a page: payments have numbers.
pub(super) fn is_preference(id: &str) -> bool {
    !id.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of a payment.
pub(super) fn id(payment: &Value) -> Option<String> {
    let id = at(payment, &["id"])?;
    id.as_u64().map(|id| id.to_string()).or_else(|| id.as_str().map(str::to_owned))
}

/// Whether a payment is in a status.
pub(super) fn is(payment: &Value, status: &str) -> bool {
    text(payment, &["status"]) == Some(status)
}

/// Whether a payment waits for somebody, and can be called off.
pub(super) fn is_open(payment: &Value) -> bool {
    ["pending", "in_process", "authorized"].iter().any(|status| is(payment, status))
}

/// Whether its money was taken, whatever was given back of it or is disputed.
pub(super) fn is_paid(payment: &Value) -> bool {
    ["approved", "refunded", "charged_back", "in_mediation"].iter().any(|s| is(payment, s))
}

fn amount(value: &Value, path: &[&str]) -> Option<Amount> {
    let number = at(value, path)?;
    Amount::parse(&number.as_number()?.to_string()).ok()
}

fn moment(value: &Value, path: &[&str]) -> Option<Timestamp> {
    Timestamp::parse(text(value, path)?).ok()
}

fn sum(amounts: impl Iterator<Item = Amount>) -> Amount {
    amounts.fold(Amount::ZERO, |sum, more| {
        Amount::from_micros(sum.micros().saturating_add(more.micros()))
    })
}

/// A payment that has so much left to be given back.
pub(super) fn refundable(payments: &[Value], wanted: Amount) -> Option<String> {
    let left = |payment: &Value| {
        let taken = amount(payment, &["transaction_amount"])?;
        let back = amount(payment, &["transaction_amount_refunded"]).unwrap_or(Amount::ZERO);
        Some(taken.micros().saturating_sub(back.micros()))
    };
    let has = |payment: &&Value| {
        is_paid(payment) && left(payment).is_some_and(|left| left >= wanted.micros())
    };
    payments.iter().find(has).and_then(id)
}

/// What a payment of cash or a transfer shows.
pub(super) fn of_payment(asked: &Asked, payment: &Value) -> CallResult {
    let provider_ref = id(payment).ok_or_else(nonsense)?;
    let mut seen = outline(asked, payment, provider_ref)?;
    seen.amount = amount(payment, &["transaction_amount"]).ok_or_else(nonsense)?;
    seen.state = state(payment).ok_or_else(nonsense)?;
    describe(&mut seen, std::slice::from_ref(payment))?;
    seen.expires_at = moment(payment, &["date_of_expiration"]);
    seen.instructions = instructions(asked, payment);
    Ok(seen)
}

/// What a payment in a list shows, whosever it is.
pub(super) fn of_listed(payment: &Value) -> Result<Theirs, payments::CallFault> {
    let read = || {
        let seen = Seen {
            provider_ref: id(payment)?,
            payment: text(payment, &["external_reference"]).and_then(PaymentId::parse),
            amount: amount(payment, &["transaction_amount"])?,
            currency: currency(payment).ok()?,
            state: state(payment)?,
            received: Amount::ZERO,
            instructions: None,
            expires_at: moment(payment, &["date_of_expiration"]),
            card: None,
            installments_chosen: None,
            tracking_key: None,
            fee: None,
            refunds: Vec::new(),
        };
        Some((seen, moment(payment, &["date_created"])?))
    };
    let (mut seen, created_at) = read().ok_or_else(nonsense)?;
    describe(&mut seen, std::slice::from_ref(payment))?;
    // On a page there may be more tries; what has become of all is to be asked.
    let kind = text(payment, &["payment_type_id"]).unwrap_or_default();
    let is_of_page = kind.ends_with("_card") || matches!(kind, "account_money" | "digital_wallet");
    let is_partial = is_of_page && !is_paid(payment);
    Ok(Theirs { seen, created_at: Some(created_at), is_partial })
}

/// Whether more of a payment was given back than its refunds in a list show.
pub(super) fn hides_refunds(payment: &Value) -> bool {
    let back = amount(payment, &["transaction_amount_refunded"]).unwrap_or(Amount::ZERO);
    let shown = each(payment, &["refunds"]).iter().filter_map(|one| amount(one, &["amount"]));
    back > sum(shown)
}

/// What a page shows, with the payments that were made on it.
pub(super) fn of_preference(asked: &Asked, page: &Value, payments: &[Value]) -> CallResult {
    let provider_ref = owned(page, &["id"]).ok_or_else(nonsense)?;
    let mut seen = outline(asked, page, provider_ref)?;
    let paid: Vec<Value> = payments.iter().filter(|one| is_paid(one)).cloned().collect();
    let shown = if paid.is_empty() { payments } else { &paid };
    if let Some(newest) = shown.first() {
        // Each is of all that was asked for; what came twice is too much.
        seen.amount = amount(newest, &["transaction_amount"]).ok_or_else(nonsense)?;
        seen.currency = currency(newest)?;
    }
    seen.state = match (paid.is_empty(), shown.first()) {
        (false, _) => {
            let each = paid.iter().filter_map(|one| amount(one, &["transaction_amount"]));
            let at = paid.iter().filter_map(|one| moment(one, &["date_approved"])).min();
            SeenState::Paid { captured: sum(each), at }
        }
        (true, Some(newest)) => match state(newest).ok_or_else(nonsense)? {
            // The page is still open for another try.
            SeenState::Failed(failure) => SeenState::RequiresAction(Some(failure)),
            SeenState::Canceled | SeenState::Expired => SeenState::RequiresAction(None),
            other => other,
        },
        (true, None) => SeenState::RequiresAction(None),
    };
    let end = moment(page, &["expiration_date_to"])
        .filter(|_| at(page, &["expires"]) == Some(&Value::Bool(true)));
    if matches!(seen.state, SeenState::RequiresAction(_)) && end.is_some_and(|end| end <= asked.now)
    {
        seen.state = SeenState::Expired;
    }
    describe(&mut seen, shown)?;
    seen.expires_at = end;
    let url = owned(page, &["init_point"]);
    seen.instructions = url.map(|url| Instructions { url: Some(url), ..Instructions::default() });
    Ok(seen)
}

fn outline(asked: &Asked, object: &Value, provider_ref: String) -> CallResult {
    let account = text(object, &["metadata", "account"]);
    if account.is_some_and(|account| account != asked.account.to_string()) {
        return Err(rejected("not_found", "It is a payment of another account."));
    }
    Ok(Seen {
        provider_ref,
        payment: text(object, &["external_reference"]).and_then(PaymentId::parse),
        amount: asked.payment.amount,
        currency: asked.payment.currency,
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

fn currency(payment: &Value) -> Result<Currency, payments::CallFault> {
    let code = text(payment, &["currency_id"]).ok_or_else(nonsense)?;
    Currency::parse(code).map_err(|_| nonsense())
}

/// What all payments together say of the money.
fn describe(seen: &mut Seen, payments: &[Value]) -> Result<(), payments::CallFault> {
    if let Some(newest) = payments.first() {
        seen.currency = currency(newest)?;
        seen.card = card(newest);
        seen.installments_chosen = installments(newest);
    }
    let fees = payments.iter().flat_map(|payment| each(payment, &["fee_details"]));
    let ours = fees.filter(|fee| text(fee, &["fee_payer"]) == Some("collector"));
    let fee = sum(ours.filter_map(|fee| amount(fee, &["amount"])));
    seen.fee = Some(fee).filter(|fee| *fee > Amount::ZERO);
    let refunds = payments.iter().flat_map(|payment| each(payment, &["refunds"]));
    let refunds: Option<Vec<SeenRefund>> = refunds.map(of_refund).collect();
    seen.refunds = refunds.ok_or_else(nonsense)?;
    Ok(())
}

fn state(payment: &Value) -> Option<SeenState> {
    let detail = text(payment, &["status_detail"]).unwrap_or_default();
    Some(match text(payment, &["status"])? {
        "pending" => SeenState::RequiresAction(None),
        "in_process" => SeenState::Processing,
        "authorized" => SeenState::Authorized(amount(payment, &["transaction_amount"])?),
        "rejected" => SeenState::Failed(decline(detail)),
        "cancelled" if detail == "expired" => SeenState::Expired,
        "cancelled" => SeenState::Canceled,
        _ if is_paid(payment) => SeenState::Paid {
            captured: amount(payment, &["transaction_amount"])?,
            at: moment(payment, &["date_approved"]),
        },
        _ => return None,
    })
}

fn instructions(asked: &Asked, payment: &Value) -> Option<Instructions> {
    let url = owned(payment, &["transaction_details", "external_resource_url"])?;
    let reference = match asked.payment.method {
        Method::Spei => owned(payment, &["payment_method", "data", "reference_id"]),
        _ => owned(payment, &["transaction_details", "payment_method_reference_id"]),
    };
    let barcode = owned(payment, &["transaction_details", "barcode", "content"]);
    Some(Instructions { reference, barcode, url: Some(url), ..Instructions::default() })
}

fn card(payment: &Value) -> Option<Card> {
    let funding = match text(payment, &["payment_type_id"])? {
        "credit_card" => Funding::Credit,
        "debit_card" => Funding::Debit,
        "prepaid_card" => Funding::Prepaid,
        _ => return None,
    };
    let brand = owned(payment, &["payment_method_id"]);
    let last4 = owned(payment, &["card", "last_four_digits"]);
    Some(Card { brand, last4, funding: Some(funding) })
}

/// In how many months the payer pays.
fn installments(payment: &Value) -> Option<u8> {
    let months = at(payment, &["installments"]).and_then(Value::as_u64);
    months.and_then(|months| u8::try_from(months).ok()).filter(|months| *months > 1)
}

/// What a refund shows. It says nothing of ours.
pub(super) fn of_refund(refund: &Value) -> Option<SeenRefund> {
    let status = match text(refund, &["status"])? {
        "approved" => RefundStatus::Succeeded,
        "in_process" | "authorized" | "pending" => RefundStatus::Processing,
        "rejected" => RefundStatus::Failed,
        "cancelled" => RefundStatus::Canceled,
        _ => return None,
    };
    let failure = (status == RefundStatus::Failed).then(|| payments::Failure {
        code: "refund_failed".to_owned(),
        message: "The refund was rejected.".to_owned(),
        is_retryable: true,
    });
    Some(SeenRefund {
        provider_ref: id(refund)?,
        refund: None,
        amount: amount(refund, &["amount"])?,
        status,
        failure,
    })
}
