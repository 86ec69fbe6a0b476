//! The attributes of goods that the health authority controls, as the schema allows them.

use super::lists;
use crate::{
    catalogs::carta_porte::{conditions, dosage_forms, health_sectors},
    complements::carta_porte::HealthControl,
    rules::{
        case::Case,
        finding::{At, Findings},
        listed, text,
    },
};

/// The years that a day may be in (tdCFDI `t_Fecha`).
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2099;

pub(super) fn check(case: &Case<'_>, control: &HealthControl, at: &At<'_>, found: &mut Findings) {
    let day = case.day();
    let row = (control.sector.as_str(), health_sectors::find(&control.sector));
    listed::check(row, &lists::HEALTH_SECTORS, day, ("301", &at.field("sector")), found);
    if let Some(code) = control.dosage_form.as_deref() {
        let row = (code, dosage_forms::find(code));
        listed::check(row, &lists::DOSAGE_FORMS, day, ("301", &at.field("dosageForm")), found);
    }
    if let Some(code) = control.special_conditions.as_deref() {
        let row = (code, conditions::find(code));
        let error = ("301", &at.field("specialConditions"));
        listed::check(row, &lists::CONDITIONS, day, error, found);
    }
    if let Some(year) = control.expires_on.map(time::Date::year).filter(|it| !YEARS.contains(it)) {
        let (first, last) = (YEARS.start(), YEARS.end());
        found.add(
            "301",
            &at.field("expiresOn"),
            format_args!("is in the year {year}, but must be between {first} and {last}"),
            format_args!("es del año {year}, pero debe estar entre {first} y {last}"),
        );
    }
    for (field, value, chars_max) in texts(control) {
        text::optional(value.as_deref(), chars_max, &at.field(field), found);
    }
}

/// Texts with the most characters that each may have.
const fn texts(control: &HealthControl) -> [(&'static str, &Option<String>, usize); 16] {
    [
        ("activeIngredient", &control.active_ingredient, 1000),
        ("chemicalName", &control.chemical_name, 150),
        ("genericName", &control.generic_name, 50),
        ("brandName", &control.brand_name, 50),
        ("manufacturer", &control.manufacturer, 240),
        ("batch", &control.batch, 10),
        ("sanitaryRegistration", &control.sanitary_registration, 15),
        ("importPermit", &control.import_permit, 6),
        ("vucemFolio", &control.vucem_folio, 25),
        ("casNumber", &control.cas_number, 15),
        ("importerName", &control.importer_name, 80),
        ("pesticideRegistration", &control.pesticide_registration, 60),
        ("manufacturerDetails", &control.manufacturer_details, 600),
        ("formulatorDetails", &control.formulator_details, 600),
        ("processorDetails", &control.processor_details, 600),
        ("authorizedUse", &control.authorized_use, 1000),
    ]
}
