//! Refusals about jobs.

use kernel::message;
use tasks::TaskError;

use crate::error::{ApiError, Code};

impl From<TaskError> for ApiError {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::HasEnded(state) => Self::new(
                Code::InvalidTransition,
                message!(
                    "the job has ended already; its status is {state}",
                    "el trabajo ya terminó; su estado es {state}",
                    state = state.name()
                ),
            ),
            TaskError::IsRunning => Self::new(
                Code::Conflict,
                message!(
                    "the job is running at this moment; try again when it is queued",
                    "el trabajo se está ejecutando en este momento; intente de nuevo cuando esté en cola"
                ),
            ),
            TaskError::NotCancellable | TaskError::MustBeFinished => Self::new(
                Code::Conflict,
                message!(
                    "this job cannot be cancelled: what it has asked of others must be brought to its end",
                    "este trabajo no se puede cancelar: lo que ya solicitó a terceros debe concluirse"
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tasks::TaskState;

    use super::*;

    #[test]
    fn refusals_say_why() {
        for (error, code, part) in [
            (TaskError::HasEnded(TaskState::Failed), Code::InvalidTransition, "failed"),
            (TaskError::IsRunning, Code::Conflict, "running"),
            (TaskError::NotCancellable, Code::Conflict, "cannot be cancelled"),
            (TaskError::MustBeFinished, Code::Conflict, "cannot be cancelled"),
        ] {
            let refused = ApiError::from(error);
            assert_eq!(refused.code, code);
            assert!(refused.message.to_string().contains(part), "{}", refused.message);
        }
    }
}
