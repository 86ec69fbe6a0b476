//! A ship, and the containers on it.

use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use super::{Policy, Trailer};
use crate::document::local_time;

/// A ship with its permit and insurance (`TransporteMaritimo`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeaTransport {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    pub permit_type: Option<String>,
    /// The number of the permit (`NumPermisoSCT`).
    pub permit_number: Option<String>,
    /// Who insures it (`NombreAseg`, `NumPolizaSeguro`).
    pub insurance: Option<Policy>,
    /// The ship.
    pub ship: Ship,
    /// The kind of load, a code of c_ClaveTipoCarga (`TipoCarga`).
    pub cargo_type: String,
    /// The shipping line (`LineaNaviera`).
    pub shipping_line: Option<String>,
    /// The name of the shipping agent (`NombreAgenteNaviero`).
    pub agent_name: String,
    /// The agent's authorization, a code of c_NumAutorizacionNaviero (`NumAutorizacionNaviero`).
    pub agent_authorization: String,
    /// The number of the voyage (`NumViaje`).
    pub voyage_number: Option<String>,
    /// The number of the bill of lading (`NumConocEmbarc`).
    pub bill_of_lading: Option<String>,
    /// The permit of a foreign ship to sail for a time (`PermisoTempNavegacion`).
    pub temporary_permit: Option<String>,
    /// What the goods are in (`Contenedor`).
    pub containers: Vec<ShipContainer>,
}

/// A ship.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ship {
    /// Its kind, a code of c_ConfigMaritima (`TipoEmbarcacion`).
    pub kind: String,
    /// Its registration (`Matricula`).
    pub registration: String,
    /// Its number at the International Maritime Organization: `IMO` and seven digits (`NumeroOMI`).
    pub imo_number: String,
    /// The year it was built (`AnioEmbarcacion`).
    pub year: Option<u16>,
    /// Its name (`NombreEmbarc`).
    pub name: Option<String>,
    /// The country whose flag it flies, a code of c_Pais (`NacionalidadEmbarc`).
    pub flag: String,
    /// Its gross tonnage (`UnidadesDeArqBruto`).
    pub gross_tonnage: Amount,
    /// Its length in feet (`Eslora`).
    pub length: Option<Amount>,
    /// Its beam in feet (`Manga`).
    pub beam: Option<Amount>,
    /// Its draft in feet (`Calado`).
    pub draft: Option<Amount>,
    /// Its depth in feet (`Puntal`).
    pub depth: Option<Amount>,
}

/// A container on a ship, or a truck on a ferry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShipContainer {
    /// Its kind, a code of c_ContenedorMaritimo (`TipoContenedor`).
    pub kind: String,
    /// Its number (`MatriculaContenedor`).
    pub registration: Option<String>,
    /// The number of its seal (`NumPrecinto`).
    pub seal: Option<String>,
    /// The truck that a ferry carries.
    pub truck: Option<FerriedTruck>,
}

/// A truck on a ferry, whose goods have a Carta Porte of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FerriedTruck {
    /// The folio of that Carta Porte (`IdCCPRelacionado`).
    pub carta_porte_id: String,
    /// When it was stamped: whole seconds (`FechaCertificacionCCP`).
    #[serde(with = "local_time")]
    pub stamped_at: PrimitiveDateTime,
    /// The truck's plate, without spaces and hyphens (`PlacaVMCCP`).
    pub plate: String,
    /// What the truck draws (`RemolquesCCP`).
    pub trailers: Vec<Trailer>,
}
