//! Posting to a provider, and which ends of that are certain.

use std::{path::Path, time::Duration};

use hyper::body::Bytes;
use reqwest::{
    Method, Request, Response, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT},
    redirect, retry,
};
use tokio::time::{Instant, timeout_at};

use super::{
    Settings,
    ending::{CREDENTIALS, Failure},
};
use crate::{
    SetupError,
    client::{HEADERS_MAX, HTTP2_HEADER_BYTES_MAX},
    reason::{Stage, failure, timed_out},
    tls,
};

/// The most bytes of an answer; a stamped document of 500 items has half a MiB. A longer one is given up, and
/// nobody knows what it said.
pub const ANSWER_BYTES_MAX: usize = 8 << 20;

/// How long a connection is made before it counts as not made, at most. It is shorter than the whole time, so
/// that a provider whose host is gone is known not to have been reached.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// How long a connection is kept while nobody uses it. Short, because a request that crosses with the other
/// side's closing ends as if it might have been taken.
const IDLE_TIME: Duration = Duration::from_secs(15);

/// Connections that are kept open for each host while nobody uses them.
const IDLE_PER_HOST: usize = 8;

/// Who is calling.
const AGENT: &str = concat!("trastienda/", env!("CARGO_PKG_VERSION"));

/// The client that all providers are called with.
pub(super) struct Http {
    client: reqwest::Client,
    limit: Duration,
}

/// When a use of a provider has to end.
#[derive(Clone, Copy)]
pub(super) struct Deadline {
    pub(super) at: Instant,
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
        let ca_file: Option<&Path> = settings.ca_file.as_deref();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config(ca_file)?)
            .no_proxy()
            .redirect(redirect::Policy::none())
            // One call is one request; whoever repeats it knows what it means.
            .retry(retry::never())
            .referer(false)
            .tcp_nodelay(true)
            .connect_timeout(CONNECT_TIME_MAX.min(settings.timeout / 2))
            .pool_idle_timeout(IDLE_TIME)
            .pool_max_idle_per_host(IDLE_PER_HOST)
            .http1_max_headers(HEADERS_MAX)
            .http2_max_header_list_size(HTTP2_HEADER_BYTES_MAX)
            .build()
            .map_err(|error| SetupError::Http(Box::new(error)))?;
        Ok(Self { client, limit: settings.timeout })
    }

    /// A use of a provider begins now.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline { at: Instant::now() + self.limit, limit: self.limit }
    }

    /// Posts, and reads the answer to its end.
    pub(super) async fn post(&self, by: Deadline, post: Post) -> Result<Answer, Failure> {
        let request = request(post)?;
        let call = async {
            let mut response =
                self.client.execute(request).await.map_err(|error| unanswered(&error))?;
            let body = whole(&mut response).await?;
            Ok(Answer { status: response.status().as_u16(), body })
        };
        let ended = timeout_at(by.at, call).await;
        ended.unwrap_or_else(|_| Err(Failure::unknown(timed_out(by.limit))))
    }
}

impl Answer {
    /// Whether the body is worth reading; if not, what the status says. Only a provider's own word counts: a server's
    /// error is an accident, and whatever a gateway says by itself (503, but also 401, 404, 413 or 429) may come after the
    /// provider behind it has done its work.
    pub(super) fn body_counts(&self) -> Result<(), Failure> {
        match self.status {
            401 | 403 => Err(Failure::unknown(CREDENTIALS)),
            429 => Err(Failure::unknown("the provider is limiting requests (HTTP 429)")),
            404 | 405 | 407 | 408 | 413 | 414 | 421 | 425 | 426 | 431 => {
                Err(Failure::unknown(self.in_words()))
            }
            200..=299 | 400..=499 => Ok(()),
            _ => Err(Failure::unknown(self.in_words())),
        }
    }

    fn in_words(&self) -> String {
        format!("the provider answered with HTTP {}", self.status)
    }
}

fn request(post: Post) -> Result<Request, Failure> {
    let url = Url::parse(&post.url).map_err(|_| Failure::not_taken("the address is not a URL"))?;
    let mut request = Request::new(Method::POST, url);
    *request.headers_mut() = post.headers;
    request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(AGENT));
    *request.body_mut() = Some(post.body.into());
    Ok(request)
}

/// The headers of a body of that type.
pub(super) fn headers(content_type: HeaderValue) -> HeaderMap {
    HeaderMap::from_iter([(CONTENT_TYPE, content_type)])
}

/// No head came. While connecting, with TLS as a part of it, nothing of a request is sent.
fn unanswered(error: &reqwest::Error) -> Failure {
    let reason = failure(error, Stage::Head).to_string();
    if error.is_connect() { Failure::NotTaken(reason) } else { Failure::Unknown(reason) }
}

async fn whole(response: &mut Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await;
        let Some(chunk) =
            chunk.map_err(|error| Failure::Unknown(failure(&error, Stage::Body).to_string()))?
        else {
            return Ok(body);
        };
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(Failure::unknown("the response is larger than 8 MiB"));
        }
        body.extend_from_slice(&chunk);
    }
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
