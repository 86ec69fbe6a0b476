//! Finding the route of a path.
//!
//! A tree of path segments instead of actix's list of regular expressions: one lookup a segment however many
//! routes there are, and `/products/imports` beside `/products/{id}` needs no thought about their order.

use std::{collections::HashMap, sync::Arc};

use crate::{
    BASE_PATH,
    route::{Route, in_braces},
};

/// Every route, by the segments of its path.
#[derive(Default)]
pub(crate) struct Router {
    root: Node,
}

#[derive(Default)]
struct Node {
    literal: HashMap<String, Node>,
    /// What follows a segment in braces.
    any: Option<Box<Node>>,
    route: Option<Arc<Route>>,
}

impl Router {
    /// A router over these routes.
    pub(crate) fn new(routes: Vec<Route>) -> Self {
        let mut router = Self::default();
        for route in routes {
            let mut node = &mut router.root;
            for segment in route.path.split('/') {
                node = if in_braces(segment).is_some() {
                    node.any.get_or_insert_default()
                } else {
                    node.literal.entry(segment.to_owned()).or_default()
                };
            }
            node.route = Some(Arc::new(route));
        }
        router
    }

    /// The route of a path; a literal segment goes before one in braces.
    pub(crate) fn find(&self, path: &str) -> Option<&Arc<Route>> {
        let mut node = &self.root;
        for segment in path.split('/') {
            let any = node.any.as_deref().filter(|_| !segment.is_empty());
            node = node.literal.get(segment).or(any)?;
        }
        node.route.as_ref()
    }
}

/// A path that there is and that was probably meant by one that there is not.
pub(crate) fn meant(router: &Router, path: &str) -> Option<String> {
    let bare = path.trim_end_matches('/');
    let below = bare.strip_prefix("/api").unwrap_or(bare);
    let below = below.strip_prefix("/v1").unwrap_or(below);
    // Leads, deals and quotes are where few look for them.
    let candidates =
        [bare.to_owned(), format!("{BASE_PATH}{below}"), format!("{BASE_PATH}/crm{below}")];
    candidates.into_iter().find(|meant| meant != path && router.find(meant).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{resources, site};

    #[test]
    fn handlers_take_what_their_paths_name() {
        for endpoint in resources::endpoints().iter().chain(&site::endpoints()) {
            let taken: Vec<_> = endpoint.takes.path.iter().map(|part| part.name).collect();
            let named: Vec<_> = endpoint.path().split('/').filter_map(in_braces).collect();
            assert_eq!(taken, named, "{}", endpoint.path());
        }
    }

    #[test]
    fn literals_go_before_braces_and_every_endpoint_is_found() {
        let endpoints = resources::endpoints().into_iter().chain(site::endpoints());
        let paths: Vec<_> = resources::endpoints()
            .iter()
            .chain(&site::endpoints())
            .map(crate::endpoint::Endpoint::mounted_at)
            .collect();
        let router = Router::new(Route::group(endpoints.map(Arc::new)));
        for path in paths {
            let asked = path.split('/').map(|part| in_braces(part).map_or(part, |_| "x"));
            let asked = asked.collect::<Vec<_>>().join("/");
            let found = router.find(&asked).unwrap();
            assert_eq!(found.path, path);
            for name in path.split('/').filter_map(in_braces) {
                assert!(found.parameters(&asked).contains(&(name, "x".to_owned())), "{path}");
            }
        }
        for nothing in [
            "",
            "/api",
            "/api/v1",
            "/api/v1/orders/",
            "//",
            "/api/v1//orders",
            "/api/v1/orders/x/y",
        ] {
            assert!(router.find(nothing).is_none(), "{nothing}");
        }
        for (path, wanted) in [
            ("/api/v1/orders/", Some("/api/v1/orders")),
            ("/v1/orders", Some("/api/v1/orders")),
            ("/api/orders/x", Some("/api/v1/orders/x")),
            ("/orders/", Some("/api/v1/orders")),
            ("/docs/", Some("/docs")),
            ("/api/v1/leads", Some("/api/v1/crm/leads")),
            ("/quotes/x/", Some("/api/v1/crm/quotes/x")),
            ("/api/v1/order", None),
            ("/", None),
        ] {
            assert_eq!(meant(&router, path).as_deref(), wanted, "{path}");
        }
    }
}
