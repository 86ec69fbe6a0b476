//! What calls to providers have alike, of stamps and of payments: one client that makes them all, a time within which each use
//! of a provider has to end, and answers that are read to their end or given up.

use std::{path::Path, time::Duration};

use hyper::body::Bytes;
use kernel::reason::Reason;
use reqwest::{
    Method, Request, Response, Url,
    header::{HeaderMap, HeaderValue, USER_AGENT},
    redirect, retry,
};
use tokio::time::{Instant, timeout_at};

use crate::{
    SetupError,
    client::{HEADERS_MAX, HTTP2_HEADER_BYTES_MAX},
    reason::{Stage, failure, timed_out},
    tls,
};

/// How long a connection is kept while nobody uses it. Short, because a request that crosses with the other
/// side's closing ends as if it might have been taken.
const IDLE_TIME: Duration = Duration::from_secs(15);
/// Connections that are kept open for each host while nobody uses them.
const IDLE_PER_HOST: usize = 8;
/// Who is calling.
const AGENT: &str = concat!("trastienda/", env!("CARGO_PKG_VERSION"));

/// A client for providers, which repeats nothing and follows no redirect. `connect_timeout` should be shorter than the whole
/// time of a call, so that a provider whose host is gone is known not to have been reached.
pub(crate) fn client(
    ca_file: Option<&Path>,
    connect_timeout: Duration,
) -> Result<reqwest::Client, SetupError> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls::config(ca_file)?)
        .no_proxy()
        .redirect(redirect::Policy::none())
        // One call is one request; whoever repeats it knows what it means.
        .retry(retry::never())
        .referer(false)
        .tcp_nodelay(true)
        .connect_timeout(connect_timeout)
        .pool_idle_timeout(IDLE_TIME)
        .pool_max_idle_per_host(IDLE_PER_HOST)
        .http1_max_headers(HEADERS_MAX)
        .http2_max_header_list_size(HTTP2_HEADER_BYTES_MAX)
        .build()
        .map_err(|error| SetupError::Http(Box::new(error)))
}

/// When a use of a provider has to end.
#[derive(Clone, Copy)]
pub(crate) struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// The end of a use that begins now and may take this long.
    pub(crate) fn after(limit: Duration) -> Self {
        Self { at: Instant::now() + limit, limit }
    }

    /// Whether there is no time for another call.
    pub(crate) fn is_over(self) -> bool {
        Instant::now() >= self.at
    }

    /// What `work` comes to.
    ///
    /// # Errors
    /// The reason of a call that took too long.
    pub(crate) async fn wait_for<T>(self, work: impl Future<Output = T>) -> Result<T, String> {
        timeout_at(self.at, work).await.map_err(|_| timed_out(self.limit))
    }
}

/// A request that says who is calling.
///
/// # Errors
/// Why there is none: nothing was sent then.
pub(crate) fn request(
    method: Method,
    url: &str,
    headers: HeaderMap,
    body: Option<Bytes>,
) -> Result<Request, String> {
    let url = Url::parse(url).map_err(|_| Reason::InvalidAddress.alone())?;
    let mut request = Request::new(method, url);
    *request.headers_mut() = headers;
    request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(AGENT));
    *request.body_mut() = body.map(Into::into);
    Ok(request)
}

/// The whole body of an answer.
///
/// # Errors
/// Why it is not known what was answered: it broke off, or is longer than `bytes_max`, whole MiB.
pub(crate) async fn whole(response: &mut Response, bytes_max: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await;
        let Some(chunk) = chunk.map_err(|error| failure(&error, Stage::Body).kept())? else {
            return Ok(body);
        };
        if body.len() + chunk.len() > bytes_max {
            return Err(Reason::ResponseTooLarge.kept(bytes_max >> 20));
        }
        body.extend_from_slice(&chunk);
    }
}
