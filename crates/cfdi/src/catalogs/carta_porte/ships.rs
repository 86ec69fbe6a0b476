//! Kinds of ships (c_ConfigMaritima).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("B01", "Abastecedor"),
    entry("B02", "Barcaza"),
    entry("B03", "Granelero"),
    entry("B04", "Porta Contenedor"),
    entry("B05", "Draga"),
    entry("B06", "Pesquero"),
    entry("B07", "Carga General"),
    entry("B08", "Quimiqueros"),
    entry("B09", "Transbordadores"),
    entry("B10", "Carga RoRo"),
    entry("B11", "Investigación"),
    entry("B12", "Tanquero"),
    entry("B13", "Gasero"),
    entry("B14", "Remolcador"),
    entry("B15", "Extraordinaria especialización"),
];

catalog!(Entry, ROWS);
