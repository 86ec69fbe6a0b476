//! `/orders`: placing orders and tracking them to delivery.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use orders::{OrderId, ReviseOrder};

use crate::{
    answer::Resource,
    crud,
    endpoint::{Endpoint, Segment, id},
    error::Code,
    etag::ETag,
    page::PageOf,
};
use body::OrderBody;

const ALL: &str = OrderBody::PATH;
const ONE: &str = "/orders/{id}";
const ID: Segment<OrderId> = id(OrderId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Orders,
            crud::list::<OrderBody, _, _>(forms::LIST, |services, account, query| {
                services.orders.list(account, query)
            }),
        )
        .summary("List orders")
        .describes("Newest first.")
        .answers::<PageOf<OrderBody>>(200, "A page of orders.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Orders,
            crud::create::<OrderBody, _, _, _>(forms::PLACE, |services, ctx, command| {
                services.orders.place(ctx, command)
            }),
        )
        .summary("Place an order")
        .describes(
            "Places an order at current prices and reserves its stock atomically. Emits \
                 `order.created`, and `inventory.low` for each product whose stock falls below its \
                 threshold.",
        )
        .answers::<OrderBody>(201, "The new order, with status `pending`.", examples::ORDER)
        .refuses(&[Code::InsufficientStock]),
        Endpoint::get(
            ONE,
            Scope::Orders,
            crud::show::<OrderBody, _, _>(ID, |services, account, id| {
                services.orders.get(account, id)
            }),
        )
        .summary("Get an order")
        .answers::<OrderBody>(200, "The order.", examples::ORDER),
        Endpoint::patch(
            ONE,
            Scope::Orders,
            crud::update::<OrderBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.orders.get(account, id),
                |services, ctx, (id, tag), changes| {
                    services.orders.update(
                        ctx,
                        ReviseOrder { id, version: tag.map(ETag::of_version), changes },
                    )
                },
            ),
        )
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
