//! From request to response: the one way that every request takes.

mod late;

use std::{net::IpAddr, sync::Arc, time::Instant};

use accounts::{ApiKey, requests::Answered};
use actix_web::{
    HttpRequest, HttpResponse,
    body::BodyStream,
    http::{
        Method,
        header::{CACHE_CONTROL, HeaderName, HeaderValue},
    },
    web::{Data, Payload},
};
use futures_util::StreamExt;
use intake::{Noun, noun};
use tokio::time::timeout;

use crate::{
    Api,
    alike::{Asked, Place, Question},
    answer::{Answer, Body, Broken},
    call::{Call, path_of},
    compress::compressed,
    connection::Connection,
    context::Context,
    cors,
    endpoint::{Access, Answering, Endpoint, Waits},
    error::ApiError,
    idempotency::{self, Held, Holder},
    language,
    limits::{self, Allowance, Counted, Exceeded},
    metrics::LimitName,
    network::{ClientNetwork, client_of},
    patience::Patient,
    payload::{self, Received},
    pieces::{self, Pieces},
    request_id::{self, X_REQUEST_ID},
    route::{self, Route},
    router,
    turns::{self, Shift, Turn, WorkTurn},
    unasked, vary,
};
use late::{late, unanswered};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
/// Bodies of fewer bytes ask for little work.
const BODY_LIGHT: usize = 16_384;
/// What is sent whole and is longer holds much until it is taken.
const WHOLE_LIGHT: usize = 4 * pieces::BYTES;
/// Times as long as an answer a piece of a file may lie: who downloads one has a slow line rather than no use for it.
const FILE_PATIENCE: u32 = 2;

/// Answers a request.
pub(crate) async fn serve(api: Data<Api>, request: HttpRequest, payload: Payload) -> HttpResponse {
    let route = Arc::clone(api.router.find(path_of(&request)).unwrap_or(&api.unknown));
    let mut visit = Visit {
        request_id: request_id::of(request.headers()),
        arrived: Instant::now(),
        allowance: None,
        key: None,
        turn: None,
        places: Vec::new(),
        shift: None,
        route,
        api,
        request,
    };
    let outcome = visit.answer(payload).await;
    visit.respond(outcome).await
}

/// How a request for a page goes on.
enum Joined {
    /// By the answer to an equal one.
    Answered(Answer),
    /// With an answer for those that equal it.
    First(Box<Asked>),
    Alone,
}

/// A request being answered, and what its response will say whatever comes of it.
struct Visit {
    api: Data<Api>,
    route: Arc<Route>,
    request: HttpRequest,
    request_id: HeaderValue,
    arrived: Instant,
    /// What the tighter limit leaves.
    allowance: Option<Allowance>,
    key: Option<Arc<ApiKey>>,
    /// Its turn at pages of lists, where it asks for one.
    turn: Option<Turn>,
    /// Its places among the pages that are on their way, where its answer has become a long one.
    places: Vec<Turn>,
    /// Its turn at writing that.
    shift: Option<Shift>,
}

impl Visit {
    async fn answer(&mut self, payload: Payload) -> Result<Answer, ApiError> {
        let route = Arc::clone(&self.route);
        let origins = &self.api.context.settings.allowed_origins;
        if let Some(answer) = cors::preflight(&self.request, &route, origins) {
            self.limit_client().await?;
            return Ok(answer);
        }
        let endpoint = match route.endpoint(self.request.method()) {
            Ok(endpoint) => endpoint,
            Err(_) if !route.is_known() => {
                self.limit_client().await?;
                let meant = router::meant(&self.api.router, path_of(&self.request));
                return Err(route::nothing_here(meant.as_deref()));
            }
            Err(refusal) => {
                self.limit_client().await?;
                return Err(refusal);
            }
        };
        match &endpoint.access {
            Access::Public(run) => {
                self.limit_endpoint(endpoint, None)?;
                let (call, _) = self.call((), None, endpoint, payload).await?;
                self.in_time(endpoint, run(call)).await
            }
            Access::Keyed(needs, run) => {
                self.limit_client().await?;
                let key = self.authenticate().await?;
                self.api.context.neighbours.asks(key.account, self.arrived);
                self.limit_key(&key).await?;
                self.api.keys.authorize(&key, *needs)?;
                self.limit_endpoint(endpoint, Some(&key))?;
                unasked::refuse_parameters(endpoint, &self.request)?;
                let is_large = endpoint.large.is_with(self.request.query_string());
                let mut asked = None;
                if is_large {
                    asked = match self.join(&key).await? {
                        Joined::Answered(answer) => return Ok(answer),
                        Joined::First(asked) => Some(asked),
                        Joined::Alone => None,
                    };
                    self.take_turn(&key).await?;
                    asked.iter_mut().for_each(|asked| asked.begin());
                }
                let (call, body_turn) =
                    self.call(key.account, Some(&key), endpoint, payload).await?;
                let _held = self.hold_idempotency_key(endpoint, &key).await?;
                let is_heavy = call.body.length() > BODY_LIGHT;
                let work = if is_large || is_heavy {
                    let body = (is_heavy, body_turn.is_some());
                    Some(self.take_work_turn(&key, endpoint, body).await?)
                } else {
                    None
                };
                let answer = self.in_time(endpoint, run(call)).await?;
                drop(work);
                if let Some(asked) = asked {
                    asked.share(&answer);
                }
                let unwritten = answer.unwritten();
                if let Some(writing) = unwritten.filter(|_| self.request.method() != Method::HEAD) {
                    self.begin_to_write(&key, writing.is_heavy()).await?;
                }
                Ok(answer)
            }
        }
    }

