//! `/price-lists`: other prices than those of the products.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use catalog::{ListItemQuery, PriceListId, SetPrice, SetPrices, UpdatePriceList};
use kernel::PageRequest;

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    page::{Way, page_of_all},
    reply::{answered, found, written},
};
use body::{ListItemBody, PriceListBody};
pub(super) use forms::price_list;

const ALL: &str = PriceListBody::PATH;
const ONE: &str = "/price-lists/{id}";
const ITEMS: &str = "/price-lists/{id}/items";
const ID: Segment<PriceListId> = id(PriceListId::PREFIX, PriceListId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Products, taking(query(forms::LIST), list))
            .summary("List price lists")
            .describes("Newest first.")
            .pages::<PriceListBody>("A page of price lists.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Products,
            crud::create::<PriceListBody, _, _, _>(forms::CREATE, |services, ctx, new| {
                services.price_lists.create(ctx, new)
            }),
        )
        .summary("Create a price list")
        .describes(
            "A list has other prices than those of the products, for the customers of a group or for all, from a moment or \
             until one. An order takes the price of the lists that hold for its customer in its currency: one of the variant \
             before one of its product, then by `priority` (the least first), then the older list, and of one list the price \
             of the greatest `minQuantity` that is reached. An account has at most 100, with different names.",
        )
        .answers::<PriceListBody>(201, "The price list.", examples::LIST)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Products,
            crud::show::<PriceListBody, _, _>(ID, |services, account, id| {
                services.price_lists.get(account, id)
            }),
        )
        .summary("Get a price list")
        .answers::<PriceListBody>(200, "The price list.", examples::LIST),
        Endpoint::patch(
            ONE,
            Scope::Products,
            crud::update::<PriceListBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.price_lists.get(account, id),
                |services, ctx, (id, tag), changes| {
                    let version = tag.map(ETag::of_version);
                    services.price_lists.update(ctx, UpdatePriceList { id, version, changes })
                },
            ),
        )
        .summary("Update a price list")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. `currency` never changes.",
        )
        .answers::<PriceListBody>(200, "The updated price list.", examples::LIST)
        .refuses(&[Code::Conflict]),
        Endpoint::delete(
            ONE,
            Scope::Products,
            crud::delete(ID, |services, ctx, id, version| {
                services.price_lists.delete(ctx, id, version)
            }),
        )
        .summary("Delete a price list")
        .describes("With its prices. Orders keep the prices that they were placed at.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
        Endpoint::get(ITEMS, Scope::Products, taking((ID, query(forms::ITEMS)), items))
            .summary("List the prices of a price list")
            .describes("By product, variant and quantity.")
            .pages::<ListItemBody>("A page of its prices.", examples::ITEMS),
        Endpoint::put(ITEMS, Scope::Products, taking((ID, json(forms::SET)), set_prices))
            .summary("Set prices of a price list")
            .describes(
                "Sets the prices that are sent: all of them, or none. Those that are not named stay, and one whose `price` \
                 is `null` is removed. A product or variant has at most 10 in a list, each from another `minQuantity` on.",
            )
            .answers::<PriceListBody>(200, "The price list.", examples::LIST),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let all = answered(call.services().price_lists.all(call.account)).await?;
    let page = page_of_all(all, &asked, (forms::ORDER, Way::Down), |it| it.id.to_string());
    Answer::page::<PriceListBody>(page, &asked)
}

async fn items(call: Call, (id, query): (PriceListId, ListItemQuery)) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = found(call.services().price_lists.items(call.account, id, query)).await?;
    Answer::page::<ListItemBody>(page, &asked)
}

async fn set_prices(
    call: Call,
    (list, prices): (PriceListId, Vec<SetPrice>),
) -> Result<Answer, ApiError> {
    let command = SetPrices { list, version: call.expected_version(), prices };
    let done = call.services().price_lists.set_prices(call.ctx()?, command);
    Answer::changed::<PriceListBody>(written(done).await?)
}
