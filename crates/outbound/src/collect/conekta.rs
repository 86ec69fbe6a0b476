//! Conekta.
//!
//! A payment of ours is an order there, with one charge of its own, or with a page where the payer types a card. Conekta knows
//! no idempotency keys: a call of whose outcome nobody knows is never repeated, but looked for.

mod asking;
mod faults;
mod seen;
mod sign;

use std::sync::Arc;

use hyper::body::Bytes;
use kernel::{Amount, Timestamp, reason::Reason};
use payments::{
    CallFault, CallResult, Calling, Credentials, Gateway, Seen, SeenRefund, SeenState,
    gateway::{Asked, AskedRefund, ListAsked, Listed, Verified},
    notice::Received,
};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;

use super::{
    Shared,
    http::{Call, Deadline, bearer, nonsense, not_made},
    json::{each, text, whole},
};
use faults::rejected;

const VERSION: HeaderValue = HeaderValue::from_static("application/vnd.conekta-v2.3.0+json");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// The most orders that one page of a list holds.
const PAGE: u32 = 100;
/// How far the clocks may be apart, in seconds.
const SKEW: i64 = 300;

/// An account with Conekta.
#[derive(Clone)]
pub(super) struct Conekta {
    shared: Arc<Shared>,
    bearer: HeaderValue,
    /// The public key that its notifications are checked with.
    public_key: Option<Arc<str>>,
}

impl Conekta {
    pub(super) fn new(shared: Arc<Shared>, credentials: &Credentials) -> Result<Self, String> {
        let bearer = bearer(&credentials.key)?;
        let key = credentials.notification_secret.as_deref().filter(|text| !text.is_empty());
        Ok(Self { shared, bearer, public_key: key.map(Arc::from) })
    }

    async fn get(&self, by: Deadline, path: &str) -> Result<Value, CallFault> {
        self.send(by, reqwest::Method::GET, path, None).await
    }

    async fn post(&self, by: Deadline, path: &str, body: &Value) -> Result<Value, CallFault> {
        self.send(by, reqwest::Method::POST, path, Some(body)).await
    }

