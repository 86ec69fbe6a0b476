//! Shipments: goods of an order that leave a warehouse together.
//!
//! How much of an order has gone out follows from its shipments: what of each line was shipped, against what was ordered less
//! what was taken off the order unshipped. The shipment that completes an order makes it `shipped`.

use kernel::{FieldFault, Measure, Message, NewEvent, Quantity, Refusal, Timestamp, message};

use crate::{Order, OrderId, OrderStatus, WarehouseId, events, order::no_such_line};

mod progress;

pub(crate) use progress::follow;
pub use progress::{LineProgress, fulfillment};

kernel::ids! {
    /// A shipment's identifier.
    ShipmentId = "shp";
}

/// The most characters of an address where a shipment can be followed.
pub const URL_CHARS_MAX: usize = 2_000;

/// The most shipments that are made one by one of an order, those that were cancelled among them.
pub const SHIPMENTS_MAX: usize = 1_000;

/// How far a shipment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShipmentStatus {
    /// Handed over to the carrier.
    Shipped,
    /// Received by the customer.
    Delivered,
    /// It did not leave after all.
    Cancelled,
}

impl ShipmentStatus {
    /// Every status.
    pub const EVERY: &'static [Self] = &[Self::Shipped, Self::Delivered, Self::Cancelled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Units of a line in a shipment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShipmentLine {
    /// Place of the line in the order, from 0.
    pub line: usize,
    /// How many units.
    pub quantity: Measure,
}

impl ShipmentLine {
    /// The quantity that is kept of it.
    #[must_use]
    pub fn kept(&self, order: &Order) -> Quantity {
        order.items.get(self.line).map_or(0, |item| self.quantity.quantity(item.decimals))
    }
}

/// A shipment to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewShipment {
    /// What it holds; all that is open in its warehouse when empty.
    pub lines: Vec<ShipmentLine>,
    /// Where it leaves from; the only warehouse that something open is promised from when absent.
    pub warehouse: Option<WarehouseId>,
    pub carrier: Option<String>,
    pub tracking_number: Option<String>,
    /// Where it can be followed.
    pub tracking_url: Option<String>,
}

/// Goods of an order that left a warehouse together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Shipment {
    pub id: ShipmentId,
    pub order: OrderId,
    pub warehouse: WarehouseId,
    pub status: ShipmentStatus,
    pub lines: Vec<ShipmentLine>,
    pub carrier: Option<String>,
    pub tracking_number: Option<String>,
    pub tracking_url: Option<String>,
    /// When it left.
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub delivered_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// Changes of a shipment: what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ShipmentChanges {
    pub carrier: Option<Option<String>>,
    pub tracking_number: Option<Option<String>>,
    pub tracking_url: Option<Option<String>>,
    /// [`ShipmentStatus::Delivered`] once the customer has received it.
    pub status: Option<ShipmentStatus>,
}

/// A shipment to be changed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ReviseShipment {
    pub id: ShipmentId,
    /// Expected version: the command is refused if the shipment has a newer one.
    pub version: Option<i64>,
    pub changes: ShipmentChanges,
}

/// What the shipments of an order say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatched {
    /// How many there are, those that were cancelled among them.
    pub count: usize,
    /// Whether there are any that were not cancelled.
    pub is_any: bool,
    /// The tracking number of the newest of these that has one.
    pub tracking_number: Option<String>,
}

/// Why an order is not shipped, or a shipment stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShipmentError {
    /// Nothing is shipped of an order in this status.
    WrongStatus {
        /// Its status.
        status: OrderStatus,
    },
    /// The order has been delivered or cancelled, and its shipments with it.
    OrderOver {
        /// Its status.
        status: OrderStatus,
    },
    /// Nothing of the order is left to be shipped.
    NothingOpen {
        /// From where, if something is left elsewhere or may be.
        warehouse: Option<WarehouseId>,
    },
    /// The order has as many shipments as it may have.
    TooManyShipments {
        /// How many these are.
        max: usize,
    },
    /// More would leave than is promised from there and was not shipped yet.
    TooMany {
        /// Which line, starting at 1.
        line: usize,
        /// From where.
        warehouse: WarehouseId,
        /// What is open there.
        open: Measure,
    },
    /// The shipment has been delivered or cancelled.
    Over {
        /// Its status.
        status: ShipmentStatus,
    },
    /// More has come back of it than would still be shipped.
    CameBack {
        /// Which line, starting at 1.
        line: usize,
    },
    /// The warehouse that it left is no more.
    WarehouseGone,
    /// Shipments in parts have to wait until the upgrade to this release is finished.
    UpgradeUnfinished,
}

/// What comes of a shipment: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Shipped {
    pub order: Order,
    pub shipment: Shipment,
    pub events: Vec<NewEvent>,
}

