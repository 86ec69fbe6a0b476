//! Stripe, by its API of one version.
//!
//! A payment is a `PaymentIntent`, or a Checkout Session where the payer is sent to Stripe's page (a card payment with
//! `return_url`). The payment is known by the identifier of whichever was made, `pi_…` or `cs_…`, for ever: the intent of a
//! session, which comes to be when the payer pays, is looked up in its session.

mod asking;
mod faults;
mod finding;
mod seen;
mod sign;

use std::sync::Arc;

use hyper::body::Bytes;
use kernel::{Amount, Timestamp, reason::Reason};
use payments::{
    CallFault, CallId, CallResult, Calling, Credentials, Gateway, Method, Seen, SeenRefund,
    SeenState,
    gateway::{Asked, AskedRefund, ListAsked, Listed, Verified},
    notice::Received,
};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::{
    Shared,
    http::{Call, Deadline, bearer, not_made},
    json::{owned, text},
    money::to_minor,
};
use asking::Form;

/// The version that all answers are of.
const VERSION: HeaderValue = HeaderValue::from_static("2026-06-24.dahlia");
const STRIPE_VERSION: HeaderName = HeaderName::from_static("stripe-version");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

/// An account with Stripe.
#[derive(Clone)]
pub(super) struct Stripe {
    shared: Arc<Shared>,
    bearer: HeaderValue,
    /// What its notifications are signed with.
    secret: Option<Arc<str>>,
}

impl Stripe {
    pub(super) fn new(shared: Arc<Shared>, credentials: &Credentials) -> Result<Self, String> {
        let bearer = bearer(&credentials.key)?;
        let secret = credentials.notification_secret.as_deref().filter(|text| !text.is_empty());
        Ok(Self { shared, bearer, secret: secret.map(Arc::from) })
    }

    /// Reads something.
    async fn get(&self, by: Deadline, path: &str, query: &Form) -> Result<Value, CallFault> {
        let url = format!("{}{path}?{}", self.shared.stripe_url, query.encoded());
        let call = Call { method: reqwest::Method::GET, url, headers: self.headers(), body: None };
        faults::read(&self.shared.http.call(by, call).await?)
    }

    /// Has something done, once under a key.
    async fn post(
        &self,
        by: Deadline,
        path: &str,
        form: &Form,
        key: &str,
    ) -> Result<Value, CallFault> {
        let mut headers = self.headers();
        headers.insert(CONTENT_TYPE, FORM);
        let key = HeaderValue::try_from(key);
        let key = key.map_err(|_| CallFault::Unreachable(Reason::KeyUnsendable.alone()))?;
        headers.insert(IDEMPOTENCY_KEY, key);
        let url = format!("{}{path}", self.shared.stripe_url);
        let body = Some(Bytes::from(form.encoded()));
        let call = Call { method: reqwest::Method::POST, url, headers, body };
        faults::read(&self.shared.http.call(by, call).await?)
    }

    fn headers(&self) -> HeaderMap {
        HeaderMap::from_iter([(AUTHORIZATION, self.bearer.clone()), (STRIPE_VERSION, VERSION)])
    }

    async fn created(&self, asked: &Asked) -> CallResult {
        let (by, key) = (self.shared.http.deadline(), asked.call.to_string());
        if asking::is_hosted(&asked.payment) {
            let form = asking::session(asked);
            let session = self.post(by, "/v1/checkout/sessions", &form, &key).await?;
            return seen::of_session(asked, &session);
        }
        let form = match asked.payment.method {
            Method::Card => asking::card(asked),
            Method::Oxxo => asking::oxxo(asked)?,
            Method::Spei => asking::spei(asked, &self.customer(by, asked).await?),
            _ => {
                return Err(faults::rejected("invalid_request", "Stripe has no such method here."));
            }
        };
        let intent = self.post(by, "/v1/payment_intents", &form, &key).await?;
        seen::of_intent(asked, &intent)
    }

    /// A customer of the payment's own, so that nobody else pays into its account.
    async fn customer(&self, by: Deadline, asked: &Asked) -> Result<String, CallFault> {
        let (form, key) = (asking::customer(asked), format!("{}-customer", asked.call));
        let made = self.post(by, "/v1/customers", &form, &key).await.map_err(not_made)?;
        owned(&made, &["id"]).ok_or_else(|| not_made(super::http::nonsense()))
    }

    async fn captured(&self, asked: &Asked, amount: Amount) -> CallResult {
        let by = self.shared.http.deadline();
        let intent = self.intent(by, asked).await.map_err(not_made)?;
        let mut form = Form::with_details("");
        form.add("amount_to_capture", &to_minor(amount, asked.payment.currency));
        let path = format!("/v1/payment_intents/{intent}/capture");
        let intent = self.post(by, &path, &form, &asked.call.to_string()).await?;
        Ok(named(asked, seen::of_intent(asked, &intent)?))
    }

    async fn cancelled(&self, asked: &Asked) -> CallResult {
        let (by, key) = (self.shared.http.deadline(), asked.call.to_string());
        let id = self.provider_ref(by, asked).await.map_err(not_made)?;
        if seen::is_session(&id) {
            let session = self.session(by, &id).await.map_err(not_made)?;
            if text(&session, &["status"]) == Some("open") {
                let path = format!("/v1/checkout/sessions/{id}/expire");
                let session = self.post(by, &path, &Form::default(), &key).await?;
                let seen = seen::of_session(asked, &session)?;
                return Ok(match seen.state {
                    SeenState::Expired => Seen { state: SeenState::Canceled, ..seen },
                    _ => seen,
                });
            }
        }
        let intent = self.intent(by, asked).await.map_err(not_made)?;
        let path = format!("/v1/payment_intents/{intent}/cancel");
        let intent = self.post(by, &path, &Form::with_details(""), &key).await?;
        Ok(named(asked, seen::of_intent(asked, &intent)?))
    }

