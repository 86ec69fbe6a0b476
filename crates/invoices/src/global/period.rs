//! The periods by which sales to the general public are invoiced (c_Periodicidad, c_Meses).

use cfdi::{
    catalogs::{periodicities, zones::Zone},
    document::{Global, day},
};
use kernel::Timestamp;
use time::{Date, Duration, Time};

/// After its end a period is left alone for so many seconds: what was paid within it may still be on its way into the
/// database, from nodes whose clocks differ.
pub const SETTLING_SECONDS: i64 = 60;

/// How long the periods are whose sales go into one global invoice (c_Periodicidad).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Periodicity {
    /// Each day.
    #[default]
    Day,
    /// Monday to Sunday.
    Week,
    /// To the 15th of the month, and from the 16th.
    Fortnight,
    /// Each month.
    Month,
    /// January and February together, and so on; for issuers in tax regime 621 alone.
    TwoMonths,
}

impl Periodicity {
    /// Every one.
    pub const EVERY: &'static [Self] =
        &[Self::Day, Self::Week, Self::Fortnight, Self::Month, Self::TwoMonths];

    /// SAT's code of it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Day => "01",
            Self::Week => "02",
            Self::Fortnight => "03",
            Self::Month => "04",
            Self::TwoMonths => periodicities::TWO_MONTHS,
        }
    }
}

/// The days whose sales go into one global invoice.
///
/// They are days of one month, or of one pair of months where these are invoiced together: a document names no more
/// than that, and taxes are due by the month. So a week over the end of a month makes two periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How long such periods are.
    pub periodicity: Periodicity,
    /// Its first day.
    pub first: Date,
    /// Its last day.
    pub last: Date,
}

impl Period {
    /// The period that a day is in.
    #[must_use]
    pub fn of(periodicity: Periodicity, day: Date) -> Self {
        let (month_first, month_last) = month(day);
        let (first, last) = match periodicity {
            Periodicity::Day => (day, day),
            Periodicity::Week => {
                let gone = i64::from(day.weekday().number_days_from_monday());
                (before(day, gone).max(month_first), after(day, 6 - gone).min(month_last))
            }
            Periodicity::Fortnight if day.day() <= 15 => (month_first, after(month_first, 14)),
            Periodicity::Fortnight => (after(month_first, 15), month_last),
            Periodicity::Month => (month_first, month_last),
            Periodicity::TwoMonths if is_first_of_pair(day) => {
                (month_first, month(after(month_last, 1)).1)
            }
            Periodicity::TwoMonths => (month(before(month_first, 1)).0, month_last),
        };
        Self { periodicity, first, last }
    }

    /// The last period that is closed at `now`, where documents are dated in `zone`.
    #[must_use]
    pub fn last_closed(periodicity: Periodicity, zone: Zone, now: Timestamp) -> Self {
        let today = zone.local(now.plus_seconds(-SETTLING_SECONDS)).date();
        Self::of(periodicity, before(Self::of(periodicity, today).first, 1))
    }

    /// Whether nothing can be sold within it any more.
    #[must_use]
    pub fn is_closed(self, zone: Zone, now: Timestamp) -> bool {
        self.moments(zone).1.plus_seconds(SETTLING_SECONDS) <= now
    }

    /// The moment at which it begins, and the one before which it ends.
    #[must_use]
    pub fn moments(self, zone: Zone) -> (Timestamp, Timestamp) {
        let start = |day: Date| zone.utc(day.with_time(Time::MIDNIGHT));
        (start(self.first), start(after(self.last, 1)))
    }

    /// What a document states of it.
    #[must_use]
    pub fn stated(self) -> Global {
        let month = u8::from(self.last.month());
        let months = match self.periodicity {
            Periodicity::TwoMonths => 12 + month.div_ceil(2),
            _ => month,
        };
        Global {
            periodicity: self.periodicity.code().to_owned(),
            months: format!("{months:02}"),
            year: u16::try_from(self.last.year()).unwrap_or_default(),
        }
    }

    /// Its days: `2026-10-01/2026-10-31` (ISO 8601).
    #[must_use]
    pub fn days(self) -> String {
        format!("{}/{}", day::to_text(self.first), day::to_text(self.last))
    }
}

