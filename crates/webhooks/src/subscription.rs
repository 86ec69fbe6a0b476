//! Subscriptions: an endpoint and the events that it wants.

use kernel::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Topics,
    health::{FAILING_FROM, Health},
};

kernel::ids! {
    /// A subscription's identifier.
    SubscriptionId = "whk";
}

/// The most subscriptions of an account.
pub const SUBSCRIPTIONS_MAX: u32 = 100;
/// The most characters of a description.
pub const DESCRIPTION_CHARS_MAX: usize = 500;

/// Why a subscription gets no deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisabledReason {
    /// Disabled on request.
    Manual,
    /// Too many consecutive failures of its endpoint.
    Failures,
}

impl DisabledReason {
    /// Every reason.
    pub const EVERY: &'static [Self] = &[Self::Manual, Self::Failures];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Failures => "failures",
        }
    }
}

/// That a subscription gets no deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Disabled {
    pub at: Timestamp,
    pub reason: DisabledReason,
}

/// A subscription. Its secret is known to its owner and to whoever signs, and is no part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Subscription {
    pub id: SubscriptionId,
    /// URL that receives the events, as its owner wrote it.
    pub url: String,
    /// Events subscribed to.
    pub events: Topics,
    pub description: Option<String>,
    /// Set while deliveries to it are stopped.
    pub disabled: Option<Disabled>,
    /// Consecutive failed attempts, see [`crate::health`].
    pub consecutive_failures: u32,
    /// Until when deliveries are also signed with the previous secret.
    pub previous_secret_until: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Last change by a command, as opposed to attempts.
    pub updated_at: Timestamp,
    /// Number of changes by commands.
    pub version: i64,
}

/// A subscription to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewSubscription {
    /// URL that receives the events, checked by [`crate::Target::parse`].
    pub url: String,
    /// Events subscribed to.
    pub events: Topics,
    pub description: Option<String>,
}

/// Changes of a subscription; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionChanges {
    /// URL that receives the events, checked by [`crate::Target::parse`].
    pub url: Option<String>,
    /// Events subscribed to.
    pub events: Option<Topics>,
    /// `Some(None)` clears it.
    pub description: Option<Option<String>>,
}

/// A new subscription, which gets every event from now on.
#[must_use]
pub fn create(command: NewSubscription, id: SubscriptionId, now: Timestamp) -> Subscription {
    let NewSubscription { url, events, description } = command;
    Subscription {
        id,
        url,
        events,
        description,
        disabled: None,
        consecutive_failures: 0,
        previous_secret_until: None,
        created_at: now,
        updated_at: now,
        version: 1,
    }
}

impl Subscription {
    /// Whether it gets deliveries.
    #[must_use]
    pub const fn is_enabled(&self) -> bool {
        self.disabled.is_none()
    }

    /// How its endpoint fares.
    #[must_use]
    pub const fn health(&self) -> Health {
        match self.disabled {
            Some(_) => Health::Disabled,
            None if self.consecutive_failures >= FAILING_FROM => Health::Failing,
            None => Health::Enabled,
        }
    }

    /// The subscription with these changes. Another endpoint starts with a clean record.
    #[must_use]
    pub fn changed(&self, changes: SubscriptionChanges, now: Timestamp) -> Self {
        let SubscriptionChanges { url, events, description } = changes;
        let mut after = self.clone();
        if let Some(url) = url.filter(|url| *url != self.url) {
            after.url = url;
            after.consecutive_failures = 0;
        }
        after.events = events.unwrap_or(after.events);
        after.description = description.unwrap_or(after.description);
        after.touched_since(self, now)
    }

    /// The subscription enabled: it gets the events from now on, and what was waiting when it was disabled.
    #[must_use]
    pub fn enabled(&self, now: Timestamp) -> Self {
        if self.is_enabled() {
            return self.clone();
        }
        let after = Self { disabled: None, consecutive_failures: 0, ..self.clone() };
        after.touched_since(self, now)
    }

    /// The subscription disabled by its owner. One that failures have disabled stays as it is.
    #[must_use]
    pub fn disabled_by_owner(&self, now: Timestamp) -> Self {
        let disabled = Disabled { at: now, reason: DisabledReason::Manual };
        let after = Self { disabled: self.disabled.or(Some(disabled)), ..self.clone() };
        after.touched_since(self, now)
    }

    /// The subscription after its secret was replaced; the old one stays valid for `overlap_seconds`.
    #[must_use]
    pub fn with_new_secret(&self, overlap_seconds: i64, now: Timestamp) -> Self {
        let until = now.plus_seconds(overlap_seconds);
        let after = Self { previous_secret_until: Some(until), ..self.clone() };
        after.touched_since(self, now)
    }

    fn touched_since(mut self, before: &Self, now: Timestamp) -> Self {
        if self != *before {
            self.updated_at = now;
            self.version += 1;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscription() -> Subscription {
        let command = NewSubscription {
            url: "https://example.com/a".to_owned(),
            events: Topics::all(),
            description: None,
        };
        create(command, SubscriptionId::from_u128(1), Timestamp::from_micros(0))
    }

    const LATER: Timestamp = Timestamp::from_micros(7_000_000);

    #[test]
    fn another_endpoint_starts_with_a_clean_record() {
        let failing = Subscription { consecutive_failures: 40, ..subscription() };
        let same = SubscriptionChanges { url: Some(failing.url.clone()), ..Default::default() };
        assert_eq!(failing.changed(same, LATER), failing);
        let other =
            SubscriptionChanges { url: Some("https://b.example".into()), ..Default::default() };
        let moved = failing.changed(other, LATER);
        assert_eq!((moved.consecutive_failures, moved.version), (0, 2));
    }

    #[test]
    fn enabling_and_disabling_twice_changes_nothing() {
        let fresh = subscription();
        assert_eq!(fresh.enabled(LATER), fresh);
        let off = fresh.disabled_by_owner(LATER);
        assert_eq!(off.disabled.unwrap().reason, DisabledReason::Manual);
        assert_eq!(off.disabled_by_owner(LATER.plus_seconds(9)), off);
        assert!(off.enabled(LATER).is_enabled());
        let failed = Disabled { at: LATER, reason: DisabledReason::Failures };
        let failed = Subscription { disabled: Some(failed), consecutive_failures: 100, ..fresh };
        assert_eq!(failed.disabled_by_owner(LATER), failed);
        assert_eq!(failed.enabled(LATER).consecutive_failures, 0);
    }

    #[test]
    fn an_old_secret_overlaps() {
        let rotated = subscription().with_new_secret(86_400, LATER);
        assert_eq!(rotated.previous_secret_until, Some(LATER.plus_seconds(86_400)));
        assert_eq!(rotated.version, 2);
    }
}
