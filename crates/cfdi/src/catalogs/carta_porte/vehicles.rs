//! Vehicles by their axles and tires, and whether they draw trailers (c_ConfigAutotransporte).

use time::Date;

use super::START;
use crate::catalogs::row::{catalog, row};

/// A configuration of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether it draws trailers.
    pub trailers: Trailers,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

/// Whether a vehicle draws trailers (the column *Remolque*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trailers {
    /// It has at least one.
    Required,
    /// It may have one.
    Optional,
    /// It has none.
    Never,
}

row!(Vehicle);

const ROWS: &[Vehicle] = &[
    never("C2", "Camión Unitario (2 llantas en el eje delantero y 4 llantas en el eje trasero)"),
    required("C2R2", "Camión-Remolque (6 llantas en el camión y 8 llantas en remolque)"),
    required("C2R3", "Camión-Remolque (6 llantas en el camión y 12 llantas en remolque)"),
    never(
        "C3",
        "Camión Unitario (2 llantas en el eje delantero y 6 o 8 llantas en los dos ejes traseros)",
    ),
    required("C3R2", "Camión-Remolque (10 llantas en el camión y 8 llantas en remolque)"),
    required("C3R3", "Camión-Remolque (10 llantas en el camión y 12 llantas en remolque)"),
    never("GPLATA", "Grúa de Plataforma Tipo A"),
    never("GPLATB", "Grúa de Plataforma Tipo B"),
    never("GPLATC", "Grúa de Plataforma Tipo C"),
    never("GPLATD", "Grúa de Plataforma Tipo D"),
    never("GPLUTA", "Grúa de Pluma Tipo A"),
    never("GPLUTB", "Grúa de Pluma Tipo B"),
    never("GPLUTC", "Grúa de Pluma Tipo C"),
    never("GPLUTD", "Grúa de Pluma Tipo D"),
    optional("OTROEVGP", "Especializado de carga Voluminosa y/o Gran Peso"),
    never("OTROSG", "Servicio de Grúas"),
    required(
        "T2S1",
        "Tractocamión Articulado (6 llantas en el tractocamión, 4 llantas en el semirremolque)",
    ),
    required(
        "T2S1R2",
        "Tractocamión Semirremolque-Remolque (6 llantas en el tractocamión, 4 llantas en el semirremolque y 8 llantas en el remolque)",
    ),
    required(
        "T2S1R3",
        "Tractocamión Semirremolque-Remolque (6 llantas en el tractocamión, 4 llantas en el semirremolque y 12 llantas en el remolque)",
    ),
    required(
        "T2S2",
        "Tractocamión Articulado (6 llantas en el tractocamión, 8 llantas en el semirremolque)",
    ),
    required(
        "T2S2R2",
        "Tractocamión Semirremolque-Remolque (6 llantas en el tractocamión, 8 llantas en el semirremolque y 8 llantas en el remolque)",
    ),
    required(
        "T2S2S2",
        "Tractocamión Semirremolque-Semirremolque (6 llantas en el tractocamión, 8 llantas en el semirremolque delantero y 8 llantas en el semirremolque trasero)",
    ),
    required(
        "T2S3",
        "Tractocamión Articulado (6 llantas en el tractocamión, 12 llantas en el semirremolque)",
    ),
    required(
        "T3S1",
        "Tractocamión Articulado (10 llantas en el tractocamión, 4 llantas en el semirremolque)",
    ),
    required(
        "T3S1R2",
        "Tractocamión Semirremolque-Remolque (10 llantas en el tractocamión, 4 llantas en el semirremolque y 8 llantas en el remolque)",
    ),
    required(
        "T3S1R3",
        "Tractocamión Semirremolque-Remolque (10 llantas en el tractocamión, 4 llantas en el semirremolque y 12 llantas en el remolque)",
    ),
    required(
        "T3S2",
        "Tractocamión Articulado (10 llantas en el tractocamión, 8 llantas en el semirremolque)",
    ),
    required(
        "T3S2R2",
        "Tractocamión Semirremolque-Remolque (10 llantas en el tractocamión, 8 llantas en el semirremolque y 8 llantas en el remolque)",
    ),
    required(
        "T3S2R3",
        "Tractocamión Semirremolque-Remolque (10 llantas en el tractocamión, 8 llantas en el semirremolque y 12 llantas en el remolque)",
    ),
    required(
        "T3S2R4",
        "Tractocamión Semirremolque-Remolque (10 llantas en el tractocamión, 8 llantas en el semirremolque y 16 llantas en el remolque)",
    ),
    required(
        "T3S2S2",
        "Tractocamión Semirremolque-Semirremolque (10 llantas en el tractocamión, 8 llantas en el semirremolque delantero y 8 llantas en el semirremolque trasero)",
    ),
    required(
        "T3S3",
        "Tractocamión Articulado (10 llantas en el tractocamión, 12 llantas en el semirremolque)",
    ),
    required(
        "T3S3S2",
        "Tractocamión Semirremolque-Semirremolque (10 llantas en el tractocamión, 12 llantas en el semirremolque delantero y 8 llantas en el semirremolque trasero)",
    ),
    optional(
        "VL",
        "Vehículo ligero de carga (2 llantas en el eje delantero y 2 llantas en el eje trasero)",
    ),
];

catalog!(Vehicle, ROWS);

const fn required(code: &'static str, name: &'static str) -> Vehicle {
    let trailers = Trailers::Required;
    Vehicle { code, name, trailers, valid_from: START, valid_until: None }
}

const fn optional(code: &'static str, name: &'static str) -> Vehicle {
    Vehicle { trailers: Trailers::Optional, ..required(code, name) }
}

const fn never(code: &'static str, name: &'static str) -> Vehicle {
    Vehicle { trailers: Trailers::Never, ..required(code, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tractors_draw_trailers_and_single_trucks_do_not() {
        for (code, trailers) in [
            ("T3S2", Trailers::Required),
            ("C2R2", Trailers::Required),
            ("VL", Trailers::Optional),
            ("OTROEVGP", Trailers::Optional),
            ("C2", Trailers::Never),
            ("GPLUTA", Trailers::Never),
        ] {
            assert_eq!(find(code).unwrap().trailers, trailers, "{code}");
        }
        // In the schema, but no longer in the catalog.
        assert!(find("OTROEV").is_none());
    }
}
