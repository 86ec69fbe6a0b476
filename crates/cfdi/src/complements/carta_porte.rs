//! Goods on the way: the complement *Carta Porte* 3.1, for transport by road, sea, air or rail.

mod air;
mod goods;
mod health;
mod places;
mod rail;
mod sea;
mod transport;

use kernel::Amount;
use serde::{Deserialize, Serialize};

use crate::{decimal, document::local_time, stamp::Stamp};

pub use air::{AirTransport, Shipper};
pub use goods::{CustomsDocument, Goods, GoodsItem, GoodsValue, Guide, Portion, WeightDetails};
pub use health::HealthControl;
pub(crate) use places::STATION_CHARS_MAX;
pub use places::{Location, LocationKind, Navigation, Station};
pub use rail::{RailCar, RailContainer, RailTransport, TrackRight};
pub use sea::{FerriedTruck, SeaTransport, Ship, ShipContainer};
pub use transport::{Figure, Insurance, Policy, RoadTransport, Trailer, Vehicle};

/// Where SAT says whether a Carta Porte is valid (standard of the complement, printed representation).
const VERIFICATION: &str =
    "https://verificacfdi.facturaelectronica.sat.gob.mx/verificaccp/default.aspx";
/// What of the folio is always the same.
const ID_START: &str = "CCC";

/// What is transported, from where to where, in what and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CartaPorte {
    /// The UUID that its folio (`IdCCP`) is made of. It must be there when the document is sealed; until then whoever
    /// issues it may leave it out.
    pub id: Option<String>,
    /// Present when the goods enter or leave the country (`TranspInternac`).
    pub international: Option<International>,
    /// Present when they stay within the development poles of the Isthmus of Tehuantepec (`RegistroISTMO`).
    pub isthmus: Option<Isthmus>,
    /// Where goods are picked up and delivered, in the order of the journey (`Ubicaciones`).
    pub locations: Vec<Location>,
    /// What is transported (`Mercancias`).
    pub goods: Goods,
    /// The truck that it is transported in (`Autotransporte`). Of the four means of transport there is one.
    pub road: Option<RoadTransport>,
    /// The ship (`TransporteMaritimo`).
    pub sea: Option<SeaTransport>,
    /// The flight (`TransporteAereo`).
    pub air: Option<AirTransport>,
    /// The train (`TransporteFerroviario`).
    pub rail: Option<RailTransport>,
    /// Who drives, and who owns or lets what the issuer does not own (`FiguraTransporte`).
    pub figures: Vec<Figure>,
}

/// A means of transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By truck.
    Road,
    /// By ship.
    Sea,
    /// By plane.
    Air,
    /// By train.
    Rail,
}

/// How goods cross the border.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct International {
    /// Whether they enter or leave the country (`EntradaSalidaMerc`).
    pub direction: Direction,
    /// The country that they come from or go to, a code of c_Pais (`PaisOrigenDestino`).
    pub country: String,
    /// The means of transport by which they cross the border, a code of c_CveTransporte (`ViaEntradaSalida`).
    pub via: String,
    /// Codes of c_RegimenAduanero (`RegimenesAduaneros`).
    pub customs_regimes: Vec<String>,
}

/// Into the country or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Goods from abroad.
    Entry,
    /// Goods that leave.
    Exit,
}

/// The development poles between which goods move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Isthmus {
    /// Where the journey begins, a code of c_RegistroISTMO (`UbicacionPoloOrigen`).
    pub origin: String,
    /// Where it ends (`UbicacionPoloDestino`).
    pub destination: String,
}

impl CartaPorte {
    /// Its folio (`IdCCP`): the UUID with `CCC` in place of its first three digits.
    #[must_use]
    pub fn folio(&self) -> Option<String> {
        let rest = self.id.as_deref()?.get(ID_START.len()..)?;
        Some(format!("{ID_START}{rest}"))
    }

    /// What the QR code of its printed representation says: its folio, when the goods leave the first origin, and when
    /// it was stamped. Nothing while it has no folio or no origin.
    #[must_use]
    pub fn verification_url(&self, stamp: &Stamp) -> Option<String> {
        let folio = self.folio()?;
        let origin = self.locations.iter().find(|place| place.kind == LocationKind::Origin)?;
        let (left, stamped) =
            (local_time::to_text(origin.at), local_time::to_text(stamp.stamped_at));
        Some(format!("{VERIFICATION}?IdCCP={folio}&FechaOrig={left}&FechaTimb={stamped}"))
    }

    /// The means of transport, where it states exactly one.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        let stated = [
            (self.road.is_some(), Mode::Road),
            (self.sea.is_some(), Mode::Sea),
            (self.air.is_some(), Mode::Air),
            (self.rail.is_some(), Mode::Rail),
        ];
        let mut modes =
            stated.into_iter().filter_map(|(is_stated, mode)| is_stated.then_some(mode));
        let first = modes.next();
        if modes.next().is_some() { None } else { first }
    }

    /// Kilometers between all origins and destinations (`TotalDistRec`).
    #[must_use]
    pub fn total_distance_km(&self) -> Amount {
        decimal::sum(self.locations.iter().filter_map(|location| location.distance_km))
    }

    /// Whether any of the goods are stated to be hazardous.
    #[must_use]
    pub fn has_hazardous_goods(&self) -> bool {
        self.goods.items.iter().any(GoodsItem::is_hazardous)
    }
}

impl Direction {
    /// Both.
    pub const EVERY: &'static [Self] = &[Self::Entry, Self::Exit];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Exit => "exit",
        }
    }

    /// What SAT calls it.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::Entry => "Entrada",
            Self::Exit => "Salida",
        }
    }
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
