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
        let millis = (self.0.rem_euclid(1_000_000) / 1_000) as u32;
        // Every answer has several, and a page forty: digit by digit they are written quicker than as seven formatted numbers.
        let Ok(years) = u32::try_from(year) else {
            let month = month as u8;
            return write!(
                f,
                "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"
            );
        };
        let mut text = *b"0000-00-00T00:00:00.000Z";
        for (place, number) in [
            (0..4, years),
            (5..7, u32::from(month as u8)),
            (8..10, day.into()),
            (11..13, hour.into()),
            (14..16, minute.into()),
            (17..19, second.into()),
            (20..23, millis),
        ] {
            write_digits(text.get_mut(place).unwrap_or_default(), number);
        }
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Fills a place with the last digits of a number, and zeros before them.
fn write_digits(place: &mut [u8], mut number: u32) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn writes_utc_with_milliseconds() {
        let moment = Timestamp::parse("2026-01-31T12:05:07.123456-06:00").unwrap();
        assert_eq!(moment.to_string(), "2026-01-31T18:05:07.123Z");
        assert_eq!(Timestamp::from_micros(-1).to_string(), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn writes_every_year_that_there_is() {
        for (seconds, expected) in [
            (-377_705_116_800, "-9999-01-01T00:00:00.000Z"),
            (-62_198_755_200, "-001-01-01T00:00:00.000Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799, "9999-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(Timestamp::from_micros(seconds * 1_000_000).to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(millis in 0..253_402_300_800_000_i64) {
            let moment = Timestamp::from_micros(millis * 1_000);
            prop_assert_eq!(Timestamp::parse(&moment.to_string()), Ok(moment));
        }
    }

    #[test]
    fn refuses_other_forms() {
        for text in ["", "2026-01-31", "yesterday", "2026-13-01T00:00:00Z"] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }
}