    async fn send(
        &self,
        by: Deadline,
        method: reqwest::Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, CallFault> {
        let mut headers =
            HeaderMap::from_iter([(AUTHORIZATION, self.bearer.clone()), (ACCEPT, VERSION)]);
        if body.is_some() {
            headers.insert(CONTENT_TYPE, JSON);
        }
        let body = body.map(|body| Bytes::from(body.to_string()));
        let url = format!("{}{path}", self.shared.conekta_url);
        faults::read(&self.shared.http.call(by, Call { method, url, headers, body }).await?)
    }

    async fn created(&self, asked: &Asked) -> CallResult {
        let body = asking::order(asked)?;
        let order = self.post(self.shared.http.deadline(), "/orders", &body).await?;
        seen::of_order(asked, &order)
    }

    async fn captured(&self, asked: &Asked, amount: Amount) -> CallResult {
        if amount != asked.payment.authorized {
            return Err(rejected("capture_failed", "Conekta captures all that is authorized."));
        }
        let path = format!("/orders/{}/capture", order_of(asked)?);
        let body = asking::capture(amount, asked.payment.currency);
        let order = self.post(self.shared.http.deadline(), &path, &body).await?;
        seen::of_order(asked, &order)
    }

    async fn cancelled(&self, asked: &Asked) -> CallResult {
        let path = format!("/orders/{}/cancel", order_of(asked)?);
        let nothing = Value::Object(serde_json::Map::new());
        let order = self.post(self.shared.http.deadline(), &path, &nothing).await?;
        let seen = seen::of_order(asked, &order)?;
        Ok(match seen.state {
            SeenState::Expired => Seen { state: SeenState::Canceled, ..seen },
            _ => seen,
        })
    }

    /// Gives money back. The answer is the order: the refund is the one that was not there before.
    async fn refunded(
        &self,
        AskedRefund { of, refund }: &AskedRefund,
    ) -> Result<SeenRefund, CallFault> {
        let by = self.shared.http.deadline();
        let id = order_of(of)?;
        let before = self.get(by, &format!("/orders/{id}")).await.map_err(not_made)?;
        let before = seen::of_order(of, &before).map_err(not_made)?.refunds;
        let body = asking::refund(refund.amount, of.payment.currency);
        let after = self.post(by, &format!("/orders/{id}/refunds"), &body).await?;
        let after = seen::of_order(of, &after)?.refunds;
        let is_new = |seen: &SeenRefund| {
            seen.amount == refund.amount
                && before.iter().all(|known| known.provider_ref != seen.provider_ref)
        };
        let made = after.into_iter().find(is_new).ok_or_else(nonsense)?;
        Ok(SeenRefund { refund: Some(refund.id), ..made })
    }

    async fn shown(&self, asked: &Asked) -> CallResult {
        let path = format!("/orders/{}", order_of(asked)?);
        let order = self.get(self.shared.http.deadline(), &path).await?;
        seen::of_order(asked, &order)
    }

    /// Looks for an order by what it says of itself, among all that were made since, the newest first. That it is not there is
    /// said only when all were looked at.
    async fn found(&self, asked: &Asked) -> Result<Option<Seen>, CallFault> {
        if asked.payment.provider_ref.is_some() {
            return self.shown(asked).await.map(Some);
        }
        let by = self.shared.http.deadline();
        let since = asked.payment.created_at.micros() / 1_000_000 - SKEW;
        let mut next = String::new();
        loop {
            let page = self.get(by, &format!("/orders?limit={PAGE}{next}")).await?;
            let orders = each(&page, &["data"]);
            if let Some(order) = orders.iter().find(|order| seen::is_of(asked, order)) {
                return seen::of_order(asked, order).map(Some);
            }
            let has_more = page.get("has_more").and_then(Value::as_bool).ok_or_else(nonsense)?;
            let is_older =
                |order: &Value| whole(order, &["created_at"]).is_some_and(|at| at < since);
            let last = orders.last().filter(|order| has_more && !is_older(order));
            let Some(last) = last else { return Ok(None) };
            if by.is_over() {
                return Err(CallFault::Unknown(Reason::TooMuchToSearch.alone()));
            }
            let id = text(last, &["id"]).filter(|id| seen::is_plain(id)).ok_or_else(nonsense)?;
            next = format!("&next={id}");
        }
    }
}

impl Conekta {
    /// A page of the orders of a time, the newest first. Conekta may list older ones, too, which end the list.
    async fn listed(&self, asked: &ListAsked) -> Result<Listed, CallFault> {
        let by = self.shared.http.deadline();
        let second = |at: Timestamp| at.micros().div_euclid(1_000_000);
        let (from, to) = (second(asked.from), second(asked.to) + 1);
        let next = asked.cursor.as_ref().map(|id| format!("&next={id}")).unwrap_or_default();
        let path = format!("/orders?limit={PAGE}&created_at.gte={from}&created_at.lte={to}{next}");
        let page = self.get(by, &path).await?;
        let orders = each(&page, &["data"]);
        let mut payments = Vec::with_capacity(orders.len());
        for order in orders {
            let is_within = |at: Timestamp| asked.from <= at && at < asked.to;
            if !seen::created_at(order).is_none_or(is_within) {
                continue;
            }
            let whole = match seen::hides_refunds(order) {
                true => {
                    let id = text(order, &["id"]).filter(|id| seen::is_plain(id));
                    let id = id.ok_or_else(nonsense)?;
                    Some(self.get(by, &format!("/orders/{id}")).await?)
                }
                false => None,
            };
            payments.push(seen::of_listed(whole.as_ref().unwrap_or(order))?);
        }
        let has_more = page.get("has_more").and_then(Value::as_bool).ok_or_else(nonsense)?;
        let is_older = |order: &Value| seen::created_at(order).is_some_and(|at| at < asked.from);
        let last = orders.last().filter(|order| has_more && !is_older(order));
        let next = last.map(|last| {
            let id = text(last, &["id"]).filter(|id| seen::is_plain(id));
            id.map(str::to_owned).ok_or_else(nonsense)
        });
        Ok(Listed { payments, next: next.transpose()? })
    }
}

/// The order that a payment is known by.
fn order_of(asked: &Asked) -> Result<&str, CallFault> {
    // It stands in a path.
    let known = asked.payment.provider_ref.as_deref().filter(|id| seen::is_plain(id));
    known.ok_or_else(|| rejected("not_found", "There is no such payment."))
}

impl Gateway for Conekta {
    fn create(&self, asked: Asked) -> Calling<CallResult> {
        let provider = self.clone();
        Box::pin(async move { provider.created(&asked).await })
    }

    fn capture(&self, asked: Asked, amount: Amount) -> Calling<CallResult> {
        let provider = self.clone();
        Box::pin(async move { provider.captured(&asked, amount).await })
    }

    fn cancel(&self, asked: Asked) -> Calling<CallResult> {
        let provider = self.clone();
        Box::pin(async move { provider.cancelled(&asked).await })
    }

    fn refund(&self, asked: AskedRefund) -> Calling<Result<SeenRefund, CallFault>> {
        let provider = self.clone();
        Box::pin(async move { provider.refunded(&asked).await })
    }

    fn fetch(&self, asked: Asked) -> Calling<CallResult> {
        let provider = self.clone();
        Box::pin(async move { provider.shown(&asked).await })
    }

    fn find(&self, asked: Asked) -> Calling<Result<Option<Seen>, CallFault>> {
        let provider = self.clone();
        Box::pin(async move { provider.found(&asked).await })
    }

    fn verify(&self, received: &Received, _: Timestamp) -> Verified {
        sign::verify(self.public_key.as_deref(), received)
    }

    fn list(&self, asked: ListAsked) -> Calling<Result<Option<Listed>, CallFault>> {
        let provider = self.clone();
        Box::pin(async move { provider.listed(&asked).await.map(Some) })
    }
}
