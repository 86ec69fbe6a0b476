//! Where goods are picked up and delivered.

use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use crate::{complements::Address, document::local_time};

/// A place where goods are picked up or delivered (`Ubicacion`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Whether goods leave from it or arrive at it (`TipoUbicacion`).
    pub kind: LocationKind,
    /// The issuer's own code of it: `OR` or `DE` and six digits (`IDUbicacion`).
    pub code: Option<String>,
    /// The RFC of the sender or recipient; the generic one of foreigners for somebody abroad
    /// (`RFCRemitenteDestinatario`).
    pub rfc: String,
    /// The name of the sender or recipient (`NombreRemitenteDestinatario`).
    pub name: Option<String>,
    /// The tax identifier of a foreign sender or recipient (`NumRegIdTrib`).
    pub foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscal`).
    pub tax_residence: Option<String>,
    /// When goods are expected to leave or arrive: whole seconds of the local time there (`FechaHoraSalidaLlegada`).
    #[serde(with = "local_time")]
    pub at: PrimitiveDateTime,
    /// Kilometers from the place before, at destinations (`DistanciaRecorrida`).
    pub distance_km: Option<Amount>,
    /// Where it is (`Domicilio`).
    pub address: Option<Address>,
}

/// Whether goods leave from a place or arrive at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocationKind {
    /// They leave from it.
    Origin,
    /// They arrive at it.
    Destination,
}

impl LocationKind {
    /// Both.
    pub const EVERY: &'static [Self] = &[Self::Origin, Self::Destination];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Destination => "destination",
        }
    }

    /// What SAT calls it.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::Origin => "Origen",
            Self::Destination => "Destino",
        }
    }

    /// What codes of such places begin with.
    #[must_use]
    pub const fn code_start(self) -> &'static str {
        match self {
            Self::Origin => "OR",
            Self::Destination => "DE",
        }
    }
}
