//! `/orders`: placing orders and tracking them to delivery.

mod body;
mod examples;
mod expand;
mod forms;
mod rest;

use accounts::Scope;
use intake::SentBack;
use kernel::{Refused, message};
use orders::{
    OrderChanges, OrderId, OrderQuery, OrderStatus, PlaceError, PlaceOrder, Portion, Reallocation,
    ReviseOrder, place::Demand,
};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud::unchanged,
    endpoint::{Endpoint, Segment, changes, id, json, taking},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, outcome, written},
    resources::approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
    view::{View, view, viewed},
};
pub(super) use body::{DiscountBody, OrderBody, OrderDiscountBody, ShippingBody};
use expand::Expansion;
pub(super) use forms::{order_discount, read_item, shipping};
pub(super) use rest::Few;
use rest::Rest;

const ALL: &str = OrderBody::PATH;
const ONE: &str = "/orders/{id}";
const REALLOCATE: &str = "/orders/{id}/reallocate";
/// The most variants that a refusal names.
const CHOICES_MAX: usize = 10;
const ID: Segment<OrderId> = id(OrderId::PREFIX, OrderId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Orders,
            taking(viewed::<OrderBody, _>(forms::LIST).expanding(expand::EXPANSIONS), list),
        )
        .summary("List orders")
        .describes("Newest first.")
        .pages::<OrderBody>("A page of orders.", examples::PAGE),
        Endpoint::post(ALL, Scope::Orders, taking(json(forms::PLACE), place))
            .summary("Create an order")
            .describes(
                "Places an order at current prices and reserves its stock atomically. Emits \
                 `order.created`, and `inventory.low` for each product whose stock falls below its \
                 threshold.",
            )
            .answers::<OrderBody>(201, "The new order, with status `pending`.", examples::ORDER)
            .or_accepts::<TicketBody>(
                "Rules want the discount, or prices below the products', to be approved: the order is placed once it is, \
                 with the identifier that the approval names as `entityId`. Its stock is not reserved until then.",
                TICKET_EXAMPLE,
            )
            .refuses(&[Code::InsufficientStock, Code::DuplicateExternalId]),
        Endpoint::get(
            ONE,
            Scope::Orders,
            taking((ID, view::<OrderBody>().expanding(expand::EXPANSIONS)), show),
        )
        .summary("Get an order")
        .answers::<OrderBody>(200, "The order.", examples::ORDER)
        .large_with("expand"),
        Endpoint::patch(
            ONE,
            Scope::Orders,
            taking((ID, changes(forms::UPDATE)), update),
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
        .or_accepts::<TicketBody>(
            "Rules want the cancellation of the paid order to be approved: it is cancelled once it is.",
            TICKET_EXAMPLE,
        )
        .refuses(&[Code::InvalidTransition, Code::Conflict, Code::DuplicateExternalId]),
        Endpoint::post(
            REALLOCATE,
            Scope::Orders,
            taking((ID, json(forms::REALLOCATE)), reallocate),
        )
        .summary("Reallocate an order")
        .describes(
            "Has units that are promised to the order and were not shipped yet promised from another warehouse: all that \
                 is named, or nothing. `expand=items.allocations` shows where they are. The goods stay there, and so does the \
                 status of the order, so no event is emitted.",
        )
        .answers::<OrderBody>(200, "The order.", examples::ORDER)
        .refuses(&[Code::InvalidTransition, Code::Conflict, Code::InsufficientStock]),
    ]
}

