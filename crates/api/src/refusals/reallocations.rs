//! Refusals to have an order promised from elsewhere.

use kernel::message;
use orders::ReallocateError;

use crate::error::{ApiError, Code};

impl From<ReallocateError> for ApiError {
    fn from(error: ReallocateError) -> Self {
        match error {
            ReallocateError::WrongStatus { status } => {
                let status = status.name();
                Self::new(
                    Code::InvalidTransition,
                    message!(
                        "nothing is promised to an order that is {status}; only what is still to be shipped can be",
                        "un pedido con estado {status} ya no tiene mercancía apartada; solo la tiene lo que falta por enviar"
                    ),
                )
            }
            ReallocateError::TooMany { line, open } => Self::new(
                Code::Conflict,
                message!(
                    "of line {line}, {open} are promised from that warehouse and not shipped yet; lower items[].quantity or name another one as from",
                    "de la partida {line}, hay {open} apartadas en ese almacén y sin enviar; reduzca items[].quantity o indique otro en from"
                ),
            ),
            ReallocateError::OutOfStock { sku, asked, available } => Self::new(
                Code::InsufficientStock,
                message!(
                    "SKU {sku:?} has {available} in stock in that warehouse, {asked} were asked for",
                    "el SKU {sku:?} tiene {available} en existencia en ese almacén y se pidieron {asked}"
                ),
            ),
            ReallocateError::UpgradeUnfinished => Self::new(
                Code::Conflict,
                message!(
                    "orders are promised from one warehouse until the upgrade of the service is finished: run `trastienda upgrade finish`",
                    "hasta que termine la actualización del servicio, los pedidos se apartan en un solo almacén: ejecute `trastienda upgrade finish`"
                ),
            ),
        }
    }
}
