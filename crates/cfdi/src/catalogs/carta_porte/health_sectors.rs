//! Goods that the health authority, COFEPRIS, controls (c_SectorCOFEPRIS).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("01", "Medicamento"),
    entry("02", "Precursores y químicos de uso dual"),
    entry("03", "Psicotrópicos y estupefacientes"),
    entry("04", "Sustancias tóxicas"),
    entry("05", "Plaguicidas y fertilizantes"),
];

catalog!(Entry, ROWS);
