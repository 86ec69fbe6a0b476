//! One order: what was sold, to whom, what was paid and shipped, and what has happened.

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::{Customer, CustomerId};
use kernel::{Amount, Measure};
use orders::{
    FulfillmentStatus, Item, Order, OrderId, OrderStatus, Shipment, number_text,
    shipments::ShipmentStatus,
    timeline::{Entry, Story},
};

use super::{
    PATH, READ,
    acts::offered,
    address::town,
    history::happened,
    new::SHIPPING_NAME,
    once_told::once_told,
    owing::{Owing, sums},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::{moment, money, quantity, unit_price},
    layout::Sheet,
    page::Page,
    pages::{
        invoices,
        linked::Ways,
        shop::{fulfillment_pill, payment_pill, status_pill},
    },
    parts::{Link, Moment, Pill, Timeline, Tone},
    reply::{answered, found},
    texts::Say,
};

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders/{id}", READ, show)]
}

#[derive(Template)]
#[template(path = "orders/detail.html", whitespace = "minimize")]
struct Detail<'a> {
    say: Say,
    order: &'a Order,
    placed: Moment,
    lines: Vec<Line>,
    sums: Vec<(&'static str, String)>,
    total: String,
    payment: Pill,
    fulfillment: Pill,
    /// What leaves what is due of it.
    settling: Vec<(&'static str, String)>,
    due: String,
    /// Why it was discounted or cancelled, and by what it is sent.
    remarks: Vec<(&'static str, &'a str)>,
    /// To the money that it has brought, and to what asks for more.
    ways: Vec<Link>,
    customer: Option<CustomerPart>,
    /// The line below the street of where it is sent to.
    town: Option<String>,
    shipments: Vec<ShipmentLine>,
    timeline: Timeline,
}

struct Line {
    name: String,
    /// Where the product is shown, for who may look at it.
    href: Option<String>,
    sku: String,
    quantity: String,
    unit_price: String,
    amount: String,
    note: Option<String>,
    discount: Option<String>,
    /// How much of it is out or came back, where that is neither nothing nor all.
    progress: Vec<String>,
}

struct CustomerPart {
    name: String,
    email: Option<String>,
    phone: Option<String>,
    href: String,
}

struct ShipmentLine {
    at: Moment,
    href: String,
    slip: String,
    carrier: String,
    tracking: String,
    state: Pill,
}

/// The order of the path.
pub(super) async fn order(call: &Call<Member>) -> Result<Order, Failure> {
    let id = OrderId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().orders.get(call.account(), id)).await
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let id = OrderId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let Story { order, shipments, shipped: out, entries, papers, invoice } =
        found(services.orders.story(account, id)).await?;
    let zone = call.zone();
    let customer = match call.may(Right::read(Scope::Customers)) {
        true => {
            let id = CustomerId::from_u128(order.customer.to_u128());
            answered(services.customers.get(account, id)).await?
        }
        false => None,
    };
    let owing = Owing::of_one(&call, &order).await?;
    let told = |amount: Amount| money(amount, order.currency);
    let shipment = |shipment: Shipment| shipped(&call, shipment, zone);
    let others = Ways::of(&call);
    let happening = |entry: Entry| happened(&call, (&order, &papers), &others, entry, zone);
    let body = Detail {
        say,
        placed: moment(order.created_at, zone, call.language),
        lines: lines(say, &others, &order, &out),
        sums: sums(say, &order),
        total: told(order.total),
        payment: payment_pill(say, order.payment_status()),
        fulfillment: fulfillment_pill(say, order.fulfillment_status),
        settling: owing.settling(say, &order),
        due: told(owing.due(&order)),
        remarks: remarks(say, &order),
        ways: ways(&call, &order),
        customer: customer.map(|customer| customer_part(&call, customer)),
        town: order.shipping_address.as_ref().and_then(town),
        shipments: shipments.into_iter().map(shipment).collect(),
        timeline: Timeline { entries: once_told(&entries).into_iter().map(happening).collect() },
        order: &order,
    };
    let sheet = Sheet::new(number_text(order.number), &body);
    let sheet = sheet.pill(status_pill(say, order.status));
    let place = format!("{}/{}", call.href(PATH), order.id);
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place, path)
    };
    let sheet = offered(&call, &order).into_iter().fold(sheet, with_act);
    let sheet = match invoices::of_order(&call, &order, invoice) {
        Some(invoice) => sheet.action(invoice.label, invoice.href),
        None => sheet,
    };
    let sheet = sheet.quiet(say.ticket(), format!("{place}/ticket"));
    Ok(call.page(sheet.back(say.orders(), call.href(PATH))))
}

