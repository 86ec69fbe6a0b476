//! The states of Mexico by number (c_EntidadesFederativas).

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("01", "AGUASCALIENTES"),
    Entry::new("02", "BAJA CALIFORNIA"),
    Entry::new("03", "BAJA CALIFORNIA SUR"),
    Entry::new("04", "CAMPECHE"),
    Entry::new("05", "COAHUILA"),
    Entry::new("06", "COLIMA"),
    Entry::new("07", "CHIAPAS"),
    Entry::new("08", "CHIHUAHUA"),
    Entry::new("09", "CIUDAD DE MEXICO"),
    Entry::new("10", "DURANGO"),
    Entry::new("11", "GUANAJUATO"),
    Entry::new("12", "GUERRERO"),
    Entry::new("13", "HIDALGO"),
    Entry::new("14", "JALISCO"),
    Entry::new("15", "MEXICO"),
    Entry::new("16", "MICHOACAN"),
    Entry::new("17", "MORELOS"),
    Entry::new("18", "NAYARIT"),
    Entry::new("19", "NUEVO LEON"),
    Entry::new("20", "OAXACA"),
    Entry::new("21", "PUEBLA"),
    Entry::new("22", "QUERETARO"),
    Entry::new("23", "QUINTANA ROO"),
    Entry::new("24", "SAN LUIS POTOSI"),
    Entry::new("25", "SINALOA"),
    Entry::new("26", "SONORA"),
    Entry::new("27", "TABASCO"),
    Entry::new("28", "TAMAULIPAS"),
    Entry::new("29", "TLAXCALA"),
    Entry::new("30", "VERACRUZ"),
    Entry::new("31", "YUCATAN"),
    Entry::new("32", "ZACATECAS"),
];

catalog!(Entry, ROWS);
