//! Ports, airports and railway stations.

use super::{common, lists};
use crate::{
    catalogs::carta_porte::{
        station_types,
        stations::{self, StationKind},
    },
    complements::carta_porte::{Location, Mode, STATION_CHARS_MAX, Station},
    document::FOREIGNER,
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        listed, text,
    },
};

/// One of the means of transport that call at stations, and only then; abroad it may be unknown.
pub(super) fn check(
    case: &Case<'_>,
    (location, mode): (&Location, Option<Mode>),
    at: &At<'_>,
    found: &mut Findings,
) {
    let kind = match mode {
        Some(Mode::Sea) => Some(StationKind::Port),
        Some(Mode::Air) => Some(StationKind::Airport),
        Some(Mode::Rail) => Some(StationKind::Railway),
        Some(Mode::Road) | None => None,
    };
    match (&location.station, kind) {
        (Some(station), Some(kind)) => {
            self::station(case, (station, kind, is_abroad(location)), at, found);
        }
        (Some(_), None) if mode == Some(Mode::Road) => common::needless(
            at,
            "trucks call at no station",
            "el autotransporte no lleva estación",
            found,
        ),
        (None, Some(_)) if !is_abroad(location) => common::missing(
            ("CFDI40999", at),
            "state the port, airport or railway station, a code of c_Estaciones",
            "indicar el puerto, aeropuerto o estación de ferrocarril, una clave de c_Estaciones",
            found,
        ),
        _ => {}
    }
}

/// Whether goods only pass it.
pub(super) fn is_passed(location: &Location) -> bool {
    station_type(location) == Some(station_types::INTERMEDIATE)
}

/// Whether goods begin or end their journey there.
pub(super) fn is_end(location: &Location) -> bool {
    station_type(location).is_some_and(|code| code != station_types::INTERMEDIATE)
}

fn station_type(location: &Location) -> Option<&str> {
    location.station.as_ref()?.station_type.as_deref()
}

fn is_abroad(location: &Location) -> bool {
    location.rfc == FOREIGNER
}

fn station(
    case: &Case<'_>,
    (station, kind, is_abroad): (&Station, StationKind, bool),
    at: &At<'_>,
    found: &mut Findings,
) {
    let code = station.code.as_str();
    let row = stations::find(code);
    let error = ("301", &at.field("code"));
    let row = listed::check((code, row.as_ref()), &lists::STATIONS, case.day(), error, found);
    if row.is_some() && stations::kind_of(code) != Some(kind) {
        let value = Shown(code);
        found.add(
            "CFDI40999",
            &at.field("code"),
            format_args!("is {value}, which another means of transport calls at: correct it"),
            format_args!("es {value}, que es de otro medio de transporte: corregirla"),
        );
    }
    let name = at.field("name");
    text::optional(station.name.as_deref(), STATION_CHARS_MAX, &name, found);
    if row.is_some() && station.title().is_none() {
        common::missing(
            ("CFDI40999", &name),
            "write the name of the station, which the catalog does not tell",
            "escribir el nombre de la estación, que no está en el catálogo",
            found,
        );
    }
    let station_type = at.field("stationType");
    match station.station_type.as_deref() {
        Some(code) => {
            let row = (code, station_types::find(code));
            listed::check(row, &lists::STATION_TYPES, case.day(), ("301", &station_type), found);
        }
        None if !is_abroad => common::missing(
            ("CFDI40999", &station_type),
            "state whether the journey begins, passes or ends there: 01, 02 or 03",
            "indicar si el traslado inicia, pasa o termina ahí: 01, 02 o 03",
            found,
        ),
        None => {}
    }
    navigation((station, kind), &at.field("navigation"), found);
}

/// Of ports, and only of them.
fn navigation((station, kind): (&Station, StationKind), at: &At<'_>, found: &mut Findings) {
    match (kind, station.navigation) {
        (StationKind::Port, None) => common::missing(
            ("CFDI40999", at),
            "state where ships sail from the port: high_seas or coastal",
            "indicar la navegación del puerto: high_seas (altura) o coastal (cabotaje)",
            found,
        ),
        (StationKind::Airport | StationKind::Railway, Some(_)) => common::needless(
            at,
            "it is for transport by sea",
            "solo lo lleva el transporte marítimo",
            found,
        ),
        _ => {}
    }
}
