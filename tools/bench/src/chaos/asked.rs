//! What becomes of something that was asked for, whatever it is.

/// How an answer is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Done,
    /// Nothing was done, by a rule.
    Refused,
    /// It is to be asked again.
    Again,
    Unexpected,
}

/// What is known of an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Open,
    Refused,
    /// The identifier of what was answered.
    Done(String),
}
