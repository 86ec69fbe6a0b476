//! Refusals of price lists and of the groups that they are for.

use catalog::PriceListError;
use crm::CustomerGroupError;
use kernel::message;

use crate::error::{ApiError, Code};

impl From<PriceListError> for ApiError {
    fn from(error: PriceListError) -> Self {
        let message = match error {
            PriceListError::TooMany { max } => message!(
                "the account has {max} price lists, the most it may have; delete one",
                "la cuenta tiene {max} listas de precios, el máximo permitido; elimine una"
            ),
            PriceListError::DuplicateName { holder } => message!(
                "price list {holder} has this name; choose another name",
                "la lista de precios {holder} tiene ese nombre; elija otro nombre"
            ),
        };
        Self::new(Code::Conflict, message)
    }
}

impl From<CustomerGroupError> for ApiError {
    fn from(error: CustomerGroupError) -> Self {
        let message = match error {
            CustomerGroupError::TooMany { max } => message!(
                "the account has {max} customer groups, the most it may have; delete one",
                "la cuenta tiene {max} grupos de clientes, el máximo permitido; elimine uno"
            ),
            CustomerGroupError::DuplicateName { holder } => message!(
                "customer group {holder} has this name; choose another name",
                "el grupo de clientes {holder} tiene ese nombre; elija otro nombre"
            ),
            CustomerGroupError::HasCustomers => message!(
                "there are customers in it; take them out first (`GET /customers?groupId=` lists them)",
                "hay clientes en él; primero sáquelos (`GET /customers?groupId=` los lista)"
            ),
            CustomerGroupError::HasPriceLists => message!(
                "a price list is for it; change or delete that list first",
                "hay una lista de precios para él; primero cámbiela o elimínela"
            ),
        };
        Self::new(Code::Conflict, message)
    }
}
