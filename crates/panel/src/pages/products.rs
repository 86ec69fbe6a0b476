//! Products: listed, and one with its variants.

mod details;
mod edit;
mod table;
mod taxes;
mod variants;

use accounts::{Right, Scope};
use askama::Template;
use catalog::{
    CategoryId, Product, ProductFilter, ProductQuery, ProductStatus, product::Variant,
    service::ProductSort,
};
use kernel::Measure;

use super::{linked::nothing_yet, shop::words};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{money, quantity},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Field, Filters, Pager, Pill, Tone},
    reply::answered,
    sort::{Column, SortHead, Sorted},
    texts::Say,
};

const READ: Right = Right::read(Scope::Products);
const PATH: &str = "products";
/// By what they are sorted.
const SORTS: &[(&str, ProductSort)] = &[
    ("createdAt", ProductSort::CreatedAt),
    ("updatedAt", ProductSort::UpdatedAt),
    ("name", ProductSort::Name),
    ("price", ProductSort::Price),
];

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Supply, "package", Say::products).key("u").list(),
        Page::get("products/{id}", READ, detail),
    ];
    [own, table::pages(), edit::pages(), variants::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "products/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    by_name: SortHead,
    by_price: SortHead,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    name: String,
    href: String,
    sku: String,
    price: String,
    stock: String,
    variants: String,
    archived: Option<Pill>,
}

/// Which products a query asks for.
fn filter(query: &Values) -> ProductFilter {
    let status = list::named(query, "status", ProductStatus::EVERY, ProductStatus::name);
    let category = query.read("category", CategoryId::parse);
    ProductFilter { search: words(query), status, category, ..ProductFilter::default() }
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query);
    let is_filtered = filter != ProductFilter::default();
    let sorted = Sorted::asked(&call.query, SORTS);
    let query = ProductQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().products.list(call.account(), query)).await?;
    let filters = filters(&call, list::counted(say, listed.total));
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |product: Product| Line {
        href: format!("{}/{}", call.href(PATH), product.id),
        price: money(product.price, product.currency),
        stock: quantity(in_stock(&product)),
        variants: match product.variants.len() {
            0 => String::new(),
            count => count.to_string(),
        },
        archived: archived(say, product.status),
        sku: product.sku,
        name: product.name,
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => nothing_yet(&call, say.no_products(), (say.new_product(), "products/new")),
    });
    let head = |column: Column| sorted.head(&call.href(PATH), &call.query, &column);
    let body = Listed {
        say,
        filters,
        by_name: head(Column::words("name", say.product())),
        by_price: head(Column::figures("price", say.price())),
        lines,
        empty,
        pager,
    };
    let sheet = Sheet::new(say.products(), &body);
    let sheet = match call.may(edit::WRITE) {
        true => sheet
            .action(say.new_product(), call.href("products/new"))
            .quiet(say.start_import(), call.href("imports/products/new")),
        false => sheet,
    };
    let sheet = sheet
        .quiet(say.categories(), call.href("categories"))
        .quiet(say.price_lists(), call.href("price-lists"));
    Ok(call.page(sheet))
}

/// By what products can be narrowed.
fn filters(call: &Call<Member>, total: String) -> Filters {
    let (say, query) = (call.say(), &call.query);
    let every = (String::new(), say.every().to_owned());
    let status = |one: &ProductStatus| (one.name().to_owned(), status_name(say, *one).to_owned());
    let statuses = std::iter::once(every).chain(ProductStatus::EVERY.iter().map(status)).collect();
    let status = Field::select("status", say.state(), statuses, query);
    let told = |_: &'static str, value: &str| {
        let known = ProductStatus::EVERY.iter().find(|one| one.name() == value)?;
        Some(format!("{}: {}", say.state(), status_name(say, *known)))
    };
    let filters = Filters::new(say, call.href(PATH), query, total);
    let filters = filters.add(say.state(), query, vec![("status", status)], told);
    let category = query.filled("category").map(|_| say.category().to_owned());
    filters.chip(category, query, "category")
}

const fn status_name(say: Say, status: ProductStatus) -> &'static str {
    match status {
        ProductStatus::Active => say.active(),
        ProductStatus::Archived => say.archived(),
    }
}

fn archived(say: Say, status: ProductStatus) -> Option<Pill> {
    (status == ProductStatus::Archived).then(|| Pill::new(Tone::Plain, say.archived()))
}

/// What there is of it and of its variants.
fn in_stock(product: &Product) -> Measure {
    product.inventory + product.variants.iter().map(|variant| variant.inventory).sum::<Measure>()
}

#[derive(Template)]
#[template(path = "products/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    facts: Vec<(&'static str, String)>,
    description: Option<String>,
    variants: Vec<VariantLine>,
}

struct VariantLine {
    /// Where it is changed, by those who may.
    href: Option<String>,
    name: String,
    sku: String,
    price: String,
    stock: String,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let product = edit::product(&call).await?;
    let may_write = call.may(edit::WRITE);
    let facts = [
        Some((say.sku(), product.sku.clone())),
        product.ean.as_ref().map(|ean| (say.ean(), ean.as_str().to_owned())),
        Some((say.price(), money(product.price, product.currency))),
        Some((say.in_stock(), quantity(in_stock(&product)))),
        product.sat_product_key.clone().map(|key| (say.sat_product_key(), key)),
        product.sat_unit_key.clone().map(|key| (say.sat_unit_key(), key)),
        product.external_id.clone().map(|id| (say.external_id(), id)),
    ];
    let more = details::facts(&call, &product).await?;
    let variant = |variant: &Variant| VariantLine {
        href: may_write.then(|| variants::place(&call, &product, variant.id)),
        name: variant.name.clone(),
        sku: variant.sku.clone().unwrap_or_default(),
        price: money(variant.price.unwrap_or(product.price), product.currency),
        stock: quantity(variant.inventory),
    };
    let body = Detail {
        say,
        facts: facts.into_iter().flatten().chain(more).collect(),
        description: product.description.clone(),
        variants: product.variants.iter().map(variant).collect(),
    };
    let sheet = Sheet::new(product.name.clone(), &body).back(say.products(), call.href(PATH));
    let place = format!("{}/{}", call.href(PATH), product.id);
    let sheet = match may_write {
        true => sheet
            .action(say.edit(), format!("{place}/edit"))
            .action(say.new_variant(), format!("{place}/variants/new"))
            .grave(say.delete(), format!("{place}/delete")),
        false => sheet,
    };
    let sheet = match call.may(Right::read(Scope::Warehouses)) {
        true => {
            let ledger = format!("{}?product={}", call.href("movements"), product.id);
            sheet.action(say.movements(), ledger)
        }
        false => sheet,
    };
    Ok(call.page(match archived(say, product.status) {
        Some(pill) => sheet.pill(pill),
        None => sheet,
    }))
}
