//! Customers: listed, and one with its orders.

mod addresses;
mod edit;
mod table;
mod tax;

use std::collections::HashMap;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::{countries, regimes, uses};
use crm::{Address, Customer, CustomerFilter, CustomerGroupId, CustomerId, CustomerQuery};
use kernel::{PageRequest, page::Count};
use orders::{OrderFilter, OrderQuery};

use super::{
    activities::{self, Subject},
    given_links::GivenLink,
    invoices::coded,
    linked::nothing_yet,
    orders::{Line as OrderLine, Owing, lines_with},
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
    parts::{ButtonForm, Empty, Filters, Moment, Pager, Pill},
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
    [own, edit::pages(), addresses::pages(), tax::pages(), table::pages()]
        .into_iter()
        .flatten()
        .collect()
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
    let group = query.read("group", CustomerGroupId::parse);
    CustomerFilter { search: words(query), group, ..CustomerFilter::default() }
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query);
    let is_filtered = filter != CustomerFilter::default();
    let sorted = Sorted::asked(&call.query, sort::RECORDS);
    let query = CustomerQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().customers.list(call.account(), query)).await?;
    let zone = call.zone();
    let total = list::counted(say, listed.total);
    let filters = Filters::new(say, call.href(PATH), &call.query, total);
    let group = call.query.filled("group").map(|_| say.group().to_owned());
    let filters = filters.chip(group, &call.query, "group");
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
        true => Empty::unmatched(say, call.href(PATH)),
        false => nothing_yet(&call, say.no_customers(), (say.new_customer(), "customers/new")),
    });
    let since = Column::moments("createdAt", say.since());
    let since = sorted.head(&call.href(PATH), &call.query, &since);
    let body = Listed { say, filters, since, lines, empty, pager };
    let sheet = Sheet::new(say.customers(), &body);
    let sheet = match call.may(edit::WRITE) {
        true => sheet
            .action(say.new_customer(), call.href("customers/new"))
            .quiet(say.start_import(), call.href("imports/customers/new")),
        false => sheet,
    };
    Ok(call.page(sheet.quiet(say.customer_groups(), call.href("customer-groups"))))
}

#[derive(Template)]
#[template(path = "customers/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    facts: Vec<(&'static str, String)>,
    tax: Pill,
    findings: Vec<String>,
    link: Option<GivenLink>,
    /// Makes such a link, for who may.
    make_link: Option<ButtonForm>,
    addresses: Vec<AddressLine>,
    orders: Vec<OrderLine>,
    more: String,
    activities: Markup,
}

struct AddressLine {
    label: String,
    text: String,
    /// Where it is changed and removed, by who may.
    href: Option<String>,
    remove: Option<ButtonForm>,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let id = CustomerId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let customer = found(services.customers.get(account, id)).await?;
    let zone = call.zone();
    let (orders, owed) = match call.may(Right::read(Scope::Orders)) {
        true => {
            let buyer = Some(orders::CustomerId::from_u128(id.to_u128()));
            let filter = OrderFilter { customer: buyer, ..OrderFilter::default() };
            let page = PageRequest { count: Count::Nothing, ..PageRequest::default() };
            let query = OrderQuery { filter, page, ..OrderQuery::default() };
            let listed = answered(services.orders.list(account, query)).await?;
            // There may be more in those that are not listed.
            let is_whole = listed.next.is_none();
            let owing = Owing::of(&*services.payments, account, &listed.items).await?;
            let owed = owing.due_in_all(&listed.items);
            let owed = owed.map(|owed| if is_whole { owed } else { say.at_least(&owed) });
            let names = HashMap::from([(id.to_u128(), customer.name.clone())]);
            (lines_with(&call, listed, zone, &names), owed)
        }
        false => (Vec::new(), None),
    };
    let (tax, findings) = tax::checked(&call, &customer).await?;
    let may_write = call.may(edit::WRITE);
    let group = match customer.group {
        Some(group) => answered(services.customer_groups.get(account, group)).await?,
        None => None,
    };
    let place = format!("{}/{id}", call.href(PATH));
    let link = tax::link(&call, id, zone).await?.filter(|_| may_write);
    let is_open = link.is_some();
    let make_link = (may_write && !is_open)
        .then(|| call.button(format!("{place}/tax-link"), say.make_tax_link()));
    let address = |(number, address): (usize, &Address)| {
        let own = format!("{place}/addresses/{number}");
        let remove = may_write.then(|| {
            let button = call.button(format!("{own}/remove"), say.remove_address());
            button.class("link").version(customer.version)
        });
        AddressLine {
            label: address.label.clone().unwrap_or_default(),
            text: addresses::written(address),
            href: may_write.then_some(own),
            remove,
        }
    };
    let addresses = customer.addresses.iter().enumerate().map(address).collect();
    let regime = customer.tax_regime.as_deref();
    let regime = regime.map(|code| coded(code, regimes::find(code).map(|row| row.name)));
    let cfdi_use = customer.cfdi_use.as_deref();
    let cfdi_use = cfdi_use.map(|code| coded(code, uses::find(code).map(|row| row.name)));
    let residence = customer.tax_residence.as_deref();
    let residence = residence.map(|code| coded(code, countries::find(code).map(|row| row.name)));
    let facts = [
        (say.email(), &customer.email),
        (say.phone(), &customer.phone),
        (say.rfc(), &customer.rfc),
        (say.legal_name(), &customer.legal_name),
        (say.tax_regime(), &regime),
        (say.tax_zip(), &customer.tax_zip),
        (say.cfdi_use(), &cfdi_use),
        (say.tax_residence(), &residence),
        (say.foreign_tax_id(), &customer.foreign_tax_id),
    ];
    let filled = |(label, text): (&'static str, &Option<String>)| Some((label, text.clone()?));
    let more = [(say.group(), group.map(|group| group.name)), (say.owes(), owed)];
    let more = more.into_iter().filter_map(|(label, text)| Some((label, text?)));
    let about = Subject { customer: Some(id), ..Subject::default() };
    let body = Detail {
        say,
        facts: facts.into_iter().filter_map(filled).chain(more).collect(),
        tax,
        findings,
        link,
        make_link,
        addresses,
        orders,
        more: format!("{}?customer={id}", call.href("orders")),
        activities: activities::part(&call, about, zone).await?,
    };
    let sheet = Sheet::new(customer.name.clone(), &body).back(say.customers(), call.href(PATH));
    let sheet = match may_write {
        true => sheet
            .action(say.edit(), format!("{place}/edit"))
            .grave(say.delete(), format!("{place}/delete")),
        false => sheet,
    };
    let sheet = match call.may(Right::write(Scope::Orders)) {
        true => sheet.action(say.new_order(), format!("{}?customer={id}", call.href("orders/new"))),
        false => sheet,
    };
    let sheet = match call.may(Right::write(Scope::Invoices)) {
        true => {
            sheet.action(say.new_invoice(), format!("{}?customer={id}", call.href("invoices/new")))
        }
        false => sheet,
    };
    let sheet = match call.may(Right::read(Scope::Invoices)) {
        true => sheet.quiet(say.invoices(), format!("{}?customer={id}", call.href("invoices"))),
        false => sheet,
    };
    let answer = call.page(match may_write {
        true => sheet.action(say.new_address(), format!("{place}/addresses/new")),
        false => sheet,
    });
    Ok(if is_open { answer.secret() } else { answer })
}
