//! Keeping what is filled in, and keeping it no longer.

use accounts::{ParkError, Right, Scope};
use actix_web::http::StatusCode;

use crate::{
    answer::Answer,
    call::{Call, Member},
    csrf,
    failure::Failure,
    page::{Method, Page},
    parking::{self, PATH},
    router::{self, Found},
};

/// To do what is about nothing but oneself: that of every member.
const READ: Right = Right::read(Scope::Orders);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::post(PATH, READ, park), Page::post("forms/{once}/discard", READ, discard)]
}

/// Keeps a form, which is sent here as it would be to the path in the query, while it is filled in.
async fn park(call: Call<Member>) -> Result<Answer, Failure> {
    let panel = call.panel.clone();
    let action = call.query.get("of").ok_or(Failure::Nothing)?;
    let place = parking::place(&panel.inside, action).ok_or(Failure::Nothing)?;
    if !call.may(place.right) {
        return Err(Failure::NotAllowed);
    }
    let keeper = (call.account(), call.who.person.0.user.id);
    let query = parking::query(&call.referrer, &call.href(&place.shown));
    match (parking::form(&place, &call.sent, query, true), call.sent.once.clone()) {
        (Some(form), _) => {
            match parking::keep(call.services(), keeper, form, call.now()).await? {
                Ok(()) => {}
                Err(ParkError::TooLarge) => return Err(Failure::TooLarge),
                // What was sent meanwhile is kept no longer, whichever came first.
                Err(ParkError::Sent | ParkError::Full) => {
                    return Ok(Answer::page(StatusCode::CONFLICT, String::new()));
                }
            }
            if let Some(replaced) = call.sent.replaces.clone() {
                parking::forget(call.services(), keeper, replaced).await?;
            }
        }
        // There is nothing in it any more that may be kept.
        (None, Some(once)) => parking::forget(call.services(), keeper, once).await?,
        (None, None) => return Err(Failure::Nothing),
    }
    Ok(Answer::page(StatusCode::NO_CONTENT, String::new()))
}

async fn discard(call: Call<Member>) -> Result<Answer, Failure> {
    let once = call.parameter("once").to_owned();
    if !csrf::is_random(&once) {
        return Err(Failure::Nothing);
    }
    let keeper = (call.account(), call.who.person.0.user.id);
    parking::forget(call.services(), keeper, once).await?;
    let page = call.query.get("page").unwrap_or_default();
    let is_shown = matches!(router::find(&call.panel.inside, Method::Get, page), Found::Page(..));
    Ok(call.done_at(if is_shown { page } else { "" }, "form.discarded"))
}
