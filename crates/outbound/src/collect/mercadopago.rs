//! Mercado Pago.
//!
//! Cards and wallets are paid on its page, which a *preference* opens; cash and transfers are payments at once. A payment of
//! ours is known by the identifier of whichever was made. What payers do with a preference are payments of their own, which
//! name ours as their `external_reference`, and may be several.

mod asking;
mod faults;
mod seen;
mod sign;

use std::sync::Arc;

use hyper::body::Bytes;
use kernel::{Amount, Timestamp, reason::Reason};
use payments::{
    CallFault, CallResult, Calling, Credentials, Gateway, Method, Seen, SeenRefund, SeenState,
    gateway::{Asked, AskedRefund, ListAsked, Listed, Verified},
    notice::Received,
};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::{
    Shared,
    http::{Call, Deadline, bearer, nonsense, not_made},
    json::{each, owned},
};
use faults::rejected;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("x-idempotency-key");
/// The most payments that one page of a list holds.
const PAGE: usize = 100;
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An account with Mercado Pago.
#[derive(Clone)]
pub(super) struct MercadoPago {
    shared: Arc<Shared>,
    bearer: HeaderValue,
    /// What its notifications are signed with.
    secret: Option<Arc<str>>,
}

impl MercadoPago {
    pub(super) fn new(shared: Arc<Shared>, credentials: &Credentials) -> Result<Self, String> {
        let bearer = bearer(&credentials.key)?;
        let secret = credentials.notification_secret.as_deref().filter(|text| !text.is_empty());
        Ok(Self { shared, bearer, secret: secret.map(Arc::from) })
    }

    async fn get(&self, by: Deadline, path: &str) -> Result<Value, CallFault> {
        self.send(by, reqwest::Method::GET, path, None, None).await
    }

    /// Has something done, once under a key.
    async fn post(
        &self,
        by: Deadline,
        path: &str,
        body: &Value,
        key: &str,
    ) -> Result<Value, CallFault> {
        self.send(by, reqwest::Method::POST, path, Some(body), Some(key)).await
    }

    /// Has something be so, however often it is said.
    async fn put(&self, by: Deadline, path: &str, body: &Value) -> Result<Value, CallFault> {
        self.send(by, reqwest::Method::PUT, path, Some(body), None).await
    }