/// To the payments of an order, and to a link that asks for what is due, as far as the member may.
fn ways(call: &Call<Member>, order: &Order) -> Vec<Link> {
    let say = call.say();
    let is_due = order.amount_due() > Amount::ZERO && order.status != OrderStatus::Cancelled;
    let ways = [
        (call.may(Right::read(Scope::Payments)), say.payments(), "payments"),
        (is_due && call.may(Right::write(Scope::Payments)), say.new_link(), "links/new"),
    ];
    let ways = ways.into_iter().filter(|(may, ..)| *may);
    let way = |(_, label, path): (bool, &'static str, &str)| {
        Link::new(label, format!("{}?order={}", call.href(path), order.id))
    };
    let moved = call.may(Right::read(Scope::Warehouses)).then(|| {
        Link::new(say.movements(), format!("{}?reference={}", call.href("movements"), order.id))
    });
    ways.map(way).chain(moved).collect()
}

/// What was said of its terms.
fn remarks(say: Say, order: &Order) -> Vec<(&'static str, &str)> {
    let sent_by = order.shipping.as_ref().map(|shipping| shipping.name.as_str());
    let discount = order.discount.as_ref().and_then(|discount| discount.reason.as_deref());
    let remarks = [
        (say.discount(), discount),
        (say.shipping(), sent_by.filter(|name| *name != SHIPPING_NAME)),
        (say.why_cancelled(), order.cancel_reason.as_deref()),
    ];
    remarks.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

/// Its lines, each with what of it is out and what came back.
fn lines(say: Say, others: &Ways<'_>, order: &Order, shipped: &[Measure]) -> Vec<Line> {
    // Of an order that is out as a whole, or not at all, its state says so.
    let is_in_parts = order.fulfillment_status == FulfillmentStatus::PartiallyFulfilled;
    let of = |(item, shipped): (&Item, Measure)| {
        let returned = item.measure(item.returned);
        let out = is_in_parts.then(|| say.so_many_shipped(&quantity(shipped)));
        let back = (returned > Measure::ZERO).then(|| say.so_many_back(&quantity(returned)));
        Line { progress: out.into_iter().chain(back).collect(), ..line(others, order, item) }
    };
    order.items.iter().zip(shipped.iter().copied()).map(of).collect()
}

fn line(others: &Ways<'_>, order: &Order, item: &Item) -> Line {
    let discount = item.discount.map(|discount| money(discount.amount, order.currency));
    Line {
        name: item.name.clone(),
        href: others.page_of(&item.sold.product.to_string()),
        sku: item.sku.clone(),
        quantity: quantity(item.ordered()),
        unit_price: money(item.unit_price, order.currency),
        amount: unit_price(item.line_total(), order.currency),
        note: item.note.clone(),
        discount,
        progress: Vec::new(),
    }
}

fn customer_part(call: &Call<Member>, customer: Customer) -> CustomerPart {
    CustomerPart {
        href: format!("{}/{}", call.href("customers"), customer.id),
        name: customer.name,
        email: customer.email,
        phone: customer.phone,
    }
}

/// How far a shipment has come.
pub(super) fn shipment_pill(say: Say, status: ShipmentStatus) -> Pill {
    match status {
        ShipmentStatus::Shipped => Pill::new(Tone::Good, say.status_shipped()),
        ShipmentStatus::Delivered => Pill::new(Tone::Good, say.status_delivered()),
        ShipmentStatus::Cancelled => Pill::new(Tone::Bad, say.status_cancelled()),
    }
}

fn shipped(call: &Call<Member>, shipment: Shipment, zone: Zone) -> ShipmentLine {
    let state = shipment_pill(call.say(), shipment.status);
    let href = format!("{}/{}/shipments/{}", call.href(PATH), shipment.order, shipment.id);
    ShipmentLine {
        slip: format!("{href}/packing-slip"),
        href,
        at: moment(shipment.created_at, zone, call.language),
        carrier: shipment.carrier.unwrap_or_default(),
        tracking: shipment.tracking_number.unwrap_or_default(),
        state,
    }
}
