//! What of an order is printed: a ticket, and the slip that lies in a parcel.

use actix_web::{http::StatusCode, web::Bytes};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::CustomerId;
use inventory::{Warehouse, WarehouseId};
use kernel::Amount;
use orders::{Item, Order, OrderStatus, ShipmentId, number_text, packing::Packing};

use super::{
    READ,
    detail::order,
    owing::{Owing, sums},
};
use crate::{
    answer::Answer,
    assets,
    call::{Call, Member},
    failure::Failure,
    format::{moment, money, quantity, unit_price},
    markup::Markup,
    page::Page,
    parts::Moment,
    qr::Qr,
    reply::{answered, found},
    texts::Say,
};

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("orders/{id}/ticket", READ, ticket),
        Page::get("orders/{id}/shipments/{shipment}/packing-slip", READ, packing_slip),
    ]
}

#[derive(Template)]
#[template(path = "orders/ticket.html", whitespace = "minimize")]
struct Tickets<'a> {
    say: Say,
    style: &'static str,
    script: &'static str,
    merchant: &'a str,
    is_test: bool,
    slips: Vec<Slip>,
}

/// What of an order is on its ticket.
pub(super) struct Slip {
    number: String,
    placed: Moment,
    lines: Vec<Line>,
    sums: Vec<(&'static str, String)>,
    total: String,
    /// What leaves what is due.
    settling: Vec<(&'static str, String)>,
    due: Option<String>,
    /// So that nobody takes it for one that is in force.
    is_cancelled: bool,
    notes: Option<String>,
    qr: Qr,
}

struct Line {
    name: String,
    quantity: String,
    unit_price: String,
    amount: String,
}

async fn ticket(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let zone = call.zone();
    let owing = Owing::of_one(&call, &order).await?;
    let slip = slip(&call, &order, &owing, zone);
    Ok(tickets(&call, vec![slip]))
}

/// The ticket of an order.
pub(super) fn slip(call: &Call<Member>, order: &Order, owing: &Owing, zone: Zone) -> Slip {
    let due = owing.due(order);
    let number = number_text(order.number);
    let line = |item: &Item| Line {
        name: item.name.clone(),
        quantity: quantity(item.ordered()),
        unit_price: money(item.unit_price, order.currency),
        amount: unit_price(item.line_total(), order.currency),
    };
    Slip {
        placed: moment(order.created_at, zone, call.language),
        lines: order.items.iter().map(line).collect(),
        sums: sums(call.say(), order),
        total: money(order.total, order.currency),
        settling: owing.settling(call.say(), order),
        is_cancelled: order.status == OrderStatus::Cancelled,
        due: (due > Amount::ZERO).then(|| money(due, order.currency)),
        notes: order.notes.clone(),
        qr: Qr::of(&number),
        number,
    }
}

/// A page of tickets, one below the other.
pub(super) fn tickets(call: &Call<Member>, slips: Vec<Slip>) -> Answer {
    let account = &call.who.entry.account;
    let body = Tickets {
        say: call.say(),
        style: assets::style(),
        script: assets::script(),
        merchant: &account.name,
        is_test: account.test_of.is_some(),
        slips,
    };
    Answer::page(StatusCode::OK, Markup::of(&body).into_html())
}

async fn packing_slip(call: Call<Member>) -> Result<Answer, Failure> {
    let (services, account) = (call.services(), call.account());
    let order: Order = order(&call).await?;
    let id = ShipmentId::parse(call.parameter("shipment")).ok_or(Failure::Nothing)?;
    let shipment = found(services.orders.shipment(account, id)).await?;
    if shipment.order != order.id {
        return Err(Failure::Nothing);
    }
    let customer = CustomerId::from_u128(order.customer.to_u128());
    let customer = answered(services.customers.get(account, customer)).await?;
    let warehouse = WarehouseId::from_u128(shipment.warehouse.to_u128());
    let warehouse = answered(services.inventory.warehouse(account, warehouse)).await?;
    let packing = Packing {
        order,
        shipment,
        customer: customer.map(|customer| customer.name),
        from: warehouse.map(Warehouse::into_lines).unwrap_or_default(),
    };
    let (printer, language) = (services.packing_printer.clone(), call.language);
    let printed = call.computed(move || printer.packing_slip(&packing, language)).await?;
    let pdf = printed.map_err(Failure::Internal)?;
    Ok(Answer::file("application/pdf", Bytes::from(pdf)))
}
