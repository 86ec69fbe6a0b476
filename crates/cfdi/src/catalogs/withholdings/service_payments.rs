//! How what is sold through a platform is paid (c_FormaPagoServ).

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("01", "Efectivo"),
    Entry::new("02", "Transferencia electrónica de fondos"),
    Entry::new("03", "Tarjeta de crédito"),
    Entry::new("04", "Monedero electrónico"),
    Entry::new("05", "Dinero electrónico"),
    Entry::new("06", "Tarjeta de débito"),
    Entry::new("07", "Tarjeta de servicios"),
    Entry::new("08", "Intermediario pagos"),
    Entry::new("09", "Otros ingresos por premios, bonificaciones o análogos"),
];

catalog!(Entry, ROWS);
