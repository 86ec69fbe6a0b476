//! Whether a form was sent from a page of ours: browsers say so, whatever the page claims.

use actix_web::{
    HttpRequest,
    http::header::{HOST, ORIGIN},
};

const FETCH_SITE: &str = "sec-fetch-site";

/// Whether a form was sent from here. `public` is where the public reaches the service, if that is set.
pub(crate) fn is_own(request: &HttpRequest, public: Option<&str>) -> bool {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let host = header(HOST.as_str()).or_else(|| request.uri().authority().map(|it| it.as_str()));
    judged(header(FETCH_SITE), header(ORIGIN.as_str()), host, public)
}

fn judged(
    site: Option<&str>,
    origin: Option<&str>,
    host: Option<&str>,
    public: Option<&str>,
) -> bool {
    if let Some(site) = site {
        // `none`: who typed the address, or came Back to a form.
        return matches!(site, "same-origin" | "none");
    }
    let authority =
        |url: &str| url.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_owned());
    let Some(from) = origin.and_then(authority) else { return false };
    let is = |known: Option<String>| known.is_some_and(|known| known.eq_ignore_ascii_case(&from));
    is(host.map(str::to_owned)) || is(public.and_then(authority))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_send_forms() {
        let host = Some("panel.example:8080");
        for (site, origin, is_ours) in [
            (Some("same-origin"), None, true),
            (Some("none"), None, true),
            (Some("same-site"), Some("http://panel.example:8080"), false),
            (Some("cross-site"), Some("http://panel.example:8080"), false),
            (None, Some("http://panel.example:8080"), true),
            (None, Some("https://PANEL.example:8080"), true),
            (None, Some("https://shop.example"), true),
            (None, Some("https://panel.example"), false),
            (None, Some("https://evil.example"), false),
            (None, Some("null"), false),
            (None, None, false),
        ] {
            let judged = judged(site, origin, host, Some("https://shop.example"));
            assert_eq!(judged, is_ours, "{site:?} {origin:?}");
        }
    }
}
