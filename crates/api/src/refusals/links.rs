//! Refusals about links.

use kernel::message;
use links::LinkError;

use crate::error::{ApiError, Code};

impl From<LinkError> for ApiError {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::NotStamped => Self::new(
                Code::Conflict,
                message!(
                    "the invoice is not stamped, so there is nothing to show yet; stamp it first",
                    "la factura no está timbrada, por lo que aún no hay qué mostrar; tímbrela primero"
                ),
            ),
        }
    }
}
