//! Our payments beside the lists of their providers.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use kernel::{AccountId, Refused, Timestamp, reason::Reason};
use payments::{
    CallFault, Gateway, PaymentError, PaymentId, ProviderKind, Seen,
    gateway::{Asked, ListAsked, Listed},
    reconcile::{self, Compared, Ours, PAGES_MAX, PAYMENTS_MAX, Reconciled, Theirs, Wanted},
    service::Callee,
};
use tokio::{task::JoinSet, time::sleep};

use super::{Shared, desk::answered, in_time};
use crate::recorded::gone;

type Refusal = Refused<PaymentError>;

/// How many payments that a list does not have are asked about at the same time.
const ASKED_AT_ONCE: usize = 8;
/// How often a provider is waited for that has no time for its list, and for how many seconds at most.
const WAITS_MAX: u32 = 3;
const WAIT_SECONDS_MAX: i64 = 5;
/// The least time that is compared at once.
const STEP_MICROS: i64 = 1_000;

/// A provider with what is compared of it.
struct Side {
    kind: ProviderKind,
    gateway: Arc<dyn Gateway>,
    ours: Vec<Ours>,
    /// `None` where it has no list.
    theirs: Option<Vec<Theirs>>,
}

fn unanswered(reason: String) -> Refusal {
    Refused::Rule(PaymentError::Unanswered { reason })
}

fn halfway(from: Timestamp, to: Timestamp) -> Option<Timestamp> {
    let half = (to.micros() - from.micros()) / 2 / STEP_MICROS * STEP_MICROS;
    (half > 0).then(|| Timestamp::from_micros(from.micros() + half))
}

impl Shared {
    /// Compares the payments of an account with the lists of its providers: those of the beginning of the time that is
    /// wanted, as many as one answer may have.
    pub(super) async fn reconciled(
        &self,
        account: AccountId,
        wanted: Wanted,
    ) -> Result<Reconciled, Refusal> {
        let mut until = wanted.to;
        let mut sides = Vec::new();
        for callee in self.callees(account, wanted.provider).await? {
            let kind = callee.kind;
            let gateway = self.gateways.gateway(account, kind, callee.credentials.as_ref());
            let ours = self.ours(account, kind, (wanted.from, until)).await?;
            if let Some(next) = ours.get(PAYMENTS_MAX) {
                let least = Timestamp::from_micros(wanted.from.micros() + STEP_MICROS);
                until = next.payment.id.minted_at().max(least);
            }
            sides.push(Side { kind, gateway: gateway.map_err(unanswered)?, ours, theirs: None });
        }
        for side in &mut sides {
            while !self.list(side, account, (wanted.from, until)).await? {
                let half = halfway(wanted.from, until)
                    .ok_or_else(|| unanswered(Reason::TooManyOfOneMoment.alone()))?;
                until = half;
            }
        }
        let is_within = |moment: Timestamp| wanted.from <= moment && moment < until;
        let mut rows = Vec::new();
        let (mut listed, mut unlisted) = (Vec::new(), Vec::new());
        for side in sides {
            let Side { kind, gateway, mut ours, theirs } = side;
            let Some(mut theirs) = theirs else {
                unlisted.push(kind);
                continue;
            };
            listed.push(kind);
            ours.retain(|ours| is_within(ours.payment.id.minted_at()));
            // The list of one that was read before another made the time shorter has more.
            theirs.retain(|theirs| theirs.created_at.is_none_or(is_within));
            rows.extend(self.compared(account, (kind, &gateway), ours, theirs, is_within).await?);
        }
        rows.sort_by_key(moment);
        Ok(Reconciled { until, listed, unlisted, rows })
    }

    /// The providers that an account has set up, or the one that is wanted.
    async fn callees(
        &self,
        account: AccountId,
        wanted: Option<ProviderKind>,
    ) -> Result<Vec<Callee>, Refusal> {
        let mut callees = Vec::new();
        let kinds = ProviderKind::EVERY.iter().filter(|kind| **kind != ProviderKind::Manual);
        for kind in kinds.filter(|kind| wanted.is_none_or(|wanted| wanted == **kind)) {
            callees.extend(answered(self.queue.credentials(account, *kind)).await?);
        }
        Ok(callees)
    }

    /// Our payments of a time, one more than are compared at once.
    async fn ours(
        &self,
        account: AccountId,
        kind: ProviderKind,
        between: (Timestamp, Timestamp),
    ) -> Result<Vec<Ours>, Refusal> {
        answered(self.queue.made_between(account, kind, between, PAYMENTS_MAX + 1)).await
    }

