//! Posting to a provider, and which ends of that are certain.

use std::time::Duration;

use hyper::body::Bytes;
use kernel::reason::Reason;
use reqwest::{
    Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};

use super::{Settings, ending::Failure};
pub(super) use crate::provider::Deadline;
use crate::{
    SetupError,
    provider::{client, request, whole},
    reason::{Stage, failure},
};

/// The most bytes of an answer; a stamped document of 500 items has half a MiB. A longer one is given up, and
/// nobody knows what it said.
pub const ANSWER_BYTES_MAX: usize = 8 << 20;

/// How long a connection is made before it counts as not made, at most.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// The client that all providers are called with.
pub(super) struct Http {
    client: reqwest::Client,
    limit: Duration,
}

/// A request to be made.
#[derive(Clone)]
pub(super) struct Post {
    pub(super) url: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

/// A complete answer.
pub(super) struct Answer {
    pub(super) status: u16,
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

    /// Posts, and reads the answer to its end.
    pub(super) async fn post(&self, by: Deadline, post: Post) -> Result<Answer, Failure> {
        let Post { url, headers, body } = post;
        let request = request(Method::POST, &url, headers, Some(body));
        let request = request.map_err(Failure::NotTaken)?;
        let call = async {
            let mut response =
                self.client.execute(request).await.map_err(|error| unanswered(&error))?;
            let body = whole(&mut response, ANSWER_BYTES_MAX).await.map_err(Failure::Unknown)?;
            Ok(Answer { status: response.status().as_u16(), body })
        };
        by.wait_for(call).await.unwrap_or_else(|late| Err(Failure::Unknown(late)))
    }
}

impl Answer {
    /// Whether the body is worth reading; if not, what the status says. Only a provider's own word counts: a server's
    /// error is an accident, and whatever a gateway says by itself (503, but also 401, 404, 413 or 429) may come after the
    /// provider behind it has done its work.
    pub(super) fn body_counts(&self) -> Result<(), Failure> {
        match self.status {
            401 | 403 => Err(Failure::unknown(Reason::CredentialsRejected)),
            429 => Err(Failure::unknown(Reason::LimitsRequests)),
            404 | 405 | 407 | 408 | 413 | 414 | 421 | 425 | 426 | 431 => Err(self.of_status()),
            200..=299 | 400..=499 => Ok(()),
            _ => Err(self.of_status()),
        }
    }

    fn of_status(&self) -> Failure {
        Failure::Unknown(Reason::HttpStatus.kept(self.status))
    }
}

/// The headers of a body of that type.
pub(super) fn headers(content_type: HeaderValue) -> HeaderMap {
    HeaderMap::from_iter([(CONTENT_TYPE, content_type)])
}

/// No head came. While connecting, with TLS as a part of it, nothing of a request is sent.
fn unanswered(error: &reqwest::Error) -> Failure {
    let reason = failure(error, Stage::Head).kept();
    if error.is_connect() { Failure::NotTaken(reason) } else { Failure::Unknown(reason) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_certain_or_not() {
        let of = |status| Answer { status, body: Vec::new() }.body_counts();
        for status in [200, 201, 204, 400, 402, 409, 422] {
            assert_eq!(of(status), Ok(()), "{status}");
        }
        let of_gateways = [401, 403, 404, 405, 407, 408, 413, 414, 421, 425, 426, 429, 431];
        for status in (300..400).chain(of_gateways).chain(500..600) {
            assert!(matches!(of(status), Err(Failure::Unknown(_))), "{status}");
        }
    }
}
