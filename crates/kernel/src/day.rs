//! Days of the calendar.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use time::{Date, Duration, format_description::BorrowedFormatItem, macros::format_description};

use crate::Timestamp;

const FORMAT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");
const EPOCH: Date = time::macros::date!(1970 - 01 - 01);
const DAY_SECONDS: i64 = 86_400;

/// A day without a time, written as `2026-01-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// Reads `2026-01-31`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Date::parse(text, FORMAT).ok().map(Self)
    }

    /// The day that it is at a moment where clocks are `offset_seconds` ahead of UTC.
    #[must_use]
    pub fn at(moment: Timestamp, offset_seconds: i64) -> Self {
        let seconds = moment.plus_seconds(offset_seconds).micros().div_euclid(1_000_000);
        Self(EPOCH.saturating_add(Duration::seconds(seconds)))
    }

    /// The first moment of the next day, where clocks are `offset_seconds` ahead of UTC.
    #[must_use]
    pub fn end(self, offset_seconds: i64) -> Timestamp {
        let days = (self.0 - EPOCH).whole_days().saturating_add(1);
        let seconds = days.saturating_mul(DAY_SECONDS).saturating_sub(offset_seconds);
        Timestamp::from_micros(0).plus_seconds(seconds)
    }

    /// The day so many days later.
    #[must_use]
    pub fn plus_days(self, days: u32) -> Self {
        Self(self.0.saturating_add(Duration::days(days.into())))
    }

    /// Year, month and day.
    #[must_use]
    pub fn parts(self) -> (i32, u8, u8) {
        (self.0.year(), self.0.month().into(), self.0.day())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(FORMAT).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("must be a day such as 2026-01-31"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEXICO: i64 = -6 * 3_600;

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let day = Day::parse("2026-01-31").unwrap();
        let end = day.end(MEXICO);
        assert_eq!(end.to_string(), "2026-02-01T06:00:00.000Z");
        assert_eq!(Day::at(end, MEXICO), day.plus_days(1));
        assert_eq!(Day::at(end.plus_seconds(-1), MEXICO), day);
        assert_eq!(day.to_string(), "2026-01-31");
    }

    #[test]
    fn other_texts_are_no_days() {
        for text in ["", "31/01/2026", "2026-02-30", "2026-01-31T00:00:00Z"] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
