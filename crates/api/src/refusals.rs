//! Every refusal of the domains as an answer: which code, and a sentence that names the fix.

mod invoices;
mod reading;

use catalog::ProductError;
use crm::{CustomerError, LeadError, LeadStatus};
use kernel::{Fault, Refused};
use orders::{OrderStatus, PlaceError, UpdateError};
use webhooks::WebhookError;

use crate::error::{ApiError, Code};

pub(crate) use invoices::findings;
pub(crate) use reading::{unreadable_body, unreadable_query};

impl<E: Into<ApiError>> From<Refused<E>> for ApiError {
    fn from(refused: Refused<E>) -> Self {
        match refused {
            Refused::Rule(rule) => rule.into(),
            Refused::Invalid(faults) => Self::of_faults(&faults),
            Refused::NotFound => crate::reply::not_found(),
            Refused::Stale => crate::call::stale(),
            Refused::KeyReused => Self::new(
                Code::IdempotencyKeyReused,
                "this Idempotency-Key was used with another body; use a new key for a new request",
            ),
            Refused::KeyInUse => Self::new(
                Code::IdempotencyKeyInUse,
                "a request with this Idempotency-Key is still under way; try again shortly",
            ),
            Refused::Fault(fault) => fault.into(),
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unavailable(cause) => Self::unavailable(
                "the database cannot be reached or is too busy; try again, a write with the same \
                 Idempotency-Key",
                cause,
            ),
            Fault::Internal(cause) => Self::internal(cause),
        }
    }
}

impl From<ProductError> for ApiError {
    fn from(error: ProductError) -> Self {
        match error {
            ProductError::DuplicateSku { sku, holder } => Self::new(
                Code::DuplicateSku,
                format!("the SKU {sku:?} belongs to product {holder}; choose another"),
            ),
        }
    }
}

impl From<PlaceError> for ApiError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::OutOfStock(demand) => {
                let variant =
                    demand.sold.variant.map_or_else(String::new, |id| format!(", variant {id}"));
                Self::new(
                    Code::InsufficientStock,
                    format!(
                        "SKU {:?} has {} in stock, {} were asked for (product {}{variant})",
                        demand.sku, demand.available, demand.asked, demand.sold.product
                    ),
                )
            }
        }
    }
}

impl From<UpdateError> for ApiError {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::InvalidTransition { from, to, allowed } => {
                let allowed = match allowed {
                    [] => "it stays as it is".to_owned(),
                    some => format!("allowed: {}", names(some)),
                };
                Self::new(
                    Code::InvalidTransition,
                    format!(
                        "an order that is {} cannot become {}; {allowed}",
                        from.name(),
                        to.name()
                    ),
                )
            }
            UpdateError::RefundNeeded { total } => Self::new(
                Code::Conflict,
                format!(
                    "the order is paid: cancelling it means owing {total} back; send \"refund\": \
                     true to accept that"
                ),
            ),
            UpdateError::FulfillmentContradicts { status, wanted } => Self::new(
                Code::Conflict,
                format!(
                    "the fulfillmentStatus of an order that is {} cannot become {}",
                    status.name(),
                    wanted.name()
                ),
            ),
        }
    }
}

fn names(statuses: &[OrderStatus]) -> String {
    statuses.iter().map(|status| status.name()).collect::<Vec<_>>().join(", ")
}

impl From<CustomerError> for ApiError {
    fn from(error: CustomerError) -> Self {
        match error {
            CustomerError::DuplicateEmail { email, holder } => Self::new(
                Code::DuplicateEmail,
                format!("the email {email:?} belongs to customer {holder}; change that one"),
            ),
            CustomerError::Referenced => Self::new(
                Code::Conflict,
                "orders or deals name this customer, so it cannot be deleted",
            ),
        }
    }
}

impl From<LeadError> for ApiError {
    fn from(error: LeadError) -> Self {
        match error {
            LeadError::InvalidTransition { from, to } => {
                let fix = match (from, to) {
                    (LeadStatus::Converted, _) => "it stays converted",
                    (LeadStatus::Lost, LeadStatus::Converted) => {
                        "set its status to qualified first"
                    }
                    _ => "POST to its /convert instead",
                };
                Self::new(
                    Code::InvalidTransition,
                    format!("a lead that is {} cannot become {}; {fix}", from.name(), to.name()),
                )
            }
        }
    }
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::TooMany { max } => Self::new(
                Code::Conflict,
                format!("the account has {max} webhooks, the most it may have; delete one"),
            ),
            WebhookError::Disabled => Self::new(
                Code::WebhookDisabled,
                "the webhook is disabled; POST to its /enable first",
            ),
            WebhookError::InProgress => Self::new(
                Code::Conflict,
                "an attempt of the delivery is under way; wait for its outcome",
            ),
            WebhookError::EventGone => Self::new(
                Code::EventGone,
                "the event is too old to be delivered again: its body is not kept any more",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::FieldFault;

    use super::*;

    #[test]
    fn sentences_name_the_fix() {
        let refused = UpdateError::InvalidTransition {
            from: OrderStatus::Shipped,
            to: OrderStatus::Cancelled,
            allowed: OrderStatus::Shipped.allowed(false),
        };
        let error = ApiError::from(Refused::Rule(refused));
        assert_eq!(
            (error.code, error.message.as_ref()),
            (
                Code::InvalidTransition,
                "an order that is shipped cannot become cancelled; allowed: paid, delivered"
            )
        );
    }

    #[test]
    fn causes_stay_inside() {
        let error = ApiError::from(Fault::Internal("a secret of the database".to_owned()));
        assert!(!String::from_utf8_lossy(&error.to_json()).contains("secret"));
        assert_eq!(error.cause.as_deref(), Some("a secret of the database"));
    }

    #[test]
    fn faults_of_the_domain_are_named() {
        let refused =
            Refused::<PlaceError>::Invalid(vec![FieldFault::new("customerId", "names nobody")]);
        assert_eq!(ApiError::from(refused).message, "customerId names nobody");
    }
}
