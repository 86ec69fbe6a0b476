//! Whether the receiver of a document must accept that it is cancelled, and until when (RMF, rules 2.7.1.34 and 2.7.1.35).

use cfdi::{
    decimal,
    document::{Document, DocumentType, FOREIGNER, GENERAL_PUBLIC},
    totals::Totals,
};
use kernel::Amount;
use time::{Date, Month, Weekday};

/// What a document may amount to, in pesos, so that nobody is asked.
const SMALL: Amount = Amount::from_micros(1_000_000_000);
/// So many business days the receiver has.
const TERM_DAYS: u8 = 3;
/// Presidents take office on 1 October every six years, since this one.
const FIRST_OCTOBER: i32 = 2024;
const PRESIDENCY_YEARS: i32 = 6;

/// Whether a receiver is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Nobody is asked: the document is cancelled at once.
    NotNeeded(Exemption),
    /// The receiver is asked, and has until the end of this day; who says nothing accepts.
    Needed {
        /// The last day, if the request is made today. SAT's own holidays prolong it.
        until: Date,
    },
}

/// Why nobody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exemption {
    /// It amounts to 1,000 pesos at most, as receipts of payments do, which amount to nothing.
    SmallAmount,
    /// It is a credit note (type E).
    Credit,
    /// It is about goods on the move (type T).
    Transfer,
    /// It is made out to the general public.
    Public,
    /// It is made out to somebody abroad.
    Foreigner,
    /// It was issued today, or on the business day before.
    Fresh,
}

/// What of a document decides.
struct Case<'a> {
    kind: DocumentType,
    receiver: &'a str,
    pesos: Amount,
    issued: Date,
}

/// Whether the receiver of a document is asked if its cancellation is requested on this day.
#[must_use]
pub fn acceptance(document: &Document, today: Date) -> Acceptance {
    let total = Totals::of(document).total;
    let case = Case {
        kind: document.kind,
        receiver: &document.receiver.rfc,
        pesos: document.exchange_rate.map_or(total, |rate| decimal::product(total, rate)),
        issued: document.issued_at.date(),
    };
    match exemption(&case, today) {
        Some(exemption) => Acceptance::NotNeeded(exemption),
        None => Acceptance::Needed { until: term(today) },
    }
}

/// The last day of a receiver who is asked on this day.
#[must_use]
pub fn term(asked: Date) -> Date {
    (0..TERM_DAYS).fold(asked, |day, _| next_business_day(day))
}

fn exemption(case: &Case<'_>, today: Date) -> Option<Exemption> {
    match (case.kind, case.receiver) {
        (DocumentType::Credit, _) => Some(Exemption::Credit),
        (DocumentType::Transfer, _) => Some(Exemption::Transfer),
        (_, GENERAL_PUBLIC) => Some(Exemption::Public),
        (_, FOREIGNER) => Some(Exemption::Foreigner),
        _ if case.pesos <= SMALL => Some(Exemption::SmallAmount),
        _ if today <= next_business_day(case.issued) => Some(Exemption::Fresh),
        (DocumentType::Income | DocumentType::Payment, _) => None,
    }
}

fn next_business_day(day: Date) -> Date {
    let mut next = day;
    while let Some(following) = next.next_day() {
        next = following;
        if is_business_day(next) {
            break;
        }
    }
    next
}

/// Whether the tax authority counts a day (CFF, article 12), its own holidays aside.
fn is_business_day(day: Date) -> bool {
    let is_weekend = matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    // The first, second, third… of its weekday in the month.
    let turn = (day.day() - 1) / 7 + 1;
    let is_monday = |wanted: u8| day.weekday() == Weekday::Monday && turn == wanted;
    let is_handover = (day.year() - FIRST_OCTOBER).rem_euclid(PRESIDENCY_YEARS) == 0;
    let is_holiday = match (day.month(), day.day()) {
        (Month::January, 1)
        | (Month::May, 1 | 5)
        | (Month::September, 16)
        | (Month::December, 25) => true,
        (Month::February, _) => is_monday(1),
        (Month::March | Month::November, _) => is_monday(3),
        (Month::October, 1) => is_handover,
        _ => false,
    };
    !is_weekend && !is_holiday
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::date;

    use super::*;

    #[test]
    fn holidays_and_weekends_are_left_out() {
        for (asked, until) in [
            (date!(2026 - 08 - 03), date!(2026 - 08 - 06)),
            (date!(2026 - 08 - 06), date!(2026 - 08 - 11)),
            // A weekend and 16 September.
            (date!(2026 - 09 - 11), date!(2026 - 09 - 17)),
            // 2 February, 16 March and 16 November are holidays of 2026.
            (date!(2026 - 01 - 30), date!(2026 - 02 - 05)),
            (date!(2026 - 03 - 13), date!(2026 - 03 - 19)),
            (date!(2026 - 11 - 13), date!(2026 - 11 - 19)),
            (date!(2026 - 04 - 30), date!(2026 - 05 - 07)),
            (date!(2026 - 12 - 24), date!(2026 - 12 - 30)),
            (date!(2026 - 12 - 31), date!(2027 - 01 - 06)),
            (date!(2030 - 09 - 30), date!(2030 - 10 - 04)),
            (date!(2029 - 09 - 28), date!(2029 - 10 - 03)),
        ] {
            assert_eq!(term(asked), until, "{asked}");
        }
    }

    #[test]
    fn who_is_asked() {
        use DocumentType::{Credit, Income, Payment, Transfer};
        const COMPANY: &str = "URE180429TM6";
        // Issued on a Friday.
        let issued = date!(2026 - 08 - 07);
        let late = date!(2026 - 08 - 11);
        for (kind, receiver, pesos, today, wanted) in [
            (Income, COMPANY, 1_000_010_000, late, None),
            (Income, COMPANY, 1_000_000_000, late, Some(Exemption::SmallAmount)),
            (Payment, COMPANY, 0, late, Some(Exemption::SmallAmount)),
            (Income, GENERAL_PUBLIC, 5_000_000_000, late, Some(Exemption::Public)),
            (Income, FOREIGNER, 5_000_000_000, late, Some(Exemption::Foreigner)),
            (Credit, COMPANY, 5_000_000_000, late, Some(Exemption::Credit)),
            (Transfer, COMPANY, 0, late, Some(Exemption::Transfer)),
            (Income, COMPANY, 5_000_000_000, issued, Some(Exemption::Fresh)),
            (Income, COMPANY, 5_000_000_000, date!(2026 - 08 - 10), Some(Exemption::Fresh)),
        ] {
            let case = Case { kind, receiver, pesos: Amount::from_micros(pesos), issued };
            assert_eq!(exemption(&case, today), wanted, "{kind:?} {receiver} {pesos} {today}");
        }
    }

    proptest! {
        #[test]
        fn a_term_is_three_business_days(days in 0_i32..20_000) {
            let asked = Date::from_julian_day(2_461_000 + days).unwrap();
            let until = term(asked);
            let length = until.to_julian_day() - asked.to_julian_day();
            prop_assert!(is_business_day(until) && (3..=9).contains(&length), "{asked} {until}");
            prop_assert!(term(asked.next_day().unwrap()) >= until);
        }
    }
}