async fn list(call: Call, (query, view): (OrderQuery, View)) -> Result<Answer, ApiError> {
    let (asked, expansion) = (query.page.clone(), Expansion::of(&call, &view)?);
    let Portion { page, rest } =
        answered(call.services().orders.portion(call.account, query)).await?;
    let mut rest = Rest::new(&call, rest);
    if !view.expands_something() {
        if rest.is_empty() {
            return view.page::<OrderBody>(page, &asked);
        }
        return Ok(view.page_with::<OrderBody>(page, &asked, move || rest.next()));
    }
    let mut page = PageOf::<OrderBody>::new(page, &asked);
    expansion.add(page.rows_mut()).await?;
    let lines = page.lines(OrderBody::lines);
    if rest.is_empty() {
        return view.expanded(page, lines).await;
    }
    let (mut counted, expanded) = (rest.clone(), expansion.clone());
    let count = move || counted.next_in_turn(&expanded);
    view.expanded_with(page, lines, count, move || rest.next_with(&expansion)).await
}

async fn show(call: Call, (id, ((), view)): (OrderId, ((), View))) -> Result<Answer, ApiError> {
    let expansion = Expansion::of(&call, &view)?;
    let mut order = OrderBody::from(found(call.services().orders.get(call.account, id)).await?);
    if !view.expands_something() {
        return view.one(call.headers(), &order);
    }
    expansion.add(std::slice::from_mut(&mut order)).await?;
    let lines = order.lines();
    view.one_expanded(call.headers(), order, lines).await
}

async fn place(call: Call, command: PlaceOrder) -> Result<Answer, ApiError> {
    let passed = match command.may_concede() {
        true => passage(&call, &*call.services().placing_gate, &command).await?,
        false => Ok(Passage::Free),
    };
    let placed = match passed {
        Ok(Passage::Waits(answer)) => return Ok(answer),
        Ok(Passage::Done(done)) => Ok(done),
        Ok(Passage::Free) => outcome(call.services().orders.place(call.ctx()?, command)).await?,
        Err(refused) => Err(refused),
    };
    match placed {
        Err(Refused::Rule(PlaceError::OutOfStock(demand))) => Err(short(&call, demand).await?),
        placed => Answer::created::<OrderBody>(placed?),
    }
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (OrderId, (OrderChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        let order = found(call.services().orders.get(call.account, id)).await?;
        unchanged(&call, sent_back, &OrderBody::from(order))?;
    }
    let is_cancellation = changes.status == Some(OrderStatus::Cancelled);
    let command = ReviseOrder { id, version: call.expected_version(), changes };
    let passed = match is_cancellation {
        true => passage(&call, &*call.services().changing_gate, &command).await??,
        false => Passage::Free,
    };
    let done = match passed {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => written(call.services().orders.update(call.ctx()?, command)).await?,
    };
    Answer::changed::<OrderBody>(done)
}

async fn reallocate(
    call: Call,
    (id, parts): (OrderId, Vec<Reallocation>),
) -> Result<Answer, ApiError> {
    let done = written(call.services().orders.reallocate(call.ctx()?, id, parts)).await?;
    Answer::acted::<OrderBody, _>(done)
}

/// The refusal of an order for more than there is. A product that is sold by its variants seldom has stock of its
/// own: then it says which there are.
async fn short(call: &Call, demand: Demand) -> Result<ApiError, ApiError> {
    if demand.sold.variant.is_some() {
        return Ok(PlaceError::OutOfStock(demand).into());
    }
    let id = catalog::ProductId::from_u128(demand.sold.product.to_u128());
    let product = answered(call.services().products.get(call.account, id)).await?;
    let variants = product.map(|product| product.variants).unwrap_or_default();
    if variants.is_empty() {
        return Ok(PlaceError::OutOfStock(demand).into());
    }
    let choices = variants.iter().take(CHOICES_MAX);
    let choices = choices.map(|variant| format!("{} ({})", variant.id, variant.name));
    let choices = choices.collect::<Vec<_>>().join(", ");
    let Demand { sku, available, asked, .. } = demand;
    let message = message!(
        "SKU {sku:?} has {available} in stock without a variant, {asked} were asked for; name the variant as variantId: {choices}",
        "el SKU {sku:?} tiene {available} en existencia sin variante y se pidieron {asked}; indique la variante en variantId: {choices}"
    );
    Ok(ApiError::new(Code::InsufficientStock, message))
}
