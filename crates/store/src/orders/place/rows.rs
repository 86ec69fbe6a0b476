//! What a batch of orders records.

use std::collections::BTreeSet;

use diesel::prelude::*;
use kernel::{AccountId, NewEvent, Timestamp};
use webhooks::SubscriptionId;

use super::loaded::KeyName;
use crate::{
    answers::AnswerRow,
    events::EventRow,
    ordering::rows::{ItemRow, OrderRow},
    outbox::deliveries::DeliveryRow,
    schema::order_allocations,
    stock::{ledger::MovementRow, places::first_warehouse},
};

/// A level that goes from one count to another.
pub(super) struct LevelChange {
    pub(super) account_id: String,
    pub(super) product_id: String,
    pub(super) variant_id: String,
    pub(super) warehouse_id: String,
    pub(super) before: i64,
    pub(super) after: i64,
    /// What is committed by it.
    pub(super) committed: i64,
    /// What a unit has cost on average, in the level of the first warehouse.
    pub(super) average: Option<i64>,
    /// What the other warehouses have, in the level of the first one.
    pub(super) elsewhere_before: i64,
    pub(super) elsewhere_after: i64,
}

impl LevelChange {
    /// Whether it is of a first warehouse, and the others have nothing of it.
    pub(super) fn is_alone(&self) -> bool {
        self.elsewhere_before == 0
            && self.elsewhere_after == 0
            && self.warehouse_id == first_warehouse(&self.account_id)
    }
}

/// What a line takes from a warehouse, where the first one does not have all of it.
#[derive(Insertable)]
#[diesel(table_name = order_allocations)]
pub(super) struct AllocationRow {
    pub(super) account_id: String,
    pub(super) order_id: String,
    pub(super) line: i64,
    pub(super) warehouse_id: String,
    pub(super) quantity: i64,
}

/// Rows of the catalog that must still be as they were read.
pub(super) struct OfferPremise {
    pub(super) account_id: String,
    pub(super) product_id: String,
    pub(super) variant_id: String,
    pub(super) rows: String,
}

/// What a warehouse other than the first one must still have that was passed over: that decided where the order takes from.
pub(super) struct OtherLevel {
    pub(super) account_id: String,
    pub(super) product_id: String,
    pub(super) variant_id: String,
    pub(super) warehouse_id: String,
    pub(super) quantity: i64,
}

/// Settings of an account that must still be as they were read.
pub(super) struct AccountPremise {
    pub(super) account_id: String,
    pub(super) facts: i64,
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
    /// Whether each of the orders commits its stock.
    pub(super) commits: Vec<bool>,
    /// Accounts whose orders do not, as long as their upgrade is not finished.
    pub(super) waiting: BTreeSet<String>,
    pub(super) items: Vec<ItemRow>,
    /// What a unit of each of the items has cost.
    pub(super) unit_costs: Vec<Option<i64>>,
    pub(super) allocations: Vec<AllocationRow>,
    pub(super) movements: Vec<MovementRow>,
    pub(super) events: Vec<EventRow>,
    pub(super) deliveries: Vec<DeliveryRow>,
    /// Events that may have to follow what an import is still to tell, each with its account and its time.
    pub(super) told: Vec<(AccountId, Timestamp, NewEvent)>,
    /// Which endpoints have new deliveries.
    pub(super) due: BTreeSet<(AccountId, SubscriptionId)>,
    pub(super) answers: Vec<AnswerRow>,
    pub(super) levels: Vec<LevelChange>,
    pub(super) counters: Vec<CounterChange>,
    /// Who must still be there when the orders are recorded, with the version of the row, or without any.
    pub(super) customers: Vec<(String, String, String)>,
    /// What else must still hold then, on PostgreSQL.
    pub(super) offers: Vec<OfferPremise>,
    pub(super) others: Vec<OtherLevel>,
    pub(super) accounts: Vec<AccountPremise>,
    /// Accounts of which an order was refused, which nothing that is recorded checks.
    pub(super) refused: BTreeSet<AccountId>,
    /// Answers past their time, whose keys are used anew.
    pub(super) expired: Vec<KeyName>,
}

impl Plan {
    /// Whether there is nothing to record: every order was refused or is a repeat.
    pub(super) fn is_empty(&self) -> bool {
        self.orders.is_empty() && self.expired.is_empty()
    }

    /// Leaves out what the transaction that records has read itself behind its locks: that it may change at the very moment
    /// keeps nobody from selling.
    pub(super) fn leave_out_versions(&mut self) {
        self.offers.clear();
        self.others.clear();
        self.accounts.clear();
        for (_, _, version) in &mut self.customers {
            version.clear();
        }
    }
}