    /// What a handler works with, and the account's turn at receiving large bodies if its body is one.
    async fn call<A>(
        &self,
        account: A,
        key: Option<&Arc<ApiKey>>,
        endpoint: &Endpoint,
        payload: Payload,
    ) -> Result<(Call<A>, Option<Turn>), ApiError> {
        let wanted = endpoint.takes.body.as_ref().map(|body| &body.wanted);
        let context = Arc::clone(&self.api.context);
        let turns = key.map(|key| (&context.bodies, key.account));
        let (body, turn) = match wanted {
            // What a GET has is not looked into (RFC 9110 §9.3.1).
            None if key.is_some() && endpoint.method != Method::GET => {
                unasked::refuse_body(&self.request, payload, &context.settings).await?;
                (Received::nothing(), None)
            }
            _ => payload::receive(&self.request, payload, wanted, &context.settings, turns).await?,
        };
        let call = Call {
            body,
            is_repeatable: endpoint.is_repeatable(),
            request_id: self.request_id.clone(),
            context: Arc::clone(&context),
            request: self.request.clone(),
            parameters: self.route.parameters(path_of(&self.request)),
            account,
            key: key.cloned(),
            now: self.api.clock.now().to_millis(),
        };
        Ok((call, turn))
    }

    /// Whoever sends a request twice under one key is answered one after the other.
    async fn hold_idempotency_key(
        &self,
        endpoint: &Endpoint,
        key: &ApiKey,
    ) -> Result<Option<Held>, ApiError> {
        if !endpoint.is_repeatable() {
            return Ok(None);
        }
        let Some((operation, name)) = idempotency::named(&self.request)? else { return Ok(None) };
        let holder = Holder { account: key.account, operation, key: name };
        let twin_timeout = self.api.context.settings.twin_timeout;
        Ok(Some(self.api.keys_under_way.hold(holder, twin_timeout).await?))
    }

    /// Waits for the answer to an equal request that waits for its turn, if there is one.
    async fn join(&self, key: &ApiKey) -> Result<Joined, ApiError> {
        let Context { alike, settings, .. } = self.api.context.as_ref();
        if self.request.method() != Method::GET {
            return Ok(Joined::Alone);
        }
        let awaited = match alike.join(Question::of(key, &self.request)) {
            Place::First(asked) => return Ok(Joined::First(asked)),
            Place::Behind(awaited) => awaited,
        };
        let shared = timeout(settings.request_timeout, awaited).await.map_err(|_| turns::busy())?;
        Ok(shared.map_or(Joined::Alone, |shared| Joined::Answered(shared.into())))
    }

    /// Waits for the account's turn at pages of lists. It is held until the page is taken, or nobody takes it for a while.
    async fn take_turn(&mut self, key: &ApiKey) -> Result<(), ApiError> {
        let Context { pages, settings, .. } = self.api.context.as_ref();
        let turn = timeout(settings.request_timeout, pages.take(key.account)).await;
        self.turn = turn.map_err(|_| turns::busy())?;
        Ok(())
    }

