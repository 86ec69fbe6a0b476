//! Local time in Mexico, which documents are dated in.
//!
//! The law of 30 October 2022 ended summer time but for where it follows the neighbour's: there clocks
//! go forward at 2:00 of the second Sunday of March, and back at 2:00 of the first Sunday of November.
//! Moments before the law are told by the same rules.
//!
//! Which zone a place is in is for SAT's catalog to say, as that is what a document's date is checked
//! by, even where its clocks differ: around Ciudad Juárez they run an hour behind the catalog.

use kernel::{Day, Timestamp};
use time::{Date, Duration, Month, PrimitiveDateTime, Time, Weekday};

const EPOCH: PrimitiveDateTime =
    PrimitiveDateTime::new(time::macros::date!(1970 - 01 - 01), Time::MIDNIGHT);

/// A time zone of SAT's catalog of postal codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// Six hours behind UTC; most of the country.
    Central,
    /// The same with summer time; the border of Chihuahua, Coahuila, Nuevo León and Tamaulipas.
    CentralBorder,
    /// Seven hours behind UTC; Sonora, Sinaloa, Nayarit and Baja California Sur.
    Pacific,
    /// Eight hours behind UTC, with summer time; Baja California.
    Northwest,
    /// Five hours behind UTC; Quintana Roo.
    Southeast,
}

impl Zone {
    /// What SAT calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Central => "Tiempo del Centro",
            Self::CentralBorder => "Tiempo del Centro en Frontera",
            Self::Pacific => "Tiempo del Pacífico",
            Self::Northwest => "Tiempo del Noroeste",
            Self::Southeast => "Tiempo del Sureste",
        }
    }

    /// The time on the clocks at that moment, in whole seconds.
    #[must_use]
    pub fn local(self, utc: Timestamp) -> PrimitiveDateTime {
        let utc = EPOCH.saturating_add(Duration::seconds(utc.micros().div_euclid(1_000_000)));
        let standard = utc.saturating_add(self.offset());
        standard.saturating_add(self.summer(standard))
    }

    /// The moment when the clocks show that time.
    ///
    /// The hour that comes twice in November is taken for the first; the one that is left out in March
    /// is taken for the one after it.
    #[must_use]
    pub fn utc(self, local: PrimitiveDateTime) -> Timestamp {
        let hour_earlier = local.saturating_sub(Duration::HOUR);
        let summer = self.summer(hour_earlier) == Duration::HOUR;
        let standard = if summer { hour_earlier } else { local };
        let since_epoch = standard.saturating_sub(self.offset()) - EPOCH;
        Timestamp::from_micros(0).plus_seconds(since_epoch.whole_seconds())
    }

    /// The day that it is there at a moment.
    #[must_use]
    pub fn day(self, at: Timestamp) -> Day {
        Day::of(self.local(at).date())
    }

    /// The first moment after a day there.
    #[must_use]
    pub fn end(self, day: Day) -> Timestamp {
        self.utc(day.plus_days(1).date().midnight())
    }

    /// What standard time adds to UTC.
    const fn offset(self) -> Duration {
        Duration::hours(match self {
            Self::Southeast => -5,
            Self::Central | Self::CentralBorder => -6,
            Self::Pacific => -7,
            Self::Northwest => -8,
        })
    }

    /// What is added to this standard time.
    fn summer(self, standard: PrimitiveDateTime) -> Duration {
        match self {
            Self::CentralBorder | Self::Northwest if is_summer(standard) => Duration::HOUR,
            _ => Duration::ZERO,
        }
    }
}

/// Whether clocks that follow the neighbour's show summer time when standard time is this.
fn is_summer(standard: PrimitiveDateTime) -> bool {
    let switch = |month, sunday, hour: i64| {
        let day = nth_sunday(standard.year(), month, sunday)?;
        Some(day.midnight().saturating_add(Duration::hours(hour)))
    };
    // 2:00 of summer time is 1:00 of standard time.
    match (switch(Month::March, 2, 2), switch(Month::November, 1, 1)) {
        (Some(start), Some(end)) => (start..end).contains(&standard),
        _ => false,
    }
}

