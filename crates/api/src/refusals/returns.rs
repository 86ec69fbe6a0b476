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
                        "items cannot be returned of an order that is {status}; it must be one of {names}",
                        "de un pedido con estado {status} no se devuelve nada; debe ser uno de {names}"
                    ),
                )
            }
            ReturnError::TooMany { line, left } => Self::new(
                Code::Conflict,
                message!(
                    "of line {line} at most {left} can still be returned; lower items[].quantity",
                    "de la partida {line} queda por devolver: {left}; reduzca items[].quantity"
                ),
            ),
            ReturnError::ShippingExceeded { left } => Self::new(
                Code::Conflict,
                message!(
                    "of the shipping at most {left} can still be given back; lower shipping",
                    "del envío queda por devolver: {left}; reduzca shipping"
                ),
            ),
        }
    }
}
