//! Events: which there are, and a feed of those that happened.

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
                "Every event that a webhook can name, with the fields of its payload, how \
                 deliveries are signed and when they are attempted again.",
            )
            .answers::<CatalogBody>(200, "The catalog.", examples::CATALOG),
        Endpoint::get(FEED, Scope::Webhooks, taking(query(feed::FEED), read_feed))
            .summary("Read the feed of events")
            .describes(
                "The account's events, oldest first, each as it is delivered: for those who would \
                 rather ask than be told, and to catch up. Keep `nextCursor` of every answer and \
                 ask again with it as `cursor`, at once while `hasMore`, otherwise after a while. \
                 Whoever does so misses no event and gets none twice: events beside a transaction \
                 that is still open are held back until it ends, so one can appear a moment late, \
                 but never behind the cursor. Events are kept for a limited time.",
            )
            .answers::<FeedBody>(200, "The next part of the feed.", examples::FEED),
    ]
}

async fn show_catalog(call: Call) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &CatalogBody::new(&call.api.settings))
}

async fn read_feed(call: Call, query: FeedQuery) -> Result<Answer, ApiError> {
    let after = query.after;
    let part = answered(call.services().webhooks.feed(call.account, query)).await?;
    Answer::json(StatusCode::OK, &FeedBody::new(part, after)?)
}
