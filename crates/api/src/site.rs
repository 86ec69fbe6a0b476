//! What anybody may read: health checks, the OpenAPI document and the page that shows it.

mod docs;
mod health;

use crate::endpoint::Endpoint;

pub use docs::DOCS_PATH;

/// The endpoints without a key.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::open("/healthz", health::alive),
        Endpoint::open("/readyz", health::ready),
        Endpoint::open("/", docs::redirect),
        Endpoint::open(DOCS_PATH, docs::page),
        Endpoint::open(docs::SCRIPT_PATH, docs::script),
        Endpoint::open(docs::OPENAPI_PATH, docs::openapi),
    ]
}
