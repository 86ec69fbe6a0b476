//! `/orders`: placing orders and tracking them to delivery.

mod body;
mod examples;
mod expand;
mod forms;

use accounts::Scope;
use kernel::{Refused, message};
use orders::{OrderId, OrderQuery, PlaceError, PlaceOrder, ReviseOrder, place::Demand};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    etag::ETag,
    page::PageOf,
    reply::{answered, found, outcome},
    view::{View, view, viewed},
};
use body::OrderBody;

const ALL: &str = OrderBody::PATH;
const ONE: &str = "/orders/{id}";
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
        .refuses(&[Code::InvalidTransition, Code::Conflict, Code::DuplicateExternalId]),
    ]
}

async fn list(call: Call, (query, view): (OrderQuery, View)) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().orders.list(call.account, query)).await?;
    if !view.expands_something() {
        return view.page::<OrderBody>(page, &asked).await;
    }
    let mut page = PageOf::<OrderBody>::new(page, &asked);
    expand::expand(&call, &view, page.rows_mut()).await?;
    let lines = page.lines(OrderBody::lines);
    view.expanded(page, lines).await
}

async fn show(call: Call, (id, ((), view)): (OrderId, ((), View))) -> Result<Answer, ApiError> {
    let mut order = OrderBody::from(found(call.services().orders.get(call.account, id)).await?);
    expand::expand(&call, &view, std::slice::from_mut(&mut order)).await?;
    view.one(call.headers(), &order)
}

async fn place(call: Call, command: PlaceOrder) -> Result<Answer, ApiError> {
    match outcome(call.services().orders.place(call.ctx()?, command)).await? {
        Err(Refused::Rule(PlaceError::OutOfStock(demand))) => Err(short(&call, demand).await?),
        placed => Answer::created::<OrderBody>(placed?),
    }
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
    let Demand { sku, available, .. } = demand;
    let message = message!(
        "SKU {sku:?} has {available} in stock without a variant; name the variant as variantId: {choices}",
        "el SKU {sku:?} tiene {available} en existencia sin variante; indique la variante en variantId: {choices}"
    );
    Ok(ApiError::new(Code::InsufficientStock, message))
}
