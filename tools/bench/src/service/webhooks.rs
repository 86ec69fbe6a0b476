//! What the service needs to be told for its webhooks, and how endpoints are made known to it.

use anyhow::{Context, ensure};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::ApiClient;
use super::client::text_field;
use super::process::ServiceOptions;
use crate::receiver::Receiver;

/// Whether a server delivers by itself.
pub(crate) const DELIVER: &str = "TRASTIENDA_DELIVER";
/// Seconds before each attempt.
pub(crate) const SCHEDULE: &str = "TRASTIENDA_DELIVERY_SCHEDULE_SECONDS";
const ALLOW_LOCAL: &str = "TRASTIENDA_ALLOW_LOCAL_ENDPOINTS";
const MASTER_KEY: &str = "TRASTIENDA_MASTER_KEY";
const MASTER_KEY_BYTES: usize = 32;

/// An endpoint that the service has been told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subscription {
    pub(crate) id: String,
    /// Its path at the receiver.
    pub(crate) path: String,
}

/// The same options with what deliveries to this machine need. All processes on one database must be
/// given the same options, for the master key in them.
pub(crate) fn for_webhooks(options: &ServiceOptions) -> anyhow::Result<ServiceOptions> {
    let mut key = [0; MASTER_KEY_BYTES];
    let filled = SystemRandom::new().fill(&mut key);
    ensure!(filled.is_ok(), "this machine gives no random numbers");
    Ok(options.with(ALLOW_LOCAL, "true").with(MASTER_KEY, &BASE64_STANDARD.encode(key)))
}

/// What orders are told by.
pub(crate) const ORDERS: &[&str] = &["order.created"];

/// Has events of an account sent to an endpoint of the receiver, which checks the signatures of those of orders.
pub(crate) async fn subscribe(
    client: &mut ApiClient,
    receiver: &Receiver,
    target: &str,
    events: &[&str],
) -> anyhow::Result<Subscription> {
    let body = json!({"url": receiver.url(target), "events": events}).to_string();
    let made = client.create_whole("/api/v1/webhooks", &body).await?;
    let secret = text_field(&made, "secret");
    ensure!(!secret.is_empty(), "a webhook without a secret");
    receiver.expect(target, &secret).await?;
    let path = target.split('?').next().unwrap_or_default().to_owned();
    Ok(Subscription { id: text_field(&made, "id"), path })
}

/// How many deliveries of a subscription are in this state.
pub(crate) async fn deliveries(
    client: &mut ApiClient,
    subscription: &Subscription,
    state: &str,
) -> anyhow::Result<u64> {
    let id = &subscription.id;
    let path = format!("/api/v1/webhooks/{id}/deliveries?state={state}&limit=1");
    let page = client.get(&path).await?;
    page.get("total").and_then(Value::as_u64).with_context(|| format!("no total in {page}"))
}
