//! Goods of an order leave: what of it, from where, and how they can be followed.

use std::collections::BTreeMap;

use accounts::{Right, Scope};
use intake::{
    Fields, Form,
    checks::{id, line, text, units},
    noun,
};
use kernel::{FieldFault, Measure, Message, message, quantity::QUANTITY_MAX};
use orders::{
    NewShipment, Order, OrderId, ShipmentError, Taken, WarehouseId,
    order::LINE_CHARS_MAX,
    shipments::{ShipmentLine, URL_CHARS_MAX},
};

use super::{
    acts::{asking, done, place},
    detail::order,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    page::Page,
    pages::{
        reading::row_of,
        refusals::waits_for_upgrade,
        stock::shared::{Places, places},
    },
    parts::Field,
    reply::{answered, carried_out, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Orders);
/// As many lines as a form has fields for; what is left after them is shipped with the next.
const LINES_SHOWN: usize = 25;

/// What a form says of a shipment.
struct Wanted {
    warehouse: Option<WarehouseId>,
    /// By the numbers of lines, as the form names them.
    parts: Vec<(String, Measure)>,
    tracking: Tracking,
}

/// How a shipment can be followed.
pub(super) struct Tracking {
    pub(super) carrier: Option<String>,
    pub(super) number: Option<String>,
    pub(super) url: Option<String>,
}

const SHIPMENT: Form<Wanted> =
    Form::body("Shipment", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let warehouse = fields.optional("warehouse", place);
    let parts = fields.entries("quantity", "quantity[…]", units(0..=QUANTITY_MAX));
    Some(Wanted { warehouse, parts, tracking: read_tracking(fields) })
}

pub(super) fn read_tracking(fields: &mut Fields<'_>) -> Tracking {
    Tracking {
        carrier: fields.optional("carrier", line(LINE_CHARS_MAX)),
        number: fields.optional("trackingNumber", line(LINE_CHARS_MAX)),
        url: fields.optional("trackingUrl", text(followed_at)),
    }
}

/// Where a shipment is followed: an address that a customer can click.
fn followed_at(url: &str) -> Result<String, Message> {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    let is_plain = url.len() <= URL_CHARS_MAX && url.bytes().all(|b| b.is_ascii_graphic());
    match is_web && is_plain {
        true => Ok(url.to_owned()),
        false => Err(message!(
            "must be an address that begins with https://",
            "debe ser una dirección que comience con https://"
        )),
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("orders/{id}/ship", WRITE, ask_ship),
        Page::post("orders/{id}/ship", WRITE, ship),
    ]
}

/// The fields of how a shipment can be followed.
pub(super) fn tracking_fields(call: &Call<Member>, values: &Values) -> [Field; 3] {
    let say = call.say();
    [
        Field::text("carrier", say.carrier(), values),
        Field::text("trackingNumber", say.tracking_number(), values),
        Field::input("url", "trackingUrl", say.tracking_url(), values),
    ]
}

/// What is promised to an order and was not shipped yet, by line and warehouse.
pub(super) struct Open(BTreeMap<usize, Vec<(WarehouseId, Measure)>>);

pub(super) async fn open(call: &Call<Member>, order: &Order) -> Result<Open, Failure> {
    let asked = call.services().orders.allocations(call.account(), vec![order.id]);
    let taken: BTreeMap<OrderId, Vec<Taken>> = answered(asked).await?;
    let mut open: BTreeMap<usize, Vec<(WarehouseId, Measure)>> = BTreeMap::new();
    for part in taken.into_values().flatten().filter(|part| part.quantity > 0) {
        if let Some(item) = order.items.get(part.line) {
            let part = (part.line, (part.warehouse, item.measure(part.quantity)));
            open.entry(part.0).or_default().push(part.1);
        }
    }
    Ok(Open(open))
}

impl Open {
    /// The warehouses that have something of it.
    pub(super) fn warehouses(&self) -> Vec<WarehouseId> {
        let mut all: Vec<_> = self.0.values().flatten().map(|(place, _)| *place).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What of a line is open in a warehouse, if anything is.
    pub(super) fn left(&self, line: usize, warehouse: WarehouseId) -> Option<Measure> {
        let parts = self.0.get(&line)?;
        parts.iter().find(|(place, _)| *place == warehouse).map(|(_, left)| *left)
    }

    /// Lines with something open, each with what lies where.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &[(WarehouseId, Measure)])> {
        self.0.iter().map(|(line, parts)| (*line, parts.as_slice()))
    }
}

/// A warehouse as stock names it.
pub(super) fn named(places: &Places, warehouse: WarehouseId) -> String {
    places.name(inventory::WarehouseId::from_u128(warehouse.to_u128()))
}

/// What is open of a line, and where that is if it is not all in one place.
pub(super) fn told_open(places: &Places, parts: &[(WarehouseId, Measure)], all: usize) -> String {
    let part = |(warehouse, measure): &(WarehouseId, Measure)| match all {
        1 => quantity(*measure),
        _ => format!("{} {}", named(places, *warehouse), quantity(*measure)),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" · ")
}

async fn ask_ship(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    shipping(&call, &order, &Values::default(), &[]).await
}

async fn shipping(
    call: &Call<Member>,
    order: &Order,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let (open, places) = (open(call, order).await?, places(call).await?);
    let warehouses = open.warehouses();
    let choice = |warehouse: &WarehouseId| (warehouse.to_string(), named(&places, *warehouse));
    let choices: Vec<_> = warehouses.iter().map(choice).collect();
    let mut fields = Vec::new();
    if choices.len() > 1 {
        let label = say.leaves_from();
        fields.push(Field::select("warehouse", label, choices, values));
    }
    for (line, parts) in open.lines().take(LINES_SHOWN) {
        let Some(item) = order.items.get(line) else { continue };
        let name = format!("quantity[{}]", line + 1);
        let left = say.still_to_ship(&told_open(&places, parts, warehouses.len()));
        fields.push(Field::input("text", name, item.name.clone(), values).hint(left));
    }
    fields.extend(tracking_fields(call, values));
    let form = call.form(place(call, order, "ship"), fields, say.ship(), faults);
    let intro = match open.lines().count() > LINES_SHOWN {
        true => format!("{} {}", say.ship_intro(), say.ship_more_lines()),
        false => say.ship_intro().to_owned(),
    };
    let told = (say.ship(), intro);
    let sheet = asking(call, order, told, &form, !faults.is_empty());
    let may_move = places.all().len() > 1 && !warehouses.is_empty();
    Ok(call.page(match may_move {
        true => sheet.quiet(say.reallocate(), place(call, order, "reallocate")),
        false => sheet,
    }))
}

/// The lines that a form names, with how much of each; `None` if there is no such line.
fn lines(order: &Order, parts: &[(String, Measure)]) -> Option<Vec<ShipmentLine>> {
    let line = |(number, quantity): &(String, Measure)| {
        let line = number.parse::<usize>().ok()?.checked_sub(1)?;
        order.items.get(line)?;
        Some(ShipmentLine { line, quantity: *quantity })
    };
    let lines: Option<Vec<_>> = parts.iter().map(line).collect();
    let mut lines = lines?;
    lines.retain(|line| line.quantity > Measure::ZERO);
    lines.sort_by_key(|line| line.line);
    Some(lines)
}

async fn ship(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let values = call.sent.values();
    let wanted = match call.read(&SHIPMENT)? {
        Ok(wanted) => wanted,
        Err(faults) => return shipping(&call, &order, values, &faults).await,
    };
    let lines = lines(&order, &wanted.parts).ok_or(Failure::Nothing)?;
    if lines.is_empty() && !wanted.parts.is_empty() {
        let nothing = message!(
            "Say how much of at least one line ships, or leave all of them empty.",
            "Indica cuánto sale de al menos una partida, o deja todas vacías."
        );
        return shipping(&call, &order, values, &[whole(nothing)]).await;
    }
    let places: Vec<usize> = lines.iter().map(|line| line.line).collect();
    let new = NewShipment {
        lines,
        warehouse: wanted.warehouse,
        carrier: wanted.tracking.carrier,
        tracking_number: wanted.tracking.number,
        tracking_url: wanted.tracking.url,
    };
    let shipping_it = call.services().orders.ship(call.ctx(), order.id, new);
    match carried_out(shipping_it, |error| unshipped(&error)).await? {
        Ok(_) => Ok(done(&call, &order, "order.shipped")),
        Err(faults) => shipping(&call, &order, values, &in_form(faults, &places)).await,
    }
}

/// Faults at the fields of the form.
fn in_form(faults: Vec<FieldFault>, places: &[usize]) -> Vec<FieldFault> {
    let here = |fault: FieldFault| {
        if fault.field == "warehouseId" {
            return FieldFault::new("warehouse", fault.problem);
        }
        match row_of("items", &fault.field).and_then(|(row, _)| places.get(row)) {
            Some(line) => FieldFault::new(format!("quantity[{}]", line + 1), fault.problem),
            None => fault,
        }
    };
    faults.into_iter().map(here).collect()
}

/// Why nothing is shipped, or a shipment stays as it is.
pub(in crate::pages) fn unshipped(error: &ShipmentError) -> FieldFault {
    whole(match error {
        ShipmentError::TooMany { line, open, .. } => {
            let most = open.amount();
            return FieldFault::new(
                format!("quantity[{line}]"),
                message!(
                    "must be at most {most}, what is still to be shipped from there",
                    "debe ser a lo más {most}, lo que falta por enviar desde ahí"
                ),
            );
        }
        ShipmentError::WrongStatus { .. } | ShipmentError::OrderOver { .. } => message!(
            "An order in this state cannot be shipped.",
            "Un pedido en este estado ya no se puede enviar."
        ),
        ShipmentError::NothingOpen { .. } => message!(
            "Nothing of the order is left to ship.",
            "Del pedido ya no queda nada por enviar."
        ),
        ShipmentError::TooManyShipments { max } => message!(
            "The order has {max} shipments, the maximum.",
            "El pedido tiene {max} envíos, el máximo."
        ),
        ShipmentError::Over { .. } => message!(
            "The shipment has been delivered or cancelled.",
            "El envío ya se entregó o se canceló."
        ),
        ShipmentError::CameBack { .. } => message!(
            "Goods of this shipment were already returned.",
            "Ya se devolvió mercancía de este envío."
        ),
        ShipmentError::WarehouseGone => message!(
            "The warehouse that it left no longer exists.",
            "El almacén del que salió ya no existe."
        ),
        ShipmentError::UpgradeUnfinished => waits_for_upgrade(),
    })
}
