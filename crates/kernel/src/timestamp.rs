//! Moments in time.

use std::fmt;

use crate::{Message, message};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// A moment, in microseconds since 1970-01-01T00:00:00Z.
///
/// Written as RFC 3339 in UTC with milliseconds: `2026-01-31T18:05:07.123Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since the epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Cut to whole milliseconds, the precision that the API shows.
    #[must_use]
    pub const fn to_millis(self) -> Self {
        Self(self.0 - self.0.rem_euclid(1_000))
    }

    /// This moment moved by `seconds`.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }

    /// Reads RFC 3339 with any offset.
    ///
    /// # Errors
    /// A clause that follows the field's name.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let wrong = || {
            message!(
                "must be an RFC 3339 time such as \"2026-01-31T18:05:07Z\"",
                "debe ser una fecha y hora RFC 3339 como \"2026-01-31T18:05:07Z\""
            )
        };
        let moment = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| wrong())?;
        i64::try_from(moment.unix_timestamp_nanos() / 1_000).map(Self).map_err(|_| wrong())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_euclid(1_000_000);
        let moment = OffsetDateTime::from_unix_timestamp(seconds).map_err(|_| fmt::Error)?;
        let (hour, minute, second) = moment.time().as_hms();
        let (year, month, day) = moment.to_calendar_date();
        let millis = self.0.rem_euclid(1_000_000) / 1_000;
        write!(
            f,
            "{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z",
            month as u8
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_utc_with_milliseconds() {
        let moment = Timestamp::parse("2026-01-31T12:05:07.123456-06:00").unwrap();
        assert_eq!(moment.to_string(), "2026-01-31T18:05:07.123Z");
        assert_eq!(Timestamp::from_micros(-1).to_string(), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn refuses_other_forms() {
        for text in ["", "2026-01-31", "yesterday", "2026-13-01T00:00:00Z"] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }
}
