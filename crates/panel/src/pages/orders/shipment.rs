//! One shipment: what it holds, how it is followed, and what becomes of it.

use askama::Template;
use cfdi::catalogs::zones::Zone;
use intake::{Form, checks::whole_from, noun};
use kernel::{FieldFault, Timestamp};
use orders::{
    Order, ReviseShipment, Shipment, ShipmentId, number_text,
    shipments::{ShipmentChanges, ShipmentLine, ShipmentStatus},
};

use super::{
    PATH, READ,
    acts::{act, place},
    detail::{order, shipment_pill},
    shipping::{Tracking, WRITE, named, read_tracking, tracking_fields, unshipped},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{moment, quantity},
    layout::Sheet,
    markup::Markup,
    page::Page,
    pages::{
        money::refused,
        stock::shared::{CONFIRMED, Places, places},
    },
    reply::{carried_out, found},
    texts::Say,
};

const TRACKING: Form<Tracking> = Form::body(
    "Tracking",
    noun("this form", "este formulario"),
    |fields| {
        // Looked at by who carries it out.
        let _: Option<i64> = fields.optional("version", whole_from(1));
        Some(read_tracking(fields))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("orders/{id}/shipments/{shipment}", READ, show),
        Page::post("orders/{id}/shipments/{shipment}", WRITE, change),
        Page::post("orders/{id}/shipments/{shipment}/deliver", WRITE, deliver),
        Page::get("orders/{id}/shipments/{shipment}/cancel", WRITE, ask_cancel),
        Page::post("orders/{id}/shipments/{shipment}/cancel", WRITE, cancel),
    ]
}

#[derive(Template)]
#[template(path = "orders/shipment.html", whitespace = "minimize")]
struct Shown {
    say: Say,
    lines: Vec<Line>,
    facts: Vec<(&'static str, String)>,
    tracking_url: Option<String>,
    form: Option<Markup>,
}

struct Line {
    name: String,
    sku: String,
    quantity: String,
}

/// The order and the shipment of the path.
async fn both(call: &Call<Member>) -> Result<(Order, Shipment), Failure> {
    let order = order(call).await?;
    let id = ShipmentId::parse(call.parameter("shipment")).ok_or(Failure::Nothing)?;
    let shipment = found(call.services().orders.shipment(call.account(), id)).await?;
    if shipment.order == order.id { Ok((order, shipment)) } else { Err(Failure::Nothing) }
}

/// The last parts of the path of a shipment, below that of its order.
fn below(shipment: &Shipment, path: &str) -> String {
    let slash = if path.is_empty() { "" } else { "/" };
    format!("shipments/{}{slash}{path}", shipment.id)
}

/// How a shipment is followed, as the form has it.
fn values_of(shipment: &Shipment) -> Values {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (carrier, number) = (text(&shipment.carrier), text(&shipment.tracking_number));
    let (url, version) = (text(&shipment.tracking_url), shipment.version.to_string());
    Values::with(&[
        ("carrier", carrier.as_str()),
        ("trackingNumber", number.as_str()),
        ("trackingUrl", url.as_str()),
        ("version", version.as_str()),
    ])
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (order, shipment) = both(&call).await?;
    page(&call, (&order, &shipment), &values_of(&shipment), &[]).await
}

async fn page(
    call: &Call<Member>,
    (order, shipment): (&Order, &Shipment),
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let (zone, places) = (call.zone(), places(call).await?);
    let line = |part: &ShipmentLine| {
        let item = order.items.get(part.line)?;
        let quantity = quantity(part.quantity);
        Some(Line { name: item.name.clone(), sku: item.sku.clone(), quantity })
    };
    let may_change = call.may(WRITE) && shipment.status != ShipmentStatus::Cancelled;
    let form = may_change.then(|| {
        let action = place(call, order, &below(shipment, ""));
        let fields = tracking_fields(call, values).into();
        let form = call.form(action, fields, say.save(), faults);
        Markup::of(&call.over(form, &values_of(shipment)))
    });
    let body = Shown {
        say,
        lines: shipment.lines.iter().filter_map(line).collect(),
        facts: facts(call, shipment, zone, &places),
        tracking_url: shipment.tracking_url.clone(),
        form,
    };
    let title = format!("{} · {}", say.shipment(), number_text(order.number));
    let sheet = Sheet::new(title, &body).wrong_if(!faults.is_empty());
    let sheet = sheet.pill(shipment_pill(say, shipment.status));
    let sheet =
        sheet.action(say.packing_slip(), place(call, order, &below(shipment, "packing-slip")));
    let is_under_way = call.may(WRITE) && shipment.status == ShipmentStatus::Shipped;
    let sheet = if is_under_way {
        let deliver = place(call, order, &below(shipment, "deliver"));
        let deliver = call.button(deliver, say.mark_delivered()).class("main");
        let cancel = place(call, order, &below(shipment, "cancel"));
        sheet.act(&deliver).grave(say.cancel_shipment(), cancel)
    } else {
        sheet
    };
    Ok(call.page(sheet.back(number_text(order.number), place(call, order, ""))))
}

fn facts(
    call: &Call<Member>,
    shipment: &Shipment,
    zone: Zone,
    places: &Places,
) -> Vec<(&'static str, String)> {
    let say = call.say();
    let at = |at: Timestamp| moment(at, zone, call.language).text;
    let facts = [
        Some((say.date(), at(shipment.created_at))),
        Some((say.leaves_from(), named(places, shipment.warehouse))),
        shipment.carrier.clone().map(|text| (say.carrier(), text)),
        shipment.tracking_number.clone().map(|text| (say.tracking_number(), text)),
        shipment.delivered_at.map(|moment| (say.status_delivered(), at(moment))),
        shipment.cancelled_at.map(|moment| (say.status_cancelled(), at(moment))),
    ];
    facts.into_iter().flatten().collect()
}

/// Back to the shipment, which says what was done.
fn done(call: &Call<Member>, order: &Order, shipment: &Shipment, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}/{}", order.id, below(shipment, "")), word)
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let (order, shipment) = both(&call).await?;
    let (both, values) = ((&order, &shipment), call.sent.values());
    let tracking = match call.read(&TRACKING)? {
        Ok(tracking) => tracking,
        Err(faults) => return page(&call, both, values, &faults).await,
    };
    let changes = ShipmentChanges {
        carrier: Some(tracking.carrier),
        tracking_number: Some(tracking.number),
        tracking_url: Some(tracking.url),
        status: None,
    };
    let command = ReviseShipment { id: shipment.id, version: call.seen_version(), changes };
    let changing = call.services().orders.revise_shipment(call.ctx(), command);
    match carried_out(changing, |error| unshipped(&error)).await? {
        Ok(_) => Ok(done(&call, &order, &shipment, "shipment.changed")),
        Err(faults) => page(&call, both, values, &faults).await,
    }
}

