//! `/stock/counts`: what people count on the shelves of a warehouse.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use inventory::{
    PostCount,
    count::{CountId, CountLineQuery, Scan, Tallies},
};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    reply::{found, written},
    resources::approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
    view::{View, viewed},
};
pub(in crate::resources) use body::CountBody;
use body::CountLineBody;

const ALL: &str = CountBody::PATH;
const ONE: &str = "/stock/counts/{id}";
const LINES: &str = CountLineBody::PATH;
const SCAN: &str = "/stock/counts/{id}/scan";
const POST: &str = "/stock/counts/{id}/post";
const CANCEL: &str = "/stock/counts/{id}/cancel";
const ID: Segment<CountId> = id(CountId::PREFIX, CountId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Warehouses,
            crud::list::<CountBody, _, _>(forms::LIST, |services, account, query| {
                services.inventory.counts(account, query)
            }),
        )
        .summary("List stock counts")
        .describes("Newest first.")
        .pages::<CountBody>("A page of counts.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Warehouses,
            crud::create::<CountBody, _, _, _>(forms::OPEN, |services, ctx, new| {
                services.inventory.open_count(ctx, new)
            }),
        )
        .summary("Open a stock count")
        .describes(
            "A draft with a line for what is named in `items`, or for all that is on hand in the warehouse. Orders, shipments and \
             transfers go on meanwhile.",
        )
        .answers::<CountBody>(201, "The draft.", examples::DRAFT)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Warehouses,
            crud::show::<CountBody, _, _>(ID, |services, account, id| {
                services.inventory.count(account, id)
            }),
        )
        .summary("Get a stock count")
        .answers::<CountBody>(200, "The count.", examples::COUNTING),
        Endpoint::get(
            LINES,
            Scope::Warehouses,
            taking((ID, viewed::<CountLineBody, _>(forms::LINES)), lines),
        )
        .summary("List the lines of a stock count")
        .describes("The last one added first.")
        .pages::<CountLineBody>("A page of lines.", examples::LINES),
        Endpoint::put(LINES, Scope::Warehouses, taking((ID, json(forms::TALLY)), tally))
            .summary("Set what was counted")
            .describes(
                "Sets how many of each were counted on the shelf, with what is promised to orders: all lines, or none. It replaces \
                 what was counted before; `null` says that it was not counted after all. What is not in the count yet is added.",
            )
            .answers::<CountBody>(200, "The count.", examples::COUNTING)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::post(SCAN, Scope::Warehouses, taking((ID, json(forms::SCAN)), scan))
            .summary("Count what a scanner reads")
            .describes(
                "Adds to what was counted so far of the product or variant with this SKU or EAN, or of what the label of a scale is of, as `scaleCodes` of `/stock/settings` say. Once anything has left or come since, \
                 nobody can tell whether it was scanned, so it is refused with 409 `stock_moved`: scan all of it again, the first time \
                 with `restart`, or set the line with `PUT /stock/counts/{id}/lines`.",
            )
            .answers::<CountLineBody>(200, "The line.", examples::LINE)
            .refuses(&[Code::InvalidTransition, Code::StockMoved]),
        Endpoint::post(POST, Scope::Warehouses, taking((ID, json(forms::POST)), post))
            .summary("Post a stock count")
            .describes(
                "Records what was counted: each line changes what is available by the difference to what was on hand when it was \
                 counted, whatever has moved since. All lines, or none; with `items` those alone, and the count stays open. \
                 Refused for lines that were corrected since they were counted, and for what is promised to orders and was \
                 not found. What has left the catalog since is left out, and `leftOut` says how many lines. Emits `inventory.low` for what falls below its threshold.",
            )
            .answers::<CountBody>(200, "The count.", examples::POSTED)
            .or_accepts::<TicketBody>(
                "Rules want what was found to be approved: it is posted once it is, if nothing else is counted meanwhile.",
                TICKET_EXAMPLE,
            )
            .refuses(&[
                Code::InsufficientStock,
                Code::InvalidTransition,
                Code::StockMoved,
                Code::Conflict,
            ]),
        Endpoint::post(CANCEL, Scope::Warehouses, taking(ID, cancel))
            .summary("Cancel a stock count")
            .describes("Lines that were posted stay posted.")
            .answers::<CountBody>(200, "The count, `cancelled`.", examples::CANCELLED)
            .refuses(&[Code::InvalidTransition]),
    ]
}

async fn lines(
    call: Call,
    (id, (query, view)): (CountId, (CountLineQuery, View)),
) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = found(call.services().inventory.count_lines(call.account, id, query)).await?;
    view.page::<CountLineBody>(page, &asked)
}

async fn tally(call: Call, (id, tallies): (CountId, Tallies)) -> Result<Answer, ApiError> {
    let done = written(call.services().inventory.tally(call.ctx()?, id, tallies)).await?;
    Answer::changed::<CountBody>(done)
}

async fn scan(call: Call, (id, scan): (CountId, Scan)) -> Result<Answer, ApiError> {
    let scanning = call.services().inventory.scan(call.ctx()?, id, scan);
    Answer::acted::<CountLineBody, _>(written(scanning).await?)
}

async fn post(call: Call, (id, named): (CountId, forms::Wanted)) -> Result<Answer, ApiError> {
    let command = PostCount { id, named };
    let posted = match passage(&call, &*call.services().counting_gate, &command).await?? {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => {
            written(call.services().inventory.post_count(call.ctx()?, command)).await?
        }
    };
    Answer::acted::<CountBody, _>(posted)
}

async fn cancel(call: Call, id: CountId) -> Result<Answer, ApiError> {
    let done = written(call.services().inventory.cancel_count(call.ctx()?, id)).await?;
    Answer::acted::<CountBody, _>(done)
}