    /// Reads what a provider lists of a time; whether that is all of it.
    async fn list(
        &self,
        side: &mut Side,
        account: AccountId,
        (from, to): (Timestamp, Timestamp),
    ) -> Result<bool, Refusal> {
        let (mut theirs, mut cursor) = (Vec::new(), None);
        for _ in 0..PAGES_MAX {
            let asked = ListAsked { account, from, to, cursor, now: self.clock.now() };
            let listed = self.page(&side.gateway, asked).await?;
            let Some(listed) = listed else {
                side.theirs = None;
                return Ok(true);
            };
            theirs.extend(listed.payments);
            cursor = listed.next;
            if cursor.is_none() {
                side.theirs = Some(theirs);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A page of a provider's list, which is waited for a little where there is no time for it.
    async fn page(
        &self,
        gateway: &Arc<dyn Gateway>,
        asked: ListAsked,
    ) -> Result<Option<Listed>, Refusal> {
        for _ in 0..WAITS_MAX {
            match in_time(gateway.list(asked.clone())).await {
                Err(CallFault::RateLimited { seconds }) if seconds <= WAIT_SECONDS_MAX => {
                    sleep(Duration::from_secs(seconds.unsigned_abs())).await;
                }
                listed => return listed.map_err(|fault| unanswered(fault.kept())),
            }
        }
        let listed = in_time(gateway.list(asked)).await;
        listed.map_err(|fault| unanswered(fault.kept()))
    }

    async fn compared(
        &self,
        account: AccountId,
        (kind, gateway): (ProviderKind, &Arc<dyn Gateway>),
        ours: Vec<Ours>,
        theirs: Vec<Theirs>,
        is_within: impl Fn(Timestamp) -> bool,
    ) -> Result<Vec<Compared>, Refusal> {
        let mut rows = Vec::new();
        let mut ours: HashMap<PaymentId, Ours> =
            ours.into_iter().map(|ours| (ours.payment.id, ours)).collect();
        let by_ref: HashMap<String, PaymentId> = ours
            .values()
            .filter_map(|ours| Some((ours.payment.provider_ref.clone()?, ours.payment.id)))
            .collect();
        let in_parts = reconcile::in_parts(&theirs);
        let (mut strange, mut singly) = (Vec::new(), HashSet::new());
        for theirs in theirs {
            let id = theirs.seen.payment.or_else(|| by_ref.get(&theirs.seen.provider_ref).copied());
            if let Some(id) = id.filter(|id| in_parts.contains(id) && ours.contains_key(id)) {
                singly.insert(id);
                continue;
            }
            match id.and_then(|id| ours.remove(&id)) {
                Some(ours) => rows.push(reconcile::compare(ours, theirs)),
                None => strange.push(theirs),
            }
        }
        let names: Vec<_> = strange
            .iter()
            .map(|theirs| (theirs.seen.payment, theirs.seen.provider_ref.clone()))
            .collect();
        let known = answered(self.queue.named(account, kind, names)).await?;
        for theirs in strange {
            match known.iter().find(|ours| reconcile::is_it(&ours.payment, &theirs)) {
                // It belongs to when it was asked for here; or the provider lists it twice.
                Some(ours) if !is_within(ours.payment.id.minted_at()) => {}
                Some(ours) => rows.push(reconcile::compare(ours.clone(), theirs)),
                None => rows.push(reconcile::missing_here(kind, theirs)),
            }
        }
        let is_asked = |ours: &Ours| singly.contains(&ours.payment.id) || ours.should_be_there();
        let unlisted: Vec<Ours> = ours.into_values().filter(is_asked).collect();
        for (ours, seen) in self.asked_singly(account, gateway, unlisted).await? {
            match seen {
                // It was made there later than it was asked for here, or the list does not show all of it.
                Some(seen) => {
                    let theirs = Theirs { seen, created_at: None, is_partial: false };
                    rows.push(reconcile::compare(ours, theirs));
                }
                None => rows.push(reconcile::missing_there(ours)),
            }
        }
        Ok(rows)
    }

    /// What the provider shows of payments that are not in its list.
    async fn asked_singly(
        &self,
        account: AccountId,
        gateway: &Arc<dyn Gateway>,
        ours: Vec<Ours>,
    ) -> Result<Vec<(Ours, Option<Seen>)>, Refusal> {
        let mut found = Vec::new();
        let mut left = ours.into_iter();
        loop {
            let mut asking = JoinSet::new();
            for ours in left.by_ref().take(ASKED_AT_ONCE) {
                let payment = ours.payment.clone();
                let is_known_there = payment.provider_ref.is_some();
                let call = payments::CallId::from_u128(payment.id.to_u128());
                let asked = Asked { account, payment, call, tries: 0, now: self.clock.now() };
                let gateway = Arc::clone(gateway);
                asking.spawn(async move {
                    let seen = match is_known_there {
                        true => in_time(gateway.fetch(asked)).await.map(Some),
                        false => in_time(gateway.find(asked)).await,
                    };
                    (ours, seen)
                });
            }
            if asking.is_empty() {
                return Ok(found);
            }
            while let Some(asked) = asking.join_next().await {
                let (ours, seen) = asked.map_err(|_| Refused::Fault(gone()))?;
                let seen = match seen {
                    Ok(seen) => seen,
                    // It has no such payment.
                    Err(CallFault::Rejected(_)) => None,
                    Err(fault) => return Err(unanswered(fault.kept())),
                };
                found.push((ours, seen));
            }
        }
    }
}

/// When a payment was made: here, or else there.
fn moment(row: &Compared) -> Timestamp {
    let ours = row.ours.as_ref().map(|ours| ours.payment.id.minted_at());
    let theirs = || row.theirs.as_ref().and_then(|theirs| theirs.created_at);
    ours.or_else(theirs).unwrap_or(Timestamp::from_micros(0))
}
