//! Units in which customs count goods (c_UnidadAduana).

use super::Entry;
use super::row::catalog;

/// The code of what is no goods.
pub const SERVICE: &str = "99";

const ROWS: &[Entry] = &[
    Entry::new("01", "KILO"),
    Entry::new("02", "GRAMO"),
    Entry::new("03", "METRO LINEAL"),
    Entry::new("04", "METRO CUADRADO"),
    Entry::new("05", "METRO CUBICO"),
    Entry::new("06", "PIEZA"),
    Entry::new("07", "CABEZA"),
    Entry::new("08", "LITRO"),
    Entry::new("09", "PAR"),
    Entry::new("10", "KILOWATT"),
    Entry::new("11", "MILLAR"),
    Entry::new("12", "JUEGO"),
    Entry::new("13", "KILOWATT/HORA"),
    Entry::new("14", "TONELADA"),
    Entry::new("15", "BARRIL"),
    Entry::new("16", "GRAMO NETO"),
    Entry::new("17", "DECENAS"),
    Entry::new("18", "CIENTOS"),
    Entry::new("19", "DOCENAS"),
    Entry::new("20", "CAJA"),
    Entry::new("21", "BOTELLA"),
    Entry::new("22", "CARAT"),
    Entry::new(SERVICE, "SERVICIO"),
];

catalog!(Entry, ROWS);
