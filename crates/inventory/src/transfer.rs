//! Transfers: goods on their way from one warehouse to another.
//!
//! What was sent belongs to neither shelf until it arrives: it is in transit, a place of its own in the ledger. Of every line
//! and at every moment, what was sent is what was received, damaged, lost and taken back, and what is still in transit.

use kernel::{
    FieldFault, Message, PageRequest, Quantity, Refused, Timestamp, message, quantity::QUANTITY_MAX,
};

use crate::{
    Level, Reason, Sku, StockError, WarehouseId,
    adjustment::{Named, repeated},
};

kernel::ids! {
    /// A transfer's identifier.
    TransferId = "trf";
    /// The identifier of what was received of a transfer at once.
    ArrivalId = "tar";
}

/// How far a transfer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferStatus {
    /// Planned; nothing is set aside for it.
    Draft,
    /// Sent, and not all of it accounted for.
    InTransit,
    /// All of it is accounted for.
    Received,
    /// Called off; what was still in transit has gone back.
    Cancelled,
}

impl TransferStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Draft, Self::InTransit, Self::Received, Self::Cancelled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::InTransit => "in_transit",
            Self::Received => "received",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A line of a transfer to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewTransferLine {
    pub named: Named,
    /// At least 1.
    pub quantity: Quantity,
}

/// A transfer to be planned; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewTransfer {
    pub from: WarehouseId,
    pub to: WarehouseId,
    /// Where goods are put that arrive damaged; they are written off when absent.
    pub quarantine: Option<WarehouseId>,
    /// The caller's own reference.
    pub reference: Option<String>,
    pub note: Option<String>,
    /// 1 to [`LINES_MAX`](crate::adjustment::LINES_MAX) lines.
    pub lines: Vec<NewTransferLine>,
}

/// A line of a transfer. Until it is sent, all but `quantity` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferLine {
    /// What.
    pub sku: Sku,
    /// How many are to be sent, or were.
    pub quantity: Quantity,
    /// How many have arrived in order.
    pub received: Quantity,
    /// How many have arrived damaged.
    pub damaged: Quantity,
    /// How many were lost on the way.
    pub lost: Quantity,
    /// How many have arrived that were not sent.
    pub found: Quantity,
    /// How many went back because the transfer was cancelled.
    pub returned: Quantity,
    /// How many are on the way.
    pub in_transit: Quantity,
}

/// Goods on their way from one warehouse to another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Transfer {
    pub id: TransferId,
    pub status: TransferStatus,
    pub from: WarehouseId,
    pub to: WarehouseId,
    pub quarantine: Option<WarehouseId>,
    pub reference: Option<String>,
    pub note: Option<String>,
    pub lines: Vec<TransferLine>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub dispatched_at: Option<Timestamp>,
    pub received_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// What has become of a part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrivedLine {
    /// Position of the line in the transfer, from 0.
    pub line: usize,
    /// Arrived in order.
    pub received: Quantity,
    /// Arrived damaged.
    pub damaged: Quantity,
    /// Lost on the way.
    pub lost: Quantity,
    /// Arrived though they were not sent.
    pub found: Quantity,
    /// Why it differs from what was sent.
    pub reason: Option<String>,
}

/// What is received of a transfer at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Arriving {
    pub lines: Vec<ArrivedLine>,
    /// Nothing else will come: the rest is lost.
    pub is_final: bool,
}

/// What was received of a transfer at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Arrival {
    pub id: ArrivalId,
    pub lines: Vec<ArrivedLine>,
    pub is_final: bool,
    pub created_at: Timestamp,
}

/// Where goods are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In a warehouse.
    At(WarehouseId),
    /// On the way between two.
    Transit,
}

/// A change of what is available in one place, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Leg {
    pub sku: Sku,
    pub place: Place,
    pub delta: Quantity,
    pub reason: Reason,
    pub note: Option<String>,
}

/// What comes of a step of a transfer: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Stepped {
    pub transfer: Transfer,
    pub legs: Vec<Leg>,
}

/// Which transfers are listed; every set field must match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct TransferFilter {
    pub status: Option<TransferStatus>,
    /// From there, or to there.
    pub warehouse: Option<WarehouseId>,
}

/// A wanted page of transfers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct TransferQuery {
    pub filter: TransferFilter,
    pub page: PageRequest,
}

type Outcome<T> = Result<T, Refused<StockError>>;

