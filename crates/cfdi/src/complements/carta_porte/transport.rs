//! In what goods are transported, and by whom.

use kernel::Amount;
use serde::{Deserialize, Serialize};

use crate::complements::Address;

/// A truck with its permit and insurance (`Autotransporte`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoadTransport {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    pub permit_type: String,
    /// The number of the permit (`NumPermisoSCT`).
    pub permit_number: String,
    /// The truck (`IdentificacionVehicular`).
    pub vehicle: Vehicle,
    /// Who insures what (`Seguros`).
    pub insurance: Insurance,
    /// What the truck draws (`Remolques`).
    pub trailers: Vec<Trailer>,
}

/// A truck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vehicle {
    /// Its axles and tires, a code of c_ConfigAutotransporte (`ConfigVehicular`).
    pub configuration: String,
    /// The gross weight that it is allowed, in tons (`PesoBrutoVehicular`).
    pub gross_weight_tons: Amount,
    /// Its plate, without spaces and hyphens (`PlacaVM`).
    pub plate: String,
    /// The year of its model (`AnioModeloVM`).
    pub model_year: u16,
}

/// The insurance of a truck and its load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Insurance {
    /// Of civil liability.
    pub liability: Policy,
    /// Of damage to the environment, for hazardous goods.
    pub environment: Option<Policy>,
    /// Of the load.
    pub cargo: Option<Policy>,
    /// What the client is charged for the insurance (`PrimaSeguro`).
    pub premium: Option<Amount>,
}

/// A policy of an insurer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Policy {
    /// The name of the insurer.
    pub insurer: String,
    /// The number of the policy.
    pub number: String,
}

/// A trailer or semitrailer (`Remolque`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trailer {
    /// Its kind, a code of c_SubTipoRem (`SubTipoRem`).
    pub subtype: String,
    /// Its plate, without spaces and hyphens.
    pub plate: String,
}

/// Who takes part in the transport (`TiposFigura`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// In what role, a code of c_FiguraTransporte (`TipoFigura`).
    pub figure_type: String,
    /// Tax identifier (`RFCFigura`).
    pub rfc: Option<String>,
    /// The driver's license (`NumLicencia`).
    pub license: Option<String>,
    /// The name (`NombreFigura`).
    pub name: String,
    /// The tax identifier of a foreigner (`NumRegIdTribFigura`).
    pub foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscalFigura`).
    pub tax_residence: Option<String>,
    /// What of the transport is theirs, codes of c_ParteTransporte (`PartesTransporte`).
    pub parts: Vec<String>,
    /// Where they live (`Domicilio`).
    pub address: Option<Address>,
}
