//! What comes of a batch of orders.

use std::collections::{BTreeMap, BTreeSet};

use ::orders::{
    ItemSku, Order, OrderId, PlaceError, Placed, Sources, Taken, WarehouseId, place,
    totals::usual_taxes,
};
use diesel::prelude::*;
use inventory::{Allocation, MovementId, Reason};
use kernel::{
    AccountId, Amount, Ctx, Done, Event, FieldFault, Refused,
    id::{EventId, IdSource},
    message,
};

pub(super) use super::loaded::{
    Buyer, Kept, Loaded, OrderCounts, Premise, Stocking, Wanted, first_of,
};
pub(super) use super::rows::{
    AccountPremise, AllocationRow, CounterChange, LevelChange, OfferPremise, OtherLevel, Plan,
};
use super::{Judged, PlaceJob, loaded::key_name};
use crate::{
    answers::{self, replay},
    error::{Failure, with_faults},
    events::EventRow,
    ordering::rows::{ItemRow, OrderRow, variant_column},
    orders::{COUNTER, LAST_NUMBER},
    outbox::deliveries::{self as outbox, DeliveryRow},
    stock::ledger::MovementRow,
};

/// Judges the jobs one after the other, keeps each one's outcome, and states what to record, and what is loaded as that
/// leaves it.
pub(super) fn plan(
    jobs: &mut [&mut PlaceJob],
    loaded: Loaded,
    ids: &IdSource,
    retention: i64,
) -> QueryResult<(Plan, Loaded)> {
    let mut planner = Planner::new(loaded, ids, retention);
    for job in jobs {
        let outcome = planner.judge(job);
        if !job.caller.keep(outcome)? {
            planner.plan.refused.insert(job.ctx.account);
        }
    }
    Ok(planner.finish())
}

/// Judges the only job, and states nothing to record.
pub(super) fn judge(
    jobs: Vec<&mut PlaceJob>,
    loaded: Loaded,
    ids: &IdSource,
) -> Result<Judged, Failure<PlaceError>> {
    let job = jobs.into_iter().next().ok_or(Refused::NotFound)?;
    let planner = Planner::new(loaded, ids, 0);
    let (Placed { order, prices, .. }, _) = planner.placed(job)?;
    Ok(Judged { order, prices: prices.into_iter().collect() })
}

/// Levels of something before a batch.
struct Before {
    available: i64,
    elsewhere: i64,
    others: Vec<(WarehouseId, i64)>,
}

impl Before {
    /// What a warehouse other than the first one had.
    fn of(&self, warehouse: WarehouseId) -> i64 {
        let mut others = self.others.iter();
        others.find(|(other, _)| *other == warehouse).map_or(0, |(_, quantity)| *quantity)
    }
}

struct Planner<'a> {
    loaded: Loaded,
    ids: &'a IdSource,
    retention: i64,
    plan: Plan,
    /// What was offered before the batch touched it.
    before: BTreeMap<(AccountId, ItemSku), Before>,
    /// The warehouses that were passed over for something before others were taken from.
    passed_over: BTreeMap<(AccountId, ItemSku), BTreeSet<WarehouseId>>,
    /// Counters as they were before the batch touched them.
    counted: BTreeMap<AccountId, OrderCounts>,
}

impl<'a> Planner<'a> {
    fn new(loaded: Loaded, ids: &'a IdSource, retention: i64) -> Self {
        let (before, passed_over, counted) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { loaded, ids, retention, plan: Plan::default(), before, passed_over, counted }
    }

    fn judge(&mut self, job: &PlaceJob) -> Result<Done<Order>, Failure<PlaceError>> {
        let PlaceJob { ctx, command, .. } = job;
        if let Some(done) = self.replayed(ctx)? {
            return Ok(done);
        }
        let (placed, from) = self.placed(job)?;
        self.pass_over(ctx.account, &placed, &from);
        let counts = self.counts(ctx.account);
        self.counted.entry(ctx.account).or_insert(counts);
        self.loaded.counts.insert(ctx.account, counts.with_another());
        let external_id = command.external_id.clone().map(|id| (ctx.account, id));
        self.loaded.external_ids.extend(external_id.map(|named| (named, placed.order.id)));
        self.record(ctx, placed)
    }