/// The `number`th Sunday of a month, from 1.
fn nth_sunday(year: i32, month: Month, number: u8) -> Option<Date> {
    let first = Date::from_calendar_date(year, month, 1).ok()?;
    let after = match first.weekday() {
        Weekday::Sunday => 0,
        other => 7 - other.number_days_from_sunday(),
    };
    first.replace_day(after + 7 * number - 6).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn a_day_ends_where_the_next_begins() {
        for (zone, end) in [
            (Zone::Central, "2026-07-02T06:00:00Z"),
            (Zone::CentralBorder, "2026-07-02T05:00:00Z"),
            (Zone::Pacific, "2026-07-02T07:00:00Z"),
            (Zone::Northwest, "2026-07-02T07:00:00Z"),
            (Zone::Southeast, "2026-07-02T05:00:00Z"),
        ] {
            let (day, end) = (Day::parse("2026-07-01").unwrap(), Timestamp::parse(end).unwrap());
            assert_eq!(zone.end(day), end, "{zone:?}");
            assert_eq!(zone.day(end.plus_seconds(-1)), day);
            assert_eq!(zone.day(end), day.plus_days(1));
        }
    }

    const ZONES: [Zone; 5] =
        [Zone::Central, Zone::CentralBorder, Zone::Pacific, Zone::Northwest, Zone::Southeast];

    #[track_caller]
    fn check(zone: Zone, utc: &str, local: PrimitiveDateTime) {
        let utc = Timestamp::parse(utc).unwrap();
        assert_eq!(zone.local(utc), local);
    }

    #[test]
    fn sundays_are_counted() {
        for (year, march, november) in [
            (2023, date!(2023 - 03 - 12), date!(2023 - 11 - 05)),
            (2024, date!(2024 - 03 - 10), date!(2024 - 11 - 03)),
            (2026, date!(2026 - 03 - 08), date!(2026 - 11 - 01)),
            (2027, date!(2027 - 03 - 14), date!(2027 - 11 - 07)),
        ] {
            assert_eq!(nth_sunday(year, Month::March, 2), Some(march));
            assert_eq!(nth_sunday(year, Month::November, 1), Some(november));
        }
    }

    #[test]
    fn each_zone_has_its_hour() {
        for (zone, winter, summer) in [
            (Zone::Central, 12, 12),
            (Zone::CentralBorder, 12, 13),
            (Zone::Pacific, 11, 11),
            (Zone::Northwest, 10, 11),
            (Zone::Southeast, 13, 13),
        ] {
            check(
                zone,
                "2026-01-15T18:30:59.999Z",
                date!(2026 - 01 - 15).with_hms(winter, 30, 59).unwrap(),
            );
            check(
                zone,
                "2026-07-15T18:30:59Z",
                date!(2026 - 07 - 15).with_hms(summer, 30, 59).unwrap(),
            );
        }
    }

    #[test]
    fn days_and_years_turn_locally() {
        check(Zone::Central, "2026-01-01T05:59:59Z", datetime!(2025-12-31 23:59:59));
        check(Zone::Central, "2026-01-01T06:00:00Z", datetime!(2026-01-01 00:00:00));
        check(Zone::Southeast, "2026-01-01T05:00:00Z", datetime!(2026-01-01 00:00:00));
    }

    #[test]
    fn clocks_of_the_border_switch_with_the_neighbour() {
        for (zone, utc, local) in [
            (Zone::CentralBorder, "2026-03-08T07:59:59Z", datetime!(2026-03-08 01:59:59)),
            (Zone::CentralBorder, "2026-03-08T08:00:00Z", datetime!(2026-03-08 03:00:00)),
            (Zone::CentralBorder, "2026-11-01T06:59:59Z", datetime!(2026-11-01 01:59:59)),
            (Zone::CentralBorder, "2026-11-01T07:00:00Z", datetime!(2026-11-01 01:00:00)),
            (Zone::Northwest, "2026-03-08T09:59:59Z", datetime!(2026-03-08 01:59:59)),
            (Zone::Northwest, "2026-03-08T10:00:00Z", datetime!(2026-03-08 03:00:00)),
            (Zone::Northwest, "2026-11-01T08:59:59Z", datetime!(2026-11-01 01:59:59)),
            (Zone::Northwest, "2026-11-01T09:00:00Z", datetime!(2026-11-01 01:00:00)),
        ] {
            check(zone, utc, local);
        }
    }

    #[test]
    fn an_hour_that_comes_twice_is_the_first_and_one_left_out_the_next() {
        for (local, utc) in [
            (datetime!(2026-11-01 00:59:59), "2026-11-01T05:59:59.000Z"),
            (datetime!(2026-11-01 01:00:00), "2026-11-01T06:00:00.000Z"),
            (datetime!(2026-11-01 01:59:59), "2026-11-01T06:59:59.000Z"),
            (datetime!(2026-11-01 02:00:00), "2026-11-01T08:00:00.000Z"),
            (datetime!(2026-03-08 01:59:59), "2026-03-08T07:59:59.000Z"),
            (datetime!(2026-03-08 02:30:00), "2026-03-08T08:30:00.000Z"),
            (datetime!(2026-03-08 03:30:00), "2026-03-08T08:30:00.000Z"),
        ] {
            assert_eq!(Zone::CentralBorder.utc(local).to_string(), utc);
        }
    }

    #[test]
    fn absurd_moments_do_no_harm() {
        for zone in ZONES {
            for micros in [i64::MIN, i64::MAX] {
                let local = zone.local(Timestamp::from_micros(micros));
                let _ = zone.utc(local);
            }
        }
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same_moment_but_in_the_second_of_two_hours(
            zone in prop::sample::select(&ZONES[..]),
            seconds in 1_640_995_200_i64..2_200_000_000,
        ) {
            let moment = Timestamp::from_micros(0).plus_seconds(seconds);
            let local = zone.local(moment);
            let back = zone.utc(local);
            let hour_before = moment.plus_seconds(-3_600);
            prop_assert!(back == moment || (back == hour_before && zone.local(hour_before) == local));
        }
    }
}
