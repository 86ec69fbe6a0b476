//! Refusals about approvals.

use approvals::{ApprovalError, RULES_MAX, Refusal};
use kernel::{Refused, message};

use crate::error::{ApiError, Code};

impl From<ApprovalError> for ApiError {
    fn from(error: ApprovalError) -> Self {
        match error {
            ApprovalError::TooManyRules => Self::new(
                Code::Conflict,
                message!(
                    "the account has {RULES_MAX} approval rules, and cannot have more",
                    "la cuenta tiene {RULES_MAX} reglas de aprobación y no puede tener más"
                ),
            ),
            ApprovalError::Closed(status) => Self::new(
                Code::ApprovalClosed,
                message!(
                    "the approval is {status} already, so there is nothing left to decide",
                    "ya no hay nada que decidir; el estado de la aprobación es {status}",
                    status = status.name()
                ),
            ),
            ApprovalError::DecidedOtherwise => Self::new(
                Code::Conflict,
                message!(
                    "this API key has decided otherwise before, and a decision cannot be changed",
                    "esta clave de API ya decidió lo contrario y una decisión no se puede cambiar"
                ),
            ),
            ApprovalError::Requester => Self::new(
                Code::NotAnApprover,
                message!(
                    "this API key has asked for the approval, so others must decide",
                    "esta clave de API solicitó la aprobación, así que deben decidir otros"
                ),
            ),
            ApprovalError::NotNamed => Self::new(
                Code::NotAnApprover,
                message!(
                    "this API key is not among the approvers of the level that is to be decided now",
                    "esta clave de API no está entre los aprobadores del nivel que toca decidir ahora"
                ),
            ),
            ApprovalError::NotRequester => Self::new(
                Code::NotAnApprover,
                message!(
                    "only the API key that has asked for the approval, or one that may approve, can take it back",
                    "solo la clave de API que solicitó la aprobación, o una que pueda aprobar, puede retirarla"
                ),
            ),
        }
    }
}

/// The refusal of a key that may not approve.
pub(crate) fn may_not_approve() -> ApiError {
    ApiError::new(
        Code::NotAnApprover,
        message!(
            "this API key may not approve: use one with \"mayApprove\": true, see POST /api-keys",
            "esta clave de API no puede aprobar: use una con \"mayApprove\": true, véase POST /api-keys"
        ),
    )
}

/// What the caller of a command that was refused is told, for whoever keeps it until somebody asks.
#[must_use]
pub fn told<E: Into<ApiError>>(refused: Refused<E>) -> Refusal {
    let ApiError { code, message, .. } = refused.into();
    Refusal { status: code.status(), code: code.name().to_owned(), message }
}
