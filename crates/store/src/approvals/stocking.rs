//! Stock that people correct or send elsewhere: what stands before such commands, and what is known of them.

use std::collections::BTreeSet;

use ::approvals::{Approval, CommandKind, EntityType, Facts, Field, Gate, Passed, Person};
use ::catalog::ProductId;
use diesel::QueryResult;
use inventory::{
    Adjustment, AdjustmentId, Count, DispatchTransfer, NewAdjustment, PostCount, Reason, Sku,
    StockError, Transfer, cost,
};
use kernel::{AccountId, Ctx, Currency, Fault, Measure, Pending, Written};

use super::{
    gates::{asked, made, ready, undone},
    subjects::{Subject, digest_of},
};
use crate::{
    catalog::product_names,
    db::Db,
    error::Failure,
    rows::read,
    stock::{self, averages},
    store::Store,
    stored::from_text,
    tx::Tx,
};

/// So many of the goods are named.
const GOODS_NAMED: usize = 20;

type Outcome<T> = Result<T, Failure<StockError>>;

impl Gate<NewAdjustment, Adjustment, StockError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::StockAdjustment], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: NewAdjustment,
    ) -> Pending<Written<Passed<Adjustment>, StockError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let id = AdjustmentId::from_u128(tx.ids.next());
            let look = |tx: &mut Tx<'_>| {
                let subject = adjusting(tx, &ctx, id, &command)?;
                let why = (command.note.clone(), by);
                ready(CommandKind::AdjustStock, id.to_string(), subject, why, &command).map(Some)
            };
            asked(tx, &ctx, &[EntityType::StockAdjustment], look, |tx| {
                stock::adjust(tx, &ctx, id, &command).map(Some)
            })
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Adjustment>, Fault> {
        made(approval, &[CommandKind::AdjustStock])
    }
}

impl Gate<PostCount, Count, StockError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::StockAdjustment], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: PostCount,
    ) -> Pending<Written<Passed<Count>, StockError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| {
                let (count, subject) = posting(tx, &ctx, &command)?;
                let id = command.id.to_string();
                ready(CommandKind::PostCount, id, subject, (count.note, by), &command).map(Some)
            };
            asked(tx, &ctx, &[EntityType::StockAdjustment], look, |tx| {
                stock::post(tx, &ctx, &command).map(Some)
            })
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Count>, Fault> {
        made(approval, &[CommandKind::PostCount])
    }
}

impl Gate<DispatchTransfer, Transfer, StockError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::StockTransfer], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: DispatchTransfer,
    ) -> Pending<Written<Passed<Transfer>, StockError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| {
                let (transfer, subject) = dispatching(tx, &ctx, command)?;
                let (id, why) = (command.id.to_string(), (transfer.note, by));
                ready(CommandKind::DispatchTransfer, id, subject, why, &command).map(Some)
            };
            asked(tx, &ctx, &[EntityType::StockTransfer], look, |tx| {
                stock::dispatch(tx, &ctx, command).map(Some)
            })
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Transfer>, Fault> {
        made(approval, &[CommandKind::DispatchTransfer])
    }
}

fn adjusting(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: AdjustmentId,
    command: &NewAdjustment,
) -> Outcome<Subject> {
    // What it would do is what it does, if nobody need be asked.
    stock::hold_adjusted(tx, ctx, command)?;
    let would = undone(tx, |tx| stock::adjust(tx, ctx, id, command))?;
    let moved: Vec<_> =
        would.lines.iter().map(|line| (line.sku, line.warehouse.to_string(), line.delta)).collect();
    Ok(of_moved(tx.db, ctx.account, &moved, Some(command.cause.name()))?)
}

fn posting(tx: &mut Tx<'_>, ctx: &Ctx, command: &PostCount) -> Outcome<(Count, Subject)> {
    let held = stock::hold_count(tx, ctx, command)?;
    let (count, lines) = undone(tx, |tx| stock::posting(tx, ctx, command, held))?;
    let delta = |line: &inventory::CountLine| {
        (line.sku, count.warehouse.to_string(), line.posted.unwrap_or_default())
    };
    let moved: Vec<_> = lines.iter().map(delta).collect();
    let subject = of_moved(tx.db, ctx.account, &moved, Some(Reason::Count.name()))?;
    Ok((count, subject))
}

fn dispatching(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: DispatchTransfer,
) -> Outcome<(Transfer, Subject)> {
    stock::hold_transfer(tx, ctx, command.id)?;
    let would = undone(tx, |tx| stock::dispatch(tx, ctx, command))?;
    let subject = of_transfer(tx.db, ctx.account, &would)?;
    Ok((would, subject))
}

