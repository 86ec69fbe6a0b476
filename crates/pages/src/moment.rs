//! Moments as people read them.

use kernel::Language;
use time::{Month, PrimitiveDateTime, Weekday};

/// A local moment in Mexico City: day, date and minute.
pub(crate) fn moment(at: PrimitiveDateTime, language: Language) -> String {
    let date = day_and_time(at, language);
    match language {
        Language::English => format!("{}, {date} (Mexico City time)", at.weekday()),
        Language::Spanish => format!("{} {date} (hora del centro)", weekday(at.weekday())),
    }
}

/// A local moment, wherever that is: date and minute.
pub(crate) fn day_and_time(at: PrimitiveDateTime, language: Language) -> String {
    let (year, day, hour, minute) = (at.year(), at.day(), at.hour(), at.minute());
    match language {
        Language::English => format!("{} {day}, {year}, {hour}:{minute:02}", at.month()),
        Language::Spanish => {
            format!("{day} de {} de {year}, {hour}:{minute:02}", month(at.month()))
        }
    }
}

const fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "lunes",
        Weekday::Tuesday => "martes",
        Weekday::Wednesday => "miércoles",
        Weekday::Thursday => "jueves",
        Weekday::Friday => "viernes",
        Weekday::Saturday => "sábado",
        Weekday::Sunday => "domingo",
    }
}

const fn month(month: Month) -> &'static str {
    match month {
        Month::January => "enero",
        Month::February => "febrero",
        Month::March => "marzo",
        Month::April => "abril",
        Month::May => "mayo",
        Month::June => "junio",
        Month::July => "julio",
        Month::August => "agosto",
        Month::September => "septiembre",
        Month::October => "octubre",
        Month::November => "noviembre",
        Month::December => "diciembre",
    }
}

#[cfg(test)]
mod tests {
    use time::{Date, Time};

    use super::*;

    #[test]
    fn a_moment_is_read_in_both_languages() {
        let date = Date::from_calendar_date(2026, Month::November, 28).unwrap();
        let at = PrimitiveDateTime::new(date, Time::from_hms(23, 59, 0).unwrap());
        let spanish = moment(at, Language::Spanish);
        assert_eq!(spanish, "sábado 28 de noviembre de 2026, 23:59 (hora del centro)");
        let english = moment(at, Language::English);
        assert_eq!(english, "Saturday, November 28, 2026, 23:59 (Mexico City time)");
    }
}
