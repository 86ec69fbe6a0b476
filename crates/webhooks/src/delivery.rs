//! Deliveries: one event on its way to one subscription.

use kernel::{Timestamp, id::EventId};
use serde::{Deserialize, Serialize};

use crate::{Exchange, Schedule, SubscriptionId};

kernel::ids! {
    /// A delivery's identifier.
    DeliveryId = "dlv";
}

/// How much of an answer is kept, in bytes.
pub const ANSWER_BYTES_KEPT: usize = 2_048;

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryState {
    /// Not there yet; an attempt is under way or will be made.
    Attempting,
    /// The endpoint has taken it.
    Delivered,
    /// Every attempt failed; the service makes no other by itself.
    Failed,
}

impl DeliveryState {
    /// Every state.
    pub const EVERY: &'static [Self] = &[Self::Attempting, Self::Delivered, Self::Failed];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attempting => "attempting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Its identifier.
    pub id: DeliveryId,
    /// To which subscription.
    pub subscription: SubscriptionId,
    /// Which event.
    pub event: EventId,
    /// The event's name.
    pub event_name: String,
    /// Where it stands.
    pub state: DeliveryState,
    /// Attempts made.
    pub attempts: u32,
    /// When the next attempt is due; `None` when there is none, and while one is under way.
    pub next_attempt_at: Option<Timestamp>,
    /// The delivery that it repeats at its owner's wish.
    pub retry_of: Option<DeliveryId>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was delivered or failed.
    pub finished_at: Option<Timestamp>,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Which, from 1.
    pub number: u32,
    /// When the request was sent.
    pub started_at: Timestamp,
    /// How long the exchange took, in milliseconds.
    pub duration_ms: u32,
    /// What came of it.
    pub record: AttemptRecord,
}

/// What is kept of an exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The status of the answer, if one came.
    pub status: Option<u16>,
    /// Why there was none.
    pub error: Option<String>,
    /// The beginning of its body, at most [`ANSWER_BYTES_KEPT`].
    pub answer: Option<String>,
}

/// A delivery with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryDetail {
    /// The delivery.
    pub delivery: Delivery,
    /// The bytes that are sent; `None` once the event's time is over.
    pub body: Option<String>,
    /// Its attempts, oldest first.
    pub attempts: Vec<Attempt>,
}

/// What follows an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing: it is delivered.
    Delivered,
    /// Another attempt at this moment.
    Again(Timestamp),
    /// Nothing: it has failed for good.
    Failed,
}

/// What follows an attempt that ended `now`, the last of `made`: any 2xx delivers, anything else is tried
/// again as long as the schedule has another attempt.
#[must_use]
pub fn next(
    exchange: &Exchange,
    made: u32,
    schedule: &Schedule,
    now: Timestamp,
    jitter: f64,
) -> Next {
    if exchange.delivers() {
        return Next::Delivered;
    }
    schedule.next(made, now, jitter).map_or(Next::Failed, Next::Again)
}

/// What is kept of an exchange.
#[must_use]
pub fn record(exchange: Exchange) -> AttemptRecord {
    match exchange {
        Exchange::Answered { status, body } => {
            let kept = body.get(..ANSWER_BYTES_KEPT).unwrap_or(&body);
            // PostgreSQL keeps no NUL in a text.
            let answer = String::from_utf8_lossy(kept).replace('\0', "\u{fffd}");
            let answer = Some(answer).filter(|answer| !answer.is_empty());
            AttemptRecord { status: Some(status), error: None, answer }
        }
        Exchange::Failed { reason } => {
            AttemptRecord { status: None, error: Some(reason), answer: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16) -> Exchange {
        Exchange::Answered { status, body: Vec::new() }
    }

    #[test]
    fn any_2xx_delivers_and_the_sixth_failure_is_final() {
        let (schedule, now) = (Schedule::default(), Timestamp::from_micros(0));
        for status in [200, 201, 204, 299] {
            assert_eq!(next(&answered(status), 6, &schedule, now, 0.0), Next::Delivered);
        }
        let failed = Exchange::Failed { reason: "timed out".to_owned() };
        for exchange in
            [answered(199), answered(301), answered(400), answered(410), answered(500), failed]
        {
            assert_eq!(next(&exchange, 1, &schedule, now, 0.0), Next::Again(now.plus_seconds(5)));
            assert_eq!(
                next(&exchange, 5, &schedule, now, 0.0),
                Next::Again(now.plus_seconds(7_200))
            );
            assert_eq!(next(&exchange, 6, &schedule, now, 0.0), Next::Failed);
        }
    }

    #[test]
    fn the_beginning_of_an_answer_is_kept_as_text() {
        let exchange = Exchange::Answered { status: 500, body: vec![b'x'; 5_000] };
        assert_eq!(record(exchange).answer.unwrap().len(), ANSWER_BYTES_KEPT);
        let exchange = Exchange::Answered { status: 500, body: b"a\0\xff".to_vec() };
        assert_eq!(record(exchange).answer.unwrap(), "a\u{fffd}\u{fffd}");
        assert_eq!(record(answered(200)).answer, None);
    }
}
