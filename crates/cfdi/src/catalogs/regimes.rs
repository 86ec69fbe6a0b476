//! Tax regimes and who can be in them (c_RegimenFiscal).

use time::Date;

use super::row::{START, catalog, row};

/// A tax regime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regime {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether natural persons can be in it.
    pub natural: bool,
    /// Whether legal persons can be in it.
    pub legal: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(Regime);

impl Regime {
    /// Whether whoever has this RFC can be in it: twelve characters are a legal person's, thirteen a natural one's. Of
    /// what is no RFC nobody knows.
    #[must_use]
    pub fn suits(&self, rfc: &str) -> bool {
        match rfc.chars().count() {
            12 => self.legal,
            13 => self.natural,
            _ => true,
        }
    }
}

const ROWS: &[Regime] = &[
    legal("601", "General de Ley Personas Morales"),
    legal("603", "Personas Morales con Fines no Lucrativos"),
    natural("605", "Sueldos y Salarios e Ingresos Asimilados a Salarios"),
    natural("606", "Arrendamiento"),
    natural("607", "Régimen de Enajenación o Adquisición de Bienes"),
    natural("608", "Demás ingresos"),
    any("610", "Residentes en el Extranjero sin Establecimiento Permanente en México"),
    natural("611", "Ingresos por Dividendos (socios y accionistas)"),
    natural("612", "Personas Físicas con Actividades Empresariales y Profesionales"),
    natural("614", "Ingresos por intereses"),
    natural("615", "Régimen de los ingresos por obtención de premios"),
    natural("616", "Sin obligaciones fiscales"),
    legal("620", "Sociedades Cooperativas de Producción que optan por diferir sus ingresos"),
    natural("621", "Incorporación Fiscal"),
    legal("622", "Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras"),
    legal("623", "Opcional para Grupos de Sociedades"),
    legal("624", "Coordinados"),
    natural(
        "625",
        "Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas",
    ),
    any("626", "Régimen Simplificado de Confianza"),
];

catalog!(Regime, ROWS);

const fn any(code: &'static str, name: &'static str) -> Regime {
    Regime { code, name, natural: true, legal: true, valid_from: START, valid_until: None }
}

const fn natural(code: &'static str, name: &'static str) -> Regime {
    Regime { legal: false, ..any(code, name) }
}

const fn legal(code: &'static str, name: &'static str) -> Regime {
    Regime { natural: false, ..any(code, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_regime_is_for_some_kind_of_person() {
        assert_eq!(all().len(), 19);
        for (code, natural, legal) in
            [("601", false, true), ("612", true, false), ("616", true, false), ("626", true, true)]
        {
            let regime = find(code).unwrap();
            assert_eq!((regime.natural, regime.legal), (natural, legal), "{code}");
        }
        assert!(all().iter().all(|regime| regime.natural || regime.legal));
        for (code, rfc, suits) in [
            ("601", "EKU9003173C9", true),
            ("601", "CACX7605101P8", false),
            ("612", "EKU9003173C9", false),
            ("612", "CACX7605101P8", true),
            ("601", "Ñ&A010101AAA", true),
            ("626", "EKU9003173C9", true),
            ("612", "", true),
        ] {
            assert_eq!(find(code).unwrap().suits(rfc), suits, "{code} {rfc}");
        }
        // In the schema for other documents, but not in the catalog of CFDI 4.0.
        assert!(find("609").is_none());
    }
}
