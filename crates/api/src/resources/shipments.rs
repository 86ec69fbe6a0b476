//! `/orders/{id}/shipments`: goods of an order that leave a warehouse together.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::header::CONTENT_LANGUAGE;
use inventory::Warehouse;
use kernel::PageRequest;
use orders::{NewShipment, OrderId, ReviseShipment, ShipmentId, packing::Packing};

use crate::{
    answer::Answer,
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{answered, computed, found, written},
    resources::PDF_TYPE,
    view::{View, viewed},
};
use body::ShipmentBody;

const OF_ORDER: &str = "/orders/{id}/shipments";
const ONE: &str = "/shipments/{id}";
const PACKING_SLIP: &str = "/shipments/{id}/packing-slip";
const CANCEL: &str = "/shipments/{id}/cancel";
const ORDER: Segment<OrderId> = id(OrderId::PREFIX, OrderId::parse);
const ID: Segment<ShipmentId> = id(ShipmentId::PREFIX, ShipmentId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(OF_ORDER, Scope::Orders, taking((ORDER, json(forms::SHIP)), ship))
            .summary("Ship items of an order")
            .describes(
                "Items leave one warehouse together: the one that is named, or the only one that they are promised from. Without \
                 `items`, all that is still to be shipped from there. `fulfillmentStatus` of the order follows, and the shipment \
                 that completes it makes a `pending` or `paid` order `shipped`. Emits `shipment.created`, `order.updated` \
                 then, and `order.shipped` once in the life of an order.",
            )
            .answers::<ShipmentBody>(201, "The shipment.", examples::SHIPMENT)
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
        Endpoint::get(
            OF_ORDER,
            Scope::Orders,
            taking((ORDER, viewed::<ShipmentBody, _>(forms::LIST)), of_order),
        )
        .summary("List the shipments of an order")
        .describes("The oldest first, cancelled ones too.")
        .pages::<ShipmentBody>("A page of shipments.", examples::PAGE),
        Endpoint::get(
            ONE,
            Scope::Orders,
            crud::show::<ShipmentBody, _, _>(ID, |services, account, id| {
                services.orders.shipment(account, id)
            }),
        )
        .summary("Get a shipment")
        .answers::<ShipmentBody>(200, "The shipment.", examples::SHIPMENT),
        Endpoint::patch(
            ONE,
            Scope::Orders,
            crud::update::<ShipmentBody, _, _, _, _, _>(
                ID,
                forms::REVISE,
                |services, account, id| services.orders.shipment(account, id),
                |services, ctx, (id, tag), changes| {
                    let version = tag.map(ETag::of_version);
                    services.orders.revise_shipment(ctx, ReviseShipment { id, version, changes })
                },
            ),
        )
        .summary("Update a shipment")
        .describes("Its carrier and tracking, and that the customer has received it (`status: delivered`), which emits `shipment.delivered`.")
        .answers::<ShipmentBody>(200, "The updated shipment.", examples::SHIPMENT)
        .refuses(&[Code::InvalidTransition]),
        Endpoint::get(PACKING_SLIP, Scope::Orders, taking(ID, packing_slip))
            .summary("Get the packing slip of a shipment")
            .describes("What lies in the parcel and who it is for, without prices, in the language of `Accept-Language`.")
            .answers_file(&[PDF_TYPE], "The PDF."),
        Endpoint::post(CANCEL, Scope::Orders, taking(ID, cancel))
            .summary("Cancel a shipment")
            .describes(
                "For a shipment that did not leave: its items are promised to the order again, and an order that it had completed is \
                 `paid` or `pending` again. Emits `shipment.cancelled`, and `order.updated` then.",
            )
            .answers::<ShipmentBody>(200, "The shipment, `cancelled`.", examples::CANCELLED)
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
    ]
}

async fn ship(call: Call, (id, new): (OrderId, NewShipment)) -> Result<Answer, ApiError> {
    let done = written(call.services().orders.ship(call.ctx()?, id, new)).await?;
    Answer::created::<ShipmentBody>(done)
}

async fn of_order(
    call: Call,
    (id, (asked, view)): (OrderId, (PageRequest, View)),
) -> Result<Answer, ApiError> {
    let page = call.services().orders.shipments(call.account, id, asked.clone());
    view.page::<ShipmentBody>(found(page).await?, &asked)
}

async fn packing_slip(call: Call, id: ShipmentId) -> Result<Answer, ApiError> {
    let services = call.services();
    let shipment = found(services.orders.shipment(call.account, id)).await?;
    let order = found(services.orders.get(call.account, shipment.order)).await?;
    let customer = crm::CustomerId::from_u128(order.customer.to_u128());
    let customer = answered(services.customers.get(call.account, customer)).await?;
    let warehouse = inventory::WarehouseId::from_u128(shipment.warehouse.to_u128());
    let warehouse = answered(services.inventory.warehouse(call.account, warehouse)).await?;
    let packing = Packing {
        order,
        shipment,
        customer: customer.map(|customer| customer.name),
        from: warehouse.map(Warehouse::into_lines).unwrap_or_default(),
    };
    let (printer, language) = (services.packing_printer.clone(), call.language());
    let print = move || printer.packing_slip(&packing, language);
    let pdf = computed((&call.context, call.account), print).await?;
    let pdf = pdf.map_err(|problem| ApiError::internal(format!("printing: {problem}")))?;
    Answer::file(PDF_TYPE, &format!("{id}.pdf"), pdf)?.with(CONTENT_LANGUAGE, call.language().tag())
}

async fn cancel(call: Call, id: ShipmentId) -> Result<Answer, ApiError> {
    let done = written(call.services().orders.cancel_shipment(call.ctx()?, id)).await?;
    Answer::acted::<ShipmentBody, _>(done)
}
