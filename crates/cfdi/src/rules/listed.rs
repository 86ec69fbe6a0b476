//! Codes that must be in one of SAT's catalogs.

use time::Date;

use super::finding::{At, Findings, Shown};
use crate::catalogs::Row;

/// A catalog as messages name it.
pub(super) struct Catalog {
    english: &'static str,
    spanish: &'static str,
    name: &'static str,
}

pub(super) const COUNTRIES: Catalog = named("countries", "países", "c_Pais");
pub(super) const CURRENCIES: Catalog = named("currencies", "monedas", "c_Moneda");
pub(super) const CUSTOMS_UNITS: Catalog =
    named("customs units", "unidades de aduana", "c_UnidadAduana");
pub(super) const EXPORTS: Catalog = named("export codes", "claves de exportación", "c_Exportacion");
pub(super) const INCOTERMS: Catalog = named("Incoterms", "Incoterms", "c_INCOTERM");
pub(super) const MONTHS: Catalog = named("months", "meses", "c_Meses");
pub(super) const PAYMENT_FORMS: Catalog = named("payment forms", "formas de pago", "c_FormaPago");
pub(super) const PERIODICITIES: Catalog = named("periods", "periodicidades", "c_Periodicidad");
pub(super) const PRODUCTS: Catalog =
    named("product and service keys", "productos y servicios", "c_ClaveProdServ");
pub(super) const REGIMES: Catalog = named("tax regimes", "regímenes fiscales", "c_RegimenFiscal");
pub(super) const RELATIONS: Catalog = named("relations", "tipos de relación", "c_TipoRelacion");
pub(super) const TAX_OBJECTS: Catalog =
    named("tax objects", "claves de objeto de impuesto", "c_ObjetoImp");
pub(super) const TRANSFER_REASONS: Catalog =
    named("transfer reasons", "motivos de traslado", "c_MotivoTraslado");
pub(super) const UNITS: Catalog = named("units", "unidades", "c_ClaveUnidad");
pub(super) const USES: Catalog = named("CFDI uses", "usos de CFDI", "c_UsoCFDI");

/// The row of a code, if the code is in the catalog and in force on `day`; else the finding with
/// SAT's `error`.
pub(super) fn check<'a, R: Row>(
    (code, row): (&str, Option<&'a R>),
    catalog: &Catalog,
    day: Date,
    (error, at): (&'static str, &At<'_>),
    found: &mut Findings,
) -> Option<&'a R> {
    let Catalog { english, spanish, name } = catalog;
    let value = Shown(code);
    match row {
        Some(row) if row.in_force(day) => return Some(row),
        Some(_) => found.add(
            error,
            at,
            format_args!(
                "is {value}, which is not in force on {day}: choose another of SAT's {english} \
                 ({name})",
            ),
            format_args!(
                "es {value}, que no está vigente el {day}: elegir otra clave del catálogo de \
                 {spanish} del SAT ({name})",
            ),
        ),
        None if code.is_empty() => found.add(
            error,
            at,
            format_args!("is missing: choose one of SAT's {english} ({name})"),
            format_args!("falta: elegir una clave del catálogo de {spanish} del SAT ({name})"),
        ),
        None => found.add(
            error,
            at,
            format_args!(
                "is {value}, which is not one of SAT's {english}: choose a code from the catalog \
                 {name}",
            ),
            format_args!(
                "es {value}, que no está en el catálogo de {spanish} del SAT: elegir una clave de \
                 {name}",
            ),
        ),
    }
    None
}

pub(super) const fn named(
    english: &'static str,
    spanish: &'static str,
    name: &'static str,
) -> Catalog {
    Catalog { english, spanish, name }
}
