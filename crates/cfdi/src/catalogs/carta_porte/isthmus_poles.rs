//! Development poles of the Isthmus of Tehuantepec (c_RegistroISTMO).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("01", "Coatzacoalcos I"),
    entry("02", "Coatzacoalcos II"),
    entry("03", "Texistepec"),
    entry("04", "San Juan Evangelista"),
    entry("05", "Salina Cruz"),
    entry("06", "San Blas Atempa"),
];

catalog!(Entry, ROWS);
