//! What a page is answered with.

use std::pin::Pin;

use actix_web::{
    HttpResponse, HttpResponseBuilder,
    http::{
        StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LANGUAGE,
            CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
            REFERRER_POLICY, SET_COOKIE, VARY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    web::Bytes,
};
use futures_util::Stream;
use kernel::Language;

use crate::{assets::gzipped, csv::BrokenOff, repeats::First};

/// Nothing from elsewhere, no script or style within a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";
const HTML: &str = "text/html; charset=utf-8";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
/// Less is sent as it is: compressing would take longer than sending.
const BYTES_MIN: usize = 1_024;

/// The pieces of a body; a failed one breaks the answer off.
type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, BrokenOff>>>>;

enum Body {
    Whole(Bytes),
    InPieces(Pieces),
}

/// An answer before it becomes a response.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    kind: &'static str,
    body: Body,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Whether it shows a secret: how far one can be compressed beside a caller's own words tells of it (BREACH).
    is_secret: bool,
    /// Whether the form that was sent was only looked at: it is still to be sent.
    pub(crate) is_unsent: bool,
}

impl Answer {
    /// A page.
    pub(crate) fn page(status: StatusCode, html: String) -> Self {
        Self::whole(status, HTML, Bytes::from(html))
    }

    /// A page that shows a secret, as it was shown before.
    pub(crate) fn secret_again(html: Bytes) -> Self {
        Self::whole(StatusCode::OK, HTML, html).secret()
    }

    /// A file of the panel itself.
    pub(crate) fn file(kind: &'static str, body: Bytes) -> Self {
        Self::whole(StatusCode::OK, kind, body)
    }

    fn whole(status: StatusCode, kind: &'static str, body: Bytes) -> Self {
        let (body, headers) = (Body::Whole(body), Vec::new());
        Self { status, kind, body, headers, is_secret: false, is_unsent: false }
    }

    /// A file of this name, whose pieces are made as they are taken.
    pub(crate) fn file_in_pieces(
        kind: &'static str,
        name: &str,
        pieces: impl Stream<Item = Result<Bytes, BrokenOff>> + 'static,
    ) -> Self {
        let (status, body) = (StatusCode::OK, Body::InPieces(Box::pin(pieces)));
        let answer =
            Self { status, kind, body, headers: Vec::new(), is_secret: false, is_unsent: false };
        answer.with(CONTENT_DISPOSITION, &format!("attachment; filename=\"{name}\""))
    }

    /// The way to another page, which is then read with GET.
    pub(crate) fn see(path: &str) -> Self {
        let mut answer = Self::page(StatusCode::SEE_OTHER, String::new());
        answer.set(LOCATION, path);
        answer
    }

    /// Which shows a secret.
    pub(crate) fn secret(mut self) -> Self {
        self.is_secret = true;
        self
    }

    /// Which shows a form that was only looked at.
    pub(crate) fn unsent(mut self) -> Self {
        self.is_unsent = true;
        self
    }

    /// With a cookie.
    pub(crate) fn cookie(mut self, cookie: &str) -> Self {
        self.set(SET_COOKIE, cookie);
        self
    }

    /// With a header; a value that cannot stand in one is left out.
    pub(crate) fn with(mut self, name: HeaderName, value: &str) -> Self {
        self.set(name, value);
        self
    }

    fn set(&mut self, name: HeaderName, value: &str) {
        match HeaderValue::from_str(value) {
            Ok(value) => self.headers.push((name, value)),
            Err(_) => tracing::error!(%name, "a header cannot have this value"),
        }
    }

    /// What the same form is answered with that is sent again: where it leads, or a page that is shown this once.
    pub(crate) fn first(&self) -> Option<First> {
        if let Body::Whole(html) = &self.body
            && self.is_secret
            && self.status == StatusCode::OK
        {
            return Some(First::Shown(html.clone()));
        }
        let values = |name: HeaderName| {
            let named = self.headers.iter().filter(move |(known, _)| *known == name);
            named.filter_map(|(_, value)| value.to_str().ok()).map(str::to_owned)
        };
        let location = values(LOCATION).next().filter(|_| self.status == StatusCode::SEE_OTHER)?;
        Some(First::Led { location, cookies: values(SET_COOKIE).collect() })
    }

    /// Whether browsers and proxies may keep it: then nothing in it is of one browser alone.
    pub(crate) fn is_kept(&self) -> bool {
        self.has(&CACHE_CONTROL)
    }

    fn has(&self, name: &HeaderName) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// The response to who reads this language and perhaps takes gzip.
    pub(crate) fn respond(self, language: Language, takes_gzip: bool) -> HttpResponse {
        let mut response = HttpResponseBuilder::new(self.status);
        response.insert_header((CONTENT_TYPE, self.kind));
        response.insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
        if !self.is_kept() {
            response.insert_header((CACHE_CONTROL, "no-store"));
            response.insert_header((CONTENT_SECURITY_POLICY, POLICY));
            // Not less: with no referrer at all, browsers do not say where a form comes from either.
            response.insert_header((REFERRER_POLICY, "same-origin"));
            response.insert_header((CONTENT_LANGUAGE, language.tag()));
            response.insert_header((ROBOTS, "noindex, nofollow"));
            response.insert_header((VARY, "Accept-Encoding, Accept-Language, Cookie, HX-Request"));
        } else {
            response.insert_header((VARY, "Accept-Encoding"));
        }
        for (name, value) in &self.headers {
            response.append_header((name.clone(), value.clone()));
        }
        let bytes = match self.body {
            Body::InPieces(pieces) => return response.streaming(pieces),
            Body::Whole(bytes) => bytes,
        };
        let is_packed = self.kind.starts_with("font/") || self.kind.ends_with("/pdf");
        let may_shrink = takes_gzip && !is_packed && !self.is_secret;
        let is_smaller = may_shrink && bytes.len() >= BYTES_MIN;
        match is_smaller.then(|| gzipped(&bytes)).flatten() {
            Some(smaller) => response.insert_header((CONTENT_ENCODING, "gzip")).body(smaller),
            None => response.body(bytes),
        }
    }
}