type Outcome<T> = Result<T, Refusal<ShipmentError>>;

/// Ships goods of an order. `progress` is that of each line, `earlier` what its other shipments say.
///
/// # Errors
/// [`Refusal`].
pub fn ship(
    before: &Order,
    new: &NewShipment,
    progress: &[LineProgress],
    earlier: &Dispatched,
    id: ShipmentId,
    now: Timestamp,
) -> Outcome<Shipped> {
    if !matches!(before.status, OrderStatus::Pending | OrderStatus::Paid) {
        return Err(rule(ShipmentError::WrongStatus { status: before.status }));
    }
    let faults = misnamed(before, new);
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    if earlier.count >= SHIPMENTS_MAX {
        return Err(rule(ShipmentError::TooManyShipments { max: SHIPMENTS_MAX }));
    }
    let warehouse = origin(new, progress)?;
    let lines = match new.lines.is_empty() {
        true => rest_in(before, warehouse, progress),
        false => new.lines.clone(),
    };
    if lines.is_empty() {
        return Err(rule(ShipmentError::NothingOpen { warehouse: Some(warehouse) }));
    }
    let mut after = progress.to_vec();
    for part in &lines {
        let Some(line) = after.get_mut(part.line) else { continue };
        let (quantity, open) = (part.kept(before), line.open_in(warehouse));
        if quantity > open {
            let item = before.items.get(part.line);
            let open = item.map_or(Measure::ZERO, |item| item.measure(open));
            return Err(rule(ShipmentError::TooMany { line: part.line + 1, warehouse, open }));
        }
        line.shipped += quantity;
    }
    let shipment = Shipment {
        id,
        order: before.id,
        warehouse,
        status: ShipmentStatus::Shipped,
        lines,
        carrier: new.carrier.clone(),
        tracking_number: new.tracking_number.clone(),
        tracking_url: new.tracking_url.clone(),
        created_at: now,
        updated_at: now,
        delivered_at: None,
        cancelled_at: None,
        version: 1,
    };
    let mut order = changed(before, now);
    let tracking = shipment.tracking_number.as_ref().or(earlier.tracking_number.as_ref());
    let mut told = vec![events::shipment_created(&shipment)];
    told.extend(follow(&mut order, &after, tracking.map(String::as_str), now));
    Ok(Shipped { order, shipment, events: told })
}

/// What is left of an order, a shipment for each warehouse that something of it is promised from.
#[must_use]
pub fn rest(
    order: &Order,
    progress: &[LineProgress],
    mut id: impl FnMut() -> ShipmentId,
    now: Timestamp,
) -> Vec<Shipment> {
    let mut warehouses: Vec<WarehouseId> = progress
        .iter()
        .flat_map(|line| line.open.iter().map(|(warehouse, _)| *warehouse))
        .collect();
    warehouses.sort_unstable();
    warehouses.dedup();
    let of = |warehouse| Shipment {
        id: id(),
        order: order.id,
        warehouse,
        status: ShipmentStatus::Shipped,
        lines: rest_in(order, warehouse, progress),
        carrier: order.carrier.clone(),
        tracking_number: order.tracking_number.clone(),
        tracking_url: None,
        created_at: now,
        updated_at: now,
        delivered_at: None,
        cancelled_at: None,
        version: 1,
    };
    warehouses.into_iter().map(of).filter(|shipment| !shipment.lines.is_empty()).collect()
}

/// Changes a shipment, with what is told of it; nothing changed means no new version.
///
/// # Errors
/// [`ShipmentError::Over`] of one that was cancelled or delivered, and a status that is not set this way.
pub fn revise(
    before: &Shipment,
    changes: ShipmentChanges,
    now: Timestamp,
) -> Outcome<(Shipment, Vec<NewEvent>)> {
    let mut after = before.clone();
    after.carrier = changes.carrier.unwrap_or(after.carrier);
    after.tracking_number = changes.tracking_number.unwrap_or(after.tracking_number);
    after.tracking_url = changes.tracking_url.unwrap_or(after.tracking_url);
    match changes.status.filter(|status| *status != before.status) {
        None => {}
        Some(ShipmentStatus::Delivered) => after.status = ShipmentStatus::Delivered,
        Some(ShipmentStatus::Cancelled) if before.status == ShipmentStatus::Shipped => {
            let problem = message!(
                "is not set this way: call /shipments/:id/cancel",
                "no se indica así: llame a /shipments/:id/cancel"
            );
            return Err(Refusal::Invalid(vec![FieldFault::new("status", problem)]));
        }
        Some(_) => return Err(rule(ShipmentError::Over { status: before.status })),
    }
    if after == *before {
        return Ok((after, Vec::new()));
    }
    if before.status == ShipmentStatus::Cancelled {
        return Err(rule(ShipmentError::Over { status: before.status }));
    }
    if after.status != before.status {
        let (delivered, told) = deliver(&after, now);
        return Ok((delivered, vec![told]));
    }
    after.updated_at = now;
    after.version += 1;
    Ok((after, Vec::new()))
}

