//! The response to a request, and what the log and the metrics say of it.

use accounts::requests::Answered;
use actix_web::{
    HttpResponse,
    body::BodyStream,
    http::{
        Method,
        header::{CACHE_CONTROL, HeaderName, HeaderValue},
    },
};
use futures_util::StreamExt;

use super::Visit;
use crate::{
    answer::{Answer, Body, Broken},
    call::path_of,
    compress::compressed,
    connection::Connection,
    cors,
    error::ApiError,
    language,
    limits::Allowance,
    patience::Patient,
    pieces::{self, Pieces},
    request_id::X_REQUEST_ID,
    vary,
};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
/// Times as long as an answer a piece of a file may lie: who downloads one has a slow line rather than no use for it.
const FILE_PATIENCE: u32 = 2;

impl Visit {
    pub(super) async fn respond(mut self, outcome: Result<Answer, ApiError>) -> HttpResponse {
        if let Err(ApiError { cause: Some(cause), code, .. }) = &outcome {
            let request_id = self.request_id.to_str().unwrap_or_default();
            tracing::error!(request_id, error = code.name(), cause, "request failed");
        }
        let error = outcome.as_ref().err().map(|refusal| refusal.code.name());
        let answer = outcome.unwrap_or_else(|refusal| {
            let headers = self.request.headers();
            let endpoint = self.route.endpoint(self.request.method()).ok();
            let page = endpoint.and_then(|endpoint| endpoint.refused_page);
            page.and_then(|page| page(headers, &refusal))
                .unwrap_or_else(|| Answer::refused(refusal, language::preferred(headers)))
        });
        self.record(answer.status.as_u16(), error);
        let answer = compressed(&self.request, answer).await;

        let mut response = HttpResponse::build(answer.status);
        response.insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")));
        let origins = &self.api.context.settings.allowed_origins;
        let cors = cors::headers(&self.request, &self.route, origins);
        for header in vary::in_one(answer.headers.into_iter().chain(cors)) {
            response.insert_header(header);
        }
        if let Some(Allowance { limit, remaining, reset_seconds }) = self.allowance {
            response.insert_header((RATE_LIMIT, HeaderValue::from(limit)));
            response.insert_header((RATE_REMAINING, HeaderValue::from(remaining)));
            response.insert_header((RATE_RESET, HeaderValue::from(reset_seconds)));
        }
        response.insert_header((X_REQUEST_ID, self.request_id.clone()));
        let within = self.api.context.settings.answer_timeout;
        let body = match *self.request.method() {
            Method::HEAD => answer.body.left_out(),
            _ => answer.body,
        };
        match body {
            Body::Whole(bytes) if bytes.len() > pieces::BYTES => {
                let (give_up, place) = (self.gives_up(), self.place(bytes.len()));
                let pieces = Pieces::of(bytes, place);
                response.body(Patient::new(pieces, within, give_up)).map_into_boxed_body()
            }
            Body::Whole(bytes) => response.body(bytes),
            Body::Written(writing) => {
                let give_up = self.gives_up();
                let pieces = writing.pieces(self.shift, self.places);
                let pieces = pieces.map(|piece| piece.map_err(Broken::from));
                let stream = BodyStream::new(Box::pin(pieces));
                response.body(Patient::new(stream, within, give_up)).map_into_boxed_body()
            }
            Body::Streamed(stream, size) => {
                if let Some(size) = size {
                    response.no_chunking(size);
                }
                let stream = BodyStream::new(stream);
                let within = within * FILE_PATIENCE;
                response.body(Patient::new(stream, within, self.gives_up())).map_into_boxed_body()
            }
        }
    }

    /// Ends the connection of a client that does not take its answer.
    fn gives_up(&self) -> impl FnOnce() + use<> {
        let (client, request_id) = (self.client(), self.request_id.clone());
        let connection = self.request.conn_data::<Connection>().cloned();
        move || {
            let request_id = request_id.to_str().unwrap_or_default();
            tracing::info!(request_id, %client, "the client does not take its answer");
            if let Some(connection) = connection {
                connection.cut();
            }
        }
    }

    /// One line in the log and one count in the metrics; never a secret, a query string or a body.
    fn record(&self, status: u16, error: Option<&'static str>) {
        let elapsed = self.arrived.elapsed();
        let method = known_method(self.request.method());
        self.api.metrics.count_request(method, self.route.name, status, elapsed);
        let key = self.key.as_deref();
        let ids = ids_in(path_of(&self.request));
        let request_id = self.request_id.to_str().unwrap_or_default();
        if let Some(key) = key {
            self.api.context.services.request_log.note(&Answered {
                account: key.account,
                key: key.id,
                method,
                route: self.route.name,
                ids: ids.as_deref(),
                status,
                code: error,
                took: elapsed,
                request_id,
                address: self.client(),
                at: self.api.clock.now(),
            });
        }
        tracing::info!(
            request_id,
            client = %self.client(),
            account = key.map(|key| tracing::field::display(key.account)),
            key = key.map(|key| tracing::field::display(key.id)),
            method,
            route = self.route.name,
            ids,
            status,
            error,
            micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
            "request"
        );
    }
}

/// The identifiers in a path, between blanks. Anything else there may be a text that somebody sent by mistake, such as
/// a key.
fn ids_in(path: &str) -> Option<String> {
    let is_id = |segment: &&str| {
        segment.split_once('_').is_some_and(|(prefix, rest)| {
            prefix.len() < 8
                && prefix.bytes().all(|byte| byte.is_ascii_lowercase())
                && rest.len() == 26
                && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        })
    };
    let ids: Vec<&str> = path.split('/').filter(is_id).collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}

/// The method by its name; what is none of HTTP's must not swell the metrics.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::PUT => "PUT",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_identifiers_of_a_path_are_logged() {
        let order = "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV";
        let path = format!("/api/v1/products/prd_01ARZ3NDEKTSV4RRFFQ69G5FAV/variants/{order}");
        assert_eq!(ids_in(&path), Some(format!("prd_01ARZ3NDEKTSV4RRFFQ69G5FAV {order}")));
        for other in ["/api/v1/orders", "/api/v1/orders/service_7kWx", &order.to_lowercase()] {
            assert_eq!(ids_in(other), None, "{other}");
        }
        let key =
            accounts::NewApiKey::from_random("service", kernel::Mode::Live, &[7; 64]).unwrap().text;
        assert_eq!(ids_in(&format!("/api/v1/orders/{key}")), None);
    }
}