    fn counts(&self, account: AccountId) -> OrderCounts {
        self.loaded.counts.get(&account).copied().unwrap_or_default()
    }

    /// What placing an order leads to, and the warehouses that it may take from, in their order.
    fn placed(&self, job: &PlaceJob) -> Result<(Placed, Vec<WarehouseId>), Failure<PlaceError>> {
        let PlaceJob { ctx, command, .. } = job;
        let mut faults = Vec::new();
        if !self.loaded.customers.contains_key(&(ctx.account, command.customer)) {
            let problem = message!(
                "names no customer of this account",
                "no corresponde a ningún cliente de esta cuenta"
            );
            faults.push(FieldFault::new("customerId", problem));
        }
        let from = self.sources(ctx.account, command.warehouse).unwrap_or_else(|fault| {
            faults.push(fault);
            Vec::new()
        });
        // What else is wrong is told with it.
        let placed = with_faults(faults, self.placed_from(job, &from))?;
        Ok((placed, from))
    }

    /// The same from these warehouses, whether or not its customer is known.
    fn placed_from(
        &self,
        job: &PlaceJob,
        from: &[WarehouseId],
    ) -> Result<Placed, Failure<PlaceError>> {
        let PlaceJob { ctx, command, settled, .. } = job;
        let external_id = command.external_id.clone().map(|id| (ctx.account, id));
        if let Some(named @ (_, external_id)) = &external_id
            && let Some(holder) = self.loaded.external_ids.get(named)
        {
            let (external_id, holder) = (external_id.clone(), *holder);
            let taken = PlaceError::DuplicateExternalId { external_id, holder };
            return Err(Refused::Rule(taken).into());
        }
        let number = self.counts(ctx.account).next_number();
        let Loaded { offers, issuer_taxes, shipping_taxes, .. } = &self.loaded;
        let of_shipping = shipping_taxes.get(&ctx.account).map(Vec::as_slice);
        let usual = usual_taxes(issuer_taxes.get(&ctx.account).map(Vec::as_slice));
        let id = settled.map_or_else(|| OrderId::from_u128(self.ids.next()), |settled| settled.id);
        let offer = |sku| offers.get(&(ctx.account, sku));
        let sources = Sources { first: first_of(ctx.account), from };
        let book = self.loaded.price_book(ctx.account, command.customer);
        let named = (id, number);
        let taxes = (usual.as_slice(), of_shipping);
        let mut placed = place(command, offer, sources, book, taxes, named, ctx.now)?;
        if let Some(settled) = settled {
            // Lists find orders of a time by the moments that identifiers begin with.
            placed.order.created_at = settled.at;
        }
        Ok(placed)
    }

    /// Where an order that names a warehouse or none takes from.
    fn sources(
        &self,
        account: AccountId,
        named: Option<WarehouseId>,
    ) -> Result<Vec<WarehouseId>, FieldFault> {
        let stocking = self.loaded.stocking(account);
        match (named, stocking.allocation) {
            (Some(named), _) if self.loaded.sells_from(account, named) => Ok(vec![named]),
            (Some(_), _) => Err(FieldFault::new(
                "warehouseId",
                message!(
                    "names no warehouse of this account that goods are sold from",
                    "no corresponde a ningún almacén de esta cuenta del que se venda"
                ),
            )),
            (None, Allocation::Default) => {
                Ok(vec![stocking.default.unwrap_or_else(|| first_of(account))])
            }
            (None, Allocation::AnyAvailable) => Ok(self.loaded.any_source(account)),
        }
    }

    /// Keeps which warehouses decided by what they do not have where an order takes from: those before the one that has
    /// all of it, or every one if none has.
    fn pass_over(&mut self, account: AccountId, placed: &Placed, from: &[WarehouseId]) {
        let Placed { order, taken, .. } = placed;
        let whole = taken.first().map(|part| part.warehouse);
        let whole = whole.filter(|first| taken.iter().all(|part| part.warehouse == *first));
        let first = first_of(account);
        let passed_over = from.iter().take_while(|source| Some(**source) != whole);
        let passed_over: Vec<WarehouseId> =
            passed_over.copied().filter(|source| *source != first).collect();
        if passed_over.is_empty() {
            return;
        }
        for item in &order.items {
            self.passed_over.entry((account, item.sold)).or_default().extend(&passed_over);
        }
    }

