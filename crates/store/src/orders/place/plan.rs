//! What a batch of orders needs to know, and what comes of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ::orders::{
    CustomerId, ItemSku, Offer, Order, OrderId, PlaceError, Placed, place, place::PlaceRefusal,
    totals::usual_taxes,
};
use catalog::StockReason;
use cfdi::tax::TaxRate;
use diesel::QueryResult;
use kernel::{
    AccountId, Ctx, Done, Event, FieldFault, Refused,
    id::{EventId, IdSource},
    message,
};
use webhooks::SubscriptionId;

use super::{Judged, PlaceJob};
use crate::{
    answers::{self, AnswerRow, replay},
    catalog::stock::{MovementId, MovementRow, default_warehouse},
    error::Failure,
    events::EventRow,
    ordering::rows::{ItemRow, OrderRow, variant_column},
    orders::{COUNTER, LAST_NUMBER},
    outbox::deliveries::{self as outbox, DeliveryRow, Subscriber},
};

/// An idempotency key with what it belongs to.
pub(super) type KeyName = (AccountId, String, String);

/// What a batch asks for; sorted, so that every batch locks in the same order.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) keys: BTreeSet<KeyName>,
    pub(super) customers: BTreeSet<(AccountId, CustomerId)>,
    pub(super) items: BTreeSet<(AccountId, ItemSku)>,
    pub(super) accounts: BTreeSet<AccountId>,
    pub(super) external_ids: BTreeSet<(AccountId, String)>,
}

impl Wanted {
    pub(super) fn of(jobs: &[&mut PlaceJob]) -> Self {
        let mut wanted = Self::default();
        for PlaceJob { ctx, command, .. } in jobs.iter().map(|job| &**job) {
            wanted.accounts.insert(ctx.account);
            wanted.customers.insert((ctx.account, command.customer));
            wanted.items.extend(command.items.iter().map(|item| (ctx.account, item.wanted)));
            wanted.keys.extend(key_name(ctx));
            let external_id = command.external_id.iter().cloned();
            wanted.external_ids.extend(external_id.map(|id| (ctx.account, id)));
        }
        wanted
    }
}

fn key_name(ctx: &Ctx) -> Option<KeyName> {
    ctx.idempotency.as_ref().map(|key| (ctx.account, key.operation.clone(), key.key.clone()))
}

/// The answer kept under a key.
pub(super) struct Kept {
    pub(super) digest: String,
    pub(super) answer: String,
    pub(super) created_at: i64,
}

/// An account's counters of orders.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OrderCounts {
    /// How many there are.
    pub(super) orders: i64,
    /// The number of the last one; 0 where release 0.1.0 has placed all of them.
    pub(super) last_number: i64,
}

impl OrderCounts {
    /// Reads one of the counters by its name.
    pub(super) fn set(&mut self, name: &str, value: i64) {
        if name == LAST_NUMBER.0 {
            self.last_number = value;
        } else {
            self.orders = value;
        }
    }

    fn next_number(self) -> i64 {
        self.orders.max(self.last_number) + 1
    }

    fn with_another(self) -> Self {
        Self { orders: self.orders + 1, last_number: self.next_number() }
    }
}

/// What the database knows of what a batch asks for.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) answers: HashMap<KeyName, Kept>,
    /// Customers with the terms under which they are found.
    pub(super) customers: HashMap<(AccountId, CustomerId), String>,
    pub(super) offers: HashMap<(AccountId, ItemSku), Offer>,
    /// The taxes that the default issuer of invoices usually has.
    pub(super) issuer_taxes: HashMap<AccountId, Vec<TaxRate>>,
    /// Those that its shipping has instead.
    pub(super) shipping_taxes: HashMap<AccountId, Vec<TaxRate>>,
    /// Orders that have an external identifier already.
    pub(super) external_ids: HashMap<(AccountId, String), OrderId>,
    /// Each account's counters of orders.
    pub(super) counts: HashMap<AccountId, OrderCounts>,
    /// Who wants events of each account.
    pub(super) subscribers: HashMap<AccountId, Vec<Subscriber>>,
}

/// A level that goes from one count to another.
pub(super) struct LevelChange {
    pub(super) account_id: String,
    pub(super) product_id: String,
    pub(super) variant_id: String,
    pub(super) warehouse_id: String,
    pub(super) before: i64,
    pub(super) after: i64,
}

/// A counter that goes from one value to another.
pub(super) struct CounterChange {
    pub(super) account_id: String,
    pub(super) name: &'static str,
    pub(super) before: i64,
    pub(super) after: i64,
}

/// What a batch records: all of it, or nothing.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) orders: Vec<OrderRow>,
    pub(super) items: Vec<ItemRow>,
    pub(super) movements: Vec<MovementRow>,
    pub(super) events: Vec<EventRow>,
    pub(super) deliveries: Vec<DeliveryRow>,
    /// Which endpoints have new deliveries.
    pub(super) due: BTreeSet<(AccountId, SubscriptionId)>,
    pub(super) answers: Vec<AnswerRow>,
    pub(super) levels: Vec<LevelChange>,
    pub(super) counters: Vec<CounterChange>,
    /// Who must still be there when the orders are recorded.
    pub(super) customers: Vec<(String, String)>,
    /// Answers past their time, whose keys are used anew.
    pub(super) expired: Vec<KeyName>,
}

impl Plan {
    /// Whether there is nothing to record: every order was refused or is a repeat.
    pub(super) fn is_empty(&self) -> bool {
        self.orders.is_empty() && self.expired.is_empty()
    }
}

