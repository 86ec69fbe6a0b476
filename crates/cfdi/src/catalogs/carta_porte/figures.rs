//! Who takes part in a transport (c_FiguraTransporte).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

/// Who drives.
pub const OPERATOR: &str = "01";

/// Whom the vehicle or a part of it belongs to.
pub const OWNER: &str = "02";

/// Who lets the vehicle or a part of it.
pub const LESSOR: &str = "03";

const ROWS: &[Entry] = &[
    entry(OPERATOR, "Operador"),
    entry(OWNER, "Propietario"),
    entry(LESSOR, "Arrendador"),
    entry("04", "Notificado"),
    entry("05", "Integrante de Coordinados"),
];

catalog!(Entry, ROWS);
