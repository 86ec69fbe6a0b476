//! `/requests`: what keys asked for.

mod body;
mod examples;
mod forms;

use accounts::RequestQuery;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{EVERYTHING, Endpoint, taking},
    error::ApiError,
    reply::answered,
    view::{View, viewed},
};
use body::RequestBody;

pub(super) fn endpoints() -> [Endpoint; 1] {
    [Endpoint::get(
        RequestBody::PATH,
        EVERYTHING,
        taking(viewed::<RequestBody, _>(forms::LIST), list),
    )
    .summary("List requests")
    .describes(
        "What the account's keys asked for in the last 30 days (unless the service is set otherwise), newest first, without \
         bodies and queries. A write or a \
         failure is a line of its own, up to 20 writes and 100 failures a second and node, shared by the keys that ask. \
         What is beyond them, reads that succeed and requests over a limit are counted by key, route, status and minute \
         (`count`), and shown when the minute is over. A node that is killed takes with it what it has not written down: \
         a second's lines at most, and a minute's counts.",
    )
    .pages::<RequestBody>("A page of requests.", examples::PAGE)]
}

async fn list(call: Call, (query, view): (RequestQuery, View)) -> Result<Answer, ApiError> {
    let log = &call.services().request_log;
    // What other nodes have noted follows within a second.
    drop(log.write_down().await);
    let asked = query.page.clone();
    let page = answered(log.requests(call.account, query)).await?;
    view.page::<RequestBody>(page, &asked)
}
