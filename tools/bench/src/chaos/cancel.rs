//! Cancellations, which give the stock back: asked, answered, settled.

use anyhow::anyhow;

use crate::chaos::book::{Book, CANCELLED, PENDING};
use crate::chaos::verdict::Invariant;
use crate::http::Request;
use crate::random::SplitMix64;
use crate::service::client::text_field;
use crate::service::{Answer, ApiClient};

/// Tries at finding an order that nobody has cancelled.
const PICKS: usize = 8;
/// Tries at cancelling an order after a restart; one that stays pending fails the audit.
const TRIES_MAX: usize = 5;

impl Book {
    /// Picks an order for the caller alone to cancel.
    pub(crate) fn pick_cancel(&mut self, random: &mut SplitMix64) -> Option<usize> {
        for _ in 0..PICKS {
            let picked = random.below(self.orders.len());
            if let Some(order) = self.orders.get_mut(picked)
                && !order.cancel_asked
            {
                order.cancel_asked = true;
                return Some(picked);
            }
        }
        None
    }

    pub(crate) fn order_path(&self, order: usize) -> String {
        let id = self.orders.get(order).map_or("", |order| &order.shown.id);
        format!("/api/v1/orders/{id}")
    }

    pub(crate) fn cancel_request(&self, order: usize) -> Vec<u8> {
        let body = r#"{"status":"cancelled","reason":"changed their mind"}"#;
        Request::with_body("PATCH", &self.order_path(order), &self.api_key, body).render()
    }

    pub(crate) fn cancel_lost(&mut self, order: usize) {
        self.answers_lost += 1;
        self.unsettled_cancels.insert(order);
    }

    /// Judges an answer. `twice`: another cancellation of the order may have come first.
    pub(crate) fn cancel_answered(&mut self, order: usize, answer: &Answer, twice: bool) {
        let shown = text_field(&answer.json(), "status");
        let done = answer.status == 200 && shown == CANCELLED;
        let again = answer.status == 503 || (answer.status == 409 && twice);
        self.verdict.check(Invariant::ExpectedAnswer, done || again, || {
            format!("cancelling: {}", answer.excerpt())
        });
        if done {
            self.cancelled(order);
        } else {
            self.unsettled_cancels.insert(order);
        }
    }

    pub(crate) fn cancelled(&mut self, order: usize) {
        self.unsettled_cancels.remove(&order);
        if let Some(known) = self.orders.get_mut(order) {
            known.shown.status = CANCELLED.to_owned();
            known.cancel_asked = true;
        }
    }
}

/// Finds out what became of the cancellations whose answers were lost, and finishes them.
pub(crate) async fn settle(book: &mut Book, client: &mut ApiClient) -> anyhow::Result<()> {
    for order in std::mem::take(&mut book.unsettled_cancels) {
        for _ in 0..TRIES_MAX {
            let status = text_field(&client.get(&book.order_path(order)).await?, "status");
            if status == CANCELLED {
                book.cancelled(order);
                break;
            }
            // Acknowledged as cancelled and pending again, or of a status that nobody gave it:
            // the audit will say so.
            let known = book.orders.get(order).map(|known| known.shown.status.as_str());
            if known == Some(CANCELLED) || status != PENDING {
                break;
            }
            let answer = client.exchange(&book.cancel_request(order)).await;
            let answer = answer.map_err(|lost| anyhow!("settling a cancel: {}", lost.0))?;
            // The lost one may still be at work in the database, and win.
            book.cancel_answered(order, &answer, true);
        }
        book.unsettled_cancels.remove(&order);
    }
    Ok(())
}
