//! Request rates: per client network and per API key, both within bounded memory.
//!
//! The arithmetic is governor's GCRA on a monotonic clock: a full allowance may be used at once and comes
//! back evenly. There is no window with an edge, and no wall clock that could jump. Clients and keys may be counted for
//! all nodes together, by the same arithmetic elsewhere.

mod bounded;
mod hooks;
mod shared;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    hash::Hash,
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::Duration,
};

use accounts::{ApiKey, ApiKeyId};
use actix_web::http::header::RETRY_AFTER;
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock, Reference},
    middleware::StateInformationMiddleware,
};

use intake::{Noun, noun};

use kernel::{
    Gauge, message,
    rate::{self, SharedCounter},
};

use crate::{
    Settings,
    error::{ApiError, Code},
    network::ClientNetwork,
};
use bounded::Bounded;
pub(crate) use hooks::HookLimits;
use shared::SharedLimit;

/// Holders whose use is remembered one by one, about 5 MB.
const TRACKED_MAX: usize = 100_000;
/// A full map is searched for holders to forget no more often than this.
const SWEEP_EVERY: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// What a limit leaves of its allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Requests that it allows at once.
    pub(crate) limit: u32,
    /// Requests left.
    pub(crate) remaining: u32,
    /// Seconds until all of them are back.
    pub(crate) reset_seconds: u64,
}

/// A request beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded {
    /// The allowance, of which nothing is left.
    pub(crate) allowance: Allowance,
    /// In how many seconds one request is allowed again, at least 1.
    pub(crate) retry_seconds: u64,
}

/// The refusal of a request beyond a limit that is counted by `unit`.
pub(crate) fn used_up(unit: Noun, exceeded: Exceeded) -> ApiError {
    let Exceeded { allowance, retry_seconds } = exceeded;
    let limit = allowance.limit;
    let Noun { english, spanish } = unit;
    let message = message!(
        "the limit of {limit} requests {english} is used up; try again in {retry_seconds} s",
        "se agotó el límite de {limit} solicitudes {spanish}; intente de nuevo en {retry_seconds} s"
    );
    ApiError::new(Code::RateLimited, message).with(RETRY_AFTER, retry_seconds.into())
}

/// The limits of the API.
pub(crate) struct Limits {
    ip: SharedLimit<ClientNetwork>,
    key: SharedLimit<ApiKeyId>,
    /// For keys with a rate of their own, by that rate.
    own: RwLock<HashMap<u32, Arc<SharedLimit<ApiKeyId>>>>,
    counter: Option<Arc<dyn SharedCounter>>,
}

impl Limits {
    /// With nothing used yet. Without a counter of all nodes, this one counts alone.
    pub(crate) fn new(settings: &Settings, counter: Option<Arc<dyn SharedCounter>>) -> Self {
        let (per_minute, per_hour) = (settings.ip_rate_per_minute, settings.key_rate_per_hour);
        Self {
            ip: SharedLimit::new("ip", per_minute, MINUTE, counter.clone()),
            key: SharedLimit::new("key", per_hour, HOUR, counter.clone()),
            own: RwLock::default(),
            counter,
        }
    }

    /// Counts a request of a client.
    pub(crate) async fn check_ip(&self, client: ClientNetwork) -> Result<Allowance, Exceeded> {
        self.ip.check(&client).await
    }

    /// Counts a request with a key.
    pub(crate) async fn check_key(&self, key: &ApiKey) -> Result<Allowance, Exceeded> {
        match key.rate_per_hour {
            None => self.key.check(&key.id).await,
            Some(rate) => self.own_limit(rate).check(&key.id).await,
        }
    }

    /// What is known of the limits at this moment.
    pub(crate) fn gauges(&self) -> Vec<Gauge> {
        let tracked = Gauge::new(
            "limiter_tracked",
            "Clients and API keys tracked by the rate limits",
            self.tracked() as f64,
        );
        let shared = self.counter.as_ref().map(|counter| counter.gauges()).unwrap_or_default();
        std::iter::once(tracked).chain(shared).collect()
    }

    /// Holders remembered one by one.
    fn tracked(&self) -> usize {
        let own = self.own.read().unwrap_or_else(PoisonError::into_inner);
        let own: usize = own.values().map(|limit| limit.tracked()).sum();
        self.ip.tracked() + self.key.tracked() + own
    }

