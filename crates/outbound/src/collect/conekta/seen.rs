//! What Conekta shows of orders.

use kernel::{Amount, Currency, Timestamp};
use payments::{
    CallFault, CallResult, Card, Failure, Funding, Instructions, PaymentId, RefundStatus, Seen,
    SeenRefund, SeenState, gateway::Asked, reconcile::Theirs,
};
use serde_json::Value;

use super::faults::{decline, rejected};
use crate::collect::{
    http::nonsense,
    json::{at, each, owned, text, whole},
    money::from_minor,
};

/// Whether an identifier can stand in a path.
pub(super) fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether an order is a payment of ours.
pub(super) fn is_of(asked: &Asked, order: &Value) -> bool {
    let named = |name: &str| text(order, &["metadata", name]);
    named("account") == Some(&asked.account.to_string())
        && named("payment") == Some(&asked.payment.id.to_string())
}

/// What an order shows.
pub(super) fn of_order(asked: &Asked, order: &Value) -> CallResult {
    let account = text(order, &["metadata", "account"]);
    if account.is_some_and(|account| account != asked.account.to_string()) {
        return Err(rejected("not_found", "It is a payment of another account."));
    }
    read(order).ok_or_else(nonsense)
}

/// What an order in a list shows, whosever it is.
pub(super) fn of_listed(order: &Value) -> Result<Theirs, CallFault> {
    let seen = read(order).ok_or_else(nonsense)?;
    let created_at = Some(created_at(order).ok_or_else(nonsense)?);
    Ok(Theirs { seen, created_at, is_partial: false })
}

/// When an order was made.
pub(super) fn created_at(order: &Value) -> Option<Timestamp> {
    moment(order, &["created_at"])
}

/// Whether more of an order was given back than its refunds in a list show.
pub(super) fn hides_refunds(order: &Value) -> bool {
    let charges = each(order, &["charges", "data"]).iter();
    let amounts =
        charges.flat_map(refunds_of).filter_map(|one| whole(one, &["amount"])?.checked_abs());
    whole(order, &["amount_refunded"]).unwrap_or_default() > amounts.sum()
}

fn read(order: &Value) -> Option<Seen> {
    let currency = Currency::parse(text(order, &["currency"])?).ok()?;
    let charges = each(order, &["charges", "data"]);
    let paid = || charges.iter().filter(|charge| is_paid(charge));
    let amounts = paid().filter_map(|charge| from_minor(whole(charge, &["amount"])?, currency));
    let taken = amounts.fold(Amount::ZERO, |sum, more| {
        Amount::from_micros(sum.micros().saturating_add(more.micros()))
    });
    let amount = from_minor(whole(order, &["amount"])?, currency)?;
    let moments = paid().filter_map(|charge| moment(charge, &["paid_at"]));
    let state = match text(order, &["payment_status"]).unwrap_or("pending_payment") {
        // Paid by nothing that can be read: to be asked again, and to be seen.
        "paid" if taken == Amount::ZERO => return None,
        "paid" | "partially_refunded" | "refunded" | "charged_back" => {
            SeenState::Paid { captured: taken, at: moments.min() }
        }
        "pre_authorized" => SeenState::Authorized(amount),
        "expired" => SeenState::Expired,
        "canceled" | "voided" => SeenState::Canceled,
        "pending_payment" | "partially_paid" | "declined" | "created" => {
            SeenState::RequiresAction(failure(charges))
        }
        _ => SeenState::Processing,
    };
    let is_waiting = matches!(state, SeenState::RequiresAction(_));
    let newest = paid().next_back().or_else(|| charges.last());
    let means = newest.and_then(|charge| at(charge, &["payment_method"]));
    let refunds: Option<Vec<SeenRefund>> =
        charges.iter().flat_map(refunds_of).map(|refund| of_refund(refund, currency)).collect();
    Some(Seen {
        provider_ref: owned(order, &["id"])?,
        payment: text(order, &["metadata", "payment"]).and_then(PaymentId::parse),
        amount,
        currency,
        state,
        received: if is_waiting { taken } else { Amount::ZERO },
        instructions: instructions(order, means).filter(|_| is_waiting),
        expires_at: means
            .and_then(|means| moment(means, &["expires_at"]))
            .or_else(|| moment(order, &["checkout", "expires_at"])),
        card: means.and_then(card),
        installments_chosen: newest.filter(|charge| is_paid(charge)).and_then(installments),
        tracking_key: means.and_then(|means| owned(means, &["tracking_code"])),
        fee: newest
            .and_then(|charge| from_minor(whole(charge, &["fee"])?, currency))
            .filter(|fee| *fee > Amount::ZERO),
        refunds: refunds?,
    })
}