/// The first and the last day of the month that a day is in.
fn month(day: Date) -> (Date, Date) {
    let first = before(day, i64::from(day.day()) - 1);
    (first, after(first, i64::from(day.month().length(day.year())) - 1))
}

fn is_first_of_pair(day: Date) -> bool {
    u8::from(day.month()) % 2 == 1
}

fn before(day: Date, days: i64) -> Date {
    day.saturating_sub(Duration::days(days))
}

fn after(day: Date, days: i64) -> Date {
    day.saturating_add(Duration::days(days))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::date;

    use super::*;

    const ZONES: [Zone; 5] =
        [Zone::Central, Zone::CentralBorder, Zone::Pacific, Zone::Northwest, Zone::Southeast];

    #[test]
    fn periods_are_those_of_the_calendar_and_state_their_month() {
        use Periodicity::{Day, Fortnight, Month, TwoMonths, Week};
        for (periodicity, day, days, months, year) in [
            (Day, date!(2026 - 11 - 30), "2026-11-30/2026-11-30", "11", 2026),
            (Week, date!(2026 - 11 - 25), "2026-11-23/2026-11-29", "11", 2026),
            (Week, date!(2026 - 12 - 31), "2026-12-28/2026-12-31", "12", 2026),
            (Week, date!(2027 - 01 - 01), "2027-01-01/2027-01-03", "01", 2027),
            (Fortnight, date!(2026 - 11 - 15), "2026-11-01/2026-11-15", "11", 2026),
            (Fortnight, date!(2028 - 02 - 16), "2028-02-16/2028-02-29", "02", 2028),
            (Month, date!(2026 - 02 - 10), "2026-02-01/2026-02-28", "02", 2026),
            (TwoMonths, date!(2026 - 01 - 31), "2026-01-01/2026-02-28", "13", 2026),
            (TwoMonths, date!(2026 - 12 - 31), "2026-11-01/2026-12-31", "18", 2026),
        ] {
            let period = Period::of(periodicity, day);
            assert_eq!(period.days(), days);
            let (periodicity, months) = (periodicity.code().to_owned(), months.to_owned());
            assert_eq!(period.stated(), Global { periodicity, months, year });
        }
    }

    #[test]
    fn a_period_is_closed_a_minute_after_its_end() {
        let period = Period::of(Periodicity::Month, date!(2026 - 12 - 24));
        let at = |text| Timestamp::parse(text).unwrap();
        let (from, to) = (at("2026-12-01T06:00:00Z"), at("2027-01-01T06:00:00Z"));
        assert_eq!(period.moments(Zone::Central), (from, to));
        assert!(!period.is_closed(Zone::Central, to.plus_seconds(59)));
        assert!(period.is_closed(Zone::Central, to.plus_seconds(60)));
        let last = |now| Period::last_closed(Periodicity::Month, Zone::Central, now).days();
        assert_eq!(last(to.plus_seconds(59)), "2026-11-01/2026-11-30");
        assert_eq!(last(to.plus_seconds(60)), "2026-12-01/2026-12-31");
    }

    proptest! {
        #[test]
        fn periods_tile_the_time(
            periodicity in prop::sample::select(Periodicity::EVERY),
            zone in prop::sample::select(&ZONES[..]),
            days in 0_i64..4_000,
        ) {
            let day = after(date!(2022 - 01 - 01), days);
            let period = Period::of(periodicity, day);
            prop_assert!(period.first <= day && day <= period.last);
            for inner in [period.first, period.last] {
                prop_assert_eq!(Period::of(periodicity, inner), period);
            }
            let next = Period::of(periodicity, after(period.last, 1));
            prop_assert_eq!(next.first, after(period.last, 1));
            prop_assert_eq!(next.moments(zone).0, period.moments(zone).1);
            let (from, to) = period.moments(zone);
            for moment in [from, to.plus_seconds(-1)] {
                prop_assert_eq!(Period::of(periodicity, zone.local(moment).date()), period);
            }
            prop_assert_eq!(Period::last_closed(periodicity, zone, to.plus_seconds(60)), period);
            let stated = period.stated();
            prop_assert!(cfdi::catalogs::months::find(&stated.months).is_some());
            prop_assert_eq!(i32::from(stated.year), period.first.year());
        }
    }
}
