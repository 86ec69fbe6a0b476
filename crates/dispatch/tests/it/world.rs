//! What the tests share.

mod sender;
mod store;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use dispatch::{Dispatcher, Settings};
use kernel::{AccountId, Clock, Timestamp};
use webhooks::SubscriptionId;

pub(crate) use self::{
    sender::{Behaviour, FakeSender},
    store::FakeStore,
};

/// A clock that stands still until it is moved.
pub(crate) struct ManualClock(AtomicI64);

impl ManualClock {
    pub(crate) fn advance(&self, time: Duration) {
        self.0.fetch_add(time.as_micros() as i64, Ordering::SeqCst);
    }

    pub(crate) fn set_back(&self, time: Duration) {
        self.0.fetch_sub(time.as_micros() as i64, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// A store, a sender and a clock for a dispatcher.
pub(crate) struct World {
    pub(crate) store: Arc<FakeStore>,
    pub(crate) sender: Arc<FakeSender>,
    pub(crate) clock: Arc<ManualClock>,
}

impl World {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(ManualClock(AtomicI64::new(1_800_000_000_000_000)));
        let store = Arc::new(FakeStore::new(clock.now()));
        let sender = Arc::new(FakeSender::new());
        Self { store, sender, clock }
    }

    pub(crate) fn start(&self) -> Dispatcher {
        self.start_with(settings())
    }

    pub(crate) fn start_with(&self, settings: Settings) -> Dispatcher {
        let (store, sender, clock) = (self.store.clone(), self.sender.clone(), self.clock.clone());
        Dispatcher::start(settings, store, sender, clock).unwrap()
    }

    /// Opens deliveries about different things, and tells of them.
    pub(crate) fn open(&self, subscription: SubscriptionId, count: usize) {
        let things = (0..count).map(|number| format!("prd_{number}"));
        self.store.open(subscription, things, self.clock.now());
    }

    pub(crate) fn delivered(&self) -> usize {
        self.store.count(|row| row.state == webhooks::DeliveryState::Delivered)
    }

    pub(crate) fn delivered_to(&self, subscription: SubscriptionId) -> usize {
        self.store.count(|row| {
            row.subscription == subscription && row.state == webhooks::DeliveryState::Delivered
        })
    }
}

/// The settings of the tests: the clock that they move is looked at often.
pub(crate) fn settings() -> Settings {
    Settings { sweep_interval: Duration::from_millis(10), ..Settings::default() }
}

pub(crate) fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

/// Waits until something is so; a minute is for machines that are busy with other things.
#[track_caller]
pub(crate) fn until(what: &str, so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !so() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn gauge(dispatcher: &Dispatcher, name: &str) -> f64 {
    let gauges = dispatcher.gauges();
    gauges.iter().find(|gauge| gauge.name == name).unwrap().value
}
