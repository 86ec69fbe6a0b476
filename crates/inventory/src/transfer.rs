//! Transfers: goods on their way from one warehouse to another.
//!
//! What was sent belongs to neither shelf until it arrives: it is in transit, a place of its own in the ledger. Of every line
//! and at every moment, what was sent is what was received, damaged, lost and taken back, and what is still in transit.

mod faults;

use kernel::{FieldFault, Measure, PageRequest, Quantity, Refused, Timestamp, message};

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
    /// Above 0.
    pub quantity: Measure,
}

/// The most arrivals of a transfer but for its final one: all of them are shown together.
pub const ARRIVALS_MAX: usize = 1_000;

/// What is said of a transfer beside its goods.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct TransferTerms {
    pub from: WarehouseId,
    pub to: WarehouseId,
    /// Where goods are put that arrive damaged; they are written off when absent.
    pub quarantine: Option<WarehouseId>,
    /// The caller's own reference.
    pub reference: Option<String>,
    pub note: Option<String>,
}

/// What is wrong with a transfer from one warehouse to the other, whatever they are.
#[must_use]
pub fn goes_nowhere(from: WarehouseId, to: WarehouseId) -> Option<FieldFault> {
    let problem = message!(
        "must be another warehouse than fromWarehouseId",
        "debe ser un almacén distinto de fromWarehouseId"
    );
    (from == to).then(|| FieldFault::new("toWarehouseId", problem))
}

/// A transfer to be planned; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTransfer {
    /// Between what, and what is noted of it.
    pub terms: TransferTerms,
    /// 1 to [`LINES_MAX`](crate::adjustment::LINES_MAX) lines.
    pub lines: Vec<NewTransferLine>,
}

/// What a draft is to be instead; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviseTransfer {
    /// The draft.
    pub id: TransferId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    /// Between what, and what is noted of it.
    pub terms: TransferTerms,
    /// All of its lines, 1 to [`LINES_MAX`](crate::adjustment::LINES_MAX); they stay as they are when absent.
    pub lines: Option<Vec<NewTransferLine>>,
}

/// A line of a transfer. Until it is sent, all but `quantity` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferLine {
    /// What.
    pub sku: Sku,
    /// How many are to be sent, or were.
    pub quantity: Measure,
    /// How many have arrived in order.
    pub received: Measure,
    /// How many have arrived damaged.
    pub damaged: Measure,
    /// How many were lost on the way.
    pub lost: Measure,
    /// How many have arrived that were not sent.
    pub found: Measure,
    /// How many went back because the transfer was cancelled.
    pub returned: Measure,
    /// How many are on the way.
    pub in_transit: Measure,
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
    pub received: Measure,
    /// Arrived damaged.
    pub damaged: Measure,
    /// Lost on the way.
    pub lost: Measure,
    /// Arrived though they were not sent.
    pub found: Measure,
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
/// Lines that name the same, and quantities with decimals that are not kept.
pub fn plan(new: &NewTransfer, skus: &[Sku], id: TransferId, now: Timestamp) -> Outcome<Transfer> {
    let lines = draft_lines(&new.lines, skus)?;
    let TransferTerms { from, to, quarantine, reference, note } = new.terms.clone();
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

/// Plans a draft anew. `skus` are what the lines of the command name.
///
/// # Errors
/// [`StockError::TransferStatus`] of what is no draft any more; lines that name the same, and quantities with decimals that are not
/// kept.
pub fn revise(
    before: &Transfer,
    command: &ReviseTransfer,
    skus: &[Sku],
    now: Timestamp,
) -> Outcome<Transfer> {
    expect(before, &[TransferStatus::Draft])?;
    let lines = match &command.lines {
        Some(lines) => draft_lines(lines, skus)?,
        None => before.lines.clone(),
    };
    let TransferTerms { from, to, quarantine, reference, note } = command.terms.clone();
    let after = Transfer { from, to, quarantine, reference, note, lines, ..before.clone() };
    Ok(if after == *before { after } else { changed(&after, now) })
}

/// Lines of which nothing was sent yet.
fn draft_lines(lines: &[NewTransferLine], skus: &[Sku]) -> Outcome<Vec<TransferLine>> {
    let mut faults = repeated(skus);
    for (index, (line, sku)) in lines.iter().zip(skus).enumerate() {
        let problem = line.quantity.kept(sku.decimals).err();
        faults.extend(problem.map(|it| FieldFault::new(format!("items[{index}].quantity"), it)));
    }
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    let line = |(line, sku): (&NewTransferLine, &Sku)| TransferLine {
        sku: *sku,
        quantity: line.quantity,
        received: Measure::ZERO,
        damaged: Measure::ZERO,
        lost: Measure::ZERO,
        found: Measure::ZERO,
        returned: Measure::ZERO,
        in_transit: Measure::ZERO,
    };
    Ok(lines.iter().zip(skus).map(line).collect())
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
        let quantity = line.quantity.quantity(line.sku.decimals);
        let Level { available, committed } = level(line.sku);
        if available < quantity {
            let field = format!("items[{index}]");
            let [available, committed] = [available, committed].map(|it| line.sku.measure(it));
            return Err(Refused::Rule(StockError::BelowZero { field, available, committed }));
        }
        line.in_transit = line.quantity;
        let reason = Reason::TransferOut;
        legs.push(leg(line.sku, Place::At(before.from), -quantity, reason));
        legs.push(leg(line.sku, Place::Transit, quantity, reason));
    }
    transfer.status = TransferStatus::InTransit;
    transfer.dispatched_at = Some(now);
    Ok(Stepped { transfer, legs })
}