    fn own_limit(&self, rate: u32) -> Arc<SharedLimit<ApiKeyId>> {
        if let Some(limit) = self.own.read().unwrap_or_else(PoisonError::into_inner).get(&rate) {
            return Arc::clone(limit);
        }
        let mut own = self.own.write().unwrap_or_else(PoisonError::into_inner);
        let limit = own
            .entry(rate)
            .or_insert_with(|| Arc::new(SharedLimit::new("key", rate, HOUR, self.counter.clone())));
        Arc::clone(limit)
    }
}

/// How often an endpoint with a limit of its own may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// So many requests a minute.
    PerMinute(u32),
    /// So many requests an hour.
    PerHour(u32),
}

impl Rate {
    /// What it is counted by.
    fn unit(self) -> Noun {
        match self {
            Self::PerMinute(_) => noun("a minute to this endpoint", "por minuto a este endpoint"),
            Self::PerHour(_) => noun("an hour to this endpoint", "por hora a este endpoint"),
        }
    }
}

/// Who is counted by the limit of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Counted {
    /// A client without a key.
    Client(ClientNetwork),
    /// A key.
    Key(ApiKeyId),
}

/// The limit of one endpoint.
pub(crate) struct OwnLimit {
    rate: Rate,
    limit: Limit<Counted>,
}

impl OwnLimit {
    /// With nothing used yet.
    pub(crate) fn new(rate: Rate) -> Self {
        let (count, period) = match rate {
            Rate::PerMinute(count) => (count, MINUTE),
            Rate::PerHour(count) => (count, HOUR),
        };
        Self { rate, limit: Limit::new(count, period, TRACKED_MAX, DefaultClock::default()) }
    }

    /// Counts a request.
    pub(crate) fn check(&self, counted: &Counted) -> Result<Allowance, Exceeded> {
        self.limit.check(counted)
    }

    /// What its rate is counted by.
    pub(crate) fn unit(&self) -> Noun {
        self.rate.unit()
    }
}

/// One rate for many holders, each with an allowance of its own.
struct Limit<K: Eq + Hash + Clone, C: Clock = DefaultClock> {
    limiter: RateLimiter<K, Bounded<K>, C, StateInformationMiddleware>,
    store: Bounded<K>,
    quota: Quota,
    clock: C,
    swept_at: Mutex<C::Instant>,
}

impl<K: Eq + Hash + Clone, C: Clock + Clone> Limit<K, C> {
    /// `count` requests per `period`, at least one.
    fn new(count: u32, period: Duration, tracked_max: usize, clock: C) -> Self {
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        let interval = (period / count.get()).max(Duration::from_nanos(1));
        let quota = Quota::with_period(interval).unwrap_or_else(|| Quota::per_hour(count));
        let quota = quota.allow_burst(count);
        let store = Bounded::new(tracked_max);
        let limiter = RateLimiter::new(quota, store.clone(), clock.clone());
        Self { limiter, store, quota, swept_at: Mutex::new(clock.now()), clock }
    }

    /// Counts a request of `holder`.
    fn check(&self, holder: &K) -> Result<Allowance, Exceeded> {
        if self.store.is_full() {
            self.forget_idle();
        }
        match self.limiter.check_key(holder) {
            Ok(state) => Ok(self.allowance(state.remaining_burst_capacity())),
            Err(not_until) => Err(Exceeded {
                allowance: self.allowance(0),
                retry_seconds: seconds(not_until.wait_time_from(self.clock.now())).max(1),
            }),
        }
    }

    /// Forgets holders whose allowance is whole again: remembering them makes no difference.
    fn forget_idle(&self) {
        // Whoever finds another at it goes on.
        let Ok(mut swept_at) = self.swept_at.try_lock() else { return };
        let now = self.clock.now();
        if now.duration_since(*swept_at) >= SWEEP_EVERY.into() {
            *swept_at = now;
            self.limiter.retain_recent();
        }
    }

    /// The same limit, as it is told to a counter of all nodes.
    fn shared_quota(&self) -> rate::Quota {
        let (at_once, interval) = (self.quota.burst_size().get(), self.quota.replenish_interval());
        rate::Quota { at_once, interval }
    }

    fn allowance(&self, remaining: u32) -> Allowance {
        let limit = self.quota.burst_size().get();
        let used = limit.saturating_sub(remaining);
        let reset_seconds = seconds(self.quota.replenish_interval().saturating_mul(used));
        Allowance { limit, remaining, reset_seconds }
    }
}

/// Whole seconds, rounded up.
fn seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