fn moment(value: &Value, path: &[&str]) -> Option<Timestamp> {
    whole(value, path)?.checked_mul(1_000_000).map(Timestamp::from_micros)
}

/// Whether the money of a charge was taken, whatever was given back of it.
fn is_paid(charge: &Value) -> bool {
    let status = text(charge, &["status"]);
    matches!(status, Some("paid" | "partially_refunded" | "refunded" | "charged_back"))
}

fn failure(charges: &[Value]) -> Option<Failure> {
    let last = charges.last().filter(|charge| text(charge, &["status"]) == Some("declined"))?;
    let words = text(last, &["failure_message"]).unwrap_or_default();
    let known = decline(text(last, &["failure_code"]).unwrap_or_default());
    Some(Failure { message: crate::collect::json::message(words), ..known })
}

fn instructions(order: &Value, means: Option<&Value>) -> Option<Instructions> {
    let none = Instructions::default();
    if let Some(clabe) = means.and_then(|means| owned(means, &["clabe"])) {
        let bank = means.and_then(|means| owned(means, &["bank"]));
        return Some(Instructions { clabe: Some(clabe), bank, ..none });
    }
    if let Some(reference) = means.and_then(|means| owned(means, &["reference"])) {
        let barcode = means.and_then(|means| owned(means, &["barcode"]));
        let barcode = barcode.or_else(|| Some(reference.clone()));
        let url = means.and_then(|means| owned(means, &["barcode_url"]));
        return Some(Instructions { reference: Some(reference), barcode, url, ..none });
    }
    let url = owned(order, &["checkout", "url"])?;
    Some(Instructions { url: Some(url), ..none })
}

fn card(means: &Value) -> Option<Card> {
    let last4 = owned(means, &["last4"])?;
    let funding = match text(means, &["account_type"]).map(str::to_lowercase).as_deref() {
        Some("credit") => Some(Funding::Credit),
        Some("debit") => Some(Funding::Debit),
        Some("prepaid") => Some(Funding::Prepaid),
        _ => None,
    };
    Some(Card { brand: owned(means, &["brand"]), last4: Some(last4), funding })
}

/// In how many months a charge is paid: its own word, or that of its means.
fn installments(charge: &Value) -> Option<u8> {
    let stated = whole(charge, &["monthly_installments"])
        .or_else(|| whole(charge, &["payment_method", "monthly_installments"]));
    stated.and_then(|months| u8::try_from(months).ok()).filter(|months| *months > 1)
}

/// The refunds of a charge: a list, or an object that has one.
fn refunds_of(charge: &Value) -> &[Value] {
    match each(charge, &["refunds"]) {
        [] => each(charge, &["refunds", "data"]),
        list => list,
    }
}

/// What a refund shows, whose amount is below zero there. It says nothing of ours.
fn of_refund(refund: &Value, currency: Currency) -> Option<SeenRefund> {
    let status = match text(refund, &["status"]) {
        Some("pending" | "processing" | "in_progress") => RefundStatus::Processing,
        Some("failed" | "declined" | "rejected") => RefundStatus::Failed,
        Some("canceled" | "expired") => RefundStatus::Canceled,
        None | Some("succeeded" | "success" | "paid" | "refunded" | "completed") => {
            RefundStatus::Succeeded
        }
        // A word that is not known moves no money.
        Some(_) => RefundStatus::Processing,
    };
    let failure = (status == RefundStatus::Failed).then(|| Failure {
        code: "refund_failed".to_owned(),
        message: "The refund was rejected.".to_owned(),
        is_retryable: true,
    });
    Some(SeenRefund {
        provider_ref: owned(refund, &["id"])?,
        refund: None,
        amount: from_minor(whole(refund, &["amount"])?.checked_abs()?, currency)?,
        status,
        failure,
    })
}
