//! How the API shows goods on the way.

mod goods;
mod modes;

use cfdi::{
    complements::{
        CartaPorte,
        carta_porte::{
            Direction, Figure, Insurance, International, Isthmus, Location, LocationKind,
            Navigation, Policy, RoadTransport, Station, Trailer, Vehicle,
        },
    },
    document::local_time,
};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use super::address::AddressBody;
use crate::resources::shapes;
use goods::GoodsBody;
use modes::{AirTransportBody, RailTransportBody, SeaTransportBody};

/// What is transported, from where to where, in what and by whom.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorte)]
pub(super) struct CartaPorteBody {
    /// Folio of the Carta Porte (`IdCCP`), assigned by the service.
    #[schema(example = "CCC01234-89AB-4DEF-8123-456789ABCDEF")]
    id: Option<String>,
    /// Present when the goods enter or leave the country (`TranspInternac`).
    international: Option<InternationalBody>,
    /// Present when they stay within the development poles of the Isthmus of Tehuantepec (`RegistroISTMO`).
    isthmus: Option<IsthmusBody>,
    /// Where goods are picked up and delivered, in the order of the journey (`Ubicaciones`).
    locations: Vec<LocationBody>,
    /// What is transported (`Mercancias`).
    goods: GoodsBody,
    /// The truck that it is transported in (`Autotransporte`). Of the four means of transport there is one.
    road: Option<RoadTransportBody>,
    /// The ship (`TransporteMaritimo`).
    sea: Option<SeaTransportBody>,
    /// The flight (`TransporteAereo`).
    air: Option<AirTransportBody>,
    /// The train (`TransporteFerroviario`).
    rail: Option<RailTransportBody>,
    /// Who drives, and who owns or lets what the issuer does not own (`FiguraTransporte`).
    figures: Vec<FigureBody>,
}

/// How goods cross the border.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteInternational)]
struct InternationalBody {
    /// Whether they enter or leave the country (`EntradaSalidaMerc`).
    #[schema(value_type = shapes::Direction)]
    direction: Direction,
    /// The country that they come from or go to, a code of c_Pais (`PaisOrigenDestino`).
    country: String,
    /// The means of transport by which they cross the border, a code of c_CveTransporte (`ViaEntradaSalida`).
    via: String,
    /// Codes of c_RegimenAduanero (`RegimenesAduaneros`).
    customs_regimes: Vec<String>,
}

/// The development poles between which goods move.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteIsthmus)]
struct IsthmusBody {
    /// Where the journey begins, a code of c_RegistroISTMO (`UbicacionPoloOrigen`).
    origin: String,
    /// Where it ends (`UbicacionPoloDestino`).
    destination: String,
}

/// A place where goods are picked up or delivered (`Ubicacion`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteLocation)]
struct LocationBody {
    /// Whether goods leave from it or arrive at it (`TipoUbicacion`).
    #[serde(rename = "type")]
    #[schema(value_type = shapes::LocationKind)]
    kind: LocationKind,
    /// The issuer's own code of it: `OR` or `DE` and six digits (`IDUbicacion`).
    code: Option<String>,
    /// The RFC of the sender or recipient; the generic one of foreigners for somebody abroad
    /// (`RFCRemitenteDestinatario`).
    rfc: String,
    /// The name of the sender or recipient (`NombreRemitenteDestinatario`).
    name: Option<String>,
    /// The tax identifier of a foreign sender or recipient (`NumRegIdTrib`).
    foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscal`).
    tax_residence: Option<String>,
    /// The port, airport or railway station.
    station: Option<StationBody>,
    /// When goods are expected to leave or arrive: whole seconds of the local time there
    /// (`FechaHoraSalidaLlegada`).
    #[schema(value_type = shapes::LocalTime)]
    at: String,
    /// Kilometers from the place before, at destinations (`DistanciaRecorrida`).
    #[schema(value_type = Option<shapes::Amount>)]
    distance_km: Option<Amount>,
    /// Where it is (`Domicilio`).
    address: Option<AddressBody>,
}

/// A port, airport or railway station.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteStation)]
struct StationBody {
    /// Which one, a code of c_Estaciones (`NumEstacion`).
    code: String,
    /// Its name; that of the catalog where it is not given (`NombreEstacion`).
    name: Option<String>,
    /// What it is to the journey, a code of c_TipoEstacion (`TipoEstacion`).
    station_type: Option<String>,
    /// Where the ships of a port sail (`NavegacionTrafico`).
    #[schema(value_type = Option<shapes::Navigation>)]
    navigation: Option<Navigation>,
}

/// A truck with its permit and insurance (`Autotransporte`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteRoad)]
struct RoadTransportBody {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    permit_type: String,
    /// The number of the permit (`NumPermisoSCT`).
    permit_number: String,
    /// The truck (`IdentificacionVehicular`).
    vehicle: VehicleBody,
    /// Who insures what (`Seguros`).
    insurance: InsuranceBody,
    /// What the truck draws (`Remolques`).
    trailers: Vec<TrailerBody>,
}

/// A truck.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteVehicle)]
struct VehicleBody {
    /// Its axles and tires, a code of c_ConfigAutotransporte (`ConfigVehicular`).
    configuration: String,
    /// The gross weight that it is allowed, in tons (`PesoBrutoVehicular`).
    #[schema(value_type = shapes::Amount)]
    gross_weight_tons: Amount,
    /// Its plate, without spaces and hyphens (`PlacaVM`).
    plate: String,
    /// The year of its model (`AnioModeloVM`).
    model_year: u16,
}

/// The insurance of a truck and its load.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteInsurance)]
struct InsuranceBody {
    /// Of civil liability.
    liability: PolicyBody,
    /// Of damage to the environment, for hazardous goods.
    environment: Option<PolicyBody>,
    /// Of the load.
    cargo: Option<PolicyBody>,
    /// What the client is charged for the insurance (`PrimaSeguro`).
    #[schema(value_type = Option<shapes::Amount>)]
    premium: Option<Amount>,
}

/// A policy of an insurer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPortePolicy)]
struct PolicyBody {
    /// The name of the insurer.
    insurer: String,
    /// The number of the policy.
    number: String,
}

/// A trailer or semitrailer (`Remolque`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteTrailer)]
struct TrailerBody {
    /// Its kind, a code of c_SubTipoRem (`SubTipoRem`).
    subtype: String,
    /// Its plate, without spaces and hyphens.
    plate: String,
}

/// Who takes part in the transport (`TiposFigura`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteFigure)]
struct FigureBody {
    /// In what role, a code of c_FiguraTransporte (`TipoFigura`).
    figure_type: String,
    /// Tax identifier (`RFCFigura`).
    rfc: Option<String>,
    /// The driver's license (`NumLicencia`).
    license: Option<String>,
    /// The name (`NombreFigura`).
    name: String,
    /// The tax identifier of a foreigner (`NumRegIdTribFigura`).
    foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscalFigura`).
    tax_residence: Option<String>,
    /// What of the transport is theirs, codes of c_ParteTransporte (`PartesTransporte`).
    parts: Vec<String>,
    /// Where they live (`Domicilio`).
    address: Option<AddressBody>,
}

