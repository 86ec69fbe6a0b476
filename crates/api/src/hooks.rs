//! What payment providers tell by themselves. They have no key: a notification is told by its signature, or it only says
//! which payment to ask about.

use std::sync::Arc;

use actix_web::{
    http::{Method, StatusCode},
    web::Bytes,
};
use kernel::{AccountId, message};
use payments::{
    ProviderKind,
    notice::{NOTICE_BYTES_MAX, Received},
    service::Taken,
};
use serde_json::json;

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Segment, anything, card_free_notice, named_id, taking},
    error::{ApiError, Code},
    limits::{HookLimits, Rate},
    network::{ClientNetwork, client_of},
    reply::{answered, not_found},
    resources::PAYMENT_PROVIDER,
};

const PAYMENTS: &str = "/api/v1/hooks/payments/{provider}/{accountId}";
const ACCOUNT: Segment<AccountId> =
    named_id("accountId", "The account.", AccountId::PREFIX, AccountId::parse);
/// A provider sends for many accounts from a few addresses; nobody else needs as many.
const OF_ADDRESS: Rate = Rate::PerMinute(6_000);
/// The headers that a notification is told by.
const HEADERS: &[&str] = &[
    "content-type",
    "user-agent",
    "stripe-signature",
    "digest",
    "x-signature",
    "x-request-id",
    "sandbox-signature",
];

/// The endpoints without a key.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let limits = Arc::new(HookLimits::new());
    let takes = (PAYMENT_PROVIDER, ACCOUNT, card_free_notice(anything(NOTICE_BYTES_MAX)));
    let handler = taking(takes, move |call, named| take(call, named, Arc::clone(&limits)));
    vec![Endpoint::public(Method::POST, PAYMENTS, handler).limited(OF_ADDRESS)]
}

async fn take(
    call: Call<()>,
    (provider, account, body): (ProviderKind, AccountId, Bytes),
    limits: Arc<HookLimits>,
) -> Result<Answer, ApiError> {
    limits.count(account, provider)?;
    let received = Received {
        provider,
        query: call.request.query_string().to_owned(),
        headers: headers(&call),
        body: body.to_vec(),
    };
    let taken = answered(call.services().collector.notify(account, received, call.now)).await?;
    let refusal = match taken {
        Taken::Kept => return Answer::json(StatusCode::OK, &json!({})),
        Taken::Unknown => not_found(),
        Taken::Forged => ApiError::new(
            Code::Unauthorized,
            message!(
                "the signature is not the provider's: check the notificationSecret of the account",
                "la firma no es del proveedor: revise el notificationSecret de la cuenta"
            ),
        ),
        Taken::Unreadable => ApiError::new(
            Code::MalformedRequest,
            message!(
                "this is not a notification of the provider",
                "esto no es una notificación del proveedor"
            ),
        ),
    };
    let trusted = &call.context.settings.trusted_proxies;
    limits.count_forged(ClientNetwork::from(client_of(&call.request, trusted)))?;
    Err(refusal)
}

/// The headers that matter.
fn headers(call: &Call<()>) -> Vec<(String, String)> {
    let sent = |name: &&str| {
        let values = call.headers().get_all(*name).filter_map(|value| value.to_str().ok());
        let values: Vec<&str> = values.collect();
        (!values.is_empty()).then(|| ((*name).to_owned(), values.join(",")))
    };
    HEADERS.iter().filter_map(sent).collect()
}
