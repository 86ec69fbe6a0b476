//! `/products/export`.

use accounts::Scope;
use catalog::{Product, ProductFilter, ProductQuery, ProductSort, ProductStatus, Tree};
use imports::{Column, PRODUCT_COLUMNS, Value, product_row};
use intake::{Check, Fields, Form, checks::one_of};
use kernel::{Page, PageRequest, page::Sorting};

use super::{Exported, MEDIA_TYPES, export_in, format};
use crate::{
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    filters,
    reply::answered,
    table::Format,
};

const QUERY: Form<(ProductFilter, Format)> = Form::query(read);

/// Which products, and the categories that they may be in.
struct Products(ProductFilter, Tree);

pub(super) fn endpoint() -> Endpoint {
    let handler = taking(query(QUERY), |call: Call, (filter, format)| async move {
        // Who waits for a turn holds no tree meanwhile, and sends the categories of the moment that the export begins.
        let turn = call.turn_at_file().await?;
        let all = answered(call.services().categories.all(call.account)).await?;
        export_in(turn, call, Products(filter, Tree::of(all)), format).await
    });
    Endpoint::get("/products/export", Scope::Products, handler)
        .summary("Export products")
        .describes(
            "Every product and, below it, each of its variants as a row of one table, the oldest first: CSV for \
             spreadsheets (UTF-8 with a mark, decimal points), or JSON Lines. `POST /products/imports` takes it as it \
             is, and changes nothing then. It has no taxes, no dimensions and no metadata.",
        )
        .answers_file(MEDIA_TYPES, "The products.")
}

fn read(fields: &mut Fields<'_>) -> Option<(ProductFilter, Format)> {
    let status = one_of(ProductStatus::EVERY, ProductStatus::name);
    let filter = ProductFilter {
        status: fields.change("status", status.about("Filter by status.")),
        updated_since: filters::updated_since(fields),
        ..ProductFilter::default()
    };
    Some((filter, format(fields)))
}

impl Exported for Products {
    type Resource = Product;

    const FILE: &'static str = "products";

    fn columns() -> Vec<&'static str> {
        PRODUCT_COLUMNS.iter().map(|column| Column::name(*column)).collect()
    }

    async fn read(
        &mut self,
        call: &Call,
        page: PageRequest,
        ascending: bool,
    ) -> Result<Page<Product>, ApiError> {
        let sort = Sorting { by: ProductSort::CreatedAt, ascending };
        let query = ProductQuery { filter: self.0.clone(), sort, page };
        answered(call.services().products.list(call.account, query)).await
    }

    fn number(product: &Product) -> u128 {
        product.id.to_u128()
    }

    fn rows(product: &Product) -> usize {
        1 + product.variants.len()
    }

    fn row<'r>(&self, product: &'r Product, place: usize) -> Vec<Value<'r>> {
        product_row(product, &self.1, place)
    }
}
