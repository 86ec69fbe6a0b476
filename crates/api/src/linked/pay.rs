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
use kernel::AccountId;
use links::{LinkKind, Token};
use payments::{PaymentLinkId, link::Offer};

use super::{followed, nothing, page, reader};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Handler, Segment, Waits, segment, taking, urlencoded},
    error::ApiError,
    limits::Rate,
    reply::answered,
    resources::path_of_link,
};

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
    let looks = |path, handler| Endpoint::public(Method::GET, path, handler).limited(LOOKS);
    let acts = |path, handler: Handler<()>| {
        Endpoint::public(Method::POST, path, handler).limited(TRIES).waits_for(Waits::Payment)
    };
    [
        looks(PAGE, taking(TOKEN, choice::show)),
        acts(ATTEMPTS, taking((TOKEN, urlencoded(choice::FORM)), choice::begin)),
        looks(ATTEMPT, taking((TOKEN, OWN_TOKEN), attempt::show)),
        acts(CANCEL, taking((TOKEN, OWN_TOKEN), attempt::cancel)),
        looks(BANK, taking((TOKEN, OWN_TOKEN), attempt::show_bank)),
        acts(BANK, taking((TOKEN, OWN_TOKEN, urlencoded(attempt::BANK_FORM)), attempt::decide)),
    ]
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
fn see(path: &str) -> Result<Answer, ApiError> {
    Answer::empty(StatusCode::SEE_OTHER).with(LOCATION, path)
}

/// Whether another site has sent the form. Browsers say `null` for our own, since our pages tell nobody where they lie.
fn is_foreign(call: &Call<()>) -> bool {
    let origin = call.headers().get(ORIGIN).filter(|origin| *origin != "null");
    origin.is_some_and(|origin| {
        [call.public_url(), call.origin()].iter().all(|own| own.as_bytes() != origin.as_bytes())
    })
}
