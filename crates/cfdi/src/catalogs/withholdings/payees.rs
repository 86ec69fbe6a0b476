//! Whom abroad a payment goes to (c_TipoContribuyenteSujetoRetencion).

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("1", "Artistas, deportistas y espectáculos públicos"),
    Entry::new("2", "Otras personas físicas"),
    Entry::new("3", "Persona moral"),
    Entry::new("4", "Fideicomiso"),
    Entry::new("5", "Asociación en participación"),
    Entry::new("6", "Organizaciones Internacionales o de gobierno"),
    Entry::new("7", "Organizaciones exentas"),
    Entry::new("8", "Agentes pagadores"),
    Entry::new("9", "Otros"),
];

catalog!(Entry, ROWS);
