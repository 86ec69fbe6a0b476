//! A train: its cars, and the tracks of others that it uses.

use kernel::Amount;
use serde::{Deserialize, Serialize};

use super::Policy;

/// A train with its insurance (`TransporteFerroviario`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RailTransport {
    /// The kind of service, a code of c_TipoDeServicio (`TipoDeServicio`).
    pub service: String,
    /// The kind of traffic, a code of c_TipoDeTrafico (`TipoDeTrafico`).
    pub traffic: String,
    /// Who insures it (`NombreAseg`, `NumPolizaSeguro`).
    pub insurance: Option<Policy>,
    /// The tracks of others that it uses (`DerechosDePaso`).
    pub track_rights: Vec<TrackRight>,
    /// The cars that the goods are in (`Carro`).
    pub cars: Vec<RailCar>,
}

/// The right to use the tracks of another railway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrackRight {
    /// Which one, a code of c_DerechosDePaso (`TipoDerechoDePaso`).
    pub kind: String,
    /// The kilometers paid for (`KilometrajePagado`).
    pub paid_km: Amount,
}

/// A railway car.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RailCar {
    /// Its kind, a code of c_TipoCarro (`TipoCarro`).
    pub kind: String,
    /// Its number (`MatriculaCarro`).
    pub registration: String,
    /// The number of its waybill (`GuiaCarro`).
    pub waybill_number: String,
    /// The tons in it (`ToneladasNetasCarro`).
    pub net_tons: Amount,
    /// The containers on it (`Contenedor`).
    pub containers: Vec<RailContainer>,
}

/// A container on a railway car.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RailContainer {
    /// Its kind, a code of c_Contenedor (`TipoContenedor`).
    pub kind: String,
    /// What it weighs empty, in kilograms (`PesoContenedorVacio`).
    pub empty_weight_kg: Amount,
    /// What the goods in it weigh, in kilograms (`PesoNetoMercancia`).
    pub net_weight_kg: Amount,
}
