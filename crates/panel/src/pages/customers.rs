//! Customers: listed, and one with its orders.

mod edit;
mod table;

use accounts::{Right, Scope};
use askama::Template;
use crm::{Customer, CustomerFilter, CustomerId, CustomerQuery};
use orders::{OrderFilter, OrderQuery};

use super::{
    activities::{self, Subject},
    orders::{Line as OrderLine, lines as order_lines},
    shop::words,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::moment,
    layout::Sheet,
    list,
    markup::Markup,
    page::{Group, Page},
    parts::{Empty, Filters, Moment, Pager},
    reply::{answered, found},
    sort::{self, Column, SortHead, Sorted},
    texts::Say,
};

const READ: Right = Right::read(Scope::Customers);
const PATH: &str = "customers";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Sell, "contact", Say::customers).key("c").list(),
        Page::get("customers/{id}", READ, detail),
    ];
    [own, edit::pages(), table::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "customers/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    since: SortHead,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    name: String,
    href: String,
    email: String,
    phone: String,
    rfc: String,
    created: Moment,
}

/// Which customers a query asks for.
fn filter(query: &Values) -> CustomerFilter {
    CustomerFilter { search: words(query), ..CustomerFilter::default() }
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query);
    let is_filtered = filter.search.is_some();
    let sorted = Sorted::asked(&call.query, sort::RECORDS);
    let query = CustomerQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().customers.list(call.account(), query)).await?;
    let zone = call.zone().await?;
    let total = list::counted(say, listed.total);
    let filters = Filters::new(say, call.href(PATH), &call.query, total);
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |customer: Customer| Line {
        href: format!("{}/{}", call.href(PATH), customer.id),
        email: customer.email.unwrap_or_default(),
        phone: customer.phone.unwrap_or_default(),
        rfc: customer.rfc.unwrap_or_default(),
        created: moment(customer.created_at, zone, call.language),
        name: customer.name,
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::new(say.no_matches()).action(say.clear_filters(), call.href(PATH)),
        false => Empty::new(say.no_customers()),
    });
    let since = Column::moments("createdAt", say.since());
    let since = sorted.head(&call.href(PATH), &call.query, since);
    let body = Listed { say, filters, since, lines, empty, pager };
    let sheet = Sheet::new(say.customers(), &body);
    let sheet = match call.may(edit::WRITE) {
        true => sheet.action(say.new_customer(), call.href("customers/new")),
        false => sheet,
    };
    Ok(call.page(sheet))
}

#[derive(Template)]
#[template(path = "customers/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    facts: Vec<(&'static str, String)>,
    orders: Vec<OrderLine>,
    more: String,
    activities: Markup,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let id = CustomerId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let customer = found(services.customers.get(account, id)).await?;
    let zone = call.zone().await?;
    let orders = match call.may(Right::read(Scope::Orders)) {
        true => {
            let buyer = Some(orders::CustomerId::from_u128(id.to_u128()));
            let filter = OrderFilter { customer: buyer, ..OrderFilter::default() };
            let query = OrderQuery { filter, ..OrderQuery::default() };
            let listed = answered(services.orders.list(account, query)).await?;
            order_lines(&call, listed, zone).await?
        }
        false => Vec::new(),
    };
    let facts = [
        (say.email(), &customer.email),
        (say.phone(), &customer.phone),
        (say.rfc(), &customer.rfc),
        (say.legal_name(), &customer.legal_name),
        (say.tax_regime(), &customer.tax_regime),
        (say.tax_zip(), &customer.tax_zip),
        (say.cfdi_use(), &customer.cfdi_use),
    ];
    let filled = |(label, text): (&'static str, &Option<String>)| Some((label, text.clone()?));
    let about = Subject { customer: Some(id), ..Subject::default() };
    let body = Detail {
        say,
        facts: facts.into_iter().filter_map(filled).collect(),
        orders,
        more: format!("{}?customer={id}", call.href("orders")),
        activities: activities::part(&call, about, zone).await?,
    };
    let sheet = Sheet::new(customer.name, &body).back(say.customers(), call.href(PATH));
    let sheet = match call.may(edit::WRITE) {
        true => sheet.action(say.edit(), format!("{}/{id}/edit", call.href(PATH))),
        false => sheet,
    };
    Ok(call.page(match call.may(Right::write(Scope::Invoices)) {
        true => {
            sheet.action(say.new_invoice(), format!("{}?customer={id}", call.href("invoices/new")))
        }
        false => sheet,
    }))
}