    async fn refunded(
        &self,
        AskedRefund { of, refund }: &AskedRefund,
    ) -> Result<SeenRefund, CallFault> {
        let by = self.shared.http.deadline();
        let intent = self.intent(by, of).await.map_err(not_made)?;
        let form = asking::refund(of, refund, &intent);
        let made = self.post(by, "/v1/refunds", &form, &of.call.to_string()).await?;
        seen::of_refund(&made).ok_or_else(super::http::nonsense)
    }

    async fn fetched(&self, asked: &Asked) -> CallResult {
        let by = self.shared.http.deadline();
        let id = self.provider_ref(by, asked).await?;
        self.shown(by, asked, &id).await
    }

    /// What a payment shows that is known there by this identifier, with every refund of it.
    async fn shown(&self, by: Deadline, asked: &Asked, id: &str) -> CallResult {
        let (object, intent) = match seen::is_session(id) {
            true => {
                let session = self.session(by, id).await?;
                let intent = session.get("payment_intent").cloned();
                (session, intent)
            }
            false => {
                let path = format!("/v1/payment_intents/{id}");
                let intent = self.get(by, &path, &Form::with_details("")).await?;
                (intent.clone(), Some(intent))
            }
        };
        let mut seen = seen::of(asked, &object)?;
        if let Some(intent) = intent.filter(seen::has_more_refunds) {
            seen.refunds = self.all_refunds(by, &intent).await?;
        }
        Ok(named(asked, seen))
    }

    async fn session(&self, by: Deadline, id: &str) -> Result<Value, CallFault> {
        let path = format!("/v1/checkout/sessions/{id}");
        self.get(by, &path, &Form::with_details("payment_intent.")).await
    }

    /// The identifier of the intent, which that of a session leads to.
    async fn intent(&self, by: Deadline, asked: &Asked) -> Result<String, CallFault> {
        let id = self.provider_ref(by, asked).await?;
        if !seen::is_session(&id) {
            return Ok(id);
        }
        let session = self.session(by, &id).await?;
        let intent = owned(&session, &["payment_intent", "id"]);
        intent.ok_or_else(|| faults::rejected("not_open", "The payer has not paid yet."))
    }

    /// What the payment is known by; a payment whose answer was lost is looked for.
    async fn provider_ref(&self, by: Deadline, asked: &Asked) -> Result<String, CallFault> {
        let known = asked.payment.provider_ref.clone();
        let id = match known {
            Some(id) => Some(id),
            None => self.looked_for(by, asked).await?,
        };
        let id = id.ok_or_else(|| faults::rejected("not_found", "There is no such payment."))?;
        // It stands in a path.
        let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match is_plain {
            true => Ok(id),
            false => Err(faults::rejected("not_found", "The identifier is not Stripe's.")),
        }
    }
}

impl Gateway for Stripe {
    fn create(&self, asked: Asked) -> Calling<CallResult> {
        let stripe = self.clone();
        Box::pin(async move { stripe.created(&asked).await })
    }

    fn capture(&self, asked: Asked, amount: Amount) -> Calling<CallResult> {
        let stripe = self.clone();
        Box::pin(async move { stripe.captured(&asked, amount).await })
    }

    fn cancel(&self, asked: Asked) -> Calling<CallResult> {
        let stripe = self.clone();
        Box::pin(async move { stripe.cancelled(&asked).await })
    }

    fn refund(&self, asked: AskedRefund) -> Calling<Result<SeenRefund, CallFault>> {
        let stripe = self.clone();
        Box::pin(async move { stripe.refunded(&asked).await })
    }

    fn fetch(&self, asked: Asked) -> Calling<CallResult> {
        let stripe = self.clone();
        Box::pin(async move { stripe.fetched(&asked).await })
    }

    fn find(&self, asked: Asked) -> Calling<Result<Option<Seen>, CallFault>> {
        let stripe = self.clone();
        Box::pin(async move { stripe.found(&asked).await })
    }

    fn verify(&self, received: &Received, now: Timestamp) -> Verified {
        sign::verify(self.secret.as_deref(), received, now)
    }

    fn list(&self, asked: ListAsked) -> Calling<Result<Option<Listed>, CallFault>> {
        let stripe = self.clone();
        Box::pin(async move { stripe.listed(&asked).await.map(Some) })
    }
}

/// What is seen, under the identifier that the payment is known by: its intent's is not the one of its page.
fn named(asked: &Asked, seen: Seen) -> Seen {
    let known = asked.payment.provider_ref.clone();
    Seen { provider_ref: known.unwrap_or_else(|| seen.provider_ref.clone()), ..seen }
}

/// What every object of a payment says it belongs to.
fn metadata(form: &mut Form, prefix: &str, asked: &Asked, call: CallId) {
    let name = |name: &str| match prefix {
        "" => format!("metadata[{name}]"),
        _ => format!("{prefix}[metadata][{name}]"),
    };
    form.add(&name("account"), &asked.account);
    form.add(&name("payment"), &asked.payment.id);
    form.add(&name("call"), &call);
}
