//! How the API shows ships, planes and trains.

use cfdi::{
    complements::carta_porte::{
        AirTransport, FerriedTruck, RailCar, RailContainer, RailTransport, SeaTransport, Ship,
        ShipContainer, Shipper, TrackRight,
    },
    document::local_time,
};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use super::{PolicyBody, TrailerBody};
use crate::resources::shapes;

/// A ship with its permit and insurance (`TransporteMaritimo`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteSea)]
pub(super) struct SeaTransportBody {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    permit_type: Option<String>,
    /// The number of the permit (`NumPermisoSCT`).
    permit_number: Option<String>,
    /// Who insures it (`NombreAseg`, `NumPolizaSeguro`).
    insurance: Option<PolicyBody>,
    /// The ship.
    ship: ShipBody,
    /// The kind of load, a code of c_ClaveTipoCarga (`TipoCarga`).
    cargo_type: String,
    /// The shipping line (`LineaNaviera`).
    shipping_line: Option<String>,
    /// The name of the shipping agent (`NombreAgenteNaviero`).
    agent_name: String,
    /// The agent's authorization, a code of c_NumAutorizacionNaviero (`NumAutorizacionNaviero`).
    agent_authorization: String,
    /// The number of the voyage (`NumViaje`).
    voyage_number: Option<String>,
    /// The number of the bill of lading (`NumConocEmbarc`).
    bill_of_lading: Option<String>,
    /// The permit of a foreign ship to sail for a time (`PermisoTempNavegacion`).
    temporary_permit: Option<String>,
    /// What the goods are in (`Contenedor`).
    containers: Vec<ShipContainerBody>,
}

/// A ship.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteShip)]
struct ShipBody {
    /// Its kind, a code of c_ConfigMaritima (`TipoEmbarcacion`).
    #[serde(rename = "type")]
    kind: String,
    /// Its registration (`Matricula`).
    registration: String,
    /// Its number at the International Maritime Organization: `IMO` and seven digits (`NumeroOMI`).
    imo_number: String,
    /// The year it was built (`AnioEmbarcacion`).
    year: Option<u16>,
    /// Its name (`NombreEmbarc`).
    name: Option<String>,
    /// The country whose flag it flies, a code of c_Pais (`NacionalidadEmbarc`).
    flag: String,
    /// Its gross tonnage (`UnidadesDeArqBruto`).
    #[schema(value_type = shapes::Amount)]
    gross_tonnage: Amount,
    /// Its length in feet (`Eslora`).
    #[schema(value_type = Option<shapes::Amount>)]
    length: Option<Amount>,
    /// Its beam in feet (`Manga`).
    #[schema(value_type = Option<shapes::Amount>)]
    beam: Option<Amount>,
    /// Its draft in feet (`Calado`).
    #[schema(value_type = Option<shapes::Amount>)]
    draft: Option<Amount>,
    /// Its depth in feet (`Puntal`).
    #[schema(value_type = Option<shapes::Amount>)]
    depth: Option<Amount>,
}

/// A container on a ship, or a truck on a ferry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteShipContainer)]
struct ShipContainerBody {
    /// Its kind, a code of c_ContenedorMaritimo (`TipoContenedor`).
    #[serde(rename = "type")]
    kind: String,
    /// Its number (`MatriculaContenedor`).
    registration: Option<String>,
    /// The number of its seal (`NumPrecinto`).
    seal: Option<String>,
    /// The truck that a ferry carries.
    truck: Option<FerriedTruckBody>,
}

/// A truck on a ferry, whose goods have a Carta Porte of their own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteFerriedTruck)]
struct FerriedTruckBody {
    /// The folio of its own Carta Porte (`IdCCPRelacionado`).
    carta_porte_id: String,
    /// When that was stamped: whole seconds (`FechaCertificacionCCP`).
    #[schema(value_type = shapes::LocalTime)]
    stamped_at: String,
    /// The truck's plate, without spaces and hyphens (`PlacaVMCCP`).
    plate: String,
    /// What the truck draws (`RemolquesCCP`).
    trailers: Vec<TrailerBody>,
}

/// A flight with its permit and insurance (`TransporteAereo`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteAir)]
pub(super) struct AirTransportBody {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    permit_type: String,
    /// The number of the permit (`NumPermisoSCT`).
    permit_number: String,
    /// The plane's registration: capitals, digits and hyphens (`MatriculaAeronave`).
    aircraft_registration: Option<String>,
    /// Who insures it (`NombreAseg`, `NumPolizaSeguro`).
    insurance: Option<PolicyBody>,
    /// The number of the air waybill (`NumeroGuia`).
    waybill_number: String,
    /// Where the contract was made (`LugarContrato`).
    contract_place: Option<String>,
    /// Who flies, a code of c_CodigoTransporteAereo (`CodigoTransportista`).
    carrier: String,
    /// Who had the goods put on the plane.
    shipper: Option<ShipperBody>,
}

