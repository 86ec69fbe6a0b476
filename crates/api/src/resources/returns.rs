//! `/orders/{id}/returns`: goods that come back.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use kernel::{Done, PageRequest};
use orders::{NewReturn, OrderId, ReturnId, ReturnItems};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, card_free, id, json, taking},
    error::{ApiError, Code},
    reply::{found, written},
    resources::approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
    view::{View, viewed},
};
pub(super) use body::ReturnBody;

const OF_ORDER: &str = "/orders/{id}/returns";
const ONE: &str = "/returns/{id}";
const ORDER: Segment<OrderId> = id(OrderId::PREFIX, OrderId::parse);
const ID: Segment<ReturnId> = id(ReturnId::PREFIX, ReturnId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(OF_ORDER, Scope::Orders, taking((ORDER, card_free(json(forms::TAKE_BACK))), take_back))
            .translated()
            .summary("Return items of an order")
            .describes(
                "Records what came back of an order that is `paid`, `shipped` or `delivered`, or of which a part is on its way. What an \
                 item is worth is what it cost with its discounts and taxes; several returns of one line add up to that, to the \
                 cent. It lowers what is due of the order, and `refund` gives it back as far as it was paid, from the newest \
                 payments first. With `unshipped`, the items are taken off the order instead: where that leaves nothing to be \
                 shipped, the order is `shipped`. Emits `order.returned`.",
            )
            .answers::<ReturnBody>(201, "The return.", examples::RETURN)
            .or_accepts::<TicketBody>(
                "Rules want what it gives back to be approved: it is recorded once it is.",
                TICKET_EXAMPLE,
            )
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
        Endpoint::get(
            OF_ORDER,
            Scope::Orders,
            taking((ORDER, viewed::<ReturnBody, _>(forms::LIST)), of_order),
        )
        .translated()
        .summary("List the returns of an order")
        .describes("The oldest first.")
        .pages::<ReturnBody>("A page of returns.", examples::PAGE),
        Endpoint::get(
            ONE,
            Scope::Orders,
            crud::show::<ReturnBody, _, _>(ID, |services, account, id| {
                services.orders.one_return(account, id)
            }),
        )
        .translated()
        .summary("Get a return")
        .answers::<ReturnBody>(200, "The return.", examples::RETURN),
    ]
}

async fn take_back(call: Call, (id, new): (OrderId, NewReturn)) -> Result<Answer, ApiError> {
    let command = ReturnItems { order: id, new };
    // Also what gives nothing back: its goods may be promised to a return that waits.
    let passed = passage(&call, &*call.services().returning_gate, &command).await??;
    let done = match passed {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => {
            written(call.services().orders.take_back(call.ctx()?, id, command.new)).await?
        }
    };
    let language = call.language();
    let value = ReturnBody::in_language(done.value, language);
    Answer::created::<ReturnBody>(Done { value, replayed: done.replayed })?.told(language)
}

async fn of_order(
    call: Call,
    (id, (asked, view)): (OrderId, (PageRequest, View)),
) -> Result<Answer, ApiError> {
    let language = call.language();
    let page = call.services().orders.returns(call.account, id, asked.clone());
    let page = found(page).await?.map(|made| ReturnBody::in_language(made, language));
    view.page::<ReturnBody>(page, &asked)?.told(language)
}
