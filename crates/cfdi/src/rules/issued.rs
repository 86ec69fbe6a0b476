//! When a document is issued.

use kernel::Timestamp;
use time::PrimitiveDateTime;

use super::finding::{At, Findings, Shown};
use crate::{
    catalogs::{postal_codes, zones::Zone},
    document::local_time,
};

/// How old a document may be when it is stamped (401).
const AGE_HOURS_MAX: i64 = 72;
/// By how much its time may be ahead: clocks differ, and providers allow for it.
const AHEAD_MINUTES_MAX: i64 = 5;
/// How far apart the zones of Mexico are, for a place that is not known.
const ZONES_HOURS_APART: i64 = 3;

/// Not older than 72 hours, and not in the future (401).
pub(super) fn check(
    issued_at: PrimitiveDateTime,
    place_of_issue: &str,
    now: Timestamp,
    found: &mut Findings,
) {
    let (zone, leeway) = match postal_codes::find(place_of_issue) {
        Some(place) => (place.zone(), 0),
        None => (Zone::Central, ZONES_HOURS_APART * 3_600),
    };
    let moment = zone.utc(issued_at);
    if moment < now.plus_seconds(-AGE_HOURS_MAX * 3_600 - leeway) {
        too_old((issued_at, zone.local(now)), place_of_issue, found);
    } else if moment > now.plus_seconds(AHEAD_MINUTES_MAX * 60 + leeway) {
        in_the_future((issued_at, zone.local(now)), place_of_issue, found);
    }
}

fn too_old(moments: (PrimitiveDateTime, PrimitiveDateTime), place: &str, found: &mut Findings) {
    let (issued, now, place) = shown(moments, place);
    found.add(
        "401",
        &At::top("issuedAt"),
        format_args!(
            "is {issued}, more than {AGE_HOURS_MAX} hours ago (it is {now} at {place}), which no \
             provider accepts: use a date within the last {AGE_HOURS_MAX} hours",
        ),
        format_args!(
            "es {issued}, más de {AGE_HOURS_MAX} horas antes de este momento ({now} en {place}), y \
             ningún PAC lo timbrará: usar una fecha dentro de las últimas {AGE_HOURS_MAX} horas",
        ),
    );
}

fn in_the_future(
    moments: (PrimitiveDateTime, PrimitiveDateTime),
    place: &str,
    found: &mut Findings,
) {
    let (issued, now, place) = shown(moments, place);
    found.add(
        "401",
        &At::top("issuedAt"),
        format_args!(
            "is {issued}, in the future: it is {now} at {place}, the place of issue; use that time \
             or an earlier one",
        ),
        format_args!(
            "es {issued}, una fecha futura: en {place}, el lugar de expedición, son las {now}; usar \
             esa hora o una anterior",
        ),
    );
}

/// When it was issued, when it is now there, and where that is.
fn shown(
    (issued, now): (PrimitiveDateTime, PrimitiveDateTime),
    place: &str,
) -> (String, String, Shown<'_>) {
    (local_time::to_text(issued), local_time::to_text(now), Shown(place))
}
