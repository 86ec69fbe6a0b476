//! What a batch of orders asks for, and what the database knows of it.

use std::collections::{BTreeSet, HashMap};

use ::orders::{
    CustomerGroupId, CustomerId, ItemSku, Offer, OrderId, PriceBook, PriceList, WarehouseId,
};
use cfdi::tax::TaxRate;
use inventory::{Allocation, warehouse::PRIORITY_DEFAULT};
use kernel::{AccountId, Ctx, Quantity};

use super::PlaceJob;
use crate::{orders::LAST_NUMBER, outbox::deliveries::Subscriber};

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
    /// Accounts of which an order names its warehouse.
    pub(super) naming: BTreeSet<AccountId>,
    /// Accounts of which an order names its price list.
    pub(super) listing: BTreeSet<AccountId>,
}

impl Wanted {
    pub(super) fn of(jobs: &[&mut PlaceJob]) -> Self {
        let mut wanted = Self::default();
        for PlaceJob { ctx, command, .. } in jobs.iter().map(|job| &**job) {
            wanted.accounts.insert(ctx.account);
            wanted.customers.insert((ctx.account, command.customer));
            wanted.items.extend(command.items.iter().map(|item| (ctx.account, item.wanted)));
            wanted.keys.extend(key_name(ctx));
            wanted.naming.extend(command.warehouse.map(|_| ctx.account));
            wanted.listing.extend(command.price_list.map(|_| ctx.account));
            let external_id = command.external_id.iter().cloned();
            wanted.external_ids.extend(external_id.map(|id| (ctx.account, id)));
        }
        wanted
    }
}

pub(super) fn key_name(ctx: &Ctx) -> Option<KeyName> {
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

    pub(super) fn next_number(self) -> i64 {
        self.orders.max(self.last_number) + 1
    }

    pub(super) fn with_another(self) -> Self {
        Self { orders: self.orders + 1, last_number: self.next_number() }
    }
}

/// How the orders of an account take stock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stocking {
    pub(super) allocation: Allocation,
    /// The first warehouse where there is none.
    pub(super) default: Option<WarehouseId>,
    /// Whether what is promised is kept count of.
    pub(super) commits: bool,
}

/// The first warehouse of an account.
pub(super) const fn first_of(account: AccountId) -> WarehouseId {
    WarehouseId::from_u128(account.to_u128())
}

/// A customer whom orders are for.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Buyer {
    /// The terms under which it is found.
    pub(super) terms: String,
    /// The group that it is in.
    pub(super) group: Option<CustomerGroupId>,
    /// Which version of its row this is, on PostgreSQL.
    pub(super) row: String,
}

/// What an offer was read from, on PostgreSQL: it holds as long as this does.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Premise {
    /// The versions of the rows of the product and of its variant.
    pub(super) rows: String,
    /// What a unit has cost on average.
    pub(super) average: Option<i64>,
}

/// What the database knows of what a batch asks for.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) answers: HashMap<KeyName, Kept>,
    pub(super) customers: HashMap<(AccountId, CustomerId), Buyer>,
    /// Accounts that have price lists, which are still to be loaded.
    pub(super) with_lists: BTreeSet<AccountId>,
    pub(super) price_lists: HashMap<AccountId, Vec<PriceList>>,
    pub(super) offers: HashMap<(AccountId, ItemSku), Offer>,
    /// Of offers that the first warehouse has a level of.
    pub(super) premises: HashMap<(AccountId, ItemSku), Premise>,
    /// What settings, subscriptions, issuer and warehouses of each account come to: another number as soon as one of
    /// them changes. On PostgreSQL.
    pub(super) facts: HashMap<AccountId, i64>,
    pub(super) stocking: HashMap<AccountId, Stocking>,
    /// The warehouses of each account that goods are sold from and that have a row, with their priority.
    pub(super) warehouses: HashMap<AccountId, Vec<(i64, WarehouseId)>>,
    /// The taxes that the default issuer of invoices usually has.
    pub(super) issuer_taxes: HashMap<AccountId, Vec<TaxRate>>,
    /// Those that its shipping has instead.
    pub(super) shipping_taxes: HashMap<AccountId, Vec<TaxRate>>,
    /// Orders that have an external identifier already.
    pub(super) external_ids: HashMap<(AccountId, String), OrderId>,
    /// From how few units on each account wants to be told, of products that do not say; on SQLite.
    pub(super) thresholds: HashMap<AccountId, Quantity>,
    /// Each account's counters of orders.
    pub(super) counts: HashMap<AccountId, OrderCounts>,
    /// Who wants events of each account.
    pub(super) subscribers: HashMap<AccountId, Vec<Subscriber>>,
    /// Accounts of which an import is still to tell something.
    pub(super) telling: BTreeSet<AccountId>,
}

impl Loaded {
    pub(super) fn stocking(&self, account: AccountId) -> Stocking {
        self.stocking.get(&account).copied().unwrap_or_default()
    }

    /// The warehouses that orders of an account may take from, by their priority.
    pub(super) fn any_source(&self, account: AccountId) -> Vec<WarehouseId> {
        let first = first_of(account);
        let mut all = self.warehouses.get(&account).cloned().unwrap_or_default();
        if all.iter().all(|(_, warehouse)| *warehouse != first) {
            all.push((PRIORITY_DEFAULT, first));
        }
        all.sort_unstable();
        all.into_iter().map(|(_, warehouse)| warehouse).collect()
    }

    /// The price lists of an account as a customer of it sees them.
    pub(super) fn price_book(&self, account: AccountId, customer: CustomerId) -> PriceBook<'_> {
        let group = self.customers.get(&(account, customer)).and_then(|buyer| buyer.group);
        let lists = self.price_lists.get(&account).map(Vec::as_slice).unwrap_or_default();
        PriceBook { lists, group }
    }

    /// Lets an account sell whatever it offers, however much there is and wherever.
    pub(super) fn lift_stock(&mut self, account: AccountId) {
        self.stocking.remove(&account);
        let own = self.offers.iter_mut().filter(|((of, _), _)| *of == account);
        for (_, offer) in own {
            offer.available = Quantity::MAX;
            (offer.elsewhere, offer.others) = (0, Vec::new());
        }
    }

    /// Whether goods are sold from a warehouse of an account.
    pub(super) fn sells_from(&self, account: AccountId, warehouse: WarehouseId) -> bool {
        warehouse == first_of(account)
            || self
                .warehouses
                .get(&account)
                .is_some_and(|all| all.iter().any(|(_, other)| *other == warehouse))
    }
}
