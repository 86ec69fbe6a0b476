//! `/stock`: how many of what lie where, the ledger of that, and what people do with it.

mod adjustments;
mod body;
mod costs;
mod counts;
mod examples;
mod forms;
mod receipts;
mod settings;

use accounts::Scope;

use crate::{answer::Resource, crud, endpoint::Endpoint};
pub(super) use adjustments::AdjustmentBody;
pub(super) use body::PlacedBody;
use body::{MovementBody, StockBody};
pub(super) use counts::CountBody;
pub(super) use examples::PLACED_PAGE;
pub(super) use forms::{below_threshold, page_of_lines, read_named};

pub(super) fn endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        Endpoint::get(
            StockBody::PATH,
            Scope::Warehouses,
            crud::list::<StockBody, _, _>(forms::LIST, |services, account, query| {
                services.inventory.stock(account, query)
            }),
        )
        .summary("List stock")
        .describes("By product and variant, each with its stock in every warehouse.")
        .pages::<StockBody>("A page of stock.", examples::PAGE),
        Endpoint::get(
            MovementBody::PATH,
            Scope::Warehouses,
            crud::list::<MovementBody, _, _>(forms::MOVEMENTS, |services, account, query| {
                services.inventory.movements(account, query)
            }),
        )
        .summary("List stock movements")
        .describes(
            "The ledger of stock, newest first. It is append-only, and its sums are the stock.",
        )
        .pages::<MovementBody>("A page of the ledger.", examples::MOVEMENTS),
    ];
    endpoints.extend(settings::endpoints());
    endpoints.extend(adjustments::endpoints());
    endpoints.extend(receipts::endpoints());
    endpoints.extend(costs::endpoints());
    endpoints.extend(counts::endpoints());
    endpoints
}
