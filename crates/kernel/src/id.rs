//! Typed identifiers: a prefix that names the kind and a ULID that names the thing.
//!
//! Callers see opaque strings such as `ord_01JD3V9QK4W8N2RZ6T5B7C0XEA`. ULIDs minted by one
//! [`IdSource`] ascend, so the newest row of a list has the greatest id.

use std::sync::Mutex;

use ulid::Ulid;

use crate::Timestamp;

/// Declares identifier types, each with the prefix it is written with.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// What its text starts with.
            pub const PREFIX: &'static str = $prefix;

            /// The identifier of this number.
            #[must_use]
            pub const fn from_u128(number: u128) -> Self {
                Self(number)
            }

            /// The number inside, which another kind of identifier of the same thing may share.
            #[must_use]
            pub const fn to_u128(self) -> u128 {
                self.0
            }

            /// The least identifier that can be minted at this moment or later.
            #[must_use]
            pub fn least_at(moment: $crate::Timestamp) -> Self {
                Self($crate::id::least_at(moment))
            }

            /// The moment at which it was minted, to the millisecond.
            #[must_use]
            pub fn minted_at(self) -> $crate::Timestamp {
                $crate::id::moment_of(self.0)
            }

            /// Reads the text of an identifier of this kind; `None` when it is not one.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                $crate::id::parse(Self::PREFIX, text).map(Self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::id::write(Self::PREFIX, self.0, f)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not an identifier of this kind"))
            }
        }
    )+};
}

ids! {
    /// An account: the merchant to whom everything belongs.
    AccountId = "acc";
    /// A domain event.
    EventId = "evt";
}

/// Reads `prefix_ULID`, upper case only, so that one thing has one spelling.
#[must_use]
pub fn parse(prefix: &str, text: &str) -> Option<u128> {
    let ulid = text.strip_prefix(prefix)?.strip_prefix('_')?;
    if ulid.len() != ulid::ULID_LEN || ulid.bytes().any(|b| b.is_ascii_lowercase()) {
        return None;
    }
    let parsed = Ulid::from_string(ulid).ok()?;
    // Crockford's alphabet has aliases (I, L for 1; O for 0): only the canonical text is an id.
    (parsed.array_to_str(&mut [0; ulid::ULID_LEN]) == ulid).then_some(parsed.0)
}

/// Writes `prefix_ULID`.
///
/// # Errors
/// Those of the formatter.
pub fn write(prefix: &str, number: u128, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    f.write_str(prefix)?;
    f.write_str("_")?;
    f.write_str(Ulid(number).array_to_str(&mut [0; ulid::ULID_LEN]))
}

/// The least number that can be minted at this moment or later: identifiers start with their milliseconds.
#[must_use]
pub fn least_at(moment: Timestamp) -> u128 {
    let ms = moment.micros().div_euclid(1_000).max(0);
    u128::from(ms.unsigned_abs()) << Ulid::RAND_BITS
}

/// The moment at which a number was minted, to the millisecond.
#[must_use]
pub fn moment_of(number: u128) -> Timestamp {
    let ms = i64::try_from(number >> Ulid::RAND_BITS).unwrap_or(i64::MAX);
    Timestamp::from_micros(ms.saturating_mul(1_000))
}

/// A minted number as it is, or a later one if it is not behind `last`: whoever minted that may have had a clock that is
/// ahead. Nobody else comes to the same one.
#[must_use]
pub const fn behind(minted: u128, last: u128) -> u128 {
    if minted > last {
        return minted;
    }
    let own = minted & ((1 << Ulid::RAND_BITS) - 1);
    ((last >> Ulid::RAND_BITS) + 1) << Ulid::RAND_BITS | own
}

/// Mints ascending ULIDs.
#[derive(Debug, Default)]
pub struct IdSource(Mutex<ulid::Generator>);

impl IdSource {
    /// A number greater than every one minted here before: a typed id's `from_u128` takes it.
    #[must_use]
    pub fn next(&self) -> u128 {
        let mut generator = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        loop {
            // Fails only when 2^80 ids were minted within one millisecond; the next one has room.
            if let Ok(id) = generator.generate() {
                return id.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_tells_its_moment() {
        let moment = Timestamp::from_micros(1_795_000_000_123_000);
        assert_eq!(moment_of(least_at(moment)), moment);
        assert_eq!(moment_of(least_at(moment) + 1), moment);
        assert!(moment_of(least_at(moment) - 1) < moment);
    }

    #[test]
    fn one_thing_has_one_spelling() {
        let id = AccountId::from_u128(IdSource::default().next());
        let text = id.to_string();
        assert_eq!(AccountId::parse(&text), Some(id));
        assert_eq!(AccountId::parse(&text.to_lowercase()), None);
        assert_eq!(EventId::parse(&text), None);
        for wrong in [
            "",
            "acc",
            "acc_",
            "acc_0",
            "acc_8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "acc_0000000000000000000000000O",
        ] {
            assert_eq!(AccountId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_identifier_is_not_less_than_its_moment() {
        let id = IdSource::default().next();
        let ms = i64::try_from(Ulid(id).timestamp_ms()).unwrap();
        let at = |ms: i64| least_at(Timestamp::from_micros(ms * 1_000));
        assert!(at(ms) <= id && id < at(ms + 1));
        assert_eq!(at(-1), 0);
    }

    #[test]
    fn what_comes_later_is_behind_what_a_clock_ahead_has_minted() {
        let hour = Timestamp::from_micros(3_600_000_000);
        let last = least_at(hour) + 7;
        for (minted, moment) in [
            (least_at(hour) - 1, 3_600_001_000),
            (least_at(hour) + 6, 3_600_001_000),
            (last, 3_600_001_000),
            (last + 1, 3_600_000_000),
            (least_at(Timestamp::from_micros(9_600_000_000)), 9_600_000_000),
        ] {
            let behind = behind(minted, last);
            assert!(behind > last);
            assert_eq!(moment_of(behind).micros(), moment);
            assert_eq!(behind << 48, minted << 48, "what nobody else has minted stays");
        }
    }

    #[test]
    fn ids_ascend() {
        let source = IdSource::default();
        let ids: Vec<_> = (0..1_000).map(|_| source.next()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
    }
}
