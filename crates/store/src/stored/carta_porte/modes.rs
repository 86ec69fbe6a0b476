//! Ships, planes and trains.

use cfdi::complements::carta_porte::{
    AirTransport, FerriedTruck, Policy, RailCar, RailContainer, RailTransport, SeaTransport, Ship,
    ShipContainer, Shipper, TrackRight, Trailer,
};
use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use super::{Each, Form, Maybe, PolicyForm, TrailerForm, forms, local_time};

forms!(
    AirTransportForm of AirTransport,
    FerriedTruckForm of FerriedTruck,
    RailCarForm of RailCar,
    RailContainerForm of RailContainer,
    RailTransportForm of RailTransport,
    SeaTransportForm of SeaTransport,
    ShipContainerForm of ShipContainer,
    ShipForm of Ship,
    ShipperForm of Shipper,
    TrackRightForm of TrackRight,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "SeaTransport", rename_all = "camelCase")]
pub(super) struct SeaTransportForm {
    permit_type: Option<String>,
    permit_number: Option<String>,
    #[serde(default, with = "Maybe::<PolicyForm>")]
    insurance: Option<Policy>,
    #[serde(with = "ShipForm")]
    ship: Ship,
    cargo_type: String,
    shipping_line: Option<String>,
    agent_name: String,
    agent_authorization: String,
    voyage_number: Option<String>,
    bill_of_lading: Option<String>,
    temporary_permit: Option<String>,
    #[serde(with = "Each::<ShipContainerForm>")]
    containers: Vec<ShipContainer>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Ship", rename_all = "camelCase")]
struct ShipForm {
    kind: String,
    registration: String,
    imo_number: String,
    year: Option<u16>,
    name: Option<String>,
    flag: String,
    gross_tonnage: Amount,
    length: Option<Amount>,
    beam: Option<Amount>,
    draft: Option<Amount>,
    depth: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ShipContainer", rename_all = "camelCase")]
struct ShipContainerForm {
    kind: String,
    registration: Option<String>,
    seal: Option<String>,
    #[serde(default, with = "Maybe::<FerriedTruckForm>")]
    truck: Option<FerriedTruck>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FerriedTruck", rename_all = "camelCase")]
struct FerriedTruckForm {
    carta_porte_id: String,
    #[serde(with = "local_time")]
    stamped_at: PrimitiveDateTime,
    plate: String,
    #[serde(with = "Each::<TrailerForm>")]
    trailers: Vec<Trailer>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AirTransport", rename_all = "camelCase")]
pub(super) struct AirTransportForm {
    permit_type: String,
    permit_number: String,
    aircraft_registration: Option<String>,
    #[serde(default, with = "Maybe::<PolicyForm>")]
    insurance: Option<Policy>,
    waybill_number: String,
    contract_place: Option<String>,
    carrier: String,
    #[serde(default, with = "Maybe::<ShipperForm>")]
    shipper: Option<Shipper>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Shipper", rename_all = "camelCase")]
struct ShipperForm {
    rfc: String,
    name: Option<String>,
    foreign_tax_id: Option<String>,
    tax_residence: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RailTransport", rename_all = "camelCase")]
pub(super) struct RailTransportForm {
    service: String,
    traffic: String,
    #[serde(default, with = "Maybe::<PolicyForm>")]
    insurance: Option<Policy>,
    #[serde(with = "Each::<TrackRightForm>")]
    track_rights: Vec<TrackRight>,
    #[serde(with = "Each::<RailCarForm>")]
    cars: Vec<RailCar>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TrackRight", rename_all = "camelCase")]
struct TrackRightForm {
    kind: String,
    paid_km: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RailCar", rename_all = "camelCase")]
struct RailCarForm {
    kind: String,
    registration: String,
    waybill_number: String,
    net_tons: Amount,
    #[serde(with = "Each::<RailContainerForm>")]
    containers: Vec<RailContainer>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RailContainer", rename_all = "camelCase")]
struct RailContainerForm {
    kind: String,
    empty_weight_kg: Amount,
    net_weight_kg: Amount,
}
