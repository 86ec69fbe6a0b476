//! The truck, its permit, insurance and trailers.

use kernel::Amount;

use super::{common, lists};
use crate::{
    catalogs::carta_porte::{
        permits, trailers,
        vehicles::{self, Trailers},
    },
    complements::{
        CartaPorte,
        carta_porte::{RoadTransport, Trailer, Vehicle},
    },
    rules::{
        case::Case,
        finding::{At, Findings},
        limits, listed, text,
    },
};

/// How many trailers a truck may draw (`maxOccurs`).
const TRAILERS_MAX: usize = 2;
/// The least gross weight of a truck, in tons.
const TONS_MIN: Amount = Amount::from_micros(10_000);
/// The years of models that the schema allows.
const MODEL_YEARS: std::ops::RangeInclusive<u16> = 1900..=2099;

pub(super) fn check(
    case: &Case<'_>,
    carta: &CartaPorte,
    road: &RoadTransport,
    at: &At<'_>,
    found: &mut Findings,
) {
    permit(case, &road.permit_type, &at.field("permitType"), found);
    text::check(&road.permit_number, 50, &at.field("permitNumber"), found);
    vehicle(case, &road.vehicle, &at.field("vehicle"), found);
    insurance((road, carta.has_hazardous_goods()), &at.field("insurance"), found);
    trailers(case, road, &at.field("trailers"), found);
}

/// One for the road.
fn permit(case: &Case<'_>, code: &str, at: &At<'_>, found: &mut Findings) {
    let row = (code, permits::find(code));
    let row = listed::check(row, &lists::PERMITS, case.day(), ("301", at), found);
    if row.is_some_and(|permit| !permit.road) {
        found.add(
            "CFDI40999",
            at,
            format_args!("is {code}, which is not a permit for the road: choose TPAF01 to TPXX00"),
            format_args!("es {code}, que no es de autotransporte: elegir de TPAF01 a TPXX00"),
        );
    }
}

fn vehicle(case: &Case<'_>, vehicle: &Vehicle, at: &At<'_>, found: &mut Findings) {
    let code = vehicle.configuration.as_str();
    let row = (code, vehicles::find(code));
    let error = ("301", &at.field("configuration"));
    listed::check(row, &lists::VEHICLES, case.day(), error, found);
    let tons = vehicle.gross_weight_tons;
    common::measure(tons, (TONS_MIN, Amount::MAX), 2, &at.field("grossWeightTons"), found);
    common::plate(&vehicle.plate, &at.field("plate"), found);
    let year = vehicle.model_year;
    if !MODEL_YEARS.contains(&year) {
        let (first, last) = (MODEL_YEARS.start(), MODEL_YEARS.end());
        found.add(
            "301",
            &at.field("modelYear"),
            format_args!("is {year}, but must be between {first} and {last}: correct it"),
            format_args!("es {year}, pero debe estar entre {first} y {last}: corregirlo"),
        );
    }
}

/// Of the environment, where there are hazardous goods.
fn insurance((road, is_hazardous): (&RoadTransport, bool), at: &At<'_>, found: &mut Findings) {
    let insurance = &road.insurance;
    common::policy(&insurance.liability, &at.field("liability"), found);
    match &insurance.environment {
        Some(environment) => common::policy(environment, &at.field("environment"), found),
        None if is_hazardous => common::missing(
            ("CFDI40999", &at.field("environment")),
            "hazardous goods need an insurance of damage to the environment",
            "las mercancías peligrosas requieren un seguro de daños al medio ambiente",
            found,
        ),
        None => {}
    }
    if let Some(cargo) = &insurance.cargo {
        common::policy(cargo, &at.field("cargo"), found);
    }
    if let Some(premium) = insurance.premium {
        limits::is_possible(premium, &at.field("premium"), found);
    }
}

/// As many as the truck's configuration says.
fn trailers(case: &Case<'_>, road: &RoadTransport, at: &At<'_>, found: &mut Findings) {
    let code = road.vehicle.configuration.as_str();
    match (vehicles::find(code).map(|vehicle| vehicle.trailers), road.trailers.is_empty()) {
        (Some(Trailers::Required), true) => common::missing(
            ("CFDI40999", at),
            &format!("vehicles of configuration {code} draw at least one trailer"),
            &format!("los vehículos de configuración {code} llevan al menos un remolque"),
            found,
        ),
        (Some(Trailers::Never), false) => common::needless(
            at,
            &format!("vehicles of configuration {code} draw no trailers"),
            &format!("los vehículos de configuración {code} no llevan remolque"),
            found,
        ),
        _ => {}
    }
    drawn(case, &road.trailers, at, found);
}

/// At most two, each of a kind of the catalog.
pub(super) fn drawn(case: &Case<'_>, trailers: &[Trailer], at: &At<'_>, found: &mut Findings) {
    common::at_most(trailers.len(), TRAILERS_MAX, at, found);
    for (index, trailer) in trailers.iter().enumerate().take(TRAILERS_MAX) {
        let at = at.index(index);
        let row = (trailer.subtype.as_str(), trailers::find(&trailer.subtype));
        let error = ("301", &at.field("subtype"));
        listed::check(row, &lists::TRAILERS, case.day(), error, found);
        common::plate(&trailer.plate, &at.field("plate"), found);
    }
}
