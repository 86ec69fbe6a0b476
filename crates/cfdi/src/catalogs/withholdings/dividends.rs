//! What dividends are paid out of (c_TipoDividendoOUtilidadDistribuida).

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("01", "Proviene de CUFIN"),
    Entry::new("02", "No proviene de CUFIN"),
    Entry::new("03", "Reembolso o reducción de capital"),
    Entry::new("04", "Liquidación de la persona moral"),
    Entry::new("05", "CUFINRE"),
    Entry::new("06", "Proviene de CUFIN al 31 de diciembre 2013"),
];

catalog!(Entry, ROWS);
