//! Sessions of users of the panel.

use std::{net::IpAddr, sync::Arc};

use kernel::{Timestamp, Trace};

use crate::{Token, User, UserId};

kernel::ids! {
    /// A session's identifier, which opens nothing.
    SessionId = "ses";
}

/// How long a session lives, however busy it is, in seconds: 14 days.
pub const SESSION_SECONDS_MAX: i64 = 14 * 86_400;
/// How long it lives without a request, in seconds: 12 hours.
pub const SESSION_IDLE_SECONDS_MAX: i64 = 12 * 3_600;
/// How long one lives that still owes its code, in seconds.
pub const SESSION_CODE_SECONDS_MAX: i64 = 600;
/// How long a password that was given counts for what asks for it again, in seconds.
pub const REAUTHENTICATION_SECONDS: i64 = 600;
/// How long it is known, after a session has run out, whose it was, in seconds: what is still sent in it is kept for them. One
/// that somebody has ended is forgotten at once, since others may have had it.
pub const ENDED_SESSION_SECONDS: i64 = 7 * 86_400;
/// How old the moment at which it was last seen may be on record, in seconds: not every request writes.
pub const SEEN_SECONDS: i64 = 60;
/// The most characters kept of a user agent.
pub const USER_AGENT_CHARS_MAX: usize = 300;

/// A request of somebody who is signed in, or is about to be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Visit {
    pub now: Timestamp,
    /// Where it came from, and what it is called in the logs.
    pub trace: Arc<Trace>,
    /// As the browser calls itself; what is beyond [`USER_AGENT_CHARS_MAX`] is cut off.
    pub user_agent: String,
}

impl Visit {
    /// The network that it came from: /24 of IPv4, /48 of IPv6.
    #[must_use]
    pub fn network(&self) -> String {
        self.trace.address.map_or_else(|| "unknown".to_owned(), network)
    }

    /// The user agent as it is kept.
    #[must_use]
    pub fn kept_user_agent(&self) -> String {
        self.user_agent.chars().filter(|c| !c.is_control()).take(USER_AGENT_CHARS_MAX).collect()
    }
}

/// The network of an address: what is kept of where people are.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
    }
}

/// Somebody signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Session {
    pub id: SessionId,
    pub user: UserId,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    /// Where it was opened, see [`network`].
    pub network: String,
    pub user_agent: String,
    /// When the user last gave their password.
    pub authenticated_at: Timestamp,
    /// The user has a code to give still: until then it opens nothing else.
    pub owes_code: bool,
}

impl Session {
    /// When it ends unless it is used.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        if self.owes_code {
            return self.created_at.plus_seconds(SESSION_CODE_SECONDS_MAX);
        }
        let idle = self.last_seen_at.plus_seconds(SESSION_IDLE_SECONDS_MAX);
        idle.min(self.created_at.plus_seconds(SESSION_SECONDS_MAX))
    }

    /// Whether it has not ended.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at()
    }

    /// Whether it has run out, but not long ago. One that owed its code never was anybody's.
    #[must_use]
    pub fn is_known_ended(&self, now: Timestamp) -> bool {
        let is_known = now < self.expires_at().plus_seconds(ENDED_SESSION_SECONDS);
        !self.owes_code && !self.is_live(now) && is_known
    }

    /// Whether what is on record of when it was last seen is old enough to be written anew.
    #[must_use]
    pub fn is_long_unseen(&self, now: Timestamp) -> bool {
        now >= self.last_seen_at.plus_seconds(SEEN_SECONDS)
    }

    /// Whether the password was given lately enough for keys, secrets, certificates and people.
    #[must_use]
    pub fn is_authenticated_lately(&self, now: Timestamp) -> bool {
        !self.owes_code && now < self.authenticated_at.plus_seconds(REAUTHENTICATION_SECONDS)
    }
}

/// A session just opened: the only moment at which its token is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct OpenedSession {
    pub token: Token,
    pub session: Session,
    pub user: User,
}

/// Who is behind a token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct SignedIn {
    pub session: Session,
    pub user: User,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_seconds(seconds)
    }

    fn session(last_seen: i64, owes_code: bool) -> Session {
        Session {
            id: SessionId::from_u128(1),
            user: UserId::from_u128(2),
            created_at: at(0),
            last_seen_at: at(last_seen),
            network: "10.0.0.0/24".to_owned(),
            user_agent: String::new(),
            authenticated_at: at(0),
            owes_code,
        }
    }

    #[test]
    fn a_session_ends_idle_or_old() {
        let idle = SESSION_IDLE_SECONDS_MAX;
        assert!(session(0, false).is_live(at(idle - 1)) && !session(0, false).is_live(at(idle)));
        let busy = session(SESSION_SECONDS_MAX - 1, false);
        assert!(busy.is_live(at(SESSION_SECONDS_MAX - 1)));
        assert!(!busy.is_live(at(SESSION_SECONDS_MAX)));
        let owing = session(0, true);
        assert!(owing.is_live(at(SESSION_CODE_SECONDS_MAX - 1)));
        assert!(!owing.is_live(at(SESSION_CODE_SECONDS_MAX)));
        assert!(!owing.is_authenticated_lately(at(1)));
        assert!(session(0, false).is_authenticated_lately(at(REAUTHENTICATION_SECONDS - 1)));
        assert!(!session(0, false).is_authenticated_lately(at(REAUTHENTICATION_SECONDS)));
    }

    #[test]
    fn a_session_that_has_run_out_opens_nothing_and_is_known_for_a_while() {
        let (idle, end) = (session(0, false), SESSION_IDLE_SECONDS_MAX);
        assert!(!idle.is_known_ended(at(end - 1)) && idle.is_known_ended(at(end)));
        assert!(!idle.is_live(at(end)));
        let last = end + ENDED_SESSION_SECONDS;
        assert!(idle.is_known_ended(at(last - 1)) && !idle.is_known_ended(at(last)));
        // Nobody was in one that owes its code.
        assert!(!session(0, true).is_known_ended(at(SESSION_CODE_SECONDS_MAX)));
    }

    #[test]
    fn of_an_address_its_network_is_kept() {
        for (address, kept) in [
            ("203.0.113.77", "203.0.113.0/24"),
            ("::ffff:203.0.113.77", "203.0.113.0/24"),
            ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ] {
            assert_eq!(network(address.parse().unwrap()), kept, "{address}");
        }
    }
}
