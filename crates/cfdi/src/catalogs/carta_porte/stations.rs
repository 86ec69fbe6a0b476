//! Ports, airports and railway stations (c_Estaciones).

use super::listed;

const TEXT: &str = include_str!("../../../data/stations.tsv");

/// What ships call at.
const PORTS_START: &str = "PM";
/// What planes call at, with a number of more than one digit behind it.
const AIRPORTS_START: &str = "EA";

/// What calls at a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StationKind {
    /// Ships.
    Port,
    /// Planes.
    Airport,
    /// Trains.
    Railway,
}

listed!(TEXT);

/// What calls at the station with that code, if there is one.
#[must_use]
pub fn kind_of(code: &str) -> Option<StationKind> {
    let code = find(code)?.code;
    let is_airport = code.strip_prefix(AIRPORTS_START).is_some_and(|number| number.len() > 1);
    Some(if code.starts_with(PORTS_START) {
        StationKind::Port
    } else if is_airport {
        StationKind::Airport
    } else {
        StationKind::Railway
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_station_is_found() {
        assert_eq!(all().count(), 8_447);
        assert!(all().is_sorted_by_key(|station| station.code));
        assert!(all().all(|station| find(station.code) == Some(station)));
        assert_eq!(find("PM005").unwrap().name, "Ensenada");
        assert!(find("").is_none() && find("PM999").is_none());
    }

    #[test]
    fn codes_tell_what_calls_at_a_station() {
        for (code, kind) in [
            ("PM005", Some(StationKind::Port)),
            ("EA0001", Some(StationKind::Airport)),
            ("EA001", Some(StationKind::Airport)),
            ("EA0", Some(StationKind::Railway)),
            ("EF0001", Some(StationKind::Railway)),
            ("A0007", Some(StationKind::Railway)),
            ("PM999", None),
        ] {
            assert_eq!(kind_of(code), kind, "{code}");
        }
    }
}
