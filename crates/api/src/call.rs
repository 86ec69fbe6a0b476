//! What a handler works with: a request within its limits, its body read.

use std::sync::Arc;

use accounts::{ApiKey, Scope};
use actix_web::{
    HttpRequest,
    http::header::{HOST, HeaderMap, HeaderValue},
};
use kernel::{AccountId, Actor, Ctx, Idempotency, Language, Timestamp, Trace};
use tokio::time::timeout;

use crate::{
    Services, auth,
    connection::Connection,
    context::Context,
    error::ApiError,
    etag::{self, ETag},
    idempotency, language,
    network::client_of,
    payload::{BYTES_QUICK, Received, Upload},
    reply::{answered, read_aside, stale},
    turns::{self, Turn, WorkTurn},
};

/// A request: on behalf of an account, or of nobody known where `A` is `()`.
pub struct Call<A = AccountId> {
    pub(crate) context: Arc<Context>,
    pub(crate) request: HttpRequest,
    /// What stands in the place of each name in the path.
    pub(crate) parameters: Vec<(&'static str, String)>,
    pub(crate) body: Received,
    /// Whether its caller can make it idempotent.
    pub(crate) is_repeatable: bool,
    /// By which it is found in the logs.
    pub(crate) request_id: HeaderValue,
    /// With which key, if that is known.
    pub(crate) key: Option<Arc<ApiKey>>,
    /// On whose behalf.
    pub account: A,
    /// When it came in, in the precision that answers show.
    pub now: Timestamp,
}

/// The path of a request, with percent-encoding undone where that changes no meaning.
pub(crate) fn path_of(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

impl<A> Call<A> {
    /// The services.
    #[must_use]
    pub fn services(&self) -> &Services {
        &self.context.services
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.request.headers()
    }

    /// The language that the caller reads best, of those that messages are written in.
    #[must_use]
    pub fn language(&self) -> Language {
        language::preferred(self.headers())
    }

    /// Where the public reaches the service, as it was set or else as the caller did.
    pub(crate) fn public_url(&self) -> String {
        let set = self.context.settings.public_url.clone();
        set.unwrap_or_else(|| self.origin())
    }

    /// How the caller reached the service, as far as it can be told here: a proxy may have changed the scheme.
    pub(crate) fn origin(&self) -> String {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b".-:[]".contains(&b);
        let host = self.headers().get(HOST).and_then(|host| host.to_str().ok());
        let host = host.or_else(|| self.request.uri().authority().map(|it| it.as_str()));
        let host = host.filter(|host| !host.is_empty() && host.bytes().all(is_plain));
        let connection = self.request.conn_data::<Connection>();
        let is_encrypted = connection.is_some_and(Connection::is_encrypted);
        let scheme = if is_encrypted { "https" } else { "http" };
        format!("{scheme}://{}", host.unwrap_or("localhost:8080"))
    }

    /// Where it came from, and what it is called in the logs.
    pub(crate) fn trace(&self) -> Arc<Trace> {
        let trusted = &self.context.settings.trusted_proxies;
        let address = Some(client_of(&self.request, trusted));
        let request_id = self.request_id.to_str().ok().map(str::to_owned);
        Arc::new(Trace { address, request_id })
    }

    /// What is read of its body, if it is whole: of a large one of an account on a thread that gives way.
    pub(crate) async fn read_body<T: Send + 'static>(
        &self,
        read: impl FnOnce(&[u8]) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let body = self.body.bytes();
        match &self.key {
            Some(key) if body.len() > BYTES_QUICK => {
                let body = body.clone();
                read_aside((&self.context, key.account), move || read(&body)).await?
            }
            _ => read(body),
        }
    }

    /// The address that its query was sent to.
    pub(crate) fn path(&self) -> &str {
        path_of(&self.request)
    }

    /// What stands in the place of `{name}` in the path.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| text.as_str())
    }
}

impl Call {
    /// Waits for the account's turn at files that are made while they are sent. It is to be held until all of it is sent.
    pub(crate) async fn turn_at_file(&self) -> Result<Turn, ApiError> {
        let Context { files, settings, .. } = self.context.as_ref();
        // The caller is told why before its request is late.
        let turn = timeout(settings.request_timeout / 2, files.take(self.account)).await;
        turn.ok().flatten().ok_or_else(turns::busy)
    }

    /// Waits for the account's turn at work, for what is read while an answer is sent.
    pub(crate) async fn turn_at_work(&self) -> Option<WorkTurn<'_>> {
        self.context.work.take(self.account, true).await
    }

    /// The circumstances of a command, which its caller can make idempotent where the endpoint says so.
    ///
    /// # Errors
    /// The refusal of a malformed `Idempotency-Key` or `If-Match`.
    pub fn ctx(&self) -> Result<Ctx, ApiError> {
        self.ctx_with(|| self.body.digest())
    }

    /// The same for a streamed body, once all of it has come.
    ///
    /// # Errors
    /// The refusal of a malformed `Idempotency-Key`.
    pub fn ctx_after(&self, upload: &Upload) -> Result<Ctx, ApiError> {
        self.ctx_with(|| upload.digest())
    }

    fn ctx_with(&self, digest: impl FnOnce() -> String) -> Result<Ctx, ApiError> {
        etag::checked(self.headers())?;
        let named = match self.is_repeatable {
            true => idempotency::named(&self.request)?,
            false => None,
        };
        let idempotency =
            named.map(|(operation, key)| Idempotency { operation, key, digest: digest() });
        let actor = self.key.as_ref().map_or(Actor::Public, |key| Actor::Key(key.id));
        let trace = Some(self.trace());
        Ok(Ctx { account: self.account, now: self.now, idempotency, actor, trace })
    }

    /// Whether it repeats, by its `Idempotency-Key`, a command that was answered: it gets that answer, whatever has become
    /// meanwhile of what it is about.
    pub(crate) async fn is_repeat(&self) -> Result<bool, ApiError> {
        let ctx = self.ctx()?;
        if ctx.idempotency.is_none() {
            return Ok(false);
        }
        answered(self.services().backend.is_answered(ctx)).await
    }

    /// Whether its key covers this scope.
    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.key.as_ref().is_some_and(|key| key.scopes.allow(scope))
    }

    /// Whether its key covers everything, present and future.
    pub(crate) fn may_do_everything(&self) -> bool {
        self.key.as_ref().is_some_and(|key| key.scopes.is_all())
    }

    /// Refuses a key that does not cover this scope.
    pub(crate) fn authorize(&self, scope: Scope) -> Result<(), ApiError> {
        if self.may(scope) {
            return Ok(());
        }
        Err(auth::insufficient_scope(&self.context.settings.brand, scope.name()))
    }

    /// The version that the resource must still have.
    pub(crate) fn expected_version(&self) -> Option<i64> {
        self.expected().map(ETag::of_version)
    }

    /// The tag that the resource must still have, as far as the change depends on it.
    pub(crate) fn expected(&self) -> Option<ETag> {
        etag::expected(self.headers())
    }

    /// Refuses when the caller expects another version than the one there is; for commands that do not take
    /// an expected one.
    pub(crate) fn expect_version(&self, version: Option<i64>) -> Result<(), ApiError> {
        match self.expected_version() {
            Some(expected) if Some(expected) != version => Err(stale()),
            _ => Ok(()),
        }
    }
}
