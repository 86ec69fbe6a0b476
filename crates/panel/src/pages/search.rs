//! Search: what is meant opens at once, else what has the words is listed, with what can be done that is called so.

mod commands;
mod shapes;

use accounts::{Right, Scope};
use askama::Template;
use catalog::{ProductFilter, ProductQuery, service::ProductSort};
use crm::{CustomerFilter, CustomerQuery};
use imports::{ImportId, ImportKind};
use kernel::{
    PageRequest,
    page::{Count, Sorting},
    search::Words,
};
use orders::{OrderFilter, OrderQuery, number_in, number_text};
use quotes::{Quote, QuoteFilter, QuoteQuery};

use crate::{
    answer::Answer,
    assets,
    call::{Call, Member},
    failure::Failure,
    format::money,
    layout::Sheet,
    page::Page,
    pages,
    parts::{Empty, Link},
    reply::answered,
    texts::Say,
};
use shapes::Shape;

pub(super) use commands::opens;
pub(super) use shapes::{PLACES, place};

/// Every role may look at orders.
const READ: Right = Right::read(Scope::Orders);
/// Of each kind.
const SHOWN_MAX: u32 = 8;
/// The most characters that can name something.
const EXACT_CHARS_MAX: usize = 254;
/// Lists what is meant instead of opening it, for whoever is still typing.
const LIST: &str = "list";

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("search", READ, show)]
}

#[derive(Template)]
#[template(path = "search.html", whitespace = "minimize")]
struct Found<'a> {
    say: Say,
    place: String,
    words: &'a str,
    icons: &'static str,
    groups: Vec<(&'static str, Vec<Hit>)>,
    empty: Option<Empty>,
}

struct Hit {
    link: Link,
    hint: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let text = call.query.filled("q").unwrap_or_default();
    let mut groups = Vec::new();
    let mut exact = exact(&call, text).await?;
    if let Some(words) = Words::parse(text).ok().filter(|_| exact.is_none()) {
        let orders = orders(&call, words.clone().or_numbers(number_in)).await?;
        // A number names one order, however many have it among their words.
        exact = named(text, &orders);
        groups.push((say.orders(), orders));
        groups.push((say.customers(), customers_with(&call, words.clone()).await?));
        groups.push((say.products(), products_with(&call, words.clone()).await?));
        groups.push((say.invoices(), invoices(&call, words).await?));
    }
    if let Some(hit) = exact {
        if !call.query.has(LIST) {
            return Ok(Answer::see(&hit.link.href));
        }
        groups.insert(0, (say.exact_hit(), vec![hit]));
    }
    let commands = commands::called(&call, text).into_iter();
    groups.push((say.commands(), commands.map(|link| Hit { link, hint: String::new() }).collect()));
    groups.retain(|(_, hits)| !hits.is_empty());
    let empty = match text {
        "" => Some(Empty::new(say.search_hint())),
        _ => groups.is_empty().then(|| Empty::new(say.no_hits())),
    };
    let (place, icons) = (call.href("search"), assets::icons());
    let body = Found { say, place, words: text, icons, groups, empty };
    Ok(call.page(Sheet::new(say.search(), &body)))
}

/// What a text names by its shape, if that is one thing that the member may see.
async fn exact(call: &Call<Member>, text: &str) -> Result<Option<Hit>, Failure> {
    if text.is_empty() || text.len() > EXACT_CHARS_MAX {
        return Ok(None);
    }
    if let Some(path) = shapes::place(text) {
        let link = Link::new(text, call.href(&path));
        return Ok(commands::opens(call, &path).then(|| Hit { link, hint: String::new() }));
    }
    if let Some(id) = ImportId::parse(text) {
        return import(call, id).await;
    }
    // Digits alone are the number of an order.
    if let Some(number) = quotes::number_in(text)
        && !text.starts_with(|first: char| first.is_ascii_digit())
    {
        return quote(call, number).await;
    }
    let of_customers = CustomerFilter::default();
    match shapes::of(text) {
        None => Ok(None),
        Some(Shape::Uuid(uuid)) => {
            let found = pages::invoices::with_uuid(call, uuid, few()).await?;
            Ok(only(found.into_iter().map(|(link, hint)| Hit { link, hint }).collect()))
        }
        Some(Shape::Rfc(rfc)) => {
            let filter = CustomerFilter { rfc: Some(rfc), ..of_customers };
            customers(call, filter).await.map(only)
        }
        Some(Shape::Email(email)) => {
            let filter = CustomerFilter { email: Some(email), ..of_customers };
            customers(call, filter).await.map(only)
        }
        Some(Shape::Phone(phone)) => {
            let filter = CustomerFilter { phone: Some(phone), ..of_customers };
            customers(call, filter).await.map(only)
        }
        Some(Shape::Code(sku, gtins)) => {
            let filter = ProductFilter { sku: Some(sku), ..ProductFilter::default() };
            if let Some(hit) = only(products(call, filter).await?) {
                return Ok(Some(hit));
            }
            for ean in gtins {
                let filter = ProductFilter { ean: Some(ean), ..ProductFilter::default() };
                if let Some(hit) = only(products(call, filter).await?) {
                    return Ok(Some(hit));
                }
            }
            Ok(None)
        }
    }
}

