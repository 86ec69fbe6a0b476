//! What follows from a batch's failure.

use diesel::result::Error as DieselError;
use kernel::Fault;

use crate::{
    error::{ErrorClass, fault},
    jobs::BatchFailure,
};

/// By what an error is known again.
#[derive(PartialEq, Eq)]
pub(super) struct Sign {
    class: ErrorClass,
    constraint: Option<String>,
}

impl Sign {
    pub(super) fn of(error: &DieselError) -> Self {
        let constraint = match error {
            DieselError::DatabaseError(_, information) => {
                information.constraint_name().map(str::to_owned)
            }
            _ => None,
        };
        Self { class: ErrorClass::of(error), constraint }
    }

    pub(super) const fn class(&self) -> ErrorClass {
        self.class
    }
}

/// Whether another attempt can succeed; `before` is what the last one failed by.
pub(super) fn can_succeed(sign: &Sign, before: Option<&Sign>, is_quick: bool) -> bool {
    match sign.class {
        ErrorClass::Lost | ErrorClass::Conflict => true,
        // One new connection tells whether it was the old one's fault.
        ErrorClass::ReadOnly => before != Some(sign),
        // Whoever was faster has committed: the rules see its row now. The same again is a defect.
        ErrorClass::Duplicate => before != Some(sign),
        ErrorClass::Trouble => is_quick && before != Some(sign),
        ErrorClass::Defect => false,
    }
}

/// Whether another connection may not have the trouble.
pub(super) fn is_of_connection(error: &DieselError) -> bool {
    matches!(ErrorClass::of(error), ErrorClass::Lost | ErrorClass::ReadOnly)
}

/// Whether one job of the batch may be at fault, rather than the connection.
pub(super) fn is_of_one_job(failure: &BatchFailure) -> bool {
    match failure {
        BatchFailure::NotCommitted(error) => !is_of_connection(error),
        BatchFailure::Overtaken { .. } | BatchFailure::Panicked => true,
        BatchFailure::Unreachable(_) | BatchFailure::OutcomeUnknown(_) => false,
    }
}

pub(super) fn reported(failure: &BatchFailure) -> Fault {
    let fault = match failure {
        BatchFailure::Unreachable(reason) => Fault::Unavailable(reason.clone()),
        BatchFailure::NotCommitted(error) | BatchFailure::Overtaken { error, .. } => fault(error),
        BatchFailure::OutcomeUnknown(error) => {
            Fault::Unavailable(format!("the commit's answer was lost: {error}"))
        }
        BatchFailure::Panicked => Fault::Internal("a command panicked".to_owned()),
    };
    tracing::error!(%fault, "commands were not committed");
    fault
}
