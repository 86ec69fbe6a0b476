//! The catalogs of the complement Carta Porte 3.1.

pub mod air_carriers;
pub mod cargo_types;
pub mod conditions;
pub mod customs_documents;
pub mod customs_regimes;
pub mod dosage_forms;
pub mod figures;
pub mod goods;
pub mod hazardous_materials;
pub mod health_sectors;
pub mod isthmus_poles;
pub mod material_types;
pub mod packagings;
pub mod parts;
pub mod permits;
pub mod rail_cars;
pub mod rail_containers;
pub mod rail_services;
pub mod rail_traffic;
pub mod ship_agents;
pub mod ship_containers;
pub mod ships;
pub mod station_types;
pub mod stations;
pub mod track_rights;
pub mod trailers;
pub mod transport_modes;
pub mod vehicles;
pub mod weight_units;

use time::Date;
use time::macros::date;

use super::{Entry, table};

/// Since when version 3.1 is valid.
const START: Date = date!(2024 - 07 - 17);

/// Writes `all` and `find` of a catalog that is a table of codes and names, the constant `$text`.
macro_rules! listed {
    ($text:ident) => {
        /// The whole catalog, by code. The name is empty where the packages that it is read from have none.
        pub fn all() -> impl Iterator<Item = $crate::catalogs::Entry> {
            $text.lines().map($crate::catalogs::carta_porte::read)
        }

        /// The row with that code.
        #[must_use]
        pub fn find(code: &str) -> Option<$crate::catalogs::Entry> {
            $crate::catalogs::table::find($text, code).map($crate::catalogs::carta_porte::read)
        }
    };
}

use listed;

fn read(line: &'static str) -> Entry {
    let [code, name] = table::fields(line);
    entry(code, name)
}

const fn entry(code: &'static str, name: &'static str) -> Entry {
    Entry::since(code, name, START)
}
