//! What the API shows, beside what the database holds.

use serde_json::Value;

use super::book::{Book, cents};
use super::promise::Money;
use super::snapshot::Snapshot;
use crate::service::ApiClient;
use crate::service::client::text_field;

/// So many of the newest payments and orders are read one by one.
const READ: usize = 60;

/// Reads the newest payments and orders, and the counts of the lists.
pub(super) async fn audit(
    book: &mut Book,
    client: &mut ApiClient,
    snapshot: &Snapshot,
) -> anyhow::Result<()> {
    for (list, kept) in [("payments", snapshot.payments.len()), ("orders", snapshot.orders.len())] {
        let page = client.get(&format!("/api/v1/{list}?limit=1")).await?;
        let total = page.get("total").and_then(Value::as_u64);
        book.verdict.check(Money::ShownAsKept, total == Some(kept as u64), || {
            format!("the list of {list} says {total:?}, {kept} are kept")
        });
    }
    for kept in snapshot.payments.values().rev().take(READ) {
        let shown = client.get(&format!("/api/v1/payments/{}", kept.id)).await?;
        // What is under way may have moved on meanwhile.
        let is_over = !snapshot.called.contains(&kept.id) && kept.refund_pending == 0;
        let held = !is_over
            || (text_field(&shown, "status") == kept.status
                && cents(&shown, "amount") == kept.amount / 10_000
                && cents(&shown, "amountCaptured") == kept.captured / 10_000
                && cents(&shown, "amountRefunded") == kept.refunded / 10_000
                && text_field(&shown, "orderId") == kept.order.clone().unwrap_or_default());
        book.verdict.check(Money::ShownAsKept, held, || format!("{kept:?} shown as {shown}"));
    }
    for kept in snapshot.orders.values().rev().take(READ) {
        let shown = client.get(&format!("/api/v1/orders/{}", kept.id)).await?;
        let of_order = |id: &Option<String>| id.as_ref() == Some(&kept.id);
        let mut payments = snapshot.payments.values().filter(|payment| of_order(&payment.order));
        let is_over = payments
            .all(|payment| !snapshot.called.contains(&payment.id) && payment.refund_pending == 0);
        let charged = kept.total - kept.returned;
        let due = match kept.status.as_str() {
            "cancelled" => 0,
            _ if kept.was_paid => 0,
            _ => (charged - kept.paid).max(0),
        };
        let held = !is_over
            || (text_field(&shown, "status") == kept.status
                && cents(&shown, "amountPaid") == kept.paid / 10_000
                && cents(&shown, "amountRefunded") == kept.refunded / 10_000
                && (cents(&shown, "amountDue") == due / 10_000 || kept.refunded > 0)
                && text_field(&shown, "paymentStatus")
                    == payment_status(kept.paid, kept.refunded, charged, kept.was_paid));
        book.verdict.check(Money::ShownAsKept, held, || format!("{kept:?} shown as {shown}"));
        book.note_order(&shown);
    }
    Ok(())
}

/// How far an order is paid.
const fn payment_status(paid: i64, refunded: i64, charged: i64, was_paid: bool) -> &'static str {
    if refunded > 0 {
        return if refunded >= paid { "refunded" } else { "partially_refunded" };
    }
    if paid >= charged || was_paid {
        return "paid";
    }
    if paid == 0 { "unpaid" } else { "partially_paid" }
}