/// Plans a transfer. `skus` are what the lines of the command name.
///
/// # Errors
/// Lines that name the same.
pub fn plan(new: &NewTransfer, skus: &[Sku], id: TransferId, now: Timestamp) -> Outcome<Transfer> {
    let faults = repeated(skus);
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    let line = |(line, sku): (&NewTransferLine, &Sku)| TransferLine {
        sku: *sku,
        quantity: line.quantity,
        received: 0,
        damaged: 0,
        lost: 0,
        found: 0,
        returned: 0,
        in_transit: 0,
    };
    let lines = new.lines.iter().zip(skus).map(line).collect();
    let NewTransfer { from, to, quarantine, reference, note, .. } = new.clone();
    Ok(Transfer {
        id,
        status: TransferStatus::Draft,
        from,
        to,
        quarantine,
        reference,
        note,
        lines,
        created_at: now,
        updated_at: now,
        dispatched_at: None,
        received_at: None,
        cancelled_at: None,
        version: 1,
    })
}

/// Sends what was planned. `level` says what lies in the warehouse that it leaves.
///
/// # Errors
/// [`StockError::TransferStatus`], and [`StockError::BelowZero`] where more would leave than is available.
pub fn dispatch(
    before: &Transfer,
    level: impl Fn(Sku) -> Level,
    now: Timestamp,
) -> Outcome<Stepped> {
    expect(before, &[TransferStatus::Draft])?;
    let mut transfer = changed(before, now);
    let mut legs = Vec::new();
    for (index, line) in transfer.lines.iter_mut().enumerate() {
        let Level { available, committed } = level(line.sku);
        if available < line.quantity {
            let field = format!("items[{index}]");
            return Err(Refused::Rule(StockError::BelowZero { field, available, committed }));
        }
        line.in_transit = line.quantity;
        let reason = Reason::TransferOut;
        legs.push(leg(line.sku, Place::At(before.from), -line.quantity, reason));
        legs.push(leg(line.sku, Place::Transit, line.quantity, reason));
    }
    transfer.status = TransferStatus::InTransit;
    transfer.dispatched_at = Some(now);
    Ok(Stepped { transfer, legs })
}

/// Receives what has arrived. `available` says what is available in a warehouse; `None` of what has left the catalog, which has
/// no shelf there.
///
/// # Errors
/// [`StockError::TransferStatus`], and lines that account for more than is in transit, or differ without a reason.
pub fn receive(
    before: &Transfer,
    arriving: &Arriving,
    available: impl Fn(Sku, WarehouseId) -> Option<Quantity>,
    id: ArrivalId,
    now: Timestamp,
) -> Outcome<(Stepped, Arrival)> {
    expect(before, &[TransferStatus::InTransit])?;
    let faults = faults(before, arriving, available);
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    let mut transfer = changed(before, now);
    let mut arrived = arriving.lines.clone();
    if arriving.is_final {
        lose_the_rest(before, &mut arrived);
    }
    let mut legs = Vec::new();
    for part in &arrived {
        let Some(line) = transfer.lines.get_mut(part.line) else { continue };
        line.received += part.received;
        line.damaged += part.damaged;
        line.lost += part.lost;
        line.found += part.found;
        line.in_transit -= accounted(part);
        legs.extend(legs_of(part, line.sku, before));
    }
    if transfer.lines.iter().all(|line| line.in_transit == 0) {
        transfer.status = TransferStatus::Received;
        transfer.received_at = Some(now);
    }
    let arrival = Arrival { id, lines: arrived, is_final: arriving.is_final, created_at: now };
    Ok((Stepped { transfer, legs }, arrival))
}

/// Calls a transfer off: what is in transit goes back to where it came from.
///
/// # Errors
/// [`StockError::TransferStatus`].
pub fn cancel(before: &Transfer, now: Timestamp) -> Outcome<Stepped> {
    expect(before, &[TransferStatus::Draft, TransferStatus::InTransit])?;
    let mut transfer = changed(before, now);
    let mut legs = Vec::new();
    for line in transfer.lines.iter_mut().filter(|line| line.in_transit > 0) {
        let back = line.in_transit;
        legs.push(leg(line.sku, Place::Transit, -back, Reason::TransferBack));
        legs.push(leg(line.sku, Place::At(before.from), back, Reason::TransferBack));
        line.returned += back;
        line.in_transit = 0;
    }
    transfer.status = TransferStatus::Cancelled;
    transfer.cancelled_at = Some(now);
    Ok(Stepped { transfer, legs })
}

fn expect(before: &Transfer, wanted: &'static [TransferStatus]) -> Outcome<()> {
    if wanted.contains(&before.status) {
        return Ok(());
    }
    Err(Refused::Rule(StockError::TransferStatus { status: before.status, wanted }))
}

fn changed(before: &Transfer, now: Timestamp) -> Transfer {
    let mut after = before.clone();
    after.updated_at = now;
    after.version += 1;
    after
}

const fn leg(sku: Sku, place: Place, delta: Quantity, reason: Reason) -> Leg {
    Leg { sku, place, delta, reason, note: None }
}

/// How much of what was in transit a part accounts for.
const fn accounted(part: &ArrivedLine) -> Quantity {
    part.received + part.damaged + part.lost
}

