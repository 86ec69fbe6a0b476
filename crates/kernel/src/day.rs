//! Days of the calendar.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use time::{Date, Duration, format_description::BorrowedFormatItem, macros::format_description};

const FORMAT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// A day without a time, written as `2026-01-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// Reads `2026-01-31`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Date::parse(text, FORMAT).ok().map(Self)
    }

    /// The day of this date.
    #[must_use]
    pub const fn of(date: Date) -> Self {
        Self(date)
    }

    /// Its date.
    #[must_use]
    pub const fn date(self) -> Date {
        self.0
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

    #[test]
    fn days_are_read_and_counted() {
        let day = Day::parse("2026-01-31").unwrap();
        assert_eq!(day.to_string(), "2026-01-31");
        assert_eq!(day.plus_days(1).to_string(), "2026-02-01");
        assert_eq!((Day::of(day.date()), day.parts()), (day, (2026, 1, 31)));
    }

    #[test]
    fn other_texts_are_no_days() {
        for text in ["", "31/01/2026", "2026-02-30", "2026-01-31T00:00:00Z"] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
