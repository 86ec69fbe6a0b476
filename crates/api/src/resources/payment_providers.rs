//! `/payments/providers`: the payment providers of an account.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use kernel::{PageRequest, Refused, message};
use payments::{ProviderAccount, ProviderKind, service::SetProvider};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, card_free, changes, query, segment, taking},
    error::{ApiError, Code},
    etag,
    page::{Way, page_of_all},
    reply::{answered, not_found, outcome},
};
pub(super) use body::InstallmentPlanBody;
use body::ProviderAccountBody;
use forms::Wanted;

const ALL: &str = ProviderAccountBody::PATH;
const ONE: &str = "/payments/providers/{provider}";
/// A provider in a path.
pub(crate) const PROVIDER: Segment<ProviderKind> =
    segment("provider", "The provider, e.g. `sandbox`.", parse_provider);

fn parse_provider(text: &str) -> Option<ProviderKind> {
    ProviderKind::EVERY.iter().copied().find(|kind| kind.name() == text)
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Payments, taking(query(forms::LIST), list))
            .summary("List payment providers")
            .describes("The providers that the account has set up. Keys and secrets are never shown.")
            .pages::<ProviderAccountBody>("A page of providers.", examples::PAGE),
        Endpoint::get(ONE, Scope::Payments, taking(PROVIDER, show))
            .of_only_one()
            .summary("Get a payment provider")
            .describes("A provider that the account has set up. Keys and secrets are never shown.")
            .answers::<ProviderAccountBody>(200, "The provider.", examples::PROVIDER),
        Endpoint::put(
            ONE,
            Scope::Payments,
            taking((PROVIDER, card_free(changes(forms::SET))), set),
        )
        .summary("Set a payment provider")
        .describes(
            "Sets a provider up, or changes how it is. `key` and `notificationSecret` are stored encrypted and never \
             shown; both are replaced together, and kept if `key` is omitted. With `default`, payments that name no \
             provider are made through it, instead of the one before. `manual` and `sandbox` need no key. Of two requests \
             that set it up at the same time the second is refused (412), as is one with `If-None-Match: *` where it is set \
             up already.",
        )
        .answers::<ProviderAccountBody>(200, "The updated provider.", examples::PROVIDER)
        .refuses(&[Code::ProviderNotConfigured]),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let providers = answered(call.services().payments.providers(call.account)).await?;
    let key = |provider: &ProviderAccount| provider.kind.name().to_owned();
    let page = page_of_all(providers, &asked, (forms::ORDER, Way::Up), key);
    Answer::page::<ProviderAccountBody>(page, &asked)
}

async fn known(call: &Call, kind: ProviderKind) -> Result<Option<ProviderAccount>, ApiError> {
    let providers = answered(call.services().payments.providers(call.account)).await?;
    Ok(providers.into_iter().find(|provider| provider.kind == kind))
}

async fn show(call: Call, kind: ProviderKind) -> Result<Answer, ApiError> {
    let provider = known(&call, kind).await?.ok_or_else(not_found)?;
    Answer::shown::<ProviderAccountBody>(call.headers(), provider)
}

async fn set(
    call: Call,
    (kind, (wanted, sent_back)): (ProviderKind, (Wanted, SentBack)),
) -> Result<Answer, ApiError> {
    let before = known(&call, kind).await?;
    call.expect_version(before.as_ref().map(|provider| provider.version))?;
    match before.clone() {
        Some(before) => crud::unchanged(&call, sent_back, &ProviderAccountBody::from(before))?,
        None => sent_back.refuse().map_err(|faults| ApiError::of_faults(&faults))?,
    }
    // Who has found none, or wants to, is not to write over what somebody else sets up meanwhile.
    let is_first = before.is_none() || etag::expects_nothing(call.headers());
    let is_default = wanted.is_default;
    let installments = wanted.installments(kind).map_err(|fault| ApiError::of_faults(&[fault]))?;
    let credentials = wanted.credentials(kind).map_err(|fault| ApiError::of_faults(&[fault]))?;
    let command = SetProvider { kind, credentials, is_default, installments };
    let version = match is_first {
        true => Some(ProviderAccount::NOT_SET_UP),
        false => call.expected_version(),
    };
    let setting = call.services().payments.set_provider(call.ctx()?, command, version);
    let set = match outcome(setting).await? {
        Err(Refused::Stale) if is_first => return Err(set_up_before()),
        set => set?.value,
    };
    let shown = ProviderAccountBody::from(set);
    Answer::json(StatusCode::OK, &shown)?.with(ETAG, shown.etag())
}

/// Somebody else has set it up.
fn set_up_before() -> ApiError {
    let message = message!(
        "the provider has been set up by another request; read it, then change it with If-Match",
        "otra solicitud ya configuró el proveedor; léalo y después cámbielo con If-Match"
    );
    ApiError::new(Code::PreconditionFailed, message)
}
