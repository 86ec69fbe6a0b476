//! Calling a payment provider, and which ends of that are certain.

use std::time::Duration;

use hyper::body::Bytes;
use kernel::reason::Reason;
use payments::CallFault;
use reqwest::{
    Method,
    header::{HeaderMap, HeaderValue},
};

use super::Settings;
pub(super) use crate::provider::Deadline;
use crate::{
    SetupError,
    provider::{client, request, whole},
    reason::{Stage, failure},
};

/// The most bytes of an answer: a page of a hundred payments has some hundred KiB.
const ANSWER_BYTES_MAX: usize = 4 << 20;
/// How long a connection is made before it counts as not made, at most.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
/// Seconds to wait where a provider that has no time does not say how long.
const BUSY_SECONDS: i64 = 2;
/// The longest that a provider may have us wait for its sake.
const BUSY_SECONDS_MAX: i64 = 600;

/// The client that all providers are called with.
pub(super) struct Http {
    client: reqwest::Client,
    limit: Duration,
}

/// A request to be made.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) method: Method,
    pub(super) url: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
}

/// A complete answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Http {
    pub(super) fn new(settings: &Settings) -> Result<Self, SetupError> {
        let connect_timeout = CONNECT_TIME_MAX.min(settings.timeout / 2);
        let client = client(settings.ca_file.as_deref(), connect_timeout)?;
        Ok(Self { client, limit: settings.timeout })
    }

    /// A use of a provider begins now.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline::after(self.limit)
    }

    /// Calls, and reads the answer to its end.
    pub(super) async fn call(&self, by: Deadline, call: Call) -> Result<Answer, CallFault> {
        let Call { method, url, headers, body } = call;
        let request = request(method, &url, headers, body).map_err(CallFault::Unreachable)?;
        let exchange = async {
            let sent = self.client.execute(request).await;
            let mut response = sent.map_err(|error| unanswered(&error))?;
            let body = whole(&mut response, ANSWER_BYTES_MAX).await.map_err(CallFault::Unknown)?;
            let status = response.status().as_u16();
            Ok(Answer { status, headers: std::mem::take(response.headers_mut()), body })
        };
        by.wait_for(exchange).await.unwrap_or_else(|late| Err(CallFault::Unknown(late)))
    }
}

impl Answer {
    /// A header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The ends that are the same with every provider: what its status says by itself, if that is enough.
    pub(super) fn told_by_status(&self) -> Option<CallFault> {
        let of_status = || CallFault::Unknown(Reason::HttpStatus.kept(self.status));
        match self.status {
            200..=299 => None,
            // What it says may hold a part of the key.
            401 | 403 => Some(CallFault::Config(Reason::CredentialsRejected.alone())),
            429 => Some(CallFault::RateLimited { seconds: self.busy_seconds() }),
            408 | 409 | 423 => Some(of_status()),
            400..=499 => None,
            _ => Some(of_status()),
        }
    }

    fn busy_seconds(&self) -> i64 {
        let named = self.header("retry-after").and_then(|text| text.trim().parse::<i64>().ok());
        named.unwrap_or(BUSY_SECONDS).clamp(1, BUSY_SECONDS_MAX)
    }
}

/// A call that was to come before the one that matters has failed: that one was not made.
pub(super) fn not_made(fault: CallFault) -> CallFault {
    match fault {
        CallFault::Unknown(why) | CallFault::Stuck(why) => CallFault::Unreachable(why),
        other => other,
    }
}

/// An answer that is not what the provider documents.
pub(super) fn nonsense() -> CallFault {
    CallFault::Unknown(Reason::UndocumentedResponse.alone())
}

/// The header of a token, hidden from debug output; nothing when it has characters that no header may have.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, String> {
    let value = HeaderValue::try_from(format!("Bearer {token}"));
    let mut value = value.map_err(|_| Reason::CredentialsUnsendable.alone())?;
    value.set_sensitive(true);
    Ok(value)
}

/// No head came. While connecting, with TLS as a part of it, nothing of a request is sent.
fn unanswered(error: &reqwest::Error) -> CallFault {
    let reason = failure(error, Stage::Head).kept();
    if error.is_connect() { CallFault::Unreachable(reason) } else { CallFault::Unknown(reason) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&'static str, &'static str)]) -> Answer {
        let headers = headers.iter().map(|(name, value)| {
            (reqwest::header::HeaderName::from_static(name), HeaderValue::from_static(value))
        });
        Answer { status, headers: headers.collect(), body: Vec::new() }
    }

    #[test]
    fn a_status_is_certain_or_not() {
        for status in [200, 201, 400, 402, 404, 422] {
            assert_eq!(answer(status, &[]).told_by_status(), None, "{status}");
        }
        for status in [301, 307, 408, 409, 423, 500, 502, 503, 504] {
            let told = answer(status, &[]).told_by_status();
            assert!(matches!(told, Some(CallFault::Unknown(_))), "{status}: {told:?}");
        }
        for status in [401, 403] {
            let told = answer(status, &[]).told_by_status();
            assert!(matches!(told, Some(CallFault::Config(_))), "{status}: {told:?}");
        }
        for (after, seconds) in [("7", 7), ("0", 1), ("soon", 2), ("99999", 600)] {
            let told = answer(429, &[("retry-after", after)]).told_by_status();
            assert_eq!(told, Some(CallFault::RateLimited { seconds }), "{after}");
        }
    }

    #[test]
    fn what_comes_before_the_call_leaves_it_unmade() {
        let unknown = CallFault::Unknown("a time-out".to_owned());
        assert_eq!(not_made(unknown), CallFault::Unreachable("a time-out".to_owned()));
        let config = CallFault::Config("no".to_owned());
        assert_eq!(not_made(config.clone()), config);
    }

    #[test]
    fn a_key_is_not_shown() {
        assert_eq!(format!("{:?}", bearer("sk_test_1").unwrap()), "Sensitive");
        assert!(bearer("a\nb").is_err());
    }
}
