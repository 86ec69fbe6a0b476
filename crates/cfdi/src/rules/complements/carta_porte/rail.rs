//! The train: its cars and the tracks it uses.

use kernel::Amount;

use super::{common, lists};
use crate::{
    catalogs::carta_porte::{
        rail_cars, rail_containers, rail_services, rail_traffic, track_rights,
    },
    complements::carta_porte::{RailCar, RailTransport},
    rules::{
        case::Case,
        finding::{At, Findings},
        items, listed,
    },
};

/// The shortest way that is paid for, in kilometers.
const KM_MIN: Amount = Amount::from_micros(10_000);
/// How many characters the number of a car has.
const REGISTRATION_CHARS: (usize, usize) = (6, 15);
/// How many characters the waybill of a car has.
const WAYBILL_CHARS: (usize, usize) = (1, 15);

pub(super) fn check(case: &Case<'_>, rail: &RailTransport, at: &At<'_>, found: &mut Findings) {
    let row = (rail.service.as_str(), rail_services::find(&rail.service));
    listed::check(row, &lists::RAIL_SERVICES, case.day(), ("301", &at.field("service")), found);
    let row = (rail.traffic.as_str(), rail_traffic::find(&rail.traffic));
    listed::check(row, &lists::RAIL_TRAFFIC, case.day(), ("301", &at.field("traffic")), found);
    if let Some(insurance) = &rail.insurance {
        common::policy(insurance, &at.field("insurance"), found);
    }
    rights(case, rail, &at.field("trackRights"), found);
    let lines = at.field("cars");
    if rail.cars.is_empty() {
        common::missing(
            ("301", &lines),
            "add the cars that the goods are in",
            "agregar los carros en que van las mercancías",
            found,
        );
    }
    if items::is_too_many(rail.cars.len(), &lines, found) {
        return;
    }
    for (index, each) in rail.cars.iter().enumerate() {
        car(case, each, &lines.index(index), found);
    }
}

fn rights(case: &Case<'_>, rail: &RailTransport, at: &At<'_>, found: &mut Findings) {
    if items::is_too_many(rail.track_rights.len(), at, found) {
        return;
    }
    for (index, right) in rail.track_rights.iter().enumerate() {
        let at = at.index(index);
        let row = track_rights::find(&right.kind);
        let row = (right.kind.as_str(), row.as_ref());
        let error = ("301", &at.field("type"));
        listed::check(row, &lists::TRACK_RIGHTS, case.day(), error, found);
        common::measure(right.paid_km, (KM_MIN, Amount::MAX), 2, &at.field("paidKm"), found);
    }
}

fn car(case: &Case<'_>, car: &RailCar, at: &At<'_>, found: &mut Findings) {
    let row = (car.kind.as_str(), rail_cars::find(&car.kind));
    listed::check(row, &lists::RAIL_CARS, case.day(), ("301", &at.field("type")), found);
    let registration = at.field("registration");
    common::text_between(&car.registration, REGISTRATION_CHARS, &registration, found);
    common::text_between(&car.waybill_number, WAYBILL_CHARS, &at.field("waybillNumber"), found);
    common::weight(car.net_tons, &at.field("netTons"), found);
    let lines = at.field("containers");
    if items::is_too_many(car.containers.len(), &lines, found) {
        return;
    }
    for (index, container) in car.containers.iter().enumerate() {
        let at = lines.index(index);
        let row = (container.kind.as_str(), rail_containers::find(&container.kind));
        let error = ("301", &at.field("type"));
        listed::check(row, &lists::RAIL_CONTAINERS, case.day(), error, found);
        common::weight(container.empty_weight_kg, &at.field("emptyWeightKg"), found);
        common::weight(container.net_weight_kg, &at.field("netWeightKg"), found);
    }
}
