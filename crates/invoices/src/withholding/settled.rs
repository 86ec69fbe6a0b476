//! What follows from the end of a step with a provider.

use kernel::NewEvent;

use super::Withholding;
use crate::{
    credits::CreditChange,
    settled::{DocumentChange, TaskChange},
};

/// What follows from the end of a step: all of it is recorded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The withholding afterwards; with the version that it had when it is unchanged.
    pub withholding: Withholding,
    /// What becomes of the credits set aside.
    pub credits: Option<CreditChange>,
    /// What becomes of its documents.
    pub documents: Option<DocumentChange>,
    /// What to tell.
    pub events: Vec<NewEvent>,
    /// What becomes of the task.
    pub task: TaskChange,
    /// Whether the withholding is the answer of the request that began the task.
    pub is_answer: bool,
}

impl Settled {
    /// Nothing follows.
    pub(super) fn unchanged(withholding: &Withholding) -> Self {
        Self {
            withholding: withholding.clone(),
            credits: None,
            documents: None,
            events: Vec::new(),
            task: TaskChange::Keep,
            is_answer: false,
        }
    }
}
