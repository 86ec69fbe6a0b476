//! What anybody may read: health checks, the OpenAPI document and the page that shows it.

mod docs;
mod health;

use actix_web::http::Method;

use crate::endpoint::{Endpoint, Handler, plain};

pub use docs::DOCS_PATH;

/// The endpoints without a key.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        page("/healthz", plain(health::alive)),
        page("/readyz", plain(health::ready)),
        page("/", plain(docs::redirect)).documentation(),
        page(DOCS_PATH, plain(docs::page)).documentation(),
        page(docs::SCRIPT_PATH, plain(docs::script)).documentation(),
        page(docs::OPENAPI_PATH, plain(docs::openapi)).documentation(),
    ]
}

fn page(path: &'static str, handler: Handler<()>) -> Endpoint {
    Endpoint::public(Method::GET, path, handler)
}