impl From<CartaPorte> for CartaPorteBody {
    fn from(carta: CartaPorte) -> Self {
        let id = carta.folio();
        let CartaPorte {
            id: _,
            international,
            isthmus,
            locations,
            goods,
            road,
            sea,
            air,
            rail,
            figures,
        } = carta;
        Self {
            id,
            international: international.map(InternationalBody::from),
            isthmus: isthmus.map(IsthmusBody::from),
            locations: locations.into_iter().map(LocationBody::from).collect(),
            goods: goods.into(),
            road: road.map(RoadTransportBody::from),
            sea: sea.map(SeaTransportBody::from),
            air: air.map(AirTransportBody::from),
            rail: rail.map(RailTransportBody::from),
            figures: figures.into_iter().map(FigureBody::from).collect(),
        }
    }
}

impl From<International> for InternationalBody {
    fn from(given: International) -> Self {
        let International { direction, country, via, customs_regimes } = given;
        Self { direction, country, via, customs_regimes }
    }
}

impl From<Isthmus> for IsthmusBody {
    fn from(given: Isthmus) -> Self {
        let Isthmus { origin, destination } = given;
        Self { origin, destination }
    }
}

impl From<Location> for LocationBody {
    fn from(given: Location) -> Self {
        let Location {
            kind,
            code,
            rfc,
            name,
            foreign_tax_id,
            tax_residence,
            station,
            at,
            distance_km,
            address,
        } = given;
        Self {
            kind,
            code,
            rfc,
            name,
            foreign_tax_id,
            tax_residence,
            station: station.map(StationBody::from),
            at: local_time::to_text(at),
            distance_km,
            address: address.map(AddressBody::from),
        }
    }
}

impl From<Station> for StationBody {
    fn from(given: Station) -> Self {
        let Station { code, name, station_type, navigation } = given;
        Self { code, name, station_type, navigation }
    }
}

impl From<RoadTransport> for RoadTransportBody {
    fn from(given: RoadTransport) -> Self {
        let RoadTransport { permit_type, permit_number, vehicle, insurance, trailers } = given;
        Self {
            permit_type,
            permit_number,
            vehicle: vehicle.into(),
            insurance: insurance.into(),
            trailers: trailers.into_iter().map(TrailerBody::from).collect(),
        }
    }
}

impl From<Vehicle> for VehicleBody {
    fn from(given: Vehicle) -> Self {
        let Vehicle { configuration, gross_weight_tons, plate, model_year } = given;
        Self { configuration, gross_weight_tons, plate, model_year }
    }
}

impl From<Insurance> for InsuranceBody {
    fn from(given: Insurance) -> Self {
        let Insurance { liability, environment, cargo, premium } = given;
        Self {
            liability: liability.into(),
            environment: environment.map(PolicyBody::from),
            cargo: cargo.map(PolicyBody::from),
            premium,
        }
    }
}

impl From<Policy> for PolicyBody {
    fn from(given: Policy) -> Self {
        let Policy { insurer, number } = given;
        Self { insurer, number }
    }
}

impl From<Trailer> for TrailerBody {
    fn from(given: Trailer) -> Self {
        let Trailer { subtype, plate } = given;
        Self { subtype, plate }
    }
}

impl From<Figure> for FigureBody {
    fn from(given: Figure) -> Self {
        let Figure {
            figure_type,
            rfc,
            license,
            name,
            foreign_tax_id,
            tax_residence,
            parts,
            address,
        } = given;
        Self {
            figure_type,
            rfc,
            license,
            name,
            foreign_tax_id,
            tax_residence,
            parts,
            address: address.map(AddressBody::from),
        }
    }
}
