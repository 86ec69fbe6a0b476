//! The client that sends deliveries.

use std::{sync::Arc, time::Duration};

use reqwest::{
    Method, Request, Response,
    header::{CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT},
    redirect,
};
use tokio::time::timeout;
use webhooks::{AttemptError, Exchange, Post, Reach, Sender, Sending, delivery::ANSWER_BYTES_KEPT};

use crate::{
    Guard, Settings, SetupError,
    reason::{Stage, failure},
    tls,
};

/// How much of an answer's body is read, in bytes. An answer that goes on has answered nevertheless: its
/// status counts, and the connection is given up.
pub const ANSWER_BYTES_READ: usize = 16_384;

/// The most headers of an answer. One that has more is no answer. Beyond the count, hyper 1.12 ends an
/// HTTP/1.1 head that is longer than 417,792 bytes.
pub const HEADERS_MAX: usize = 100;

/// The most bytes of an HTTP/2 answer's headers.
pub const HTTP2_HEADER_BYTES_MAX: u32 = 16_384;

/// How long a connection is kept while nobody uses it.
pub const IDLE_TIME: Duration = Duration::from_secs(90);

/// What an HTTP/2 peer may send ahead on one stream and on one connection, in bytes. The defaults (2 and
/// 5 MiB) would let it fill the memory with answers that nobody reads.
const HTTP2_WINDOWS: (u32, u32) = (65_535, 1_048_576);

/// An HTTP/2 connection carries all calls to its host, so one that died in silence would fail them all: it is
/// asked for a sign of life after the first of these times, and closed when none comes within the second.
const HTTP2_PINGS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(5));

/// Sends deliveries; cheap to clone. One client holds the connections to all hosts.
///
/// Its futures must be polled within a Tokio runtime that has I/O and time enabled, and the same one for all:
/// connections live on the runtime that opened them. `authorization` and the like are sent only if they are
/// among the headers of the [`Post`]; reqwest adds `accept: */*`.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    http: reqwest::Client,
    guard: Guard,
    user_agent: HeaderValue,
    exchange_timeout: Duration,
}

impl Client {
    /// A client with its own connections. Names are resolved by the system.
    ///
    /// # Errors
    /// When the certificate authorities cannot be read or the user agent cannot be sent.
    pub fn new(settings: &Settings) -> Result<Self, SetupError> {
        Self::with_guard(settings, Guard::new(settings.reach))
    }

    /// The same with another guard, for tests.
    #[doc(hidden)]
    pub fn with_guard(settings: &Settings, guard: Guard) -> Result<Self, SetupError> {
        let user_agent =
            HeaderValue::from_str(&settings.user_agent).map_err(|_| SetupError::UserAgent)?;
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config(settings.ca_file.as_deref())?)
            .https_only(settings.reach == Reach::Public)
            .dns_resolver(guard.clone())
            .no_proxy()
            .redirect(redirect::Policy::none())
            .referer(false)
            .tcp_nodelay(true)
            .pool_max_idle_per_host(settings.idle_per_host)
            .pool_idle_timeout(IDLE_TIME)
            // A connection may go on being made after the call that wanted it was given up. This ends it,
            // and is the longer one so that the exchange's own time-out is what its owner is told of.
            .connect_timeout(settings.exchange_timeout.saturating_add(Duration::from_secs(1)))
            .http1_max_headers(HEADERS_MAX)
            .http2_max_header_list_size(HTTP2_HEADER_BYTES_MAX)
            .http2_initial_stream_window_size(HTTP2_WINDOWS.0)
            .http2_initial_connection_window_size(HTTP2_WINDOWS.1)
            .http2_keep_alive_interval(HTTP2_PINGS.0)
            .http2_keep_alive_timeout(HTTP2_PINGS.1)
            .http2_keep_alive_while_idle(true)
            .build()
            .map_err(|error| SetupError::Http(Box::new(error)))?;
        let exchange_timeout = settings.exchange_timeout;
        Ok(Self(Arc::new(Inner { http, guard, user_agent, exchange_timeout })))
    }
}

impl Sender for Client {
    fn post(&self, post: Post) -> Sending {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            match inner.exchange(post).await {
                Ok((status, body)) => Exchange::Answered { status, body },
                Err(reason) => Exchange::Failed { reason },
            }
        })
    }
}

impl Inner {
    /// Makes one call; gives the answer's status and the beginning of its body, or why there is none.
    async fn exchange(&self, post: Post) -> Result<(u16, Vec<u8>), AttemptError> {
        let request = self.request(post)?;
        let call = async {
            let sent = self.http.execute(request).await;
            let mut response = sent.map_err(|error| failure(&error, Stage::Head))?;
            let body = beginning(&mut response).await;
            let body = body.map_err(|error| failure(&error, Stage::Body))?;
            Ok((response.status().as_u16(), body))
        };
        timeout(self.exchange_timeout, call)
            .await
            .unwrap_or_else(|_| Err(AttemptError::timed_out(self.exchange_timeout)))
    }

    fn request(&self, post: Post) -> Result<Request, AttemptError> {
        let target = self.guard.check(&post.url);
        let target = target.map_err(|fault| AttemptError::InvalidUrl { fault })?;
        let mut request = Request::new(Method::POST, target.url().clone());
        let headers = request.headers_mut();
        headers.reserve(post.headers.len() + 2);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(USER_AGENT, self.user_agent.clone());
        for (name, value) in post.headers {
            let name = HeaderName::try_from(name).ok();
            let (Some(name), Ok(value)) = (name, HeaderValue::try_from(value)) else {
                return Err(AttemptError::InvalidRequestHeader);
            };
            headers.insert(name, value);
        }
        *request.body_mut() = Some(post.body.into());
        Ok(request)
    }
}

/// Reads a body to its end or to [`ANSWER_BYTES_READ`] and keeps its beginning. A body that neither ends nor
/// gets there in time fails the exchange, so that a peer cannot have its status by holding the line.
async fn beginning(response: &mut Response) -> reqwest::Result<Vec<u8>> {
    let (mut kept, mut read) = (Vec::new(), 0);
    while read < ANSWER_BYTES_READ
        && let Some(chunk) = response.chunk().await?
    {
        read += chunk.len();
        let room = ANSWER_BYTES_KEPT.saturating_sub(kept.len());
        kept.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
    }
    Ok(kept)
}