/// A shipment that its customer has received.
#[must_use]
pub fn deliver(before: &Shipment, now: Timestamp) -> (Shipment, NewEvent) {
    let delivered = Shipment {
        status: ShipmentStatus::Delivered,
        delivered_at: Some(now),
        updated_at: now,
        version: before.version + 1,
        ..before.clone()
    };
    let told = events::shipment_delivered(&delivered);
    (delivered, told)
}

/// Takes a shipment back that did not leave: its goods are promised to the order again.
///
/// # Errors
/// [`Refusal`].
pub fn cancel(
    before: &Order,
    shipment: &Shipment,
    progress: &[LineProgress],
    now: Timestamp,
) -> Outcome<Shipped> {
    if shipment.status != ShipmentStatus::Shipped {
        return Err(rule(ShipmentError::Over { status: shipment.status }));
    }
    if matches!(before.status, OrderStatus::Delivered | OrderStatus::Cancelled) {
        return Err(rule(ShipmentError::OrderOver { status: before.status }));
    }
    let mut after = progress.to_vec();
    for part in &shipment.lines {
        let (Some(line), Some(item)) = (after.get_mut(part.line), before.items.get(part.line))
        else {
            continue;
        };
        line.shipped -= part.kept(before);
        if item.returned - line.removed > line.shipped {
            return Err(rule(ShipmentError::CameBack { line: part.line + 1 }));
        }
    }
    let mut taken_back = shipment.clone();
    taken_back.status = ShipmentStatus::Cancelled;
    taken_back.cancelled_at = Some(now);
    taken_back.updated_at = now;
    taken_back.version += 1;
    let mut order = changed(before, now);
    let mut told = vec![events::shipment_cancelled(&taken_back)];
    told.extend(follow(&mut order, &after, None, now));
    Ok(Shipped { order, shipment: taken_back, events: told })
}

fn rest_in(order: &Order, warehouse: WarehouseId, progress: &[LineProgress]) -> Vec<ShipmentLine> {
    let lines = order.items.iter().zip(progress).enumerate();
    let parts = lines.map(|(line, (item, progress))| ShipmentLine {
        line,
        quantity: item.measure(progress.open_in(warehouse)),
    });
    parts.filter(|part| part.quantity > Measure::ZERO).collect()
}

/// Where a shipment leaves from.
fn origin(new: &NewShipment, progress: &[LineProgress]) -> Outcome<WarehouseId> {
    if let Some(named) = new.warehouse {
        return Ok(named);
    }
    let is_meant =
        |line: usize| new.lines.is_empty() || new.lines.iter().any(|part| part.line == line);
    let open = progress.iter().enumerate().filter(|(line, _)| is_meant(*line));
    let mut open: Vec<WarehouseId> = open
        .flat_map(|(_, line)| line.open.iter())
        .filter(|(_, quantity)| *quantity > 0)
        .map(|(warehouse, _)| *warehouse)
        .collect();
    open.sort_unstable();
    open.dedup();
    match open.as_slice() {
        [] => Err(rule(ShipmentError::NothingOpen { warehouse: None })),
        [only] => Ok(*only),
        _ => {
            let problem = message!(
                "is required: these goods are promised from several warehouses",
                "es obligatorio: esta mercancía está apartada en varios almacenes"
            );
            Err(Refusal::Invalid(vec![FieldFault::new("warehouseId", problem)]))
        }
    }
}

fn misnamed(order: &Order, new: &NewShipment) -> Vec<FieldFault> {
    let count = order.items.len();
    let mut faults = Vec::new();
    let mut refuse = |index: usize, field: &str, problem: Message| {
        faults.push(FieldFault::new(format!("items[{index}].{field}"), problem));
    };
    for (index, part) in new.lines.iter().enumerate() {
        let item = order.items.get(part.line);
        if let Some(Err(problem)) = item.map(|item| part.quantity.kept(item.decimals)) {
            refuse(index, "quantity", problem);
        }
        if part.line >= count {
            refuse(index, "line", no_such_line(count));
        } else if new.lines.iter().take(index).any(|other| other.line == part.line) {
            refuse(
                index,
                "line",
                message!("is named twice: add the quantities up", "se repite: sume las cantidades"),
            );
        }
    }
    faults
}

fn changed(before: &Order, now: Timestamp) -> Order {
    Order { updated_at: now, version: before.version + 1, ..before.clone() }
}

const fn rule(error: ShipmentError) -> Refusal<ShipmentError> {
    Refusal::Rule(error)
}

#[cfg(test)]
mod tests;
