//! Postal codes: where each is, and the time there (c_CodigoPostal, c_Municipio, c_Localidad).

use super::states;
use super::table;
pub use super::zones::Zone;

/// Where a code is: the number of its place, two bytes for each of the 100,000 codes.
const CODES: &[[u8; 2]] = include_bytes!("../../data/postal_codes.bin").as_chunks().0;
/// The places: columns for state (3), municipality (3), locality (2), stimulus (1) and zone (1).
const PLACES: &[[u8; 11]] = include_bytes!("../../data/postal_places.txt").as_chunks().0;
const MUNICIPALITIES: &str = include_str!("../../data/municipalities.tsv");
const LOCALITIES: &str = include_str!("../../data/localities.tsv");

const DIGITS: usize = 5;

/// Where a postal code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostalCode {
    /// The code of the state.
    pub state: &'static str,
    /// The code of the municipality, unique in its state; SAT leaves it out for most codes that no
    /// settlement has.
    pub municipality: Option<&'static str>,
    /// The code of the locality, unique in its state.
    pub locality: Option<&'static str>,
    /// Which stimulus of the border regions is given there.
    pub border: Option<Border>,
    zone: Zone,
}

/// A border region where IVA can be 8 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Along the United States.
    North,
    /// Along Guatemala and Belize.
    South,
}

impl PostalCode {
    /// The time zone that documents issued there are dated in.
    #[must_use]
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// What the state is called.
    #[must_use]
    pub fn state_name(&self) -> Option<&'static str> {
        states::find(self.state).map(|state| state.name)
    }

    /// What the municipality is called.
    #[must_use]
    pub fn municipality_name(&self) -> Option<&'static str> {
        name(MUNICIPALITIES, self.state, self.municipality?)
    }

    /// What the locality is called.
    #[must_use]
    pub fn locality_name(&self) -> Option<&'static str> {
        name(LOCALITIES, self.state, self.locality?)
    }
}

/// What the municipality with that code in a state of Mexico is called (c_Municipio).
#[must_use]
pub fn municipality_name(state: &str, code: &str) -> Option<&'static str> {
    name(MUNICIPALITIES, state, code)
}

/// What the locality with that code in a state of Mexico is called (c_Localidad).
#[must_use]
pub fn locality_name(state: &str, code: &str) -> Option<&'static str> {
    name(LOCALITIES, state, code)
}

fn name(places: &'static str, state: &str, code: &str) -> Option<&'static str> {
    // The codes of states have three letters, so that one can be told from the other.
    let line = table::find(places, &format!("{state:3}{code}"))?;
    let [_, name] = table::fields(line);
    Some(name)
}

/// How many postal codes there are.
#[must_use]
pub fn count() -> usize {
    CODES.iter().filter(|place| usize::from(u16::from_le_bytes(**place)) < PLACES.len()).count()
}

/// Where the postal code is, when there is one of these five digits.
#[must_use]
pub fn find(code: &str) -> Option<PostalCode> {
    if code.len() != DIGITS || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let place = CODES.get(code.parse::<usize>().ok()?)?;
    read(PLACES.get(usize::from(u16::from_le_bytes(*place)))?)
}

fn read(place: &'static [u8; 11]) -> Option<PostalCode> {
    let place = std::str::from_utf8(place).ok()?;
    let column =
        |start, end| Some(place.get(start..end)?.trim_end()).filter(|text| !text.is_empty());
    Some(PostalCode {
        state: column(0, 3)?,
        municipality: column(3, 6),
        locality: column(6, 8),
        border: match column(8, 9)? {
            "1" => Some(Border::North),
            "2" => Some(Border::South),
            _ => None,
        },
        zone: match column(9, 10)? {
            "C" => Zone::Central,
            "F" => Zone::CentralBorder,
            "P" => Zone::Pacific,
            "N" => Zone::Northwest,
            "S" => Zone::Southeast,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_their_place_and_zone() {
        for (code, state, municipality, border, zone) in [
            ("06600", "CMX", "Cuauhtémoc", None, Zone::Central),
            ("77500", "ROO", "Benito Juárez", None, Zone::Southeast),
            ("22000", "BCN", "Tijuana", Some(Border::North), Zone::Northwest),
            ("32000", "CHH", "Juárez", Some(Border::North), Zone::CentralBorder),
            ("88000", "TAM", "Nuevo Laredo", Some(Border::North), Zone::CentralBorder),
            ("83000", "SON", "Hermosillo", None, Zone::Pacific),
            ("80000", "SIN", "Culiacán", None, Zone::Pacific),
            ("30700", "CHP", "Tapachula", Some(Border::South), Zone::Central),
            ("64000", "NLE", "Monterrey", None, Zone::Central),
        ] {
            let found = find(code).unwrap();
            assert_eq!(found.state, state, "{code}");
            assert_eq!(found.municipality_name(), Some(municipality), "{code}");
            assert_eq!((found.border, found.zone()), (border, zone), "{code}");
        }
    }

    #[test]
    fn only_codes_of_the_catalog_are_found() {
        assert_eq!(count(), 95_749);
        for code in ["99998x", "9999", "", "+6600", "０６６００", "19000"] {
            assert_eq!(find(code), None, "{code}");
        }
    }

    #[test]
    fn places_are_found_in_their_state_only() {
        assert_eq!(municipality_name("CMX", "015"), Some("Cuauhtémoc"));
        assert_eq!(municipality_name("CMX", "115"), None);
        assert_eq!(municipality_name("CM", "X015"), None);
        assert_eq!(locality_name("BCN", "01"), Some("Ensenada"));
        assert_eq!(locality_name("TX", "01"), None);
    }

    #[test]
    fn every_place_can_be_read_and_named() {
        for place in PLACES {
            let place = read(place).unwrap();
            assert!(place.state_name().is_some(), "{place:?}");
            // SAT's code 00000 is in a municipality that has no name.
            let nameless = place.municipality == Some("000");
            assert_eq!(
                place.municipality.is_some(),
                place.municipality_name().is_some() || nameless
            );
            assert_eq!(place.locality.is_some(), place.locality_name().is_some() || nameless);
        }
    }
}