async fn deliver(call: Call<Member>) -> Result<Answer, Failure> {
    let (order, shipment) = both(&call).await?;
    let changes =
        ShipmentChanges { status: Some(ShipmentStatus::Delivered), ..ShipmentChanges::default() };
    // Whatever else was changed of it meanwhile, it has been delivered.
    let command = ReviseShipment { id: shipment.id, version: None, changes };
    let changing = call.services().orders.revise_shipment(call.ctx(), command);
    match carried_out(changing, |error| unshipped(&error)).await? {
        Ok(_) => Ok(done(&call, &order, &shipment, "shipment.delivered")),
        Err(faults) => Err(refused(&faults)),
    }
}

async fn ask_cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let (order, shipment) = both(&call).await?;
    Ok(cancelling(&call, &order, &shipment, &[]))
}

fn cancelling(
    call: &Call<Member>,
    order: &Order,
    shipment: &Shipment,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let action = place(call, order, &below(shipment, "cancel"));
    let form = call.form(action, Vec::new(), say.cancel_shipment(), faults).dangerous();
    let told = (say.cancel_shipment(), say.cancel_shipment_intro().to_owned());
    act(call, order, told, &form, !faults.is_empty())
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let (order, shipment) = both(&call).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(cancelling(&call, &order, &shipment, &faults));
    }
    let cancelled = call.services().orders.cancel_shipment(call.ctx(), shipment.id);
    Ok(match carried_out(cancelled, |error| unshipped(&error)).await? {
        Ok(_) => done(&call, &order, &shipment, "shipment.cancelled"),
        Err(faults) => cancelling(&call, &order, &shipment, &faults),
    })
}
