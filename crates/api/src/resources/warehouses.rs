//! `/warehouses`: the places that goods lie at.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use inventory::{StockQuery, UpdateWarehouse, WarehouseId};
use kernel::PageRequest;

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    page::{Way, page_of_all},
    reply::{answered, found},
    resources::stock::{PLACED_PAGE, PlacedBody},
    view::{View, viewed},
};
pub(super) use body::WarehouseBody;
pub(super) use forms::warehouse;

const ALL: &str = WarehouseBody::PATH;
const ONE: &str = "/warehouses/{id}";
const STOCK: &str = "/warehouses/{id}/stock";
const ID: Segment<WarehouseId> = id(WarehouseId::PREFIX, WarehouseId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Warehouses, taking(query(forms::LIST), list))
            .summary("List warehouses")
            .describes("Newest first. Every account has one from the start.")
            .pages::<WarehouseBody>("A page of warehouses.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Warehouses,
            crud::create::<WarehouseBody, _, _, _>(forms::CREATE, |services, ctx, new| {
                services.inventory.create_warehouse(ctx, new)
            }),
        )
        .summary("Create a warehouse")
        .describes(
            "Creates a place where goods are kept. Orders take from warehouses of kind `store`; goods in one of kind `quarantine` \
             are not for sale. An account has at most 100.",
        )
        .answers::<WarehouseBody>(201, "The warehouse.", examples::WAREHOUSE)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Warehouses,
            crud::show::<WarehouseBody, _, _>(ID, |services, account, id| {
                services.inventory.warehouse(account, id)
            }),
        )
        .summary("Get a warehouse")
        .answers::<WarehouseBody>(200, "The warehouse.", examples::WAREHOUSE),
        Endpoint::patch(
            ONE,
            Scope::Warehouses,
            crud::update::<WarehouseBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.inventory.warehouse(account, id),
                |services, ctx, (id, tag), changes| {
                    services.inventory.update_warehouse(
                        ctx,
                        UpdateWarehouse { id, version: tag.map(ETag::of_version), changes },
                    )
                },
            ),
        )
        .summary("Update a warehouse")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. `kind` never changes.",
        )
        .answers::<WarehouseBody>(200, "The updated warehouse.", examples::WAREHOUSE),
        Endpoint::delete(
            ONE,
            Scope::Warehouses,
            crud::delete(ID, |services, ctx, id, version| {
                services.inventory.delete_warehouse(ctx, id, version)
            }),
        )
        .summary("Delete a warehouse")
        .describes(
            "Only possible if nothing is on hand there, no open transfer names it, and it is neither the account's first nor its \
             default warehouse. Orders and the ledger keep its identifier.",
        )
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            STOCK,
            Scope::Warehouses,
            taking((ID, viewed::<PlacedBody, _>(forms::STOCK)), stock),
        )
        .summary("List the stock of a warehouse")
        .describes("What is or has been there, by product and variant.")
        .pages::<PlacedBody>("A page of its stock.", PLACED_PAGE),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let warehouses = answered(call.services().inventory.warehouses(call.account)).await?;
    let page =
        page_of_all(warehouses, &asked, (forms::ORDER, Way::Down), |place| place.id.to_string());
    Answer::page::<WarehouseBody>(page, &asked)
}

async fn stock(
    call: Call,
    (id, (mut query, view)): (WarehouseId, (StockQuery, View)),
) -> Result<Answer, ApiError> {
    drop(found(call.services().inventory.warehouse(call.account, id)).await?);
    query.filter.warehouse = Some(id);
    let asked = query.page.clone();
    let page = answered(call.services().inventory.stock(call.account, query)).await?;
    view.page::<PlacedBody>(page, &asked)
}
