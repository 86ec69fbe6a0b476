//! What is sold through a platform (c_TipoDeServ).

use time::macros::date;

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("01", "Transporte terrestre de pasajeros"),
    Entry::new("02", "Entrega de alimentos preparados"),
    Entry::new("03", "Entrega de bienes (distintos de alimentos preparados)"),
    Entry::new("04", "Hospedaje"),
    Entry::new("05", "Comercio de bienes"),
    Entry::new("06", "Otro tipo de servicios"),
    Entry::new("07", "Descarga o acceso a contenido digital, así como otros contenidos multimedia"),
    Entry::new("08", "Clubes en línea y páginas de citas"),
    Entry::new("09", "Enseñanza a distancia o test o ejercicios"),
    Entry::since("11", "Juegos con apuestas y sorteos", date!(2026 - 01 - 01)),
];

catalog!(Entry, ROWS);
