//! Webhooks: subscriptions, the deliveries of events to them, and the queue that dispatchers work on.

mod backlogs;
mod deliveries;
mod events;
mod feed;
mod queue;
mod replays;
pub(crate) mod retention;
pub(crate) mod subscriptions;

pub(crate) use deliveries::retry as retry_delivery;

use kernel::{AccountId, Ctx, Fault, Page, Pending, Timestamp, Written, id::EventId};
use webhooks::{
    Delivery, DeliveryDetail, DeliveryId, DeliveryQuery, EventDetail, EventQuery, Feed, FeedQuery,
    Issued, ListedEvent, NewSubscription, Recent, Replay, ReplayCommand, Subscription,
    SubscriptionId, SubscriptionQuery, UpdateSubscription, WebhookError, Webhooks,
};

use crate::{
    notifier,
    readers::{Cost, snapshot},
    store::Store,
};

impl Webhooks for Store {
    fn get(
        &self,
        account: AccountId,
        id: SubscriptionId,
    ) -> Pending<Result<Option<Subscription>, Fault>> {
        self.engine.read(Cost::Small, move |db| subscriptions::by_id(db, account, id))
    }

    fn list(
        &self,
        account: AccountId,
        query: SubscriptionQuery,
    ) -> Pending<Result<Page<Subscription>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| subscriptions::list(db, account, &query))
        })
    }

    fn create(&self, ctx: Ctx, command: NewSubscription) -> Pending<Written<Issued, WebhookError>> {
        subscriptions::create(self, ctx, command)
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdateSubscription,
    ) -> Pending<Written<Subscription, WebhookError>> {
        self.write(ctx, move |tx, ctx| {
            subscriptions::change(tx, ctx, command.id, command.version, |before| {
                before.changed(command.changes.clone(), ctx.now)
            })
        })
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: SubscriptionId,
        version: Option<i64>,
    ) -> Pending<Written<SubscriptionId, WebhookError>> {
        self.write(ctx, move |tx, ctx| subscriptions::delete(tx, ctx, id, version))
    }

    fn rotate_secret(
        &self,
        ctx: Ctx,
        id: SubscriptionId,
    ) -> Pending<Written<Issued, WebhookError>> {
        subscriptions::rotate_secret(self, ctx, id)
    }

    fn enable(&self, ctx: Ctx, id: SubscriptionId) -> Pending<Written<Subscription, WebhookError>> {
        self.write(ctx, move |tx, ctx| {
            let after = subscriptions::change(tx, ctx, id, None, |before| before.enabled(ctx.now))?;
            tx.effects.wake(notifier::due(ctx.account, id));
            Ok(after)
        })
    }

    fn disable(
        &self,
        ctx: Ctx,
        id: SubscriptionId,
    ) -> Pending<Written<Subscription, WebhookError>> {
        self.write(ctx, move |tx, ctx| {
            subscriptions::change(tx, ctx, id, None, |before| before.disabled_by_owner(ctx.now))
        })
    }

    fn test(&self, ctx: Ctx, id: SubscriptionId) -> Pending<Written<Delivery, WebhookError>> {
        self.write(ctx, move |tx, ctx| deliveries::test(tx, ctx, id))
    }

    fn replay(&self, ctx: Ctx, command: ReplayCommand) -> Pending<Written<Replay, WebhookError>> {
        self.write(ctx, move |tx, ctx| replays::start(tx, ctx, &command))
    }

    fn list_deliveries(
        &self,
        account: AccountId,
        subscription: SubscriptionId,
        query: DeliveryQuery,
    ) -> Pending<Result<Option<Page<Delivery>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| deliveries::list(db, account, subscription, &query))
        })
    }

    fn recent(
        &self,
        account: AccountId,
        subscription: SubscriptionId,
        now: Timestamp,
    ) -> Pending<Result<Recent, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| deliveries::recent(db, account, subscription, now))
        })
    }

    fn get_delivery(
        &self,
        account: AccountId,
        id: DeliveryId,
    ) -> Pending<Result<Option<DeliveryDetail>, Fault>> {
        self.engine
            .read(Cost::Small, move |db| snapshot(db, |db| deliveries::detail(db, account, id)))
    }

    fn retry_delivery(&self, ctx: Ctx, id: DeliveryId) -> Pending<Written<Delivery, WebhookError>> {
        self.write(ctx, move |tx, ctx| deliveries::retry(tx, ctx, id))
    }

    fn list_events(
        &self,
        account: AccountId,
        query: EventQuery,
    ) -> Pending<Result<Page<ListedEvent>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| events::list(db, account, &query))
        })
    }

    fn event(
        &self,
        account: AccountId,
        id: EventId,
    ) -> Pending<Result<Option<EventDetail>, Fault>> {
        self.engine.read(Cost::Small, move |db| snapshot(db, |db| events::detail(db, account, id)))
    }

    fn feed(&self, account: AccountId, query: FeedQuery) -> Pending<Result<Feed, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| feed::read(db, account, &query))
    }
}
