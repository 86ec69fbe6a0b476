//! The OpenAPI document, drawn from the very declarations that are mounted.
//!
//! Bodies and queries are what their readers [ask for](intake::Sketch), answers are what their types
//! say, and the errors of an endpoint follow from what it takes: a document that is wrong about the service
//! would take effort.

mod bodies;
mod chapters;
mod errors;
mod events;
mod operation;
mod overview;
mod partial;
mod schemas;
mod sketches;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use actix_web::http::Method;
use chapters::Chapter;
use serde::Serialize;
use utoipa::openapi::{
    HttpMethod, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, OpenApiVersion, PathItem,
    Paths, Server,
    security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    tag::TagBuilder,
};

use crate::{
    BASE_PATH, Settings,
    endpoint::{Access, Endpoint, Needs},
    resources,
};

/// The name of the security scheme.
const API_KEY: &str = "apiKey";

/// The document as JSON.
pub(crate) fn render(endpoints: &[Arc<Endpoint>], settings: &Settings) -> String {
    // Plain data always serialises.
    serde_json::to_string(&Document::of(endpoints, settings)).unwrap_or_default()
}

/// The OpenAPI document that a service with these settings serves, as indented JSON for people and diffs.
#[must_use]
pub fn openapi_document(settings: &Settings) -> String {
    let endpoints: Vec<_> = resources::endpoints().into_iter().map(Arc::new).collect();
    let document = Document::of(&endpoints, settings);
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// The document with what the library that draws it does not know: the requests that the service makes itself.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    openapi: OpenApi,
    webhooks: BTreeMap<&'static str, PathItem>,
}

impl Document {
    fn of(endpoints: &[Arc<Endpoint>], settings: &Settings) -> Self {
        Self { openapi: document(endpoints, settings), webhooks: events::webhooks(settings) }
    }
}

fn document(endpoints: &[Arc<Endpoint>], settings: &Settings) -> OpenApi {
    let mut components = schemas::components(endpoints);
    partial::add_to(&mut components, endpoints);
    errors::add_components(&mut components);
    let errors = errors::Shared::among(keyed(endpoints).map(|(endpoint, _)| endpoint));
    errors.add_to(&mut components);
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format(format!("{}_…", settings.brand))
        .description(Some("An API key: `Authorization: Bearer <API_KEY>`. Server-side use only."));
    components.add_security_scheme(API_KEY, SecurityScheme::Http(key.build()));

    let mut paths = Paths::new();
    for (endpoint, needs) in keyed(endpoints) {
        if let Some(method) = method(&endpoint.method) {
            let operation = operation::draw(endpoint, needs, &errors);
            paths.add_path_operation(endpoint.path(), vec![method], operation);
        }
    }
    let info = InfoBuilder::new()
        .title("Trastienda API")
        .version("1.0")
        .description(Some(overview::text(settings)))
        .license(Some(
            LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build(),
        ));
    OpenApiBuilder::new()
        .openapi(OpenApiVersion::Version31)
        .info(info.build())
        .servers(Some([Server::new(BASE_PATH)]))
        .paths(paths)
        .components(Some(components))
        .tags(Some(tags(endpoints)))
        .build()
}

const fn method(method: &Method) -> Option<HttpMethod> {
    match *method {
        Method::GET => Some(HttpMethod::Get),
        Method::POST => Some(HttpMethod::Post),
        Method::PUT => Some(HttpMethod::Put),
        Method::PATCH => Some(HttpMethod::Patch),
        Method::DELETE => Some(HttpMethod::Delete),
        _ => None,
    }
}

/// What is said of endpoints that take any key.
const ANY_SCOPE: &str = "Takes any API key, and shows it what its scopes cover.";

/// The chapters that are in use.
fn tags(endpoints: &[Arc<Endpoint>]) -> Vec<utoipa::openapi::Tag> {
    let used: BTreeSet<&str> =
        keyed(endpoints).map(|(endpoint, _)| chapters::chapter(endpoint.path()).name).collect();
    let used = chapters::CHAPTERS.iter().filter(|chapter| used.contains(chapter.name));
    let tag = |chapter: &Chapter| {
        TagBuilder::new().name(chapter.name).description(Some(chapter.about)).build()
    };
    used.map(tag).collect()
}

/// The endpoints of the document, with their scopes.
fn keyed(endpoints: &[Arc<Endpoint>]) -> impl Iterator<Item = (&Endpoint, Needs)> {
    endpoints.iter().filter_map(|endpoint| match endpoint.access {
        Access::Keyed(needs, _) => Some((endpoint.as_ref(), needs)),
        Access::Public(_) => None,
    })
}
