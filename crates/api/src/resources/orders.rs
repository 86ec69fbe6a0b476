//! `/orders`: placing orders and tracking them to delivery.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use orders::{OrderChanges, OrderId, OrderQuery, PlaceOrder, ReviseOrder};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{Endpoint, body, plain, query},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, written},
};
use body::OrderBody;

const ALL: &str = OrderBody::PATH;
const ONE: &str = "/orders/{id}";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Orders, query(forms::LIST, list))
            .summary("List orders")
            .describes("Newest first.")
            .answers::<PageOf<OrderBody>>(200, "A page of orders.", examples::PAGE),
        Endpoint::post(ALL, Scope::Orders, body(forms::PLACE, place))
            .summary("Place an order")
            .describes(
                "Places an order at current prices and reserves its stock atomically. Emits \
                 `order.created`, and `inventory.low` for each product whose stock falls below its \
                 threshold.",
            )
            .answers::<OrderBody>(201, "The new order, with status `pending`.", examples::ORDER)
            .refuses(&[Code::InsufficientStock]),
        Endpoint::get(ONE, Scope::Orders, plain(show))
            .summary("Get an order")
            .answers::<OrderBody>(200, "The order.", examples::ORDER),
        Endpoint::patch(ONE, Scope::Orders, body(forms::UPDATE, update))
            .summary("Update an order")
            .describes(
                "Changes the status or other details of an order. Allowed transitions are \
                 `pending` → `paid` → `shipped` → `delivered`. A `pending` order may also be \
                 `shipped` (cash on delivery); setting it to `paid` afterwards only records the \
                 payment in `paidAt`. `cancelled` can be reached from `pending` and, with \
                 `refund`, from `paid`; it returns the stock. A status change emits \
                 `order.updated` and, where one exists, its own event.",
            )
            .answers::<OrderBody>(200, "The updated order.", examples::PAID_ORDER)
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
    ]
}

async fn list(call: Call, query: OrderQuery) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().orders.list(call.account, query)).await?;
    Answer::page::<OrderBody>(page, &asked)
}

async fn place(call: Call, command: PlaceOrder) -> Result<Answer, ApiError> {
    let done = written(call.services().orders.place(call.ctx()?, command)).await?;
    Answer::created::<OrderBody>(done)
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(OrderId::parse)?;
    let order = found(call.services().orders.get(call.account, id)).await?;
    Answer::shown::<OrderBody>(&call, order)
}

async fn update(call: Call, changes: OrderChanges) -> Result<Answer, ApiError> {
    let id = call.id(OrderId::parse)?;
    let command = ReviseOrder { id, version: call.expected_version(), changes };
    let done = written(call.services().orders.update(call.ctx()?, command)).await?;
    Answer::changed::<OrderBody>(done)
}