fn lose_the_rest(before: &Transfer, arrived: &mut Vec<ArrivedLine>) {
    for (number, line) in before.lines.iter().enumerate() {
        let part = arrived.iter_mut().find(|part| part.line == number);
        let told = part.as_deref().map_or(0, accounted);
        let rest = line.in_transit - told;
        match part {
            _ if rest == 0 => {}
            Some(part) => part.lost += rest,
            None => arrived.push(ArrivedLine {
                line: number,
                received: 0,
                damaged: 0,
                lost: rest,
                found: 0,
                reason: None,
            }),
        }
    }
}

fn legs_of(part: &ArrivedLine, sku: Sku, transfer: &Transfer) -> Vec<Leg> {
    let to = Some(transfer.to);
    let moved = [
        (part.received, Reason::TransferIn, to, None),
        (part.damaged, Reason::TransferDamaged, transfer.quarantine, part.reason.as_ref()),
        (part.lost, Reason::TransferLost, None, part.reason.as_ref()),
    ];
    let mut legs = Vec::new();
    for (quantity, reason, place, note) in moved.into_iter().filter(|moved| moved.0 > 0) {
        let note = note.cloned();
        let out = leg(sku, Place::Transit, -quantity, reason);
        legs.push(Leg { note: note.clone(), ..out });
        if let Some(place) = place {
            legs.push(Leg { note, ..leg(sku, Place::At(place), quantity, reason) });
        }
    }
    if part.found > 0 {
        let found = leg(sku, Place::At(transfer.to), part.found, Reason::TransferFound);
        legs.push(Leg { note: part.reason.clone(), ..found });
    }
    legs
}

fn faults(
    before: &Transfer,
    arriving: &Arriving,
    available: impl Fn(Sku, WarehouseId) -> Option<Quantity>,
) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    for (index, part) in arriving.lines.iter().enumerate() {
        let Some(line) = before.lines.get(part.line) else {
            let most = before.lines.len();
            let problem = message!(
                "is beyond the {most} items of the transfer",
                "rebasa las {most} partidas del traspaso"
            );
            faults.push(FieldFault::new(format!("items[{index}].line"), problem));
            continue;
        };
        let rest = line.in_transit;
        let overflows = arrivals(part, before).iter().any(|(place, quantity)| {
            available(line.sku, *place).is_some_and(|there| there + quantity > QUANTITY_MAX)
        });
        let differs = part.damaged + part.lost + part.found > 0;
        if let Some(other) =
            arriving.lines.iter().take(index).position(|other| other.line == part.line)
        {
            let problem = message!(
                "names the same line as items[{other}]",
                "nombra la misma partida que items[{other}]"
            );
            faults.push(FieldFault::new(format!("items[{index}].line"), problem));
        } else if accounted(part) + part.found == 0 {
            faults.push(fault(index, nothing()));
        } else if accounted(part) > rest {
            faults.push(fault(index, too_much(rest)));
        } else if differs && part.reason.is_none() {
            faults.push(FieldFault::new(format!("items[{index}].reason"), unexplained()));
        } else if part.found > 0 && available(line.sku, before.to).is_none() {
            faults.push(FieldFault::new(format!("items[{index}].found"), gone()));
        } else if overflows {
            let problem = message!(
                "leads to more than {QUANTITY_MAX} in stock",
                "lleva a una existencia de más de {QUANTITY_MAX}"
            );
            faults.push(fault(index, problem));
        }
    }
    faults
}

/// How many arrive in each place.
fn arrivals(part: &ArrivedLine, transfer: &Transfer) -> Vec<(WarehouseId, Quantity)> {
    let (good, damaged) = (part.received + part.found, part.damaged);
    match transfer.quarantine {
        Some(place) if place == transfer.to => vec![(place, good + damaged)],
        Some(place) => vec![(transfer.to, good), (place, damaged)],
        None => vec![(transfer.to, good)],
    }
}

fn fault(index: usize, problem: Message) -> FieldFault {
    FieldFault::new(format!("items[{index}]"), problem)
}

fn nothing() -> Message {
    message!(
        "must have at least one of received, damaged, lost and found above 0",
        "debe llevar received, damaged, lost o found mayor que 0"
    )
}

fn too_much(rest: Quantity) -> Message {
    message!(
        "accounts for more than the {rest} that are in transit; what was not sent is found",
        "da cuenta de más de lo que está en tránsito ({rest}); lo que no se envió va en found"
    )
}

fn gone() -> Message {
    message!(
        "must be 0: the product has left the catalog, so there is nowhere to put what was not sent",
        "debe ser 0: el producto ya no está en el catálogo y no hay dónde poner lo que no se envió"
    )
}

fn unexplained() -> Message {
    message!(
        "is required where something is damaged, lost or found",
        "es obligatorio si algo se dañó, se perdió o se encontró de más"
    )
}

#[cfg(test)]
mod tests;