    async fn send(
        &self,
        by: Deadline,
        method: reqwest::Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Value, CallFault> {
        let mut headers = HeaderMap::from_iter([(AUTHORIZATION, self.bearer.clone())]);
        if let Some(key) = key {
            let key = HeaderValue::try_from(key);
            let unsendable = |_| CallFault::Unreachable(Reason::KeyUnsendable.alone());
            headers.insert(IDEMPOTENCY_KEY, key.map_err(unsendable)?);
        }
        if body.is_some() {
            headers.insert(CONTENT_TYPE, JSON);
        }
        let body = body.map(|body| Bytes::from(body.to_string()));
        let url = format!("{}{path}", self.shared.mercadopago_url);
        let call = Call { method, url, headers, body };
        faults::read(&self.shared.http.call(by, call).await?)
    }

    async fn created(&self, asked: &Asked) -> CallResult {
        let (by, key) = (self.shared.http.deadline(), asked.call.to_string());
        let told_at = self.shared.hook("mercadopago", asked);
        if asking::is_hosted(&asked.payment) {
            let body = asking::preference(asked, told_at);
            let page = self.post(by, "/checkout/preferences", &body, &key).await?;
            return seen::of_preference(asked, &page, &[]);
        }
        let body = asking::payment(asked, told_at)?;
        let made = self.post(by, "/v1/payments", &body, &key).await?;
        seen::of_payment(asked, &made)
    }

    async fn captured(&self, asked: &Asked, amount: Amount) -> CallResult {
        let by = self.shared.http.deadline();
        let held = self.payments(by, asked).await.map_err(not_made)?;
        let held = held.iter().find(|payment| seen::is(payment, "authorized"));
        let id = held.and_then(seen::id);
        let id = id.ok_or_else(|| rejected("not_authorized", "Nothing is authorized."))?;
        let _ = self.put(by, &format!("/v1/payments/{id}"), &asking::capture(amount)).await?;
        self.shown(by, asked).await
    }

    async fn cancelled(&self, asked: &Asked) -> CallResult {
        let by = self.shared.http.deadline();
        let id = self.provider_ref(asked)?;
        if seen::is_preference(id) {
            let path = format!("/checkout/preferences/{id}");
            let _ = self.put(by, &path, &asking::closing(asked.now)).await?;
        }
        for payment in self.payments(by, asked).await? {
            if seen::is_open(&payment)
                && let Some(id) = seen::id(&payment)
            {
                let _ = self.put(by, &format!("/v1/payments/{id}"), &asking::cancelling()).await?;
            }
        }
        let seen = self.shown(by, asked).await?;
        Ok(match seen.state {
            // Nobody can pay on a page that is closed.
            SeenState::RequiresAction(_) | SeenState::Expired => {
                Seen { state: SeenState::Canceled, ..seen }
            }
            _ => seen,
        })
    }

    async fn refunded(
        &self,
        AskedRefund { of, refund }: &AskedRefund,
    ) -> Result<SeenRefund, CallFault> {
        let by = self.shared.http.deadline();
        let payments = self.payments(by, of).await.map_err(not_made)?;
        if payments.iter().filter(|payment| seen::is_paid(payment)).count() > 1 {
            // A repetition might choose another one, and give it back twice.
            return Err(rejected(
                "not_refundable",
                "It was paid more than once on its page: give back what is too much on Mercado Pago's pages.",
            ));
        }
        let id = seen::refundable(&payments, refund.amount);
        let id = id.ok_or_else(|| {
            rejected("not_refundable", "No payment there has so much left to be given back.")
        })?;
        let path = format!("/v1/payments/{id}/refunds");
        let body = asking::refund(refund.amount);
        let made = self.post(by, &path, &body, &of.call.to_string()).await?;
        // Refunds say nothing of themselves there; this is the one that was asked for.
        let seen = seen::of_refund(&made).ok_or_else(nonsense)?;
        Ok(SeenRefund { refund: Some(refund.id), ..seen })
    }

    /// What the payment shows, with all that its payer has done.
    async fn shown(&self, by: Deadline, asked: &Asked) -> CallResult {
        let id = self.provider_ref(asked)?;
        if !seen::is_preference(id) {
            let payment = self.get(by, &format!("/v1/payments/{id}")).await?;
            return seen::of_payment(asked, &payment);
        }
        let page = self.get(by, &format!("/checkout/preferences/{id}")).await?;
        let payments = self.payments(by, asked).await?;
        seen::of_preference(asked, &page, &payments)
    }

    /// The payments that are this one of ours.
    async fn payments(&self, by: Deadline, asked: &Asked) -> Result<Vec<Value>, CallFault> {
        if let Some(id) = &asked.payment.provider_ref
            && !seen::is_preference(id)
        {
            let id = self.provider_ref(asked)?;
            return Ok(vec![self.get(by, &format!("/v1/payments/{id}")).await?]);
        }
        let id = asked.payment.id;
        let query = format!("external_reference={id}&sort=date_created&criteria=desc&limit=50");
        let found = self.get(by, &format!("/v1/payments/search?{query}")).await?;
        let is_list = found.get("results").is_some_and(Value::is_array);
        is_list.then(|| each(&found, &["results"]).to_vec()).ok_or_else(nonsense)
    }

    async fn found(&self, asked: &Asked) -> Result<Option<Seen>, CallFault> {
        let by = self.shared.http.deadline();
        if asked.payment.provider_ref.is_some() {
            return self.shown(by, asked).await.map(Some);
        }
        let payments = self.payments(by, asked).await?;
        if !asking::is_hosted(&asked.payment) {
            return payments.first().map(|payment| seen::of_payment(asked, payment)).transpose();
        }
        let path = format!("/checkout/preferences/search?external_reference={}", asked.payment.id);
        let pages = self.get(by, &path).await?;
        let Some(elements) = pages.get("elements").and_then(Value::as_array) else {
            return Err(nonsense());
        };
        let Some(id) = elements.first().and_then(|page| owned(page, &["id"])) else {
            return Ok(None);
        };
        if !seen::is_plain(&id) {
            return Err(nonsense());
        }
        let page = self.get(by, &format!("/checkout/preferences/{id}")).await?;
        seen::of_preference(asked, &page, &payments).map(Some)
    }

    /// A page of the payments of a time.
    async fn listed(&self, asked: &ListAsked) -> Result<Listed, CallFault> {
        let by = self.shared.http.deadline();
        let offset = asked.cursor.as_deref().map_or(Ok(0), str::parse::<usize>);
        let offset = offset.map_err(|_| nonsense())?;
        let query = asking::search(asked.from, asked.to, offset, PAGE);
        let page = self.get(by, &format!("/v1/payments/search?{query}")).await?;
        let Some(results) = page.get("results").and_then(Value::as_array) else {
            return Err(nonsense());
        };
        let total = page.get("paging").and_then(|paging| paging.get("total"));
        let total = total.and_then(Value::as_u64).and_then(|total| usize::try_from(total).ok());
        let total = total.ok_or_else(nonsense)?;
        let mut payments = Vec::with_capacity(results.len());
        for payment in results {
            let whole = match seen::hides_refunds(payment) {
                true => {
                    let id = seen::id(payment).filter(|id| seen::is_plain(id));
                    let id = id.ok_or_else(nonsense)?;
                    Some(self.get(by, &format!("/v1/payments/{id}")).await?)
                }
                false => None,
            };
            let theirs = seen::of_listed(whole.as_ref().unwrap_or(payment))?;
            // Both ends of the time are in its list.
            if theirs.created_at.is_some_and(|at| asked.from <= at && at < asked.to) {
                payments.push(theirs);
            }
        }
        let end = offset + results.len();
        let next = (end < total && !results.is_empty()).then(|| end.to_string());
        Ok(Listed { payments, next })
    }

    fn provider_ref<'a>(&self, asked: &'a Asked) -> Result<&'a str, CallFault> {
        let known = asked.payment.provider_ref.as_deref();
        // It stands in a path.
        let known = known.filter(|id| seen::is_plain(id));
        known.ok_or_else(|| rejected("not_found", "There is no such payment."))
    }
}

impl Gateway for MercadoPago {
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
        Box::pin(async move {
            let by = provider.shared.http.deadline();
            provider.shown(by, &asked).await
        })
    }

    fn find(&self, asked: Asked) -> Calling<Result<Option<Seen>, CallFault>> {
        let provider = self.clone();
        Box::pin(async move { provider.found(&asked).await })
    }

    fn verify(&self, received: &Received, _: Timestamp) -> Verified {
        sign::verify(self.secret.as_deref(), received)
    }

    fn list(&self, asked: ListAsked) -> Calling<Result<Option<Listed>, CallFault>> {
        let provider = self.clone();
        Box::pin(async move { provider.listed(&asked).await.map(Some) })
    }
}

/// Whether a method is paid on a page.
const fn is_paged(method: Method) -> bool {
    matches!(method, Method::Card | Method::Wallet)
}