/// Judges the jobs one after the other, keeps each one's outcome, and states what to record.
pub(super) fn plan(
    jobs: &mut [&mut PlaceJob],
    loaded: Loaded,
    ids: &IdSource,
    retention: i64,
) -> QueryResult<Plan> {
    let mut planner = Planner::new(loaded, ids, retention);
    for job in jobs {
        let outcome = match planner.judge(job) {
            Ok(done) => Ok(done),
            Err(Failure::Refused(refused)) => Err(refused),
            Err(Failure::Database(error)) => return Err(error),
        };
        job.outcome = Some(outcome);
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
    let order = planner.placed(job)?.order;
    let offers = planner.loaded.offers.into_iter();
    let prices = offers.map(|((_, sold), offer)| (sold, offer.price)).collect();
    Ok(Judged { order, prices })
}

struct Planner<'a> {
    loaded: Loaded,
    ids: &'a IdSource,
    retention: i64,
    plan: Plan,
    /// Levels as they were before the batch touched them.
    before: BTreeMap<(AccountId, ItemSku), i64>,
    /// Counters as they were before the batch touched them.
    counted: BTreeMap<AccountId, OrderCounts>,
}

impl<'a> Planner<'a> {
    fn new(loaded: Loaded, ids: &'a IdSource, retention: i64) -> Self {
        let (plan, before, counted) = (Plan::default(), BTreeMap::new(), BTreeMap::new());
        Self { loaded, ids, retention, plan, before, counted }
    }

    fn judge(&mut self, job: &PlaceJob) -> Result<Done<Order>, Failure<PlaceError>> {
        let PlaceJob { ctx, command, .. } = job;
        if let Some(done) = self.replayed(ctx)? {
            return Ok(done);
        }
        let placed = self.placed(job)?;
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

    /// What placing an order leads to.
    fn placed(&self, job: &PlaceJob) -> Result<Placed, Failure<PlaceError>> {
        let PlaceJob { ctx, command, settled, .. } = job;
        if !self.loaded.customers.contains_key(&(ctx.account, command.customer)) {
            return Err(Refused::Invalid(vec![FieldFault::new(
                "customerId",
                message!(
                    "names no customer of this account",
                    "no corresponde a ningún cliente de esta cuenta"
                ),
            )])
            .into());
        }
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
        let placed = place(command, offer, (&usual, of_shipping), (id, number), ctx.now);
        let mut placed = placed.map_err(|refusal| match refusal {
            PlaceRefusal::Invalid(faults) => Refused::Invalid(faults),
            PlaceRefusal::Rule(error) => Refused::Rule(error),
        })?;
        if let Some(settled) = settled {
            // Lists find orders of a time by the moments that identifiers begin with.
            placed.order.created_at = settled.at;
        }
        Ok(placed)
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
        let Placed { order, reservations, mut events } = placed;
        let account = ctx.account.to_string();
        let warehouse = default_warehouse(&account);
        for reservation in &reservations {
            let at = (ctx.account, reservation.sold);
            self.before.entry(at).or_insert(reservation.left + reservation.quantity);
            if let Some(offer) = self.loaded.offers.get_mut(&at) {
                offer.available = reservation.left;
            }
            if reservation.falls_low() {
                let product = catalog::ProductId::from_u128(reservation.sold.product.to_u128());
                events.push(catalog::events::inventory_low(
                    product,
                    reservation.left,
                    reservation.threshold,
                ));
            }
            self.plan.movements.push(MovementRow {
                account_id: account.clone(),
                id: MovementId::from_u128(self.ids.next()).to_string(),
                product_id: reservation.sold.product.to_string(),
                variant_id: variant_column(reservation.sold),
                warehouse_id: warehouse.clone(),
                delta: -reservation.quantity,
                quantity_after: reservation.left,
                reason: StockReason::Order.name(),
                reference: order.id.to_string(),
                created_at: ctx.now.micros(),
            });
        }
        for event in events {
            let event = event.recorded(EventId::from_u128(self.ids.next()), ctx.now);
            self.plan.events.push(EventRow::new(ctx.account, &event));
            self.open_deliveries(ctx.account, &event);
        }
        for item in ItemRow::all_of(&account, &order) {
            self.plan.items.push(item?);
        }
        let customer = self.loaded.customers.get(&(ctx.account, order.customer));
        let terms = customer.map(String::as_str).unwrap_or_default();
        self.plan.orders.push(OrderRow::of(&account, &order, terms)?);
        self.plan.customers.push((account, order.customer.to_string()));
        self.keep_answer(ctx, &order)?;
        Ok(Done::now(order))
    }

    fn open_deliveries(&mut self, account: AccountId, event: &Event) {
        let Some(subscribers) = self.loaded.subscribers.get(&account) else { return };
        let id = event.id.to_string();
        for subscription in outbox::wanting(subscribers, event.name) {
            let (ids, now) = (self.ids, event.created_at);
            let row = DeliveryRow::new(account, subscription, &id, event.name, ids, now);
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

    /// Adds the levels and counters, each once, whatever the number of orders that changed it.
    fn finish(mut self) -> Plan {
        for ((account, sold), before) in self.before {
            let account_id = account.to_string();
            self.plan.levels.push(LevelChange {
                warehouse_id: default_warehouse(&account_id),
                account_id,
                product_id: sold.product.to_string(),
                variant_id: variant_column(sold),
                before,
                after: self
                    .loaded
                    .offers
                    .get(&(account, sold))
                    .map_or(before, |offer| offer.available),
            });
        }
        for (account, before) in self.counted {
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
        self.plan
    }
}
