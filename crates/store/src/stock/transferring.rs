//! Moving goods between warehouses.

use std::collections::BTreeSet;

use inventory::{
    DispatchTransfer, Move, Sku,
    transfer::{
        self, ArrivalId, Arriving, Leg, NewTransfer, NewTransferLine, Place, ReviseTransfer,
        Stepped, Transfer, TransferId, TransferTerms,
    },
};
use kernel::{Ctx, FieldFault, Refused, message};

use super::{
    Outcome,
    adjusting::{named_lines, unknown_warehouse},
    ledger::TRANSIT_PREFIX,
    levels::{Levels, sold, tell_low},
    places, transfers,
};
use crate::{
    error::{refuse_stale, with_faults},
    figures,
    tx::Tx,
};

/// Plans a transfer; nothing is set aside for it.
pub(super) fn plan(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewTransfer) -> Outcome<Transfer> {
    places::keep(tx, ctx.account)?;
    let misplaced = misplaced(tx, ctx, &new.terms)?;
    let id = TransferId::from_u128(tx.ids.next());
    let skus = named(tx, ctx, &new.lines);
    let planned = skus.and_then(|skus| Ok(transfer::plan(new, &skus, id, ctx.now)?));
    let planned = with_faults(misplaced, planned)?;
    transfers::insert(tx.db, ctx.account, &planned)?;
    Ok(planned)
}

/// Plans a draft anew.
pub(super) fn revise(tx: &mut Tx<'_>, ctx: &Ctx, command: &ReviseTransfer) -> Outcome<Transfer> {
    places::keep(tx, ctx.account)?;
    let before = transfers::locked(tx.db, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    refuse_stale(command.version, before.version)?;
    let misplaced = misplaced(tx, ctx, &command.terms)?;
    let skus = match &command.lines {
        Some(lines) => named(tx, ctx, lines),
        None => Ok(Vec::new()),
    };
    let after = skus.and_then(|skus| Ok(transfer::revise(&before, command, &skus, ctx.now)?));
    let after = with_faults(misplaced, after)?;
    if after != before {
        transfers::replace(tx.db, ctx.account, &after)?;
    }
    Ok(after)
}

/// What lines name.
fn named(tx: &mut Tx<'_>, ctx: &Ctx, lines: &[NewTransferLine]) -> Outcome<Vec<Sku>> {
    let lines = named_lines(tx, ctx, lines.iter().map(|line| (&line.named, None)))?;
    Ok(lines.into_iter().map(|(sku, _)| sku).collect())
}

/// Locks a transfer until the end of the transaction, and what lies where of its goods.
pub(crate) fn hold(tx: &mut Tx<'_>, ctx: &Ctx, id: TransferId) -> Outcome<()> {
    locked(tx, ctx, id).map(drop)
}

/// Sends what was planned.
pub(crate) fn dispatch(tx: &mut Tx<'_>, ctx: &Ctx, command: DispatchTransfer) -> Outcome<Transfer> {
    let mut locked = locked(tx, ctx, command.id)?;
    refuse_stale(command.version, locked.before.version)?;
    let level = |sku| locked.levels.level(sku, locked.before.from);
    let stepped = transfer::dispatch(&locked.before, level, ctx.now)?;
    tx.effects.count(figures::STOCK_SENT, 1);
    locked.carry_out(tx, ctx, stepped)
}

/// Receives what has arrived.
pub(super) fn receive(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: TransferId,
    arriving: &Arriving,
) -> Outcome<Transfer> {
    let mut locked = locked(tx, ctx, id)?;
    let Locked { before, levels, sold } = &locked;
    let available = |sku, place| sold.contains(&sku).then(|| levels.level(sku, place).available);
    let arrival = ArrivalId::from_u128(tx.ids.next());
    let arriving = (arriving, transfers::arrival_count(tx.db, ctx.account, id)?);
    let (stepped, arrival) = transfer::receive(before, arriving, available, arrival, ctx.now)?;
    transfers::add_arrival(tx.db, ctx.account, id, &arrival)?;
    tx.effects.count(figures::STOCK_ARRIVED, 1);
    locked.carry_out(tx, ctx, stepped)
}

/// Calls a transfer off.
pub(super) fn cancel(tx: &mut Tx<'_>, ctx: &Ctx, id: TransferId) -> Outcome<Transfer> {
    let mut locked = locked(tx, ctx, id)?;
    let stepped = transfer::cancel(&locked.before, ctx.now)?;
    locked.carry_out(tx, ctx, stepped)
}

/// A transfer with what lies where of its goods, until the end of the transaction.
struct Locked {
    before: Transfer,
    levels: Levels,
    /// What is still in the catalog.
    sold: BTreeSet<Sku>,
}

fn locked(tx: &mut Tx<'_>, ctx: &Ctx, id: TransferId) -> Outcome<Locked> {
    places::keep(tx, ctx.account)?;
    let before = transfers::locked(tx.db, ctx.account, id)?.ok_or(Refused::NotFound)?;
    let skus = || before.lines.iter().map(|line| line.sku);
    let levels = Levels::locked(tx.db, ctx.account, skus())?;
    let sold = sold(tx.db, ctx.account, skus())?;
    Ok(Locked { before, levels, sold })
}

impl Locked {
    fn carry_out(&mut self, tx: &mut Tx<'_>, ctx: &Ctx, stepped: Stepped) -> Outcome<Transfer> {
        let Stepped { transfer, legs } = stepped;
        transfers::save(tx.db, ctx.account, &transfer)?;
        let transit = ctx.account.to_string().replacen("acc_", TRANSIT_PREFIX, 1);
        let reference = transfer.id.to_string();
        let mut moves = Vec::with_capacity(legs.len());
        for Leg { sku, place, delta, reason, note } in legs {
            let (warehouse, place) = match place {
                // What was removed from the catalog meanwhile has no shelf to arrive at.
                Place::At(_) if delta > 0 && !self.sold.contains(&sku) => continue,
                Place::At(warehouse) => (warehouse, warehouse.to_string()),
                Place::Transit => (transfer.from, transit.clone()),
            };
            let moved = Move::new((sku, warehouse), delta, reason, &reference);
            moves.push((Move { note, ..moved }, place));
        }
        let moves: Vec<_> = moves.iter().map(|(moved, place)| (moved, place.clone())).collect();
        let totals = self.levels.record_at(tx, ctx.now, &moves)?;
        tell_low(tx, ctx.account, ctx.now, &totals)?;
        Ok(transfer)
    }
}

/// What is wrong with the warehouses of a transfer: where it leaves, where it goes, and where what arrives damaged is put.
fn misplaced(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    &TransferTerms { from, to, quarantine, .. }: &TransferTerms,
) -> Outcome<Vec<FieldFault>> {
    let known = places::all(tx.db, ctx.account)?;
    let find = |id| known.iter().find(|warehouse| warehouse.id == id);
    let mut faults = Vec::new();
    if find(from).is_none() {
        faults.push(FieldFault::new("fromWarehouseId", unknown_warehouse()));
    }
    match find(to) {
        Some(_) => faults.extend(transfer::goes_nowhere(from, to)),
        None => faults.push(FieldFault::new("toWarehouseId", unknown_warehouse())),
    }
    match quarantine.map(find) {
        None => {}
        Some(Some(warehouse)) if !warehouse.kind.is_sellable() => {}
        Some(_) => {
            let problem = message!(
                "names no warehouse of kind quarantine of this account",
                "no corresponde a ningún almacén de tipo quarantine de esta cuenta"
            );
            faults.push(FieldFault::new("quarantineId", problem));
        }
    }
    Ok(faults)
}