/// Who had goods put on a plane.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteShipper)]
struct ShipperBody {
    /// The RFC; the generic one of foreigners for somebody abroad (`RFCEmbarcador`).
    rfc: String,
    /// The name (`NombreEmbarcador`).
    name: Option<String>,
    /// The tax identifier of a foreigner (`NumRegIdTribEmbarc`).
    foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscalEmbarc`).
    tax_residence: Option<String>,
}

/// A train with its insurance (`TransporteFerroviario`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteRail)]
pub(super) struct RailTransportBody {
    /// The kind of service, a code of c_TipoDeServicio (`TipoDeServicio`).
    service: String,
    /// The kind of traffic, a code of c_TipoDeTrafico (`TipoDeTrafico`).
    traffic: String,
    /// Who insures it (`NombreAseg`, `NumPolizaSeguro`).
    insurance: Option<PolicyBody>,
    /// The tracks of others that it uses (`DerechosDePaso`).
    track_rights: Vec<TrackRightBody>,
    /// The cars that the goods are in (`Carro`).
    cars: Vec<RailCarBody>,
}

/// The right to use the tracks of another railway.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteTrackRight)]
struct TrackRightBody {
    /// Which one, a code of c_DerechosDePaso (`TipoDerechoDePaso`).
    #[serde(rename = "type")]
    kind: String,
    /// The kilometers paid for (`KilometrajePagado`).
    #[schema(value_type = shapes::Amount)]
    paid_km: Amount,
}

/// A railway car.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteRailCar)]
struct RailCarBody {
    /// Its kind, a code of c_TipoCarro (`TipoCarro`).
    #[serde(rename = "type")]
    kind: String,
    /// Its number (`MatriculaCarro`).
    registration: String,
    /// The number of its waybill (`GuiaCarro`).
    waybill_number: String,
    /// The tons in it (`ToneladasNetasCarro`).
    #[schema(value_type = shapes::Amount)]
    net_tons: Amount,
    /// The containers on it (`Contenedor`).
    containers: Vec<RailContainerBody>,
}

/// A container on a railway car.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteRailContainer)]
struct RailContainerBody {
    /// Its kind, a code of c_Contenedor (`TipoContenedor`).
    #[serde(rename = "type")]
    kind: String,
    /// What it weighs empty, in kilograms (`PesoContenedorVacio`).
    #[schema(value_type = shapes::Amount)]
    empty_weight_kg: Amount,
    /// What the goods in it weigh, in kilograms (`PesoNetoMercancia`).
    #[schema(value_type = shapes::Amount)]
    net_weight_kg: Amount,
}

impl From<SeaTransport> for SeaTransportBody {
    fn from(given: SeaTransport) -> Self {
        Self {
            permit_type: given.permit_type,
            permit_number: given.permit_number,
            insurance: given.insurance.map(PolicyBody::from),
            ship: given.ship.into(),
            cargo_type: given.cargo_type,
            shipping_line: given.shipping_line,
            agent_name: given.agent_name,
            agent_authorization: given.agent_authorization,
            voyage_number: given.voyage_number,
            bill_of_lading: given.bill_of_lading,
            temporary_permit: given.temporary_permit,
            containers: given.containers.into_iter().map(ShipContainerBody::from).collect(),
        }
    }
}

impl From<Ship> for ShipBody {
    fn from(given: Ship) -> Self {
        Self {
            kind: given.kind,
            registration: given.registration,
            imo_number: given.imo_number,
            year: given.year,
            name: given.name,
            flag: given.flag,
            gross_tonnage: given.gross_tonnage,
            length: given.length,
            beam: given.beam,
            draft: given.draft,
            depth: given.depth,
        }
    }
}

impl From<ShipContainer> for ShipContainerBody {
    fn from(given: ShipContainer) -> Self {
        let ShipContainer { kind, registration, seal, truck } = given;
        Self { kind, registration, seal, truck: truck.map(FerriedTruckBody::from) }
    }
}

impl From<FerriedTruck> for FerriedTruckBody {
    fn from(given: FerriedTruck) -> Self {
        Self {
            carta_porte_id: given.carta_porte_id,
            stamped_at: local_time::to_text(given.stamped_at),
            plate: given.plate,
            trailers: given.trailers.into_iter().map(TrailerBody::from).collect(),
        }
    }
}

impl From<AirTransport> for AirTransportBody {
    fn from(given: AirTransport) -> Self {
        Self {
            permit_type: given.permit_type,
            permit_number: given.permit_number,
            aircraft_registration: given.aircraft_registration,
            insurance: given.insurance.map(PolicyBody::from),
            waybill_number: given.waybill_number,
            contract_place: given.contract_place,
            carrier: given.carrier,
            shipper: given.shipper.map(ShipperBody::from),
        }
    }
}

impl From<Shipper> for ShipperBody {
    fn from(given: Shipper) -> Self {
        let Shipper { rfc, name, foreign_tax_id, tax_residence } = given;
        Self { rfc, name, foreign_tax_id, tax_residence }
    }
}

impl From<RailTransport> for RailTransportBody {
    fn from(given: RailTransport) -> Self {
        Self {
            service: given.service,
            traffic: given.traffic,
            insurance: given.insurance.map(PolicyBody::from),
            track_rights: given.track_rights.into_iter().map(TrackRightBody::from).collect(),
            cars: given.cars.into_iter().map(RailCarBody::from).collect(),
        }
    }
}

impl From<TrackRight> for TrackRightBody {
    fn from(given: TrackRight) -> Self {
        let TrackRight { kind, paid_km } = given;
        Self { kind, paid_km }
    }
}

impl From<RailCar> for RailCarBody {
    fn from(given: RailCar) -> Self {
        Self {
            kind: given.kind,
            registration: given.registration,
            waybill_number: given.waybill_number,
            net_tons: given.net_tons,
            containers: given.containers.into_iter().map(RailContainerBody::from).collect(),
        }
    }
}

impl From<RailContainer> for RailContainerBody {
    fn from(given: RailContainer) -> Self {
        let RailContainer { kind, empty_weight_kg, net_weight_kg } = given;
        Self { kind, empty_weight_kg, net_weight_kg }
    }
}
