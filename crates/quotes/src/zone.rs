//! Where a quote's days begin and end: the time zone of the merchant's tax address, as SAT's catalog of postal codes has it.

pub use cfdi::catalogs::zones::Zone;
use kernel::{Message, message};

/// Every zone.
pub const ZONES: &[Zone] =
    &[Zone::Central, Zone::CentralBorder, Zone::Pacific, Zone::Northwest, Zone::Southeast];

/// Its name in the database of IANA.
#[must_use]
pub const fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Central => "America/Mexico_City",
        Zone::CentralBorder => "America/Matamoros",
        Zone::Pacific => "America/Mazatlan",
        Zone::Northwest => "America/Tijuana",
        Zone::Southeast => "America/Cancun",
    }
}

/// What people call its time.
#[must_use]
pub fn zone_time(zone: Zone) -> Message {
    match zone {
        Zone::Central => message!("Mexico City time", "hora del centro"),
        Zone::CentralBorder => message!("Matamoros time", "hora del centro en la frontera"),
        Zone::Pacific => message!("Mazatlán time", "hora del Pacífico"),
        Zone::Northwest => message!("Tijuana time", "hora del noroeste"),
        Zone::Southeast => message!("Cancún time", "hora del sureste"),
    }
}
