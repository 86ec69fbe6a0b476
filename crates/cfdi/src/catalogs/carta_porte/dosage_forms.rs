//! Forms of medicines (c_FormaFarmaceutica).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("01", "Tableta"),
    entry("02", "Capsulas"),
    entry("03", "Comprimidos"),
    entry("04", "Grageas"),
    entry("05", "Suspensión"),
    entry("06", "Solución"),
    entry("07", "Emulsión"),
    entry("08", "Jarabe"),
    entry("09", "Inyectable"),
    entry("10", "Crema"),
    entry("11", "Ungüento"),
    entry("12", "Aerosol"),
    entry("13", "Gas medicinal"),
    entry("14", "Gel"),
    entry("15", "Implante"),
    entry("16", "Óvulo"),
    entry("17", "Parche"),
    entry("18", "Pasta"),
    entry("19", "Polvo"),
    entry("20", "Supositorio"),
];

catalog!(Entry, ROWS);
