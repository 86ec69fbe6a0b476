//! Paying by a link: `/pay/{token}`, and below it the page of each attempt.
//!
//! Reading a page changes nothing. Whoever begins to pay sends the form that they were shown: the same form sent twice is
//! one attempt. What a provider sends a payer back with proves nothing: the page shows what is on record.

mod attempt;
mod bill;
mod choice;

use actix_web::http::{
    Method, StatusCode,
    header::{LOCATION, ORIGIN},
};
use kernel::{AccountId, Language};
use links::{LinkKind, Token};
use payments::{PaymentLinkId, link::Offer};

use super::{followed, nothing, page, reader, refused};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Handler, Segment, Waits, segment, taking, urlencoded},
    error::ApiError,
    limits::Rate,
    reply::answered,
    resources::path_of_link,
};

/// Where the pages of links lie.
const PAGES: &str = "/pay";
const PAGE: &str = "/pay/{token}";
const ATTEMPTS: &str = "/pay/{token}/attempts";
const ATTEMPT: &str = "/pay/{token}/a/{attempt}";
const CANCEL: &str = "/pay/{token}/a/{attempt}/cancel";
const BANK: &str = "/pay/{token}/a/{attempt}/bank";

const TOKEN: Segment<Option<Token>> =
    segment("token", "The token of the payment link.", |text| Some(Token::parse(text)));
const OWN_TOKEN: Segment<Option<Token>> =
    segment("attempt", "The token of the attempt.", |text| Some(Token::parse(text)));
/// Who waits for a transfer looks often.
const LOOKS: Rate = Rate::PerMinute(120);
/// Nobody begins to pay more often.
const TRIES: Rate = Rate::PerMinute(10);

/// The endpoints without a key.
pub(super) fn endpoints() -> [Endpoint; 6] {
    let looks = |path, handler| {
        Endpoint::public(Method::GET, path, handler).limited(LOOKS).refused_by(refused)
    };
    let acts = |path, handler: Handler<()>| {
        let endpoint = Endpoint::public(Method::POST, path, handler).limited(TRIES);
        endpoint.waits_for(Waits::Payment).refused_by(refused)
    };
    [
        looks(PAGE, taking(TOKEN, |call, token| told(reader_of(&call), choice::show(call, token)))),
        acts(
            ATTEMPTS,
            taking((TOKEN, urlencoded(choice::FORM)), |call, sent| {
                told(reader_of(&call), choice::begin(call, sent))
            }),
        ),
        looks(
            ATTEMPT,
            taking((TOKEN, OWN_TOKEN), |call, tokens| {
                told(reader_of(&call), attempt::show(call, tokens))
            }),
        ),
        acts(
            CANCEL,
            taking((TOKEN, OWN_TOKEN), |call, tokens| {
                told(reader_of(&call), attempt::cancel(call, tokens))
            }),
        ),
        looks(
            BANK,
            taking((TOKEN, OWN_TOKEN), |call, tokens| {
                told(reader_of(&call), attempt::show_bank(call, tokens))
            }),
        ),
        acts(
            BANK,
            taking((TOKEN, OWN_TOKEN, urlencoded(attempt::BANK_FORM)), |call, sent| {
                told(reader_of(&call), attempt::decide(call, sent))
            }),
        ),
    ]
}

fn reader_of(call: &Call<()>) -> Language {
    reader(call.headers())
}

/// What came of a call, as a page in every case: whoever pays cannot read an error of the API.
async fn told(
    language: Language,
    serving: impl Future<Output = Result<Answer, ApiError>>,
) -> Result<Answer, ApiError> {
    match serving.await {
        Err(ApiError { code, message, cause, .. }) => {
            let cause = cause.unwrap_or_else(|| message.to_string());
            tracing::error!(error = code.name(), cause, "a page for a payer could not be served");
            page(StatusCode::SERVICE_UNAVAILABLE, pages::unavailable(language), language)
        }
        answered => answered,
    }
}

/// A link that somebody holds.
struct Holding {
    account: AccountId,
    token: Token,
    offer: Offer,
}

impl Holding {
    /// Where its page lies.
    fn path(&self) -> String {
        path_of_link(LinkKind::Payment, &self.token)
    }
}

/// The link that a token leads to.
async fn held(call: &Call<()>, token: Option<Token>) -> Result<Option<Holding>, ApiError> {
    let Some(token) = token else { return Ok(None) };
    let Some((account, subject)) = followed(call, Some(token.clone()), LinkKind::Payment).await?
    else {
        return Ok(None);
    };
    let Some(id) = PaymentLinkId::parse(&subject) else { return Ok(None) };
    let offer = answered(call.services().payment_links.offer(account, id, call.now)).await?;
    Ok(offer.map(|offer| Holding { account, token, offer }))
}

/// Another page, to be read.
pub(super) fn see(path: &str) -> Result<Answer, ApiError> {
    Answer::empty(StatusCode::SEE_OTHER).with(LOCATION, path)
}

/// Whether another site has sent the form. Browsers say `null` for our own, since our pages tell nobody where they lie.
pub(super) fn is_foreign(call: &Call<()>) -> bool {
    let origin = call.headers().get(ORIGIN).filter(|origin| *origin != "null");
    origin.is_some_and(|origin| {
        [call.public_url(), call.origin()].iter().all(|own| own.as_bytes() != origin.as_bytes())
    })
}