/// Receives what has arrived after so many earlier arrivals. `available` says what is available in a warehouse; `None` of what has
/// left the catalog, which has no shelf there.
///
/// # Errors
/// [`StockError::TransferStatus`], [`StockError::TooManyArrivals`] unless it is the final one, and lines that account for more than is in transit, or differ without a reason.
pub fn receive(
    before: &Transfer,
    (arriving, earlier): (&Arriving, usize),
    available: impl Fn(Sku, WarehouseId) -> Option<Quantity>,
    id: ArrivalId,
    now: Timestamp,
) -> Outcome<(Stepped, Arrival)> {
    expect(before, &[TransferStatus::InTransit])?;
    if earlier >= ARRIVALS_MAX && !arriving.is_final {
        return Err(Refused::Rule(StockError::TooManyArrivals { max: ARRIVALS_MAX }));
    }
    let faults = faults::faults(before, arriving, available);
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
    if transfer.lines.iter().all(|line| line.in_transit == Measure::ZERO) {
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
    for line in transfer.lines.iter_mut().filter(|line| line.in_transit > Measure::ZERO) {
        let back = line.in_transit.quantity(line.sku.decimals);
        legs.push(leg(line.sku, Place::Transit, -back, Reason::TransferBack));
        legs.push(leg(line.sku, Place::At(before.from), back, Reason::TransferBack));
        line.returned += line.in_transit;
        line.in_transit = Measure::ZERO;
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
fn accounted(part: &ArrivedLine) -> Measure {
    part.received + part.damaged + part.lost
}

fn lose_the_rest(before: &Transfer, arrived: &mut Vec<ArrivedLine>) {
    for (number, line) in before.lines.iter().enumerate() {
        let part = arrived.iter_mut().find(|part| part.line == number);
        let told = part.as_deref().map_or(Measure::ZERO, accounted);
        let rest = line.in_transit - told;
        match part {
            _ if rest == Measure::ZERO => {}
            Some(part) => part.lost += rest,
            None => arrived.push(ArrivedLine {
                line: number,
                received: Measure::ZERO,
                damaged: Measure::ZERO,
                lost: rest,
                found: Measure::ZERO,
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
    for (part, reason, place, note) in moved.into_iter().filter(|moved| moved.0 > Measure::ZERO) {
        let quantity = part.quantity(sku.decimals);
        let note = note.cloned();
        let out = leg(sku, Place::Transit, -quantity, reason);
        legs.push(Leg { note: note.clone(), ..out });
        if let Some(place) = place {
            legs.push(Leg { note, ..leg(sku, Place::At(place), quantity, reason) });
        }
    }
    if part.found > Measure::ZERO {
        let found = part.found.quantity(sku.decimals);
        let found = leg(sku, Place::At(transfer.to), found, Reason::TransferFound);
        legs.push(Leg { note: part.reason.clone(), ..found });
    }
    legs
}

#[cfg(test)]
mod tests;
