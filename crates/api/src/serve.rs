//! From request to response: the one way that every request takes.

mod late;
mod responding;
mod waiting;

use std::{net::IpAddr, sync::Arc, time::Instant};

use accounts::ApiKey;
use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, header::HeaderValue},
    web::{Data, Payload},
};
use intake::{Noun, noun};
use tokio::time::timeout;

use crate::{
    Api,
    answer::Answer,
    call::{Call, path_of},
    cors,
    endpoint::{Access, Answering, Endpoint, Waits},
    error::ApiError,
    idempotency::{self, Held, Holder},
    limits::{self, Allowance, Counted, Exceeded},
    metrics::LimitName,
    network::{ClientNetwork, client_of},
    payload::{self, Received},
    request_id,
    route::{self, Route},
    router,
    turns::{Shift, Turn},
    unasked,
};
use late::{late, unanswered};
use waiting::Joined;

/// Bodies of fewer bytes ask for little work.
const BODY_LIGHT: usize = 16_384;

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
}
