//! Deliveries: one event on its way to one subscription.

use kernel::{Timestamp, id::EventId};
use serde::{Deserialize, Serialize};

use crate::{AttemptError, Exchange, Schedule, SubscriptionId};

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
    /// Not delivered yet; an attempt is in progress or scheduled.
    Attempting,
    /// The endpoint answered 2xx.
    Delivered,
    /// Every attempt failed; it is not attempted again automatically.
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
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Delivery {
    pub id: DeliveryId,
    pub subscription: SubscriptionId,
    pub event: EventId,
    pub event_name: String,
    pub state: DeliveryState,
    /// Number of attempts made.
    pub attempts: u32,
    /// When the next attempt is due; `None` if there is none or while an attempt is in progress.
    pub next_attempt_at: Option<Timestamp>,
    /// The delivery that this one retries on request.
    pub retry_of: Option<DeliveryId>,
    pub created_at: Timestamp,
    /// When it was delivered or failed.
    pub finished_at: Option<Timestamp>,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Attempt number, starting at 1.
    pub number: u32,
    /// When the request was sent.
    pub started_at: Timestamp,
    /// Duration of the exchange, in milliseconds.
    pub duration_ms: u32,
    /// The result.
    pub record: AttemptRecord,
}

/// What is kept of an exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptRecord {
    /// HTTP status of the response, if one was received.
    pub status: Option<u16>,
    /// Why there was no response.
    pub error: Option<AttemptError>,
    /// Beginning of the response body, at most [`ANSWER_BYTES_KEPT`].
    pub answer: Option<String>,
}

/// A delivery with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DeliveryDetail {
    pub delivery: Delivery,
    /// The bytes that are sent; `None` once the event is past its retention period.
    pub body: Option<String>,
    pub attempts: Vec<Attempt>,
}

/// What follows an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// None: it has been delivered.
    Delivered,
    /// Another attempt at this time.
    Again(Timestamp),
    /// None: it has finally failed.
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
        let failed = Exchange::Failed { reason: AttemptError::TimedOut { limit_ms: 5_000 } };
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

    #[test]
    fn why_there_was_no_answer_is_kept() {
        let kept = record(Exchange::Failed { reason: AttemptError::ConnectionRefused });
        let error = Some(AttemptError::ConnectionRefused);
        assert_eq!(kept, AttemptRecord { status: None, error, answer: None });
    }
}
