//! What is said when a request's time is up.

use actix_web::http::Method;
use kernel::message;

use crate::{
    endpoint::{Endpoint, Waits},
    error::{ApiError, Code},
};

/// What the log says.
const LATE: &str = "the request's deadline passed";

/// What the endpoint waits for did not answer in time.
pub(super) fn late(endpoint: &Endpoint) -> ApiError {
    match endpoint.waits {
        _ if endpoint.deadline.is_some() => unfinished(),
        Waits::Database if endpoint.method == Method::GET => unanswered(),
        Waits::Database => ApiError::unavailable(
            message!(
                "the database did not answer in time, so the outcome is unknown; repeat the request \
                 with the same Idempotency-Key, or read the resource, to find out",
                "la base de datos no respondió a tiempo y no se conoce el resultado; para saberlo, \
                 repita la solicitud con la misma Idempotency-Key o lea el recurso"
            ),
            LATE,
        ),
        Waits::Stamp => ApiError::new(
            Code::ProviderTimeout,
            message!(
                "the answer takes too long and the outcome is unknown; repeat the request with the \
                 same Idempotency-Key, or list what there is, to find out",
                "la respuesta tarda demasiado y no se conoce el resultado; para saberlo, repita la \
                 solicitud con la misma Idempotency-Key o consulte la lista"
            ),
        ),
        Waits::Provider => ApiError::new(
            Code::ProviderTimeout,
            message!(
                "the provider has not answered yet; the work goes on: read the document, or repeat \
                 the request, to see what came of it. Neither makes a second stamp or charge",
                "el proveedor aún no responde y el trabajo continúa: lea el documento o repita la \
                 solicitud para conocer el resultado. Ninguna de las dos timbra ni cobra dos veces"
            ),
        ),
        Waits::Payment => ApiError::new(
            Code::ProviderTimeout,
            message!(
                "the payment provider has not answered yet; the work goes on: read the payment, or repeat the request \
                 with the same Idempotency-Key, to see what came of it. Neither charges or refunds twice",
                "el proveedor de pagos aún no responde y el trabajo continúa: lea el pago o repita la solicitud con la \
                 misma Idempotency-Key para conocer el resultado. Ninguna de las dos cobra ni devuelve dos veces"
            ),
        ),
        Waits::Mail => ApiError::new(
            Code::ProviderTimeout,
            message!(
                "the mail server has not answered yet; the email stays queued: GET /jobs shows what \
                 becomes of it",
                "el servidor de correo aún no responde; el correo sigue en cola: GET /jobs muestra el \
                 resultado"
            ),
        ),
    }
}

/// The endpoint did not keep its own deadline.
fn unfinished() -> ApiError {
    let message = message!(
        "the request was not finished in time, so its outcome is unknown",
        "la solicitud no terminó a tiempo y no se conoce su resultado"
    );
    ApiError::unavailable(message, LATE)
}

/// The database gave no answer to a question.
pub(super) fn unanswered() -> ApiError {
    let message = message!(
        "the database did not answer in time; try again",
        "la base de datos no respondió a tiempo; intente de nuevo"
    );
    ApiError::unavailable(message, LATE)
}
