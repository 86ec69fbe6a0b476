//! What is withheld from, or informed of, and the complement that it takes (c_CveRetenc).

use time::Date;

use crate::catalogs::row::{START, catalog, row};

/// Any other kind, which is described in words.
pub const OTHER: &str = "25";

/// Payments to those who were in the regime of fiscal incorporation, which state profits and no operations.
pub const INCORPORATION: &str = "28";

/// What a withholding is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// The complement that it takes.
    pub complement: Option<Complement>,
    /// Whether it takes it only when the receiver resides abroad.
    pub only_abroad: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(Kind);

/// A complement of withholdings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complement {
    /// *Dividendos*.
    Dividends,
    /// *Intereses*.
    Interest,
    /// *Pagos a extranjeros*.
    ForeignPayment,
    /// *Arrendamiento en fideicomiso*.
    TrustLease,
    /// *Enajenación de acciones*.
    ShareSale,
    /// *Premios*.
    Prize,
    /// *Servicios de plataformas tecnológicas*.
    PlatformServices,
    /// *Fideicomiso no empresarial*.
    Trust,
    /// *Planes de retiro*.
    RetirementPlan,
    /// *Intereses hipotecarios*.
    MortgageInterest,
    /// *Operaciones con derivados*.
    Derivatives,
}

impl Complement {
    /// What SAT calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dividends => "Dividendos",
            Self::Interest => "Intereses",
            Self::ForeignPayment => "Pagos a extranjeros",
            Self::TrustLease => "Arrendamiento en fideicomiso",
            Self::ShareSale => "Enajenación de acciones",
            Self::Prize => "Premios",
            Self::PlatformServices => "Servicios de plataformas tecnológicas",
            Self::Trust => "Fideicomiso no empresarial",
            Self::RetirementPlan => "Planes de retiro",
            Self::MortgageInterest => "Intereses hipotecarios",
            Self::Derivatives => "Operaciones con derivados",
        }
    }
}

const ROWS: &[Kind] = &[
    abroad("01", "Servicios profesionales"),
    abroad("02", "Regalías por derechos de autor"),
    bare("03", "Autotransporte terrestre de carga"),
    abroad("04", "Servicios prestados por comisionistas"),
    abroad("05", "Arrendamiento"),
    with("06", "Enajenación de acciones", Complement::ShareSale),
    bare(
        "07",
        "Enajenación de bienes objeto de la LIEPS, a través de mediadores, agentes, representantes, \
         corredores, consignatarios o distribuidores",
    ),
    bare("08", "Enajenación de bienes inmuebles consignada en escritura pública"),
    bare("09", "Enajenación de otros bienes, no consignada en escritura pública"),
    bare("10", "Adquisición de desperdicios industriales"),
    bare("11", "Adquisición de bienes consignada en escritura pública"),
    bare("12", "Adquisición de otros bienes, no consignada en escritura pública"),
    bare("13", "Otros retiros de AFORE"),
    with("14", "Dividendos o utilidades distribuidas", Complement::Dividends),
    with("15", "Remanente distribuible", Complement::Dividends),
    with("16", "Intereses", Complement::Interest),
    with("17", "Arrendamiento en fideicomiso", Complement::TrustLease),
    with(
        "18",
        "Pagos realizados a favor de residentes en el extranjero",
        Complement::ForeignPayment,
    ),
    with("19", "Enajenación de acciones u operaciones en bolsa de valores", Complement::ShareSale),
    with("20", "Obtención de premios", Complement::Prize),
    with("21", "Fideicomisos que no realizan actividades empresariales", Complement::Trust),
    with("22", "Planes personales de retiro", Complement::RetirementPlan),
    with(
        "23",
        "Intereses reales deducibles por créditos hipotecarios",
        Complement::MortgageInterest,
    ),
    with("24", "Operaciones Financieras Derivadas de Capital", Complement::Derivatives),
    bare(OTHER, "Otro tipo de retenciones"),
    with("26", "Servicios mediante Plataformas Tecnológicas", Complement::PlatformServices),
    // Only trustees add a complement to it.
    bare("27", "Sector Financiero"),
    bare(INCORPORATION, "Pagos y retenciones a Contribuyentes del RIF"),
];

catalog!(Kind, ROWS);

const fn bare(code: &'static str, name: &'static str) -> Kind {
    Kind { code, name, complement: None, only_abroad: false, valid_from: START, valid_until: None }
}

const fn with(code: &'static str, name: &'static str, complement: Complement) -> Kind {
    Kind { complement: Some(complement), ..bare(code, name) }
}

const fn abroad(code: &'static str, name: &'static str) -> Kind {
    Kind { only_abroad: true, ..with(code, name, Complement::ForeignPayment) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_complement() {
        assert_eq!(all().len(), 28);
        assert!(all().iter().zip(1..).all(|(kind, number)| kind.code == format!("{number:02}")));
        for (code, complement, only_abroad) in [
            ("01", Some(Complement::ForeignPayment), true),
            ("14", Some(Complement::Dividends), false),
            ("18", Some(Complement::ForeignPayment), false),
            ("25", None, false),
            ("27", None, false),
        ] {
            let kind = find(code).unwrap();
            assert_eq!((kind.complement, kind.only_abroad), (complement, only_abroad), "{code}");
        }
        assert!(find("29").is_none() && find("1").is_none());
    }
}
