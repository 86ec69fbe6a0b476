//! The books of the providers: of the `sandbox`, read beneath it, what it would show of a payment at a moment; of one
//! outside, what it shows.

use anyhow::Context;
use serde_json::Value;

use crate::service::client::text_field;

/// Between two things that happen by themselves.
const SOON_MICROS: i64 = 2_000_000;

/// A charge in the provider's books; amounts in millionths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) payment: String,
    pub(super) state: String,
    method: String,
    amount: i64,
    captures: bool,
    pub(super) received: i64,
    pub(super) captured: i64,
    /// When what happens by itself happens.
    pub(super) next_at: Option<i64>,
    pub(super) refunds: Vec<ChargeRefund>,
    /// Whether it stands in the books of somebody outside of the service, whose words are fewer: `open`, `authorized`,
    /// `paid`, `over`.
    pub(super) is_outside: bool,
}

/// A refund in the provider's books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChargeRefund {
    pub(super) id: String,
    /// The refund of ours that it is; `None` of one that was made there.
    pub(super) refund: Option<String>,
    pub(super) amount: i64,
    pub(super) status: String,
}

impl Charge {
    /// Reads a row of the books.
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        let kept: Value =
            serde_json::from_str(text).with_context(|| format!("a charge: {text}"))?;
        let refunds = kept.get("refunds").and_then(Value::as_array).map(Vec::as_slice);
        Ok(Self {
            payment: text_field(&kept, "payment"),
            state: text_field(&kept, "state"),
            method: text_field(&kept, "method"),
            amount: micros(&kept, "amount"),
            captures: kept.get("is_captured_at_once") == Some(&Value::Bool(true)),
            received: micros(&kept, "received"),
            captured: micros(&kept, "captured"),
            next_at: kept.get("next_at").and_then(Value::as_str).and_then(moment),
            refunds: refunds.unwrap_or_default().iter().map(ChargeRefund::read).collect(),
            is_outside: false,
        })
    }

    /// What somebody outside has on record.
    pub(super) fn outside(
        payment: String,
        state: &str,
        captured: i64,
        refunds: Vec<ChargeRefund>,
    ) -> Self {
        Self {
            payment,
            state: state.to_owned(),
            method: String::new(),
            amount: 0,
            captures: true,
            received: captured,
            captured,
            next_at: None,
            refunds,
            is_outside: true,
        }
    }

    /// Whether a payment of ours with that status and so much received agrees with it.
    pub(super) fn stands_as(&self, status: &str, received: i64) -> bool {
        match self.state.as_str() {
            state if !self.is_outside => state == status && self.received == received,
            "over" => matches!(status, "canceled" | "expired" | "failed"),
            "open" => matches!(status, "pending" | "requires_action" | "processing"),
            state => state == status,
        }
    }

    /// As it stands at `now`: what its amount has chosen happens by itself.
    pub(super) fn at(&self, now: i64) -> Self {
        let mut at = self.clone();
        while let Some(due) = at.next_at.filter(|due| *due <= now) {
            at.next_at = None;
            let cents = (at.amount - 7_000_000_000) / 10_000;
            match (at.state.as_str(), cents) {
                ("processing", _) if at.method == "card" && !at.captures => {
                    let lapses = if cents == 11 { SOON_MICROS } else { 7 * 86_400_000_000 };
                    (at.state, at.next_at) = ("authorized".to_owned(), Some(due + lapses));
                }
                ("processing", _) => at = at.paid(),
                ("authorized", _) => at.state = "expired".to_owned(),
                ("requires_action", 20) => {
                    (at.state, at.next_at) = ("expired".to_owned(), Some(due + SOON_MICROS));
                }
                ("requires_action", _) if at.received > 0 => {
                    (at.state, at.captured) = ("paid".to_owned(), at.received);
                }
                ("requires_action", _) => at.state = "expired".to_owned(),
                ("expired", 20) => at = at.paid(),
                ("paid", _) => at.move_refunds_on(cents),
                _ => {}
            }
        }
        at
    }

    fn paid(self) -> Self {
        let received =
            if self.state == "expired" { self.received + self.amount } else { self.amount };
        Self { state: "paid".to_owned(), received, captured: received, ..self }
    }

    fn move_refunds_on(&mut self, cents: i64) {
        for refund in &mut self.refunds {
            match (cents, refund.status.as_str()) {
                (14, "succeeded") => refund.status = "failed".to_owned(),
                (15, "processing") => refund.status = "succeeded".to_owned(),
                _ => {}
            }
        }
    }
}

impl ChargeRefund {
    fn read(kept: &Value) -> Self {
        Self {
            id: text_field(kept, "id"),
            refund: Some(text_field(kept, "refund")).filter(|id| !id.is_empty()),
            amount: micros(kept, "amount"),
            status: text_field(kept, "status"),
        }
    }
}

/// An amount of a JSON object, in millionths; zero when it is not there.
#[expect(clippy::cast_possible_truncation, reason = "the amounts of this run are small")]
pub(super) fn micros(kept: &Value, name: &str) -> i64 {
    let amount = kept.get(name).and_then(Value::as_f64).unwrap_or_default();
    (amount * 1e6).round() as i64
}

/// A moment as microseconds since 1970.
fn moment(text: &str) -> Option<i64> {
    kernel::Timestamp::parse(text).ok().map(kernel::Timestamp::micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charge(state: &str, amount: &str) -> Charge {
        let text = format!(
            r#"{{"payment":"pay_1","method":"card","amount":{amount},"is_captured_at_once":true,"state":"{state}",
            "received":0,"captured":0,"refunds":[],"next_at":"1970-01-01T00:00:10.000Z"}}"#
        );
        Charge::read(&text).unwrap()
    }

    #[test]
    fn what_happens_by_itself_has_happened_in_time() {
        let slow = charge("processing", "7000.04");
        assert_eq!(slow.at(9_999_999), slow);
        let paid = slow.at(10_000_000);
        assert_eq!((paid.state.as_str(), paid.captured), ("paid", 7_000_040_000));
        let late = charge("requires_action", "7000.20");
        assert_eq!(late.at(10_000_000).state, "expired");
        assert_eq!(late.at(12_000_000).captured, 7_000_200_000);
        assert_eq!(charge("requires_action", "100").at(11_000_000).state, "expired");
    }
}
