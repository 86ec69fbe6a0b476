//! What a handler works with: an authenticated request within its limits, its body read.

use std::sync::Arc;

use actix_web::{
    HttpRequest,
    http::{Method, header::HeaderMap},
    web::{Bytes, Data},
};
use kernel::{AccountId, Ctx, Language, Timestamp, message};

use crate::{
    Api, Services,
    error::{ApiError, Code},
    etag, idempotency, language, reply,
    route::Route,
    router::path_of,
};

/// An authenticated request.
pub(crate) struct Call {
    pub(crate) api: Data<Api>,
    pub(crate) request: HttpRequest,
    pub(crate) route: Arc<Route>,
    pub(crate) body: Bytes,
    /// On whose behalf.
    pub(crate) account: AccountId,
    /// When it came in, in the precision that answers show.
    pub(crate) now: Timestamp,
}

impl Call {
    /// The services.
    pub(crate) fn services(&self) -> &Services {
        &self.api.services
    }

    /// The headers.
    pub(crate) fn headers(&self) -> &HeaderMap {
        self.request.headers()
    }

    /// The identifier in the path. What is no identifier names nothing.
    pub(crate) fn id<T>(&self, parse: fn(&str) -> Option<T>) -> Result<T, ApiError> {
        self.parameter("id").and_then(parse).ok_or_else(reply::not_found)
    }

    /// What stands in the place of `{name}` in the path.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.route.parameter(name, path_of(&self.request))
    }

    /// The language that the caller reads best, of those that findings are written in.
    pub(crate) fn language(&self) -> Language {
        language::preferred(self.headers())
    }

    /// The circumstances of a command; a `POST` can be made idempotent by its caller.
    pub(crate) fn ctx(&self) -> Result<Ctx, ApiError> {
        let idempotency = match *self.request.method() {
            Method::POST => idempotency::of(&self.request, &self.body)?,
            _ => None,
        };
        Ok(Ctx { account: self.account, now: self.now, idempotency })
    }

    /// The version that the resource must still have.
    pub(crate) fn expected_version(&self) -> Option<i64> {
        etag::expected_version(self.headers())
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

/// The caller has seen an older version.
pub(crate) fn stale() -> ApiError {
    let message = message!(
        "the resource has changed since the version in If-Match; read it again",
        "el recurso cambió desde la versión indicada en If-Match; vuelva a leerlo"
    );
    ApiError::new(Code::PreconditionFailed, message)
}
