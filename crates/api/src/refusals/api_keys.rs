//! Refusals about API keys.

use accounts::{AccountError, ApiKeyError};
use kernel::message;

use crate::error::{ApiError, Code};

impl From<ApiKeyError> for ApiError {
    fn from(error: ApiKeyError) -> Self {
        match error {
            ApiKeyError::AlreadyRevoked => revoked(),
            ApiKeyError::Expired => Self::new(
                Code::Conflict,
                message!(
                    "the key has expired; create another one",
                    "la clave ya venció; cree otra"
                ),
            ),
            ApiKeyError::TooMany { max } => Self::new(
                Code::Conflict,
                message!(
                    "the account has {max} keys, which is as many as it may have; revoke those that nobody uses",
                    "la cuenta tiene {max} claves, el máximo; revoque las que nadie use"
                ),
            ),
            ApiKeyError::Forbidden => Self::new(
                Code::Forbidden,
                message!(
                    "your API key has less than that one: it does not approve, is limited to fewer requests or expires \
                     earlier; rotate it with a key that has as much",
                    "su clave de API tiene menos que esa: no aprueba, permite menos solicitudes o vence antes; rótela \
                     con una clave que tenga lo mismo"
                ),
            ),
        }
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::AlreadyRevoked => revoked(),
        }
    }
}

fn revoked() -> ApiError {
    ApiError::new(
        Code::Conflict,
        message!("the key is already revoked", "la clave ya está revocada"),
    )
}
