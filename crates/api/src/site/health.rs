//! Health checks: whether the process lives, and whether requests should be sent to it.

use std::time::Duration;

use actix_web::http::StatusCode;
use kernel::{Message, message};
use serde::Serialize;
use tokio::time::timeout;

use crate::{answer::Answer, call::Call, error::ApiError, reply};

/// How long a readiness check may take, so that it answers before load balancers give up.
const READY_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

const OK: Health = Health { status: "ok" };

/// The process lives.
pub(super) async fn alive(_: Call<()>) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &OK)
}

/// Requests can be answered: the service is not stopping and its database can be reached.
pub(super) async fn ready(call: Call<()>) -> Result<Answer, ApiError> {
    if call.context.is_stopping() {
        return Err(not_ready(message!(
            "the service is stopping",
            "el servicio se está deteniendo"
        )));
    }
    let reaching = reply::answered(call.services().backend.ready());
    let reached = timeout(READY_TIMEOUT, reaching).await;
    reached.unwrap_or_else(|_| {
        Err(not_ready(message!("the database does not answer", "la base de datos no responde")))
    })?;
    Answer::json(StatusCode::OK, &OK)
}

fn not_ready(message: Message) -> ApiError {
    ApiError::unavailable(message, "asked whether it is ready")
}
