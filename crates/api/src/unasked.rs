//! What is sent to an endpoint that takes nothing of the kind. It would be dropped silently, so it is refused by name.

use actix_web::{HttpRequest, web::Payload};
use intake::{Form, Unreadable, noun};
use kernel::message;

use crate::{
    Settings,
    endpoint::Endpoint,
    error::{ApiError, Code},
    payload::{self, Delivery, Wanted},
    refusals::{unreadable_body, unreadable_query},
};

const NO_PARAMETERS: Form<()> = Form::query(|_| Some(()));
const NO_FIELDS: Form<()> = Form::body(
    "Nothing",
    noun("this request, which takes no body", "esta solicitud, que no lleva cuerpo"),
    |_| Some(()),
    "",
)
.or_absent();
/// Some programs send an object without fields with every request. More is not looked into.
const NO_BODY: Wanted = Wanted {
    media_types: &[],
    bytes_max: Some(4_096),
    delivery: Delivery::Whole,
    is_required: false,
};

/// Refuses parameters of a query where the endpoint takes none.
pub(crate) fn refuse_parameters(
    endpoint: &Endpoint,
    request: &HttpRequest,
) -> Result<(), ApiError> {
    let query = request.query_string();
    if endpoint.takes.query.is_some() || query.is_empty() {
        return Ok(());
    }
    NO_PARAMETERS.read_query(query).map_err(unreadable_query)
}

/// Refuses a body, unless there is nothing in it.
pub(crate) async fn refuse_body(
    request: &HttpRequest,
    payload: Payload,
    settings: &Settings,
) -> Result<(), ApiError> {
    let received = payload::receive(request, payload, Some(&NO_BODY), settings, None).await;
    let (body, _) = received.map_err(|_| no_body())?;
    NO_FIELDS.read_body(body.bytes()).map_err(|why| match why {
        Unreadable::Faulty(_) => unreadable_body(why, &[]),
        Unreadable::Malformed(_) | Unreadable::Unexplained(_) => no_body(),
    })
}

fn no_body() -> ApiError {
    let message = message!(
        "this request takes no body: leave it out",
        "esta solicitud no lleva cuerpo: omítalo"
    );
    ApiError::new(Code::ValidationFailed, message)
}
