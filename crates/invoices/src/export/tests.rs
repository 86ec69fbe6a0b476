use time::macros::date;

use super::*;

fn wanted(from: Date, to: Date, content: Content) -> ExportInvoices {
    ExportInvoices {
        from,
        to,
        kind: None,
        cancelled: None,
        issuer: None,
        branch: None,
        customer: None,
        content,
        language: None,
    }
}

const BOTH: Content = Content::XmlAndPdf;

#[test]
fn a_month_is_its_days() {
    assert_eq!(month("2026-02"), Some((date!(2026 - 02 - 01), date!(2026 - 02 - 28))));
    assert_eq!(month("2028-02"), Some((date!(2028 - 02 - 01), date!(2028 - 02 - 29))));
    assert_eq!(month("2026-12"), Some((date!(2026 - 12 - 01), date!(2026 - 12 - 31))));
    for wrong in ["2026-13", "2026", "2026-1", "26-01", "2026-01-01", ""] {
        assert_eq!(month(wrong), None, "{wrong}");
    }
}

#[test]
fn files_are_named_by_their_days() {
    let (first, last) = month("2026-10").unwrap();
    assert_eq!(wanted(first, last, BOTH).file_name(), "facturas-2026-10.zip");
    let part = wanted(first, date!(2026 - 10 - 15), Content::Csv);
    assert_eq!(part.file_name(), "facturas-2026-10-01-2026-10-15.csv");
    assert_eq!(part.period(), "2026-10-01/2026-10-15");
}

#[test]
fn the_days_are_in_order_and_within_a_year() {
    let first = date!(2026 - 01 - 01);
    assert_eq!(wanted(first, first, BOTH).check(), Ok(()));
    assert_eq!(wanted(first, date!(2027 - 01 - 01), BOTH).check(), Ok(()));
    for wrong in [date!(2025 - 12 - 31), date!(2027 - 01 - 02)] {
        let refused = wanted(first, wrong, BOTH).check().unwrap_err();
        assert_eq!(refused.field, "to");
    }
}

/// Whatever zone a document is dated in, and however late its stamp was recorded.
#[test]
fn no_stamp_of_these_days_is_recorded_outside_of_the_moments() {
    let days = wanted(date!(2026 - 10 - 01), date!(2026 - 10 - 31), BOTH);
    let (from, to) = days.recorded_between();
    for zone in [Zone::Southeast, Zone::Central, Zone::Pacific, Zone::Northwest] {
        let first = zone.utc(days.from.with_time(Time::MIDNIGHT));
        let last = zone.utc(days.to.with_hms(23, 59, 59).unwrap());
        assert!(from <= first && last.plus_seconds(9 * 24 * 3_600) < to, "{zone:?}");
    }
}