/// Of goods that are planned to be sent, or were.
pub(super) fn of_transfer(
    db: &mut Db,
    account: AccountId,
    transfer: &Transfer,
) -> QueryResult<Subject> {
    let way = format!("{} {}", transfer.from, transfer.to);
    let lines = transfer.lines.iter();
    let moved: Vec<_> = lines.map(|line| (line.sku, way.clone(), line.quantity)).collect();
    of_moved(db, account, &moved, None)
}

/// What is known of a command now that waits; `None` when it could not be carried out any more.
pub(super) fn of_waiting(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    approval: &Approval,
    command: &str,
) -> QueryResult<Option<Subject>> {
    let now = match approval.command {
        Some(CommandKind::AdjustStock) => {
            let id = read(&approval.entity_id, AdjustmentId::parse)?;
            adjusting(tx, ctx, id, &from_text(command)?)
        }
        Some(CommandKind::PostCount) => {
            posting(tx, ctx, &from_text(command)?).map(|(_, subject)| subject)
        }
        Some(CommandKind::DispatchTransfer) => {
            dispatching(tx, ctx, from_text(command)?).map(|(_, subject)| subject)
        }
        _ => return Ok(None),
    };
    match now {
        Ok(subject) => Ok(Some(subject)),
        Err(Failure::Database(error)) => Err(error),
        Err(Failure::Refused(_)) => Ok(None),
    }
}

/// What goods are called, and how many more or fewer of each: `-2 × Taza`. Of many the first ones.
fn goods(
    db: &mut Db,
    account: AccountId,
    moved: &[(Sku, String, Measure)],
) -> QueryResult<Option<String>> {
    let named = moved.get(..GOODS_NAMED).unwrap_or(moved);
    let ids: Vec<_> =
        named.iter().map(|(sku, ..)| ProductId::from_u128(sku.product.to_u128())).collect();
    let known = product_names(db, account, &ids)?;
    let told = |(sku, _, delta): &(Sku, String, Measure)| {
        let product = known.iter().find(|one| one.id.to_u128() == sku.product.to_u128())?;
        let variant = sku.variant.and_then(|id| {
            product.variants.iter().find(|variant| variant.id.to_u128() == id.to_u128())
        });
        Some(match variant {
            Some(variant) => format!("{delta} × {} / {}", product.name, variant.name),
            None => format!("{delta} × {}", product.name),
        })
    };
    let mut told: Vec<String> = named.iter().filter_map(told).collect();
    let more = moved.len() - named.len();
    if more > 0 {
        told.push(format!("… +{more}"));
    }
    Ok((!told.is_empty()).then(|| told.join(", ")))
}

/// Of so many more or fewer of each in each place: their number, and what they are worth in each currency.
fn of_moved(
    db: &mut Db,
    account: AccountId,
    moved: &[(Sku, String, Measure)],
    reason: Option<&str>,
) -> QueryResult<Subject> {
    let skus: BTreeSet<Sku> = moved.iter().map(|(sku, ..)| *sku).collect();
    let costs = averages(db, account, &skus)?;
    let part = |(sku, _, delta): &(Sku, String, Measure)| {
        let (average, currency) = costs.get(sku).copied().unwrap_or((None, Currency::MXN));
        (*delta, average, currency)
    };
    let cost::Moved { units, values } = cost::moved(moved.iter().map(part));
    let of_variant = |sku: &Sku| sku.variant.map(|id| id.to_string());
    let lines: Vec<_> = moved
        .iter()
        .map(|(sku, place, delta)| (sku.product.to_string(), of_variant(sku), place, delta))
        .collect();
    let worth: Vec<_> =
        values.iter().map(|(currency, value)| (currency.to_string(), value.micros())).collect();
    let digest = digest_of(&(lines, worth))?;
    let goods = goods(db, account, moved)?;
    let known = |currency: Option<Currency>| {
        Facts::new(currency)
            .number(Field::Units, units.amount())
            .text(Field::Items, goods.clone())
            .text(Field::Reason, reason.map(str::to_owned))
    };
    let valued = |(currency, value)| known(Some(currency)).number(Field::Value, value);
    let mut each = values.into_iter().map(valued);
    let first = each.next().unwrap_or_else(|| known(None));
    let others = each.collect();
    Ok(Subject { others, ..Subject::of(first, digest) })
}
