//! What the health authority, COFEPRIS, demands of medicines, chemicals and pesticides on the road.

use serde::{Deserialize, Serialize};
use time::Date;

/// The attributes of goods that COFEPRIS controls. Which of them are needed depends on the sector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HealthControl {
    /// What sort of goods they are, a code of c_SectorCOFEPRIS.
    pub sector: String,
    /// The active ingredient of precursors, dual-use chemicals, pesticides and fertilizers (`NombreIngredienteActivo`).
    pub active_ingredient: Option<String>,
    /// The active substance of precursors, dual-use chemicals and toxic substances (`NomQuimico`).
    pub chemical_name: Option<String>,
    /// The active substance of a medicine (`DenominacionGenericaProd`).
    pub generic_name: Option<String>,
    /// The brand of a medicine (`DenominacionDistintivaProd`).
    pub brand_name: Option<String>,
    /// Who makes it (`Fabricante`).
    pub manufacturer: Option<String>,
    /// When it expires or is to be analyzed again (`FechaCaducidad`).
    #[serde(with = "optional_day")]
    pub expires_on: Option<Date>,
    /// The batch (`LoteMedicamento`).
    pub batch: Option<String>,
    /// A code of c_FormaFarmaceutica (`FormaFarmaceutica`).
    pub dosage_form: Option<String>,
    /// How it is kept on the way, a code of c_CondicionesEspeciales (`CondicionesEspTransp`).
    pub special_conditions: Option<String>,
    /// The sanitary registration or authorization (`RegistroSanitarioFolioAutorizacion`).
    pub sanitary_registration: Option<String>,
    /// The permit to import it (`PermisoImportacion`).
    pub import_permit: Option<String>,
    /// The folio of the import at the single window of foreign trade (`FolioImpoVUCEM`).
    pub vucem_folio: Option<String>,
    /// The number that Chemical Abstracts gave a toxic substance (`NumCAS`).
    pub cas_number: Option<String>,
    /// The company that imports toxic substances (`RazonSocialEmpImp`).
    pub importer_name: Option<String>,
    /// The sanitary registration of a pesticide or fertilizer (`NumRegSanPlagCOFEPRIS`).
    pub pesticide_registration: Option<String>,
    /// Country and name of who makes the active ingredient (`DatosFabricante`).
    pub manufacturer_details: Option<String>,
    /// Country and name of who formulates it (`DatosFormulador`).
    pub formulator_details: Option<String>,
    /// Country and name of who processes it for others (`DatosMaquilador`).
    pub processor_details: Option<String>,
    /// What a pesticide or fertilizer may be used for (`UsoAutorizado`).
    pub authorized_use: Option<String>,
}

/// Days that need not be there.
mod optional_day {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use time::Date;

    use crate::document::day;

    #[derive(Serialize, Deserialize)]
    struct Day(#[serde(with = "day")] Date);

    // Serde hands over a reference to the whole field.
    #[allow(clippy::ref_option)]
    pub(super) fn serialize<S: Serializer>(
        day: &Option<Date>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        day.map(Day).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Date>, D::Error> {
        let day = Option::<Day>::deserialize(deserializer)?;
        Ok(day.map(|Day(day)| day))
    }
}
