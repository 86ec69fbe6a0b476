//! `/orders`: placing orders and moving them through their life.

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
    page::PageOf,
};
use body::OrderBody;

const ALL: &str = OrderBody::PATH;
const ONE: &str = "/orders/{id}";
const ID: Segment<OrderId> = id(OrderId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Orders, crud::list::<OrderBody, _, _>(forms::LIST, |services, account, query| {
                services.orders.list(account, query)
            }))
            .summary("List orders")
            .describes("Newest first.")
            .answers::<PageOf<OrderBody>>(200, "A page of orders.", examples::PAGE),
        Endpoint::post(ALL, Scope::Orders, crud::create::<OrderBody, _, _, _>(forms::PLACE, |services, ctx, command| {
                services.orders.place(ctx, command)
            }))
            .summary("Place an order")
            .describes(
                "Places an order at the prices of this moment and reserves its stock, both or \
                 neither. Emits `order.created`, and `inventory.low` for each product whose stock \
                 falls below its threshold.",
            )
            .answers::<OrderBody>(201, "The order, `pending`.", examples::ORDER)
            .refuses(&[Code::InsufficientStock]),
        Endpoint::get(ONE, Scope::Orders, crud::show::<OrderBody, _, _>(ID, |services, account, id| {
                services.orders.get(account, id)
            }))
            .summary("Get an order")
            .answers::<OrderBody>(200, "The order.", examples::ORDER),
        Endpoint::patch(ONE, Scope::Orders, crud::update::<OrderBody, _, _, _, _>(ID, forms::UPDATE, |services, ctx, (id, version), changes| {
                services.orders.update(ctx, ReviseOrder { id, version, changes })
            }))
            .summary("Update an order")
            .describes(
                "Moves an order on, or notes something about it. The way is `pending`, `paid`, \
                 `shipped`, `delivered`; `shipped` may come before `paid` (cash on delivery), which \
                 then only marks the payment in `paidAt`. `cancelled` is reached from `pending` and, \
                 with `refund`, from `paid`; it gives the stock back. A change of status emits \
                 `order.updated` and, where one exists, its own event.",
            )
            .answers::<OrderBody>(200, "The order afterwards.", examples::PAID_ORDER)
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
    ]
}
