//! All endpoints of one path.

use std::sync::Arc;

use actix_web::http::{
    Method,
    header::{ALLOW, HeaderValue},
};
use kernel::message;
use percent_encoding::percent_decode_str;

use crate::{
    endpoint::Endpoint,
    error::{ApiError, Code},
};

/// The name of a segment in braces, which stands for any text.
pub(crate) fn in_braces(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// All endpoints of one path.
pub(crate) struct Route {
    /// The path below its root, for logs and metrics, e.g. `/orders/{id}`.
    pub(crate) name: &'static str,
    /// The whole path, e.g. `/api/v1/orders/{id}`.
    pub(crate) path: String,
    endpoints: Vec<Arc<Endpoint>>,
    allow: HeaderValue,
}

/// There is nothing at a path; `meant` is one that there is and that was probably meant.
pub(crate) fn nothing_here(meant: Option<&str>) -> ApiError {
    let message = match meant {
        Some(meant) => message!(
            "there is nothing at this path; did you mean {meant}? /docs lists what there is",
            "no hay nada en esta ruta; ¿quiso decir {meant}? Consulte /docs"
        ),
        None => message!(
            "there is nothing at this path; /docs lists what there is",
            "no hay nada en esta ruta; consulte /docs"
        ),
    };
    ApiError::new(Code::NotFound, message)
}

impl Route {
    /// Groups endpoints by path, in their order.
    pub(crate) fn group(endpoints: impl IntoIterator<Item = Arc<Endpoint>>) -> Vec<Self> {
        let mut routes: Vec<Self> = Vec::new();
        for endpoint in endpoints {
            let path = endpoint.mounted_at();
            match routes.iter_mut().find(|route| route.path == path) {
                Some(route) => route.endpoints.push(endpoint),
                None => {
                    let name = endpoint.path();
                    let allow = HeaderValue::from_static("");
                    routes.push(Self { name, path, endpoints: vec![endpoint], allow });
                }
            }
        }
        routes.iter_mut().for_each(Self::state_allowed_methods);
        routes
    }

    /// Every path with nothing behind it.
    pub(crate) fn unknown() -> Self {
        let allow = HeaderValue::from_static("");
        Self { name: "unknown", path: String::new(), endpoints: Vec::new(), allow }
    }

    /// Whether there is anything behind it.
    pub(crate) fn is_known(&self) -> bool {
        !self.endpoints.is_empty()
    }

    /// Whether it is a page or document that shows the API, and nobody's data.
    pub(crate) fn is_documentation(&self) -> bool {
        self.endpoints.iter().all(|endpoint| endpoint.is_documentation) && self.is_known()
    }

    /// Every method that it takes, with commas between.
    pub(crate) fn allowed_methods(&self) -> HeaderValue {
        self.allow.clone()
    }

    /// The endpoint of a method; `HEAD` is answered like `GET`.
    pub(crate) fn endpoint(&self, method: &Method) -> Result<&Endpoint, ApiError> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        let found = self.endpoints.iter().find(|endpoint| endpoint.method == method);
        found.map(Arc::as_ref).ok_or_else(|| {
            if self.endpoints.is_empty() {
                return nothing_here(None);
            }
            let allowed = self.allow.to_str().unwrap_or_default();
            let message =
                message!("this path takes {allowed} only", "esta ruta solo admite {allowed}");
            ApiError::new(Code::MethodNotAllowed, message).with(ALLOW, self.allow.clone())
        })
    }

    /// What `path`, which must be one of this route, has in the place of each `{name}`, percent-decoded.
    pub(crate) fn parameters(&self, path: &str) -> Vec<(&'static str, String)> {
        // From the end, where a path below its root and the whole one agree.
        let segments = self.name.rsplit('/').zip(path.rsplit('/'));
        // What is not UTF-8 names nothing as it stands.
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        segments.filter_map(|(name, text)| Some((in_braces(name)?, decoded(text)))).collect()
    }

    fn state_allowed_methods(&mut self) {
        let names = self.endpoints.iter().flat_map(|endpoint| match endpoint.method {
            Method::GET => vec!["GET", "HEAD"],
            ref other => vec![other.as_str()],
        });
        let names = names.collect::<Vec<_>>().join(", ");
        self.allow = HeaderValue::from_str(&names).unwrap_or(HeaderValue::from_static("GET"));
    }
}
