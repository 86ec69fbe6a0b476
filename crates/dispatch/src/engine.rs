//! The engine: one task that owns everything, hears what happened, and does what follows.
//!
//! Each kind of call of the store is made once at a time, so what comes meanwhile gathers for the next one:
//! the calls grow with the load, and a lone delivery waits for nobody.

mod claiming;
mod recording;
mod sending;
mod sweeping;

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use claiming::Claiming;
use kernel::{Clock, Fault, Timestamp, Written};
use recording::{Recording, Returning, returned};
use sending::{Exchanges, Joined};
use sweeping::{Sweeping, lag};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};
use webhooks::{CLOCK_SKEW, Claim, Deliveries, Due, Sender, SubscriptionId};

use crate::{
    Settings,
    gauges::Gauges,
    hints::Hints,
    jitter::Jitter,
    moments::{after, between, earlier},
    scheduler::{Limits, Scheduler},
};

/// Exchanges whose end is taken in before anything else is done.
const ENDS_MAX: usize = 256;
/// Without anything to do the engine still looks around this often: somebody may move the clock.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// When the dispatcher stops, so long it tries to record what it did after the last exchange.
const LAST_RECORDS: Duration = Duration::from_secs(2);

/// What an engine is made of.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) settings: Settings,
    pub(crate) deliveries: Arc<dyn Deliveries>,
    pub(crate) sender: Arc<dyn Sender>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) hints: Arc<Hints>,
    pub(crate) gauges: Arc<Gauges>,
    /// True once the dispatcher is to stop.
    pub(crate) stop: watch::Receiver<bool>,
}

/// Something that happened.
enum News {
    Stop,
    Hints,
    Ended(Joined),
    Claimed(Option<Written<Claim, ()>>),
    Recorded(Option<Written<Vec<SubscriptionId>, ()>>),
    Returned(Option<Written<(), ()>>),
    Swept(Option<Result<Vec<Due>, Fault>>),
    Replayed(Option<Written<u64, ()>>),
    MadeDue(Option<Written<u64, ()>>),
    Time,
}

/// Until when an engine that stops waits for what is under way.
#[derive(Clone, Copy)]
struct Stopping {
    exchanges: Instant,
    records: Instant,
}

/// The state of the dispatcher.
pub(crate) struct Engine {
    parts: Parts,
    jitter: Jitter,
    scheduler: Scheduler,
    exchanges: Exchanges,
    claiming: Claiming,
    recording: Recording,
    returning: Returning,
    sweeping: Sweeping,
    /// The last look at the clock, and when it was.
    seen: Option<(Timestamp, Instant)>,
    stopping: Option<Stopping>,
}

impl Engine {
    pub(crate) fn new(parts: Parts) -> Self {
        let settings = &parts.settings;
        let limits = Limits {
            in_flight: settings.in_flight_max.max(1),
            account: settings.account_in_flight_max.max(1),
            endpoint: settings.endpoint_in_flight_max.max(1),
        };
        let sender = Arc::clone(&parts.sender);
        Self {
            jitter: Jitter::from_system(),
            scheduler: Scheduler::new(limits),
            exchanges: Exchanges::new(sender, &settings.brand, settings.attempt_time()),
            claiming: Claiming::new(),
            recording: Recording::new(),
            returning: Returning::new(),
            sweeping: Sweeping::new(settings.sweep_interval),
            seen: None,
            stopping: None,
            parts,
        }
    }

    /// Runs until the dispatcher is stopped and what was under way has ended.
    pub(crate) async fn run(mut self) {
        loop {
            let now = self.parts.clock.now();
            self.watch_clock(now);
            if self.stopping.is_some() {
                if self.shut_down(now) {
                    return;
                }
            } else {
                self.work(now);
            }
            self.show();
            let news = self.news(now).await;
            self.learn(news);
        }
    }

    /// Does all that can be done now.
    fn work(&mut self, now: Timestamp) {
        self.scheduler.wake(now);
        let store = &*self.parts.deliveries;
        let settings = &self.parts.settings;
        if self.recording.len() <= settings.unrecorded_max() {
            let sendable = after(now, settings.attempt_time());
            while let Some(ready) = self.scheduler.take(sendable) {
                self.exchanges.begin(ready, now);
            }
            self.claiming.begin(&mut self.scheduler, store, now, after(now, settings.claim_time()));
        }
        self.recording.begin(store, settings.failures_max, now);
        let returned = self.returning.begin(store);
        self.parts.gauges.returned.fetch_add(returned as u64, Relaxed);
        let until = after(now, settings.claim_time());
        self.sweeping.begin(store, &settings.schedule, now, until);
    }

    /// Notices a clock that has been set back by more than clocks may differ.
    fn watch_clock(&mut self, now: Timestamp) {
        let instant = Instant::now();
        let (before, then) = self.seen.replace((now, instant)).unwrap_or((now, instant));
        let expected = after(before, instant.saturating_duration_since(then));
        if between(now, expected) > CLOCK_SKEW {
            self.sweeping.set_back();
        }
    }

