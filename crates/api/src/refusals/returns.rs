//! Refusals of returns.

use kernel::{Amount, Measure, message};
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
                        "items of an order that is {status} cannot be returned; it must be one of {names}",
                        "las partidas de un pedido con estado {status} no se pueden devolver; el estado debe ser uno de {names}"
                    ),
                )
            }
            ReturnError::TooMany { line, left: Measure::ZERO } => Self::new(
                Code::Conflict,
                message!(
                    "nothing of line {line} is left to be returned; leave the line out",
                    "de la partida {line} ya no queda nada por devolver; omita la partida"
                ),
            ),
            ReturnError::TooMany { line, left } => Self::new(
                Code::Conflict,
                message!(
                    "at most {left} of line {line} can still be returned; lower items[].quantity",
                    "de la partida {line} queda por devolver: {left}; reduzca items[].quantity"
                ),
            ),
            ReturnError::ShippingExceeded { left: Amount::ZERO } => Self::new(
                Code::Conflict,
                message!(
                    "no shipping of the order is left to be given back; leave shipping out",
                    "del envío ya no queda nada por devolver; omita shipping"
                ),
            ),
            ReturnError::ShippingExceeded { left } => Self::new(
                Code::Conflict,
                message!(
                    "at most {left} of the shipping can still be given back; lower shipping",
                    "del envío queda por devolver: {left}; reduzca shipping"
                ),
            ),
            ReturnError::TooManyReturns { max } => Self::new(
                Code::Conflict,
                message!(
                    "the order has had {max} returns, the most that it may have; refund what else comes back by its payments",
                    "el pedido ya tuvo {max} devoluciones, el máximo permitido; reembolse lo demás desde sus pagos"
                ),
            ),
        }
    }
}
