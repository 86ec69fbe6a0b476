//! Search: what is meant opens at once, else what has the words is listed.

use accounts::{Right, Scope};
use askama::Template;
use catalog::{ProductFilter, ProductId, ProductQuery, service::ProductSort};
use crm::{CustomerFilter, CustomerId, CustomerQuery};
use invoices::InvoiceId;
use kernel::{
    PageRequest,
    page::{Count, Sorting},
    search::Words,
};
use orders::{OrderFilter, OrderId, OrderQuery, number_in, number_text};
use webhooks::SubscriptionId;

use crate::{
    answer::Answer,
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

/// Every role may look at orders.
const READ: Right = Right::read(Scope::Orders);
/// Of each kind.
const SHOWN_MAX: u32 = 8;

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
    if let Some(path) = meant(text) {
        return Ok(Answer::see(&call.href(&path)));
    }
    let mut groups = Vec::new();
    if let Ok(words) = Words::parse(text) {
        let orders = orders(&call, words.clone().or_numbers(number_in)).await?;
        // A number names one order, however many have it among their words.
        if let Some(named) = named(text, &orders) {
            return Ok(Answer::see(&named));
        }
        groups.push((say.orders(), orders));
        groups.push((say.customers(), customers(&call, words.clone()).await?));
        groups.push((say.products(), products(&call, words.clone()).await?));
        groups.push((say.invoices(), invoices(&call, words).await?));
    }
    groups.retain(|(_, hits)| !hits.is_empty());
    let empty = groups.is_empty().then(|| match text {
        "" => Empty::new(say.search_hint()),
        _ => Empty::new(say.no_hits()),
    });
    let body = Found { say, place: call.href("search"), words: text, groups, empty };
    Ok(call.page(Sheet::new(say.search(), &body)))
}

/// The page of what an identifier names, whether there is such a thing or not.
fn meant(text: &str) -> Option<String> {
    let order = OrderId::parse(text).map(|id| format!("orders/{id}"));
    order
        .or_else(|| CustomerId::parse(text).map(|id| format!("customers/{id}")))
        .or_else(|| ProductId::parse(text).map(|id| format!("products/{id}")))
        .or_else(|| InvoiceId::parse(text).map(|id| format!("invoices/{id}")))
        .or_else(|| SubscriptionId::parse(text).map(|id| format!("webhooks/{id}")))
}

/// Where the order of that very number lies.
fn named(text: &str, orders: &[Hit]) -> Option<String> {
    let number = number_text(number_in(text)?);
    let hit = orders.iter().find(|hit| hit.link.label == number)?;
    Some(hit.link.href.clone())
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

async fn customers(call: &Call<Member>, words: Words) -> Result<Vec<Hit>, Failure> {
    if !call.may(Right::read(Scope::Customers)) {
        return Ok(Vec::new());
    }
    let filter = CustomerFilter { search: Some(words), ..CustomerFilter::default() };
    let query = CustomerQuery { filter, page: few(), ..CustomerQuery::default() };
    let listed = answered(call.services().customers.list(call.account(), query)).await?;
    let hit = |customer: crm::Customer| Hit {
        link: Link::new(customer.name, call.href(&format!("customers/{}", customer.id))),
        hint: customer.email.or(customer.phone).unwrap_or_default(),
    };
    Ok(listed.items.into_iter().map(hit).collect())
}

async fn products(call: &Call<Member>, words: Words) -> Result<Vec<Hit>, Failure> {
    if !call.may(Right::read(Scope::Products)) {
        return Ok(Vec::new());
    }
    let filter = ProductFilter { search: Some(words), ..ProductFilter::default() };
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
    fn an_identifier_leads_to_its_page() {
        let id = OrderId::from_u128(7);
        assert_eq!(meant(&id.to_string()), Some(format!("orders/{id}")));
        assert_eq!(meant("taza"), None);
        let hit = |label: &str| Hit { link: Link::new(label, "/x"), hint: String::new() };
        let orders = [hit("ORD-000012"), hit("ORD-000001")];
        assert_eq!(named("ord-1", &orders), Some("/x".to_owned()));
        assert_eq!(named("ORD-7", &orders), None);
        assert_eq!(named("taza", &orders), None);
    }
}
