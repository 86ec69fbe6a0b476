//! `/transfers`: goods on their way from one warehouse to another.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::StatusCode;
use inventory::{
    DispatchTransfer,
    transfer::{Arriving, TransferId},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    reply::{found, written},
    resources::approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
};
use body::ArrivalBody;
pub(super) use body::TransferBody;

const ALL: &str = TransferBody::PATH;
const ONE: &str = "/transfers/{id}";
const DISPATCH: &str = "/transfers/{id}/dispatch";
const RECEIVE: &str = "/transfers/{id}/receive";
const CANCEL: &str = "/transfers/{id}/cancel";
const ARRIVALS: &str = "/transfers/{id}/arrivals";
const ID: Segment<TransferId> = id(TransferId::PREFIX, TransferId::parse);

/// What was received of a transfer.
#[derive(Serialize, ToSchema)]
struct Arrivals {
    /// Each time that something was received, the oldest first.
    data: Vec<ArrivalBody>,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Warehouses,
            crud::list::<TransferBody, _, _>(forms::LIST, |services, account, query| {
                services.inventory.transfers(account, query)
            }),
        )
        .summary("List transfers")
        .describes("Newest first.")
        .pages::<TransferBody>("A page of transfers.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Warehouses,
            crud::create::<TransferBody, _, _, _>(forms::PLAN, |services, ctx, new| {
                services.inventory.plan_transfer(ctx, new)
            }),
        )
        .summary("Plan a transfer")
        .describes("A draft: nothing is set aside for it until it is dispatched.")
        .answers::<TransferBody>(201, "The draft.", examples::DRAFT),
        Endpoint::get(
            ONE,
            Scope::Warehouses,
            crud::show::<TransferBody, _, _>(ID, |services, account, id| {
                services.inventory.transfer(account, id)
            }),
        )
        .summary("Get a transfer")
        .answers::<TransferBody>(200, "The transfer.", examples::RECEIVED),
        Endpoint::post(DISPATCH, Scope::Warehouses, taking(ID, dispatch))
            .summary("Dispatch a transfer")
            .describes(
                "All of it leaves its warehouse, or none. From now on it is in transit: it belongs to neither warehouse and cannot be \
                 promised. Emits `inventory.low` for what falls below its threshold.",
            )
            .answers::<TransferBody>(200, "The transfer, `in_transit`.", examples::SENT)
            .or_accepts::<TicketBody>(
                "Rules want the transfer to be approved: it is dispatched once it is.",
                TICKET_EXAMPLE,
            )
            .refuses(&[Code::InsufficientStock, Code::InvalidTransition]),
        Endpoint::post(RECEIVE, Scope::Warehouses, taking((ID, json(forms::RECEIVE)), receive))
            .summary("Receive a transfer")
            .describes(
                "As often as something arrives. `received` goes on sale in the other warehouse; `damaged` goes to `quarantineId` or is \
                 written off; `lost` is written off; `found` has come though it was not sent. Each of the latter needs a `reason`. Of a \
                 line, what is received, damaged and lost is at most what is in transit. The transfer is `received` once nothing is in \
                 transit any more; with `final`, the rest is lost.",
            )
            .answers::<TransferBody>(200, "The transfer.", examples::RECEIVED)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::post(CANCEL, Scope::Warehouses, taking(ID, cancel))
            .summary("Cancel a transfer")
            .describes("What is still in transit goes back to the warehouse that it left.")
            .answers::<TransferBody>(200, "The transfer, `cancelled`.", examples::CANCELLED)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::get(ARRIVALS, Scope::Warehouses, taking(ID, arrivals))
            .summary("List what was received of a transfer")
            .describes("The oldest first, with the differences and their reasons.")
            .answers::<Arrivals>(200, "Each time that something was received.", examples::ARRIVALS),
    ]
}

async fn dispatch(call: Call, id: TransferId) -> Result<Answer, ApiError> {
    let command = DispatchTransfer { id, version: None };
    let sent = match passage(&call, &*call.services().dispatching_gate, &command).await?? {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => {
            written(call.services().inventory.dispatch_transfer(call.ctx()?, command)).await?
        }
    };
    Answer::acted::<TransferBody, _>(sent)
}

async fn receive(call: Call, (id, arriving): (TransferId, Arriving)) -> Result<Answer, ApiError> {
    let receiving = call.services().inventory.receive_transfer(call.ctx()?, id, arriving);
    Answer::acted::<TransferBody, _>(written(receiving).await?)
}

async fn cancel(call: Call, id: TransferId) -> Result<Answer, ApiError> {
    let done = written(call.services().inventory.cancel_transfer(call.ctx()?, id)).await?;
    Answer::acted::<TransferBody, _>(done)
}

async fn arrivals(call: Call, id: TransferId) -> Result<Answer, ApiError> {
    let arrivals = found(call.services().inventory.arrivals(call.account, id)).await?;
    let data = arrivals.into_iter().map(ArrivalBody::from).collect();
    Answer::json(StatusCode::OK, &Arrivals { data })
}
