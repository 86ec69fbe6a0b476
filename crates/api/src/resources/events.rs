//! Events: the catalog of event types, and a feed of what has happened.

mod catalog;
mod examples;
mod feed;
mod names;

use accounts::Scope;
use actix_web::http::StatusCode;
use webhooks::FeedQuery;

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, plain, query, taking},
    error::ApiError,
    reply::answered,
};
use catalog::CatalogBody;
use feed::FeedBody;
pub(super) use names::{event_name, topics};

const CATALOG: &str = "/webhooks/events";
const FEED: &str = "/events";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(CATALOG, Scope::Webhooks, plain(show_catalog))
            .summary("Get the event catalog")
            .describes(
                "Every event that a webhook can subscribe to, with its payload fields, the \
                 signature scheme and the retry schedule.",
            )
            .answers::<CatalogBody>(200, "The catalog.", examples::CATALOG),
        Endpoint::get(FEED, Scope::Webhooks, taking(query(feed::FEED), read_feed))
            .summary("List events")
            .describes(
                "The account's events, oldest first, in the form in which webhooks receive them. \
                 Use it to poll instead of running a webhook endpoint, or to catch up. Pass the \
                 `nextCursor` of each response as the `cursor` of the next request: immediately \
                 while `hasMore` is `true`, otherwise after a pause. A client that does so sees \
                 every event exactly once: each appears when its change is committed, and never \
                 behind the cursor. Events are retained for a limited time.",
            )
            .answers::<FeedBody>(200, "The next page of the feed.", examples::FEED),
    ]
}

async fn show_catalog(call: Call) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &CatalogBody::new(&call.context.settings))
}

async fn read_feed(call: Call, (query, list): (FeedQuery, u32)) -> Result<Answer, ApiError> {
    let after = query.after;
    let part = answered(call.services().webhooks.feed(call.account, query)).await?;
    Answer::json(StatusCode::OK, &FeedBody::new(part, after, list)?)
}