    /// The answer that an earlier order with the same key was given, in this batch or before.
    fn replayed(&mut self, ctx: &Ctx) -> Result<Option<Done<Order>>, Failure<PlaceError>> {
        let (Some(name), Some(idempotency)) = (key_name(ctx), &ctx.idempotency) else {
            return Ok(None);
        };
        let Some(kept) = self.loaded.answers.get(&name) else { return Ok(None) };
        if kept.created_at >= ctx.now.micros() - self.retention {
            return replay(idempotency, &kept.digest, &kept.answer).map(Some);
        }
        self.loaded.answers.remove(&name);
        self.plan.expired.push(name);
        Ok(None)
    }

    fn record(&mut self, ctx: &Ctx, placed: Placed) -> Result<Done<Order>, Failure<PlaceError>> {
        let Placed { order, reservations, taken, low, mut events, .. } = placed;
        let account = ctx.account.to_string();
        let commits = self.loaded.stocking(ctx.account).commits;
        let first = first_of(ctx.account);
        for reservation in &reservations {
            let at = (ctx.account, reservation.sold);
            if let Some(offer) = self.loaded.offers.get_mut(&at) {
                self.before.entry(at).or_insert_with(|| Before {
                    available: offer.available,
                    elsewhere: offer.elsewhere,
                    others: offer.others.clone(),
                });
                offer.set_level(reservation.warehouse, first, reservation.left);
            }
            self.plan.movements.push(MovementRow {
                account_id: account.clone(),
                id: MovementId::from_u128(self.ids.next()).to_string(),
                product_id: reservation.sold.product.to_string(),
                variant_id: variant_column(reservation.sold),
                warehouse_id: reservation.warehouse.to_string(),
                delta: -reservation.quantity,
                quantity_after: reservation.left,
                reason: Reason::Order.name().to_owned(),
                reference: order.id.to_string(),
                created_at: ctx.now.micros(),
                committed_delta: if commits { reservation.quantity } else { 0 },
                unit_cost: None,
                note: None,
            });
        }
        for fallen in low {
            let product = catalog::ProductId::from_u128(fallen.sold.product.to_u128());
            let (left, threshold) = (fallen.left, fallen.threshold);
            let low = catalog::events::inventory_low(product, left, threshold);
            if self.loaded.telling.contains(&ctx.account) {
                self.plan.told.push((ctx.account, ctx.now, low));
            } else {
                events.push(low);
            }
        }
        self.allocate(&account, &order, first, &taken);
        for event in events {
            let event = event.recorded(EventId::from_u128(self.ids.next()), ctx.now);
            self.plan.events.push(EventRow::new(ctx.account, &event));
            self.open_deliveries(ctx.account, &event);
        }
        for (item, row) in order.items.iter().zip(ItemRow::all_of(&account, &order)) {
            self.plan.items.push(row?);
            let offer = self.loaded.offers.get(&(ctx.account, item.sold));
            // A cost is in the currency of the product.
            let offer = offer.filter(|offer| offer.currency == order.currency);
            let cost = offer.and_then(|offer| offer.unit_cost).map(Amount::micros);
            self.plan.unit_costs.push(cost);
        }
        let customer = self.loaded.customers.get(&(ctx.account, order.customer));
        let terms = customer.map(|buyer| buyer.terms.as_str()).unwrap_or_default();
        let row = customer.map(|buyer| buyer.row.clone()).unwrap_or_default();
        self.plan.orders.push(OrderRow::of(&account, &order, terms)?);
        self.plan.commits.push(commits);
        if !commits {
            self.plan.waiting.insert(ctx.account.to_string());
        }
        self.plan.customers.push((account, order.customer.to_string(), row));
        self.keep_answer(ctx, &order)?;
        Ok(Done::now(order))
    }

    /// Keeps where lines are taken from that are not taken from the first warehouse alone.
    fn allocate(&mut self, account: &str, order: &Order, first: WarehouseId, taken: &[Taken]) {
        for of_line in taken.chunk_by(|one, other| one.line == other.line) {
            if of_line.iter().all(|part| part.warehouse == first) {
                continue;
            }
            let row = |part: &Taken| AllocationRow {
                account_id: account.to_owned(),
                order_id: order.id.to_string(),
                line: part.line as i64,
                warehouse_id: part.warehouse.to_string(),
                quantity: part.quantity,
            };
            self.plan.allocations.extend(of_line.iter().map(row));
        }
    }

