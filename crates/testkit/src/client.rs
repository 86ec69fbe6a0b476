//! A client of the API for tests: plain requests, answers to look into.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use reqwest::{
    Method,
    blocking::{Client as Http, RequestBuilder},
};
use serde_json::Value;

/// How long a job may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client with or without a key.
#[derive(Clone)]
pub struct Client {
    http: Http,
    origin: String,
    key: Option<String>,
}

/// An answer.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Reply {
    pub status: u16,
    /// Its headers; a repeated one is joined by commas.
    headers: Vec<(String, String)>,
    /// Its body as text.
    pub text: String,
}

impl Client {
    pub(crate) fn new(origin: String, key: Option<String>) -> Self {
        // Tests speak plain HTTP. Left to itself reqwest would look for the process's provider of
        // cryptography, and there is none.
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("aws-lc knows TLS")
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let http = Http::builder()
            .no_proxy()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .build();
        Self { http: http.expect("a client can be made"), origin, key }
    }

    /// The same with another key.
    #[must_use]
    pub fn with_key(&self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self.clone() }
    }

    /// The same with another service: with another one on the same database, for example.
    #[must_use]
    pub fn at(&self, app: &crate::App) -> Self {
        Self { origin: app.origin(), ..self.clone() }
    }

    /// A request to be sent: `path` starts with `/` and is below `/api/v1` unless it names another place.
    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let is_whole =
            ["/api/", "/docs", "/invoice/", "/links/", "/panel", "/pay/", "/quotes/", "/tax-data/"]
                .iter()
                .any(|start| path.starts_with(start))
                || ["/healthz", "/readyz", "/"].contains(&path);
        let base = if is_whole { "" } else { "/api/v1" };
        let place = format!("{}{base}{path}", self.origin);
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let request = self.http.request(method, place);
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// GET.
    #[must_use]
    pub fn get(&self, path: &str) -> Reply {
        Reply::to(self.request("GET", path))
    }

    /// POST with a JSON body.
    #[must_use]
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, body)
    }

    /// POST without a body.
    #[must_use]
    pub fn act(&self, path: &str) -> Reply {
        Reply::to(self.request("POST", path))
    }

    /// A job that has ended.
    ///
    /// # Panics
    /// When it does not end in a minute.
    #[must_use]
    #[track_caller]
    pub fn ended(&self, job: &str) -> Value {
        self.job_once(job, |seen| !seen["endedAt"].is_null())
    }

    /// A job that has come as far as wanted.
    ///
    /// # Panics
    /// When it does not come that far in a minute.
    #[must_use]
    #[track_caller]
    pub fn job_once(&self, job: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        self.once(&format!("/jobs/{job}"), is_wanted)
    }

    /// What is found at a path once it is as wanted.
    ///
    /// # Panics
    /// When it is not in a minute.
    #[must_use]
    #[track_caller]
    pub fn once(&self, path: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let seen = self.get(path).expect(200);
            if is_wanted(&seen) {
                return seen;
            }
            assert!(Instant::now() < end, "{seen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// POST with a JSON body and an idempotency key.
    #[must_use]
    pub fn post_once(&self, path: &str, key: &str, body: &Value) -> Reply {
        let request = self.request("POST", path).header("Idempotency-Key", key);
        Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
    }

    /// PATCH with a JSON body.
    #[must_use]
    pub fn patch(&self, path: &str, body: &Value) -> Reply {
        self.send("PATCH", path, body)
    }

    /// DELETE.
    #[must_use]
    pub fn delete(&self, path: &str) -> Reply {
        Reply::to(self.request("DELETE", path))
    }

    /// Any method with a JSON body.
    #[must_use]
    pub fn send(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.send_raw(method, path, body.to_string().into_bytes())
    }

    /// Any method with any bytes, called JSON.
    #[must_use]
    pub fn send_raw(&self, method: &str, path: &str, body: Vec<u8>) -> Reply {
        Reply::to(self.request(method, path).header("Content-Type", "application/json").body(body))
    }
}

impl Reply {
    /// Sends a request and reads its answer.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn to(request: RequestBuilder) -> Self {
        let response = request.send().expect("the service answers");
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
            .collect();
        Self { status, headers, text: response.text().expect("the answer is text") }
    }

    /// A header, by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All headers of a lower-case name.
    pub fn headers_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.headers.iter().filter(move |(known, _)| known == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.text))
    }

    /// The JSON body of an answer that must have this status.
    ///
    /// # Panics
    /// When it has another.
    #[must_use]
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The message of an error body that must have this status and code, and the documented shape.
    ///
    /// # Panics
    /// When it has another.
    #[must_use]
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> String {
        let body = self.json();
        let mut fields: Vec<_> =
            body.as_object().map(|body| body.keys().cloned().collect()).unwrap_or_default();
        fields.sort();
        assert_eq!(fields, ["error", "message", "statusCode"], "{}", self.text);
        assert_eq!(
            (self.status, body.get("error").and_then(Value::as_str)),
            (status, Some(code)),
            "{}",
            self.text
        );
        assert_eq!(body.get("statusCode").and_then(Value::as_u64), Some(u64::from(status)));
        body.get("message").and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}
