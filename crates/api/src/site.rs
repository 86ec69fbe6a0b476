//! What anybody may read: health checks, the OpenAPI document and the pages that show it.

mod docs;
mod health;

use actix_web::http::Method;

use crate::endpoint::{Endpoint, Handler, plain, query, segment, taking};

pub use docs::DOCS_PATH;

/// The endpoints without a key.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let chapter = segment("chapter", "The chapter's name.", |name| Some(name.to_owned()));
    vec![
        page("/healthz", plain(health::alive)),
        page("/readyz", plain(health::ready)),
        page("/", plain(docs::redirect)).documentation(),
        page(DOCS_PATH, plain(docs::overview)).documentation(),
        page(docs::CHAPTER_PATH, taking(chapter, docs::chapter)).documentation(),
        page(docs::SEARCH_PATH, taking(query(docs::WORDS), docs::search)).documentation(),
        page(docs::STYLE_PATH, plain(docs::style)).documentation(),
        page(docs::SCRIPT_PATH, plain(docs::script)).documentation(),
        page(docs::OPENAPI_PATH, plain(docs::openapi)).documentation(),
    ]
}

fn page(path: &'static str, handler: Handler<()>) -> Endpoint {
    Endpoint::public(Method::GET, path, handler)
}
