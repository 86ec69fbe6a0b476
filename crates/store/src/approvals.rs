//! Approvals: rules, requests, and the commands that wait for them.
//!
//! A command is kept with its request and carried out by the last decision that is needed, under a savepoint of the same
//! transaction; what needs a provider gets its task there. A kind of command joins with a variant of
//! [`CommandKind`](::approvals::CommandKind), a [`Gate`](::approvals::Gate) in `gates`, its facts in `subjects` and its arm in
//! `carrying`.

mod approvers;
mod carrying;
mod deciding;
mod figures;
mod gates;
mod queue;
mod rows;
mod rules;
mod stocking;
mod subjects;
mod wording;

use std::sync::Arc;

use ::approvals::{
    AdHoc, Approval, ApprovalError, ApprovalId, ApprovalQuery, Approvals, Decide, NewRule,
    ReviseRule, Rule, RuleId, Rules, TakeBack,
};
use kernel::{AccountId, Ctx, Fault, Page, Pending, Written};

use crate::{
    readers::{Cost, snapshot},
    store::Store,
};

pub(crate) use figures::{COUNTERS, ExpiredRequests};
pub(crate) use gates::refuse_unasked;
pub(crate) use queue::give_up;
pub use wording::Wording;

impl Rules for Store {
    fn rules(&self, account: AccountId) -> Pending<Result<Vec<Rule>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| rules::all(db, account))
    }

    fn rule(&self, account: AccountId, id: RuleId) -> Pending<Result<Option<Rule>, Fault>> {
        self.engine.read(Cost::Small, move |db| rules::one(db, account, id))
    }

    fn create_rule(&self, ctx: Ctx, command: NewRule) -> Pending<Written<Rule, ApprovalError>> {
        self.write(ctx, move |tx, ctx| rules::create(tx, ctx, &command))
    }

    fn update_rule(&self, ctx: Ctx, command: ReviseRule) -> Pending<Written<Rule, ApprovalError>> {
        self.write(ctx, move |tx, ctx| rules::update(tx, ctx, &command))
    }

    fn delete_rule(
        &self,
        ctx: Ctx,
        id: RuleId,
        version: Option<i64>,
    ) -> Pending<Written<RuleId, ApprovalError>> {
        self.write(ctx, move |tx, ctx| rules::delete(tx, ctx, id, version))
    }
}

/// Approvals on a store, whose refused commands are told as their callers would have been.
pub struct ApprovalDesk {
    store: Arc<Store>,
    wording: Wording,
}

impl ApprovalDesk {
    /// On a store, telling refusals by these words.
    #[must_use]
    pub fn new(store: Arc<Store>, wording: Wording) -> Self {
        Self { store, wording }
    }
}

impl Approvals for ApprovalDesk {
    fn get(&self, account: AccountId, id: ApprovalId) -> Pending<Result<Option<Approval>, Fault>> {
        let look = move |db: &mut _| snapshot(db, |db| rows::by_id(db, account, id));
        self.store.engine.read(Cost::Small, look)
    }

    fn list(
        &self,
        account: AccountId,
        query: ApprovalQuery,
    ) -> Pending<Result<Page<Approval>, Fault>> {
        let look = move |db: &mut _| snapshot(db, |db| rows::list(db, account, &query));
        self.store.engine.read_of(account, Cost::Large, look)
    }

    fn ask(&self, ctx: Ctx, command: AdHoc) -> Pending<Written<Approval, ApprovalError>> {
        self.store.write(ctx, move |tx, ctx| deciding::ask_ad_hoc(tx, ctx, &command))
    }

    fn decide(&self, ctx: Ctx, command: Decide) -> Pending<Written<Approval, ApprovalError>> {
        let wording = self.wording;
        self.store.write(ctx, move |tx, ctx| deciding::decide(tx, ctx, &wording, &command))
    }

    fn take_back(&self, ctx: Ctx, command: TakeBack) -> Pending<Written<Approval, ApprovalError>> {
        self.store.write(ctx, move |tx, ctx| deciding::take_back(tx, ctx, &command))
    }
}
