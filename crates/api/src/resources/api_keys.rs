//! `/api-keys`: the keys of an account, for those who automate.

mod body;
mod examples;
mod forms;

use accounts::{ApiKey, ApiKeyId, ApiKeyQuery, Overlap};
use kernel::{Done, Mode, message};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{EVERYTHING, Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    reply::{answered, found, written},
    view::{View, view, viewed},
};
use body::{ApiKeyBody, IssuedBody};
use forms::WantedKey;

const ALL: &str = ApiKeyBody::PATH;
const ONE: &str = "/api-keys/{id}";
const ROTATE: &str = "/api-keys/{id}/rotate";
const ID: Segment<ApiKeyId> = id(ApiKeyId::PREFIX, ApiKeyId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, EVERYTHING, taking(viewed::<ApiKeyBody, _>(forms::LIST), list))
            .summary("List API keys")
            .describes("Newest first, revoked and expired ones included, without their texts.")
            .pages::<ApiKeyBody>("A page of keys.", examples::PAGE),
        Endpoint::post(ALL, EVERYTHING, taking(json(forms::CREATE), create))
            .summary("Create an API key")
            .describes(
                "The `key` itself is in this answer and in no other: only a digest of it is kept. It cannot be given more than \
                 the key that makes it has itself: the right to approve, requests per hour, time. With `mode` `test` it \
                 opens the test account, which is opened with it if there is none yet.",
            )
            .answers::<IssuedBody>(201, "The new key.", examples::ISSUED)
            .refuses(&[Code::Conflict, Code::Forbidden]),
        Endpoint::get(ONE, EVERYTHING, taking((ID, view::<ApiKeyBody>()), show))
            .summary("Get an API key")
            .describes("Does not include the key itself.")
            .answers::<ApiKeyBody>(200, "The key.", examples::KEY),
        Endpoint::delete(ONE, EVERYTHING, taking(ID, revoke))
            .summary("Revoke an API key")
            .describes(
                "The key opens nothing any more, at once and for good. It stays in the list, with `revokedAt`.",
            )
            .answers::<ApiKeyBody>(200, "The revoked key.", examples::REVOKED)
            .refuses(&[Code::Conflict, Code::Forbidden]),
        Endpoint::post(ROTATE, EVERYTHING, taking((ID, json(forms::ROTATE)), rotate))
            .summary("Rotate an API key")
            .describes(
                "Gives the key another text, which is in this answer and in no other; its id, scopes and rules stay. The \
                 text of before opens what it did until `previousExpiresAt`, so that programs can be moved one after the other.",
            )
            .answers::<IssuedBody>(200, "The key with its new text.", examples::ROTATED)
            .refuses(&[Code::Conflict, Code::Forbidden]),
    ]
}

/// Refuses the text that a key had before its last rotation: who has got hold of it must not outlast it.
fn with_present_text(call: &Call) -> Result<(), ApiError> {
    if call.key.as_ref().is_none_or(|key| !key.is_by_previous_text) {
        return Ok(());
    }
    Err(ApiError::new(
        Code::Forbidden,
        message!(
            "this key was rotated, and the text of before makes and changes no keys; use the new one",
            "esta clave fue rotada, y con su texto anterior no se crean ni se cambian claves; use el nuevo"
        ),
    ))
}

/// What the account of the call is for.
async fn own_mode(call: &Call) -> Result<Mode, ApiError> {
    let account = found(call.services().accounts.account(call.account)).await?;
    Ok(account.mode())
}

/// What a key is for that the account of the call has: its own, or one of its test account.
fn mode_of(call: &Call, own: Mode, key: &ApiKey) -> Mode {
    if key.account == call.account { own } else { Mode::Test }
}

async fn list(call: Call, (query, view): (ApiKeyQuery, View)) -> Result<Answer, ApiError> {
    let own = own_mode(&call).await?;
    let asked = query.page.clone();
    let page = answered(call.services().api_keys.api_keys(call.account, query, call.now)).await?;
    let page = page.map(|key| {
        let mode = mode_of(&call, own, &key);
        (key, mode)
    });
    view.page::<ApiKeyBody>(page, &asked)
}

async fn show(call: Call, (id, ((), view)): (ApiKeyId, ((), View))) -> Result<Answer, ApiError> {
    let key = found(call.services().api_keys.api_key(call.account, id)).await?;
    let mode = mode_of(&call, own_mode(&call).await?, &key);
    view.one(call.headers(), &ApiKeyBody::from((key, mode)))
}

async fn create(call: Call, wanted: WantedKey) -> Result<Answer, ApiError> {
    with_present_text(&call)?;
    let own = own_mode(&call).await?;
    let mode = wanted.mode.unwrap_or(own);
    let services = call.services();
    if (own, mode) == (Mode::Live, Mode::Test) {
        written(services.test_accounts.open(call.account, call.now)).await?;
    }
    let maker = services.key_maker.clone();
    let done = written(services.api_keys.grant(call.ctx()?, mode, wanted.key, maker)).await?;
    Answer::created::<IssuedBody>(Done { value: (done.value, mode), replayed: done.replayed })
}

async fn rotate(call: Call, (id, overlap): (ApiKeyId, Overlap)) -> Result<Answer, ApiError> {
    with_present_text(&call)?;
    let own = own_mode(&call).await?;
    let services = call.services();
    let maker = services.key_maker.clone();
    let done = written(services.api_keys.rotate(call.ctx()?, id, overlap, maker)).await?;
    let mode = mode_of(&call, own, &done.value.key);
    Answer::acted::<IssuedBody, _>(Done { value: (done.value, mode), replayed: done.replayed })
}

async fn revoke(call: Call, id: ApiKeyId) -> Result<Answer, ApiError> {
    with_present_text(&call)?;
    let own = own_mode(&call).await?;
    let revoking = call.services().api_keys.revoke(call.ctx()?, id, call.expected_version());
    let done = written(revoking).await?;
    let mode = mode_of(&call, own, &done.value);
    Answer::changed::<ApiKeyBody>(Done { value: (done.value, mode), replayed: done.replayed })
}
