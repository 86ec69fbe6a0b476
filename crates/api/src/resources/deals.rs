//! `/crm/deals`: what may be sold to whom, and the board of a pipeline.

mod board;
mod body;
mod examples;
mod forms;
mod history;

use accounts::Scope;
use actix_web::http::StatusCode;
use crm::{Act, ActOnDeal, Deal, DealChanges, DealId, DealQuery, PipelineId, UpdateDeal};
use intake::SentBack;
use kernel::{FieldFault, PageRequest, message};

use super::pipelines::ready;
use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud::{self, unchanged},
    endpoint::{Endpoint, Segment, changes, id, json, query, taking},
    error::{ApiError, Code},
    reply::{answered, found, written},
    view::{View, view, viewed},
};
use board::BoardBody;
pub(super) use body::DealBody;
pub(super) use forms::{customer, day, deal, lead};
use history::HistoryBody;

const ALL: &str = DealBody::PATH;
const ONE: &str = "/crm/deals/{id}";
const BOARD: &str = "/crm/deals/board";
const HISTORY: &str = "/crm/deals/{id}/history";
const WIN: &str = "/crm/deals/{id}/win";
const LOSE: &str = "/crm/deals/{id}/lose";
const MOVE: &str = "/crm/deals/{id}/move";
const REOPEN: &str = "/crm/deals/{id}/reopen";
const ID: Segment<DealId> = id(DealId::PREFIX, DealId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    let acted = |endpoint: Endpoint| {
        endpoint.answers::<DealBody>(200, "The deal.", examples::DEAL).refuses(&[Code::Conflict])
    };
    let acts = [
        acted(
            Endpoint::post(WIN, Scope::Deals, taking((ID, json(forms::WIN)), act))
                .summary("Win a deal")
                .describes(
                    "Moves the deal to the first stage of kind `won`, or the one named. Emits `deal.won`; a deal that is won \
                     already is returned unchanged.",
                ),
        ),
        acted(
            Endpoint::post(LOSE, Scope::Deals, taking((ID, json(forms::LOSE)), act))
                .summary("Lose a deal")
                .describes(
                    "Moves the deal to the first stage of kind `lost`, or the one named. Emits `deal.lost`; a deal that is \
                     lost already is returned unchanged.",
                ),
        ),
        acted(
            Endpoint::post(MOVE, Scope::Deals, taking((ID, json(forms::MOVE)), act))
                .summary("Move a deal")
                .describes(
                    "Puts the deal in a stage, of its own or another pipeline, directly `before` or `after` another deal \
                     there, or behind all others. A stage of kind `won` wins it and one of kind `lost` loses it, with \
                     their events; one of kind `open` takes a closed deal up again. 409 if the deal beside it is not in \
                     that stage any more: read the board again.",
                ),
        ),
        acted(
            Endpoint::post(REOPEN, Scope::Deals, taking(ID, reopen))
                .summary("Reopen a deal")
                .describes(
                    "Moves a won or lost deal back to the stage that it left. It can be won again, which is told again. An \
                     open deal is returned unchanged.",
                ),
        ),
    ];
    records().into_iter().chain(acts).collect()
}

fn records() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Deals, taking(viewed::<DealBody, _>(forms::LIST), list))
            .summary("List deals")
            .describes("Newest first; with `sort=rank` the deals of one stage in the order that people gave them.")
            .pages::<DealBody>("A page of deals.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Deals,
            crud::create::<DealBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.deals.create(ctx, command)
            }),
        )
        .summary("Create a deal")
        .describes("Opens a deal behind all others of its stage.")
        .answers::<DealBody>(201, "The deal.", examples::DEAL),
        Endpoint::get(BOARD, Scope::Deals, taking(query(forms::BOARD), board))
            .summary("Get the board of a pipeline")
            .describes(
                "How many deals are in each stage and what they are worth, by currency, as of this moment: also weighted by \
                 the stage's probability. The deals of a stage are listed by `GET /crm/deals?stageId=…&sort=rank`.",
            )
            .answers::<BoardBody>(200, "The board.", examples::BOARD),
        Endpoint::get(ONE, Scope::Deals, taking((ID, view::<DealBody>()), show))
            .summary("Get a deal")
            .answers::<DealBody>(200, "The deal.", examples::DEAL),
        Endpoint::patch(ONE, Scope::Deals, taking((ID, changes(forms::UPDATE)), update))
            .summary("Update a deal")
            .describes(
                "Changes only the fields that are sent; `null` clears an optional field. Where it stands is changed by \
                 `/move`, `/win`, `/lose` and `/reopen`.",
            )
            .answers::<DealBody>(200, "The updated deal.", examples::DEAL),
        Endpoint::delete(
            ONE,
            Scope::Deals,
            crud::delete(ID, |services, ctx, id, version| services.deals.delete(ctx, id, version)),
        )
        .summary("Delete a deal")
        .describes(
            "Deletes a deal with its history and its activities; those that are about a lead or a customer as well stay. \
             The lead that it came from keeps its status and names no deal any more.",
        )
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
        Endpoint::get(HISTORY, Scope::Deals, taking((ID, query(forms::HISTORY)), history))
            .summary("List what has happened to a deal")
            .describes("Newest first; the order within a stage is not on record.")
            .pages::<HistoryBody>("A page of entries.", examples::HISTORY),
    ]
}

async fn list(call: Call, (query, view): (DealQuery, View)) -> Result<Answer, ApiError> {
    ready(&call).await?;
    let asked = query.page.clone();
    let page = answered(call.services().deals.list(call.account, query)).await?;
    view.page::<DealBody>(page, &asked)
}

async fn one(call: &Call, id: DealId) -> Result<Deal, ApiError> {
    ready(call).await?;
    found(call.services().deals.get(call.account, id)).await
}

async fn show(call: Call, (id, ((), view)): (DealId, ((), View))) -> Result<Answer, ApiError> {
    view.one(call.headers(), &DealBody::from(one(&call, id).await?))
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (DealId, (DealChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        unchanged(&call, sent_back, &DealBody::from(one(&call, id).await?))?;
    }
    let command = UpdateDeal { id, version: call.expected_version(), changes };
    let done = call.services().deals.update(call.ctx()?, command);
    Answer::changed::<DealBody>(written(done).await?)
}

async fn act(call: Call, (id, act): (DealId, Act)) -> Result<Answer, ApiError> {
    let done = call.services().deals.act(call.ctx()?, ActOnDeal { id, act });
    Answer::acted::<DealBody, _>(written(done).await?)
}

async fn reopen(call: Call, id: DealId) -> Result<Answer, ApiError> {
    act(call, (id, Act::Reopen)).await
}

async fn board(call: Call, pipeline: Option<PipelineId>) -> Result<Answer, ApiError> {
    ready(&call).await?;
    let board = answered(call.services().deals.board(call.account, pipeline)).await?;
    let board = board.ok_or_else(|| {
        let problem = message!(
            "names no pipeline of this account",
            "no corresponde a ningún embudo de esta cuenta"
        );
        ApiError::of_faults(&[FieldFault::new("pipelineId", problem)])
    })?;
    Answer::json(StatusCode::OK, &BoardBody::from(board))
}

async fn history(call: Call, (id, asked): (DealId, PageRequest)) -> Result<Answer, ApiError> {
    ready(&call).await?;
    let page = found(call.services().deals.history(call.account, id, asked.clone())).await?;
    Answer::page::<HistoryBody>(page, &asked)
}
