//! How a tax is reckoned (c_TipoFactor).

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] =
    &[Entry::new("Tasa", "Tasa"), Entry::new("Cuota", "Cuota"), Entry::new("Exento", "Exento")];

catalog!(Entry, ROWS);
