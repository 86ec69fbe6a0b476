//! Refusals of returns.

use kernel::message;
use orders::{ReturnError, returns::RETURNABLE};

use super::names;
use crate::error::{ApiError, Code};

impl From<ReturnError> for ApiError {
    fn from(error: ReturnError) -> Self {
        match error {
            ReturnError::WrongStatus { status } => {
                let (status, names) = (status.name(), names(RETURNABLE));
                Self::new(
                    Code::InvalidTransition,
                    message!(
                        "nothing comes back of an order that is {status}; it must be one of {names}",
                        "de un pedido con estado {status} no se devuelve nada; debe ser uno de {names}"
                    ),
                )
            }
            ReturnError::TooMany { line, left } => Self::new(
                Code::Conflict,
                message!(
                    "of line {line} only {left} can still come back; lower items[].quantity",
                    "de la partida {line} solo pueden devolverse {left}; reduzca items[].quantity"
                ),
            ),
            ReturnError::ShippingExceeded { left } => Self::new(
                Code::Conflict,
                message!(
                    "of the shipping only {left} is left; lower shipping",
                    "del envío solo quedan {left}; reduzca shipping"
                ),
            ),
        }
    }
}