    /// Ends what is under way; says whether it has ended.
    fn shut_down(&mut self, now: Timestamp) -> bool {
        let Some(stopping) = self.stopping else { return false };
        if stopping.exchanges <= Instant::now() {
            let given_up = self.exchanges.give_up();
            if given_up > 0 {
                tracing::warn!(
                    given_up,
                    "attempts in progress were abandoned and will be repeated"
                );
            }
        }
        let unsent = self.scheduler.clear();
        self.returning.push(unsent);
        let store = &*self.parts.deliveries;
        self.recording.begin(store, self.parts.settings.failures_max, now);
        let returned = self.returning.begin(store);
        self.parts.gauges.returned.fetch_add(returned as u64, Relaxed);
        let done = self.exchanges.are_over()
            && self.claiming.asked.is_idle()
            && self.recording.len() == 0
            && self.returning.is_done();
        if !done && stopping.records <= Instant::now() {
            let lost = self.recording.len();
            tracing::warn!(
                lost,
                "shut down before all attempts were recorded; they will be repeated"
            );
            return true;
        }
        done
    }

    /// Waits until something happens.
    async fn news(&mut self, now: Timestamp) -> News {
        let wake = self.next_time(now);
        tokio::select! {
            _ = self.parts.stop.wait_for(|stop| *stop), if self.stopping.is_none() => News::Stop,
            () = self.parts.hints.told() => News::Hints,
            Some(joined) = self.exchanges.next() => News::Ended(joined),
            answer = self.claiming.asked.answer() => News::Claimed(answer),
            answer = self.recording.asked.answer() => News::Recorded(answer),
            answer = self.returning.asked.answer() => News::Returned(answer),
            answer = self.sweeping.due.answer() => News::Swept(answer),
            answer = self.sweeping.replays.answer() => News::Replayed(answer),
            answer = self.sweeping.made_due.answer() => News::MadeDue(answer),
            () = sleep_until(wake) => News::Time,
        }
    }

    /// Until when to sleep if nothing happens.
    fn next_time(&self, now: Timestamp) -> Instant {
        let instant = Instant::now();
        let mut wake = self.recording.pause.end(instant);
        if let Some(stopping) = self.stopping {
            let deadline =
                if self.exchanges.are_over() { stopping.records } else { stopping.exchanges };
            wake = earlier(wake, Some(deadline));
        } else {
            let due = self.scheduler.next_due().map(|due| instant + between(now, due));
            wake = earlier(wake, due);
            wake = earlier(wake, self.claiming.pause.end(instant));
            wake = earlier(wake, self.sweeping.next());
        }
        earlier(wake, Some(instant + LOOK_INTERVAL)).unwrap_or(instant)
    }

    /// Takes in what happened.
    fn learn(&mut self, news: News) {
        let now = self.parts.clock.now();
        let gauges = &self.parts.gauges;
        match news {
            News::Stop => {
                let exchanges = Instant::now() + self.parts.settings.attempt_time();
                self.stopping = Some(Stopping { exchanges, records: exchanges + LAST_RECORDS });
            }
            News::Hints => {
                for key in self.parts.hints.take() {
                    self.scheduler.hint(key);
                }
                if self.parts.hints.take_missed() {
                    self.sweeping.look();
                }
            }
            News::Ended(joined) => {
                self.ended(joined, now);
                for _ in 1..ENDS_MAX {
                    let Some(joined) = self.exchanges.next_now() else { break };
                    self.ended(joined, now);
                }
            }
            News::Claimed(answer) => {
                let claimed = self.claiming.answered(answer, &mut self.scheduler);
                gauges.empty_claims.fetch_add(u64::from(claimed.was_empty), Relaxed);
                self.returning.push(claimed.unplaced);
            }
            News::Recorded(answer) => {
                match self.recording.answered(answer, &mut self.scheduler, now) {
                    Some(unsent) => self.returning.push(unsent),
                    None => _ = gauges.completion_errors.fetch_add(1, Relaxed),
                }
            }
            News::Returned(answer) => returned(answer),
            News::Swept(answer) => {
                if let Some(due) = self.sweeping.answered(answer) {
                    let lag = u64::try_from(lag(&due, now).as_micros()).unwrap_or(u64::MAX);
                    gauges.lag.store(lag, Relaxed);
                    let sendable = after(now, self.parts.settings.attempt_time());
                    self.scheduler.swept(&due, now, sendable);
                }
            }
            News::Replayed(answer) => self.sweeping.replayed(answer),
            News::MadeDue(answer) => self.sweeping.have_made_due(answer),
            News::Time => {}
        }
    }

    /// Takes in the end of an exchange.
    fn ended(&mut self, joined: Joined, now: Timestamp) {
        let Some(over) = self.exchanges.over(joined) else { return };
        let delivered = over.delivered();
        let gauges = &self.parts.gauges;
        let counter = if delivered { &gauges.delivered } else { &gauges.failed };
        counter.fetch_add(1, Relaxed);
        let shed = self.scheduler.ended(over.flight.key(), &over.flight.entity, delivered);
        self.returning.push(shed);
        let until = over.flight.until;
        let ended = over.into_ended(&self.parts.settings.schedule, now, self.jitter.next());
        self.recording.push(ended, until);
    }

    /// Shows how things stand.
    fn show(&self) {
        let (figures, gauges) = (self.scheduler.figures(), &self.parts.gauges);
        gauges.in_flight.store(figures.in_flight, Relaxed);
        gauges.waiting.store(figures.waiting, Relaxed);
        gauges.busy.store(figures.busy, Relaxed);
        gauges.expired.store(figures.expired, Relaxed);
        gauges.unrecorded.store(self.recording.len(), Relaxed);
    }
}
