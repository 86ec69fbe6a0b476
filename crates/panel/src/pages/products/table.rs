//! Products as a table.

use catalog::{Product, ProductFilter, ProductQuery, service::ProductSort};
use kernel::{AccountId, Fault, Page as Rows, PageRequest, Pending, page::Sorting};

use super::{READ, filter};
use crate::{
    Services,
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    page::Page,
    texts::Say,
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("products.csv", READ, show)]
}

struct Products {
    say: Say,
    filter: ProductFilter,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let table = Products { say: call.say(), filter: filter(&call.query) };
    csv::sent(&call, "products.csv", table)
}

impl Table for Products {
    type Row = Product;

    fn heading(&self) -> Vec<String> {
        let say = self.say;
        let names = [say.product(), say.sku(), say.ean(), say.state(), say.currency(), say.price()];
        let names = names.into_iter().chain([say.in_stock(), say.variants(), say.external_id()]);
        std::iter::once("id").chain(names).map(str::to_owned).collect()
    }

    fn read(
        &self,
        services: &Services,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Rows<Product>, Fault>> {
        let sort = Sorting { by: ProductSort::CreatedAt, ascending: false };
        services.products.list(account, ProductQuery { filter: self.filter.clone(), sort, page })
    }

    fn cells(&self, product: &Product) -> Vec<String> {
        vec![
            product.id.to_string(),
            product.name.clone(),
            product.sku.clone(),
            product.ean.as_ref().map(|ean| ean.as_str().to_owned()).unwrap_or_default(),
            product.status.name().to_owned(),
            product.currency.to_string(),
            product.price.to_string(),
            product.inventory.to_string(),
            product.variants.len().to_string(),
            product.external_id.clone().unwrap_or_default(),
        ]
    }
}
