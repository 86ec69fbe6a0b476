//! Refusals of shipments.

use kernel::message;
use orders::ShipmentError;

use crate::error::{ApiError, Code};

impl From<ShipmentError> for ApiError {
    fn from(error: ShipmentError) -> Self {
        match error {
            ShipmentError::WrongStatus { status } => {
                let status = status.name();
                Self::new(
                    Code::InvalidTransition,
                    message!(
                        "an order that is {status} has nothing left to be shipped",
                        "en un pedido con estado {status} ya no hay nada por enviar"
                    ),
                )
            }
            ShipmentError::OrderOver { status } => {
                let status = status.name();
                Self::new(
                    Code::InvalidTransition,
                    message!(
                        "the order is {status}, so its shipments stay as they are",
                        "el pedido está en estado {status}, así que sus envíos ya no cambian"
                    ),
                )
            }
            ShipmentError::NothingOpen { warehouse: None } => Self::new(
                Code::Conflict,
                message!(
                    "nothing of these items is left to be shipped",
                    "de estas partidas no queda nada por enviar"
                ),
            ),
            ShipmentError::NothingOpen { warehouse: Some(warehouse) } => Self::new(
                Code::Conflict,
                message!(
                    "nothing of these items is left to be shipped from {warehouse}",
                    "de estas partidas no queda nada por enviar desde {warehouse}"
                ),
            ),
            ShipmentError::TooManyShipments { max } => Self::new(
                Code::Conflict,
                message!(
                    "the order has had {max} shipments, the most that it may have; ship the rest with \"status\": \"shipped\" of the order",
                    "el pedido ya tuvo {max} envíos, el máximo permitido; envíe el resto con \"status\": \"shipped\" en el pedido"
                ),
            ),
            ShipmentError::TooMany { line, warehouse, open } => Self::new(
                Code::Conflict,
                message!(
                    "line {line} has {open} left to be shipped from {warehouse}; lower items[].quantity or name another warehouseId",
                    "de la partida {line} quedan {open} por enviar desde {warehouse}; reduzca items[].quantity o indique otro warehouseId"
                ),
            ),
            ShipmentError::Over { status } => {
                let status = status.name();
                Self::new(
                    Code::InvalidTransition,
                    message!(
                        "the shipment is {status}, which does not change any more",
                        "el envío está en estado {status}, y ya no cambia"
                    ),
                )
            }
            ShipmentError::CameBack { line } => Self::new(
                Code::Conflict,
                message!(
                    "items of line {line} have come back from a shipment, so this one has left",
                    "ya se devolvió parte de la partida {line}, así que este envío sí salió"
                ),
            ),
            ShipmentError::WarehouseGone => Self::new(
                Code::Conflict,
                message!(
                    "the warehouse that it left was deleted, so its goods cannot go back there",
                    "el almacén del que salió se eliminó, así que la mercancía no puede volver ahí"
                ),
            ),
            ShipmentError::UpgradeUnfinished => Self::new(
                Code::Conflict,
                message!(
                    "shipments in parts have to wait until the upgrade of the service is finished: run `trastienda upgrade finish`",
                    "para enviar por partes, primero debe terminarse la actualización del servicio: ejecute `trastienda upgrade finish`"
                ),
            ),
        }
    }
}
