//! Health checks: whether the process lives, and whether requests should be sent to it.

use std::time::Duration;

use actix_web::{HttpRequest, http::StatusCode, web::Data};
use serde::Serialize;
use tokio::time::timeout;

use crate::{Api, answer::Answer, error::ApiError, reply};

/// How long a readiness check may take, so that it answers before load balancers give up.
const READY_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

const OK: Health = Health { status: "ok" };

/// The process lives.
pub(super) async fn alive(_: Data<Api>, _: HttpRequest) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &OK)
}

/// Requests can be answered: the service is not stopping and its database can be reached.
pub(super) async fn ready(api: Data<Api>, _: HttpRequest) -> Result<Answer, ApiError> {
    if api.is_stopping() {
        return Err(ApiError::unavailable("the service is stopping", "asked whether it is ready"));
    }
    let reaching = reply::answered(api.services.backend.ready());
    let reached = timeout(READY_TIMEOUT, reaching).await;
    reached.unwrap_or_else(|_| {
        Err(ApiError::unavailable("the database does not answer", "asked whether it is ready"))
    })?;
    Answer::json(StatusCode::OK, &OK)
}