    /// Waits for places among the account's pages that are on their way, and for its turn at writing. Whoever has those waits for
    /// no turn at pages, so that this one can be held meanwhile.
    async fn begin_to_write(&mut self, key: &ApiKey, is_heavy: bool) -> Result<(), ApiError> {
        let Context { on_the_way, heavy_pages, writing, settings, .. } = self.api.context.as_ref();
        let waiting = async {
            let heavy = match is_heavy {
                true => heavy_pages.take(key.account).await,
                false => None,
            };
            let place = on_the_way.take(key.account).await;
            (heavy, place, writing.begin(key.account).await)
        };
        let waited = timeout(settings.request_timeout, waiting).await;
        let (heavy, place, shift) = waited.map_err(|_| turns::busy())?;
        self.places = heavy.into_iter().chain(place).collect();
        self.shift = Some(shift.of_page(self.turn.take()));
        Ok(())
    }

    /// A place among the account's pages that are on their way, if there is one, instead of its turn at pages. An answer that
    /// holds much keeps the turn.
    fn place(&mut self, bytes: usize) -> Option<Turn> {
        let (turn, key) = (self.turn.take()?, self.key.as_ref()?);
        let place = match bytes > WHOLE_LIGHT {
            true => None,
            false => self.api.context.on_the_way.take_now(key.account),
        };
        place.or(Some(turn))
    }

    /// Waits for the account's turn at work, if it needs one: for a body that is not light beside others, for a large one always.
    /// It is held until the handler has its answer.
    async fn take_work_turn(
        &self,
        key: &ApiKey,
        endpoint: &Endpoint,
        (has_heavy_body, has_large_body): (bool, bool),
    ) -> Result<WorkTurn<'_>, ApiError> {
        let Context { work, calls, settings, .. } = self.api.context.as_ref();
        let turns = if endpoint.waits == Waits::Database { work } else { calls };
        let is_large = has_large_body || (has_heavy_body && turns.have_neighbours());
        let waiting = turns.take(key.account, is_large);
        let turn = timeout(settings.request_timeout, waiting).await;
        turn.ok().flatten().ok_or_else(turns::busy)
    }

    async fn in_time(&self, endpoint: &Endpoint, answering: Answering) -> Result<Answer, ApiError> {
        let settings = &self.api.context.settings;
        let deadline = endpoint.deadline.unwrap_or(match endpoint.waits {
            Waits::Database => settings.request_timeout,
            Waits::Provider | Waits::Stamp | Waits::Payment | Waits::Mail => {
                settings.provider_timeout
            }
        });
        timeout(deadline, answering).await.unwrap_or_else(|_| Err(late(endpoint)))
    }

    async fn limit_client(&mut self) -> Result<(), ApiError> {
        let outcome = self.api.limits.check_ip(ClientNetwork::from(self.client())).await;
        self.count(LimitName::Ip, noun("a minute and client", "por minuto y cliente"), outcome)
    }

    async fn limit_key(&mut self, key: &ApiKey) -> Result<(), ApiError> {
        let outcome = self.api.limits.check_key(key).await;
        self.count(LimitName::Key, noun("an hour and API key", "por hora y clave de API"), outcome)
    }

    fn limit_endpoint(
        &mut self,
        endpoint: &Endpoint,
        key: Option<&ApiKey>,
    ) -> Result<(), ApiError> {
        let Some(limit) = &endpoint.own_limit else { return Ok(()) };
        let counted = match key {
            Some(key) => Counted::Key(key.id),
            None => Counted::Client(ClientNetwork::from(self.client())),
        };
        self.count(LimitName::Endpoint, limit.unit(), limit.check(&counted))
    }

    fn client(&self) -> IpAddr {
        client_of(&self.request, &self.api.context.settings.trusted_proxies)
    }

    fn count(
        &mut self,
        name: LimitName,
        unit: Noun,
        outcome: Result<Allowance, Exceeded>,
    ) -> Result<(), ApiError> {
        let allowance = match outcome {
            Ok(allowance) | Err(Exceeded { allowance, .. }) => allowance,
        };
        if self.allowance.is_none_or(|tighter| allowance.remaining < tighter.remaining) {
            self.allowance = Some(allowance);
        }
        let Err(exceeded) = outcome else { return Ok(()) };
        self.api.metrics.count_limited(name);
        Err(limits::used_up(unit, exceeded))
    }

    async fn authenticate(&mut self) -> Result<Arc<ApiKey>, ApiError> {
        let accounts = self.api.context.services.accounts.as_ref();
        let now = self.api.clock.now();
        let finding = self.api.keys.authenticate(self.request.headers(), accounts, now);
        let deadline = self.api.context.settings.request_timeout;
        let key = timeout(deadline, finding).await.unwrap_or_else(|_| Err(unanswered()))?;
        self.key = Some(Arc::clone(&key));
        Ok(key)
    }

    async fn respond(mut self, outcome: Result<Answer, ApiError>) -> HttpResponse {
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
