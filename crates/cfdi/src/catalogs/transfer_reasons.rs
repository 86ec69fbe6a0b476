//! Why goods leave the country that are not sold by it (c_MotivoTraslado).

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] = &[
    Entry::new("01", "Envío de mercancias facturadas con anterioridad"),
    Entry::new("02", "Reubicación de mercancías propias"),
    Entry::new("03", "Envío de mercancías objeto de contrato de consignación"),
    Entry::new("04", "Envío de mercancías para posterior enajenación"),
    Entry::new("05", "Envío de mercancías propiedad de terceros"),
    Entry::new("99", "Otros"),
];

catalog!(Entry, ROWS);
