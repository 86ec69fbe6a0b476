//! What of a transport belongs to others (c_ParteTransporte).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("PT01", "Camión unitario"),
    entry("PT02", "Camión"),
    entry("PT03", "Tractocamión"),
    entry("PT04", "Remolque"),
    entry("PT05", "Semirremolque"),
    entry("PT06", "Vehículo ligero de carga"),
    entry("PT07", "Grúa"),
    entry("PT08", "Aeronave"),
    entry("PT09", "Barco o buque"),
    entry("PT10", "Carro o vagón"),
    entry("PT11", "Contenedor"),
    entry("PT12", "Locomotora"),
];

catalog!(Entry, ROWS);
