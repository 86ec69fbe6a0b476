//! The OpenAPI document, drawn from the very declarations that are mounted.
//!
//! Bodies and queries are what their readers [ask for](intake::Sketch), answers are what their types
//! say, and the errors of an endpoint follow from what it takes: a document that is wrong about the service
//! would take effort.

mod bodies;
mod errors;
mod operation;
mod overview;
mod schemas;
mod sketches;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use accounts::Scope;
use actix_web::http::Method;
use utoipa::openapi::{
    HttpMethod, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, OpenApiVersion, Paths,
    Server,
    security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    tag::TagBuilder,
};

use crate::{
    BASE_PATH, Settings,
    endpoint::{Access, Endpoint},
    resources,
};

/// The name of the security scheme.
const API_KEY: &str = "apiKey";

/// The document as JSON.
pub(crate) fn render(endpoints: &[Endpoint], settings: &Settings) -> String {
    // Plain data always serialises.
    document(endpoints, settings).to_json().unwrap_or_default()
}

/// The OpenAPI document that a service with these settings serves, as indented JSON for people and diffs.
#[must_use]
pub fn openapi_document(settings: &Settings) -> String {
    document(&resources::endpoints(), settings).to_pretty_json().unwrap_or_default()
}

fn document(endpoints: &[Endpoint], settings: &Settings) -> OpenApi {
    let mut components = schemas::components(endpoints);
    errors::add_components(&mut components);
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format(format!("{}_…", settings.brand))
        .description(Some("An API key: `Authorization: Bearer <API_KEY>`. Server-side use only."));
    components.add_security_scheme(API_KEY, SecurityScheme::Http(key.build()));

    let mut paths = Paths::new();
    for endpoint in endpoints {
        if let Access::Keyed(scope, _) = endpoint.access
            && let Some(method) = method(&endpoint.method)
        {
            let operation = operation::draw(endpoint, scope);
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

/// The chapter of the document that an endpoint is in: that of its scope, or of the first part of its path.
fn chapter(endpoint: &Endpoint, scope: Option<Scope>) -> &'static str {
    let of_path = || endpoint.path().split('/').nth(1).unwrap_or_default();
    scope.map_or_else(of_path, Scope::name)
}

/// The chapters of the document: the scopes in use, then what needs none.
fn tags(endpoints: &[Endpoint]) -> Vec<utoipa::openapi::Tag> {
    let keyed = || {
        endpoints.iter().filter_map(|endpoint| match endpoint.access {
            Access::Keyed(scope, _) => Some((endpoint, scope)),
            Access::Public(_) => None,
        })
    };
    let tag = |name: &str, description: String| {
        TagBuilder::new().name(name).description(Some(description)).build()
    };
    let used = Scope::EVERY.iter().filter(|scope| keyed().any(|(_, own)| own == Some(**scope)));
    let of_scopes = used.map(|scope| tag(scope.name(), format!("Requires the `{scope}` scope.")));
    let others: BTreeSet<&str> = keyed()
        .filter(|(_, scope)| scope.is_none())
        .map(|(endpoint, _)| chapter(endpoint, None))
        .collect();
    of_scopes.chain(others.into_iter().map(|name| tag(name, ANY_SCOPE.to_owned()))).collect()
}
