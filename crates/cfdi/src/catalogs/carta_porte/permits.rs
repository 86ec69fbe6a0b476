//! Permits to transport goods (c_TipoPermiso).

use time::Date;

use super::START;
use crate::catalogs::row::{catalog, row};

/// A kind of permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether it is for transport by road.
    pub road: bool,
    /// Whether it is for transport by sea.
    pub sea: bool,
    /// Whether it is for transport by air.
    pub air: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(Permit);

const ROWS: &[Permit] = &[
    road("TPAF01", "Autotransporte Federal de carga general"),
    road("TPAF02", "Transporte privado de carga"),
    road(
        "TPAF03",
        "Autotransporte Federal de Carga Especializada de materiales y residuos peligrosos",
    ),
    road("TPAF04", "Transporte de automóviles sin rodar en vehículo tipo góndola"),
    road("TPAF05", "Transporte de carga de gran peso y/o volumen de hasta 90 toneladas"),
    road(
        "TPAF06",
        "Transporte de carga especializada de gran peso y/o volumen de más 90 toneladas",
    ),
    road("TPAF07", "Transporte Privado de materiales y residuos peligrosos"),
    road("TPAF08", "Autotransporte internacional de carga de largo recorrido"),
    road(
        "TPAF09",
        "Autotransporte internacional de carga especializada de materiales y residuos peligrosos de largo recorrido",
    ),
    road(
        "TPAF10",
        "Autotransporte Federal de Carga General cuyo ámbito de aplicación comprende la franja fronteriza con Estados Unidos",
    ),
    road(
        "TPAF11",
        "Autotransporte Federal de Carga Especializada cuyo ámbito de aplicación comprende la franja fronteriza con Estados Unidos",
    ),
    road("TPAF12", "Servicio auxiliar de arrastre en las vías generales de comunicación"),
    road(
        "TPAF13",
        "Servicio auxiliar de servicios de arrastre, arrastre y salvamento, y depósito de vehículos en las vías generales de comunicación",
    ),
    road("TPAF14", "Servicio de paquetería y mensajería en las vías generales de comunicación"),
    road(
        "TPAF15",
        "Transporte especial para el tránsito de grúas industriales con peso máximo de 90 toneladas",
    ),
    road("TPAF16", "Servicio federal para empresas arrendadoras servicio público federal"),
    road("TPAF17", "Empresas trasladistas de vehículos nuevos"),
    road("TPAF18", "Empresas fabricantes o distribuidoras de vehículos nuevos"),
    road(
        "TPAF19",
        "Autorización expresa para circular en los caminos y puentes de jurisdicción federal con configuraciones de tractocamión doblemente articulado",
    ),
    road("TPAF20", "Autotransporte Federal de Carga Especializada de fondos y valores"),
    air(
        "TPTA01",
        "Concesión y/o autorización para el servicio regular nacional y/o internacional para empresas mexicanas",
    ),
    air("TPTA02", "Permiso para el servicio aéreo regular de empresas extranjeras"),
    air("TPTA03", "Permiso para el servicio nacional e internacional no regular de fletamento"),
    air("TPTA04", "Permiso para el servicio nacional e internacional no regular de taxi aéreo"),
    sea("TPTM01", "Permiso temporal para navegación de cabotaje"),
    Permit { sea: true, air: true, ..road("TPXX00", "Permiso no contemplado en el catálogo") },
];

catalog!(Permit, ROWS);

const fn road(code: &'static str, name: &'static str) -> Permit {
    Permit { code, name, road: true, sea: false, air: false, valid_from: START, valid_until: None }
}

const fn sea(code: &'static str, name: &'static str) -> Permit {
    Permit { road: false, sea: true, ..road(code, name) }
}

const fn air(code: &'static str, name: &'static str) -> Permit {
    Permit { road: false, air: true, ..road(code, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_of_ships_and_planes_are_not_for_the_road() {
        assert_eq!(all().iter().filter(|permit| permit.road).count(), 21);
        assert!(find("TPAF01").unwrap().road && find("TPXX00").unwrap().road);
        assert!(!find("TPTA01").unwrap().road && !find("TPTM01").unwrap().road);
        assert_eq!(all().iter().filter(|permit| permit.air).count(), 5);
        assert_eq!(all().iter().filter(|permit| permit.sea).count(), 2);
    }
}
