//! Why a document refers to others (c_TipoRelacion).

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] = &[
    Entry::new("01", "Nota de crédito de los documentos relacionados"),
    Entry::new("02", "Nota de débito de los documentos relacionados"),
    Entry::new("03", "Devolución de mercancía sobre facturas o traslados previos"),
    Entry::new("04", "Sustitución de los CFDI previos"),
    Entry::new("05", "Traslados de mercancías facturados previamente"),
    Entry::new("06", "Factura generada por los traslados previos"),
    Entry::new("07", "CFDI por aplicación de anticipo"),
];

catalog!(Entry, ROWS);
