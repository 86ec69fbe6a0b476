//! Refusals of categories.

use catalog::CategoryError;
use kernel::message;

use crate::error::{ApiError, Code};

impl From<CategoryError> for ApiError {
    fn from(error: CategoryError) -> Self {
        let message = match error {
            CategoryError::TooMany { max } => message!(
                "the account has {max} categories, the most it may have; delete one",
                "la cuenta tiene {max} categorías, el máximo permitido; elimine una"
            ),
            CategoryError::DuplicateName { holder } => message!(
                "category {holder} has this name at the same place; choose another name",
                "la categoría {holder} tiene ese nombre en el mismo lugar; elija otro nombre"
            ),
            CategoryError::HasCategories => message!(
                "there are categories in it; move or delete them first",
                "hay categorías dentro de ella; primero muévalas o elimínelas"
            ),
            CategoryError::HasProducts => message!(
                "there are products in it; take them out first (`GET /products?categoryId=` lists them)",
                "hay productos en ella; primero sáquelos (`GET /products?categoryId=` los lista)"
            ),
        };
        Self::new(Code::Conflict, message)
    }
}