/// What is found alone.
fn only(mut hits: Vec<Hit>) -> Option<Hit> {
    if hits.len() == 1 { hits.pop() } else { None }
}

/// An import, whatever it is of.
/// The newest revision of the quote of a number.
async fn quote(call: &Call<Member>, number: i64) -> Result<Option<Hit>, Failure> {
    if !commands::opens(call, "quotes") {
        return Ok(None);
    }
    let filter = QuoteFilter { number: Some(number), ..QuoteFilter::default() };
    let query = QuoteQuery { filter, page: few() };
    let found = answered(call.services().quotes.list(call.account(), query)).await?.items;
    let link = |quote: Quote| {
        Link::new(quote.number_text(), format!("{}/{}", call.href("quotes"), quote.id))
    };
    let newest = found.into_iter().next();
    Ok(newest.map(|quote| Hit { link: link(quote), hint: String::new() }))
}

async fn import(call: &Call<Member>, id: ImportId) -> Result<Option<Hit>, Failure> {
    for kind in ImportKind::EVERY {
        let path = format!("imports/{}/{id}", kind.name());
        let getting = call.services().imports.get(call.account(), *kind, id);
        if commands::opens(call, &path) && answered(getting).await?.is_some() {
            let link = Link::new(id.to_string(), call.href(&path));
            return Ok(Some(Hit { link, hint: String::new() }));
        }
    }
    Ok(None)
}

/// The order of that very number.
fn named(text: &str, orders: &[Hit]) -> Option<Hit> {
    let number = number_text(number_in(text)?);
    let Hit { link, hint } = orders.iter().find(|hit| hit.link.label == number)?;
    Some(Hit { link: Link::new(link.label.clone(), link.href.clone()), hint: hint.clone() })
}

fn few() -> PageRequest {
    PageRequest { limit: SHOWN_MAX, count: Count::Nothing, ..PageRequest::default() }
}

async fn orders(call: &Call<Member>, words: Words) -> Result<Vec<Hit>, Failure> {
    let filter = OrderFilter { search: Some(words), ..OrderFilter::default() };
    let query = OrderQuery { filter, page: few(), ..OrderQuery::default() };
    let listed = answered(call.services().orders.list(call.account(), query)).await?;
    let hit = |order: orders::Order| Hit {
        link: Link::new(number_text(order.number), call.href(&format!("orders/{}", order.id))),
        hint: money(order.total, order.currency),
    };
    Ok(listed.items.into_iter().map(hit).collect())
}

async fn customers_with(call: &Call<Member>, words: Words) -> Result<Vec<Hit>, Failure> {
    customers(call, CustomerFilter { search: Some(words), ..CustomerFilter::default() }).await
}

async fn customers(call: &Call<Member>, filter: CustomerFilter) -> Result<Vec<Hit>, Failure> {
    if !call.may(Right::read(Scope::Customers)) {
        return Ok(Vec::new());
    }
    let query = CustomerQuery { filter, page: few(), ..CustomerQuery::default() };
    let listed = answered(call.services().customers.list(call.account(), query)).await?;
    let hit = |customer: crm::Customer| Hit {
        link: Link::new(customer.name, call.href(&format!("customers/{}", customer.id))),
        hint: customer.email.or(customer.phone).unwrap_or_default(),
    };
    Ok(listed.items.into_iter().map(hit).collect())
}

async fn products_with(call: &Call<Member>, words: Words) -> Result<Vec<Hit>, Failure> {
    products(call, ProductFilter { search: Some(words), ..ProductFilter::default() }).await
}

async fn products(call: &Call<Member>, filter: ProductFilter) -> Result<Vec<Hit>, Failure> {
    if !call.may(Right::read(Scope::Products)) {
        return Ok(Vec::new());
    }
    let sort = Sorting { by: ProductSort::CreatedAt, ascending: false };
    let query = ProductQuery { filter, sort, page: few() };
    let listed = answered(call.services().products.list(call.account(), query)).await?;
    let hit = |product: catalog::Product| Hit {
        link: Link::new(product.name, call.href(&format!("products/{}", product.id))),
        hint: product.sku,
    };
    Ok(listed.items.into_iter().map(hit).collect())
}

async fn invoices(call: &Call<Member>, words: Words) -> Result<Vec<Hit>, Failure> {
    let found = pages::invoices::with_words(call, words, few()).await?;
    Ok(found.into_iter().map(|(link, hint)| Hit { link, hint }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_names_one_order() {
        let hit = |label: &str| Hit { link: Link::new(label, "/x"), hint: String::new() };
        let orders = [hit("ORD-000012"), hit("ORD-000001")];
        let found = |text| named(text, &orders).map(|hit| hit.link.label);
        assert_eq!(found("ord-1").as_deref(), Some("ORD-000001"));
        assert_eq!((found("ORD-7"), found("taza")), (None, None));
    }
}