    fn open_deliveries(&mut self, account: AccountId, event: &Event) {
        let Some(subscribers) = self.loaded.subscribers.get(&account) else { return };
        let id = event.id.to_string();
        for subscription in outbox::wanting(subscribers, event.name) {
            let delivered = outbox::DeliveredEvent { id: &id, name: event.name };
            let (ids, now) = (self.ids, event.created_at);
            let row = DeliveryRow::new(account, subscription, delivered, ids, now);
            self.plan.deliveries.push(row);
            self.plan.due.insert((account, subscription));
        }
    }

    fn keep_answer(&mut self, ctx: &Ctx, order: &Order) -> QueryResult<()> {
        let (Some(name), Some(idempotency)) = (key_name(ctx), &ctx.idempotency) else {
            return Ok(());
        };
        let row = answers::row(ctx, idempotency, order)?;
        let kept = Kept {
            digest: row.digest.clone(),
            answer: row.answer.clone(),
            created_at: row.created_at,
        };
        self.loaded.answers.insert(name, kept);
        self.plan.answers.push(row);
        Ok(())
    }

    /// Adds the levels of something: that of the first warehouse in any case, since whoever moves others changes it too.
    fn change_levels(&mut self, account: AccountId, sold: ItemSku, before: &Before) {
        let Some(offer) = self.loaded.offers.get(&(account, sold)) else { return };
        let commits = self.loaded.stocking(account).commits;
        let level = |warehouse: WarehouseId, before: i64, after: i64| LevelChange {
            account_id: account.to_string(),
            product_id: sold.product.to_string(),
            variant_id: variant_column(sold),
            warehouse_id: warehouse.to_string(),
            before,
            after,
            committed: if commits { before - after } else { 0 },
            average: None,
            elsewhere_before: 0,
            elsewhere_after: 0,
        };
        let premise = self.loaded.premises.get(&(account, sold));
        self.plan.levels.push(LevelChange {
            average: premise.and_then(|premise| premise.average),
            elsewhere_before: before.elsewhere,
            elsewhere_after: offer.elsewhere,
            ..level(first_of(account), before.available, offer.available)
        });
        let others = before.others.iter().zip(&offer.others);
        let others = others.filter(|((_, before), (_, after))| before != after);
        let others =
            others.map(|((warehouse, before), (_, after))| level(*warehouse, *before, *after));
        self.plan.levels.extend(others);
        let passed_over = self.passed_over.get(&(account, sold)).into_iter().flatten();
        let other = |warehouse: &WarehouseId| OtherLevel {
            account_id: account.to_string(),
            product_id: sold.product.to_string(),
            variant_id: variant_column(sold),
            warehouse_id: warehouse.to_string(),
            quantity: before.of(*warehouse),
        };
        self.plan.others.extend(passed_over.map(other));
        self.plan.offers.extend(premise.map(|premise| OfferPremise {
            account_id: account.to_string(),
            product_id: sold.product.to_string(),
            variant_id: variant_column(sold),
            rows: premise.rows.clone(),
        }));
    }

    /// Adds the levels and counters, each once, whatever the number of orders that changed it.
    fn finish(mut self) -> (Plan, Loaded) {
        for ((account, sold), before) in std::mem::take(&mut self.before) {
            self.change_levels(account, sold, &before);
        }
        for (account, before) in self.counted {
            let facts = self.loaded.facts.get(&account).copied();
            let premise =
                facts.map(|facts| AccountPremise { account_id: account.to_string(), facts });
            self.plan.accounts.extend(premise);
            let after = self.loaded.counts.get(&account).copied().unwrap_or(before);
            let counters = [
                (COUNTER.0, before.orders, after.orders),
                (LAST_NUMBER.0, before.last_number, after.last_number),
            ];
            for (name, before, after) in counters {
                let account_id = account.to_string();
                self.plan.counters.push(CounterChange { account_id, name, before, after });
            }
        }
        self.plan.customers.sort_unstable();
        self.plan.customers.dedup();
        (self.plan, self.loaded)
    }
}
