//! Where goods are picked up and delivered.

use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use crate::{catalogs::carta_porte::stations, complements::Address, document::local_time};

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
    /// The port, airport or railway station.
    pub station: Option<Station>,
    /// When goods are expected to leave or arrive: whole seconds of the local time there (`FechaHoraSalidaLlegada`).
    #[serde(with = "local_time")]
    pub at: PrimitiveDateTime,
    /// Kilometers from the place before, at destinations (`DistanciaRecorrida`).
    pub distance_km: Option<Amount>,
    /// Where it is (`Domicilio`).
    pub address: Option<Address>,
}

/// A port, airport or railway station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Station {
    /// Which one, a code of c_Estaciones (`NumEstacion`).
    pub code: String,
    /// Its name; that of the catalog where it is not given (`NombreEstacion`).
    pub name: Option<String>,
    /// What it is to the journey, a code of c_TipoEstacion (`TipoEstacion`).
    pub station_type: Option<String>,
    /// Where the ships of a port sail (`NavegacionTrafico`).
    pub navigation: Option<Navigation>,
}

/// Where ships sail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Navigation {
    /// Between the country and others.
    HighSeas,
    /// Between ports of the country.
    Coastal,
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

/// How many characters the name of a station may have.
pub(crate) const STATION_CHARS_MAX: usize = 50;

impl Station {
    /// Its name: as given, else as the catalog has it, if it is not too long.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let listed = || stations::find(&self.code).map(|station| station.name);
        let fits = |name: &&str| (1..=STATION_CHARS_MAX).contains(&name.chars().count());
        self.name.as_deref().or_else(|| listed().filter(fits))
    }
}

impl Navigation {
    /// Both.
    pub const EVERY: &'static [Self] = &[Self::HighSeas, Self::Coastal];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighSeas => "high_seas",
            Self::Coastal => "coastal",
        }
    }

    /// What SAT calls it.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::HighSeas => "Altura",
            Self::Coastal => "Cabotaje",
        }
    }
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
