//! What came of each row, and of all.

use kernel::Message;

/// What came of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was acted on, or its approval asked for.
    Done,
    /// A rule forbids it.
    Refused,
    /// There was nothing to do.
    Skipped,
}

impl Outcome {
    /// Every outcome.
    pub const EVERY: &'static [Self] = &[Self::Done, Self::Refused, Self::Skipped];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Skipped => "skipped",
        }
    }
}

/// Why, as the caller of the API would be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The stable code.
    pub code: String,
    /// The sentence.
    pub message: Message,
}

/// What came of a row, and why where it was not just done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct RowResult {
    pub outcome: Outcome,
    pub reason: Option<Reason>,
    /// The identifier of what it has led to, such as an invoice.
    pub made: Option<String>,
}

impl RowResult {
    /// It was acted on.
    #[must_use]
    pub const fn done() -> Self {
        Self { outcome: Outcome::Done, reason: None, made: None }
    }

    /// The same with what it has led to.
    #[must_use]
    pub fn led_to(self, id: &impl ToString) -> Self {
        Self { made: Some(id.to_string()), ..self }
    }

    /// The same with a remark.
    #[must_use]
    pub fn because(self, code: &str, message: Message) -> Self {
        Self { reason: Some(Reason { code: code.to_owned(), message }), ..self }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its place, from 0.
    pub position: u32,
    /// The identifier of what is acted on.
    pub subject: String,
    /// What people call it.
    pub label: String,
    /// The version in which it was taken down, where it is acted on in no other.
    pub version: Option<i64>,
    /// What came of it; `None` before its turn.
    pub result: Option<RowResult>,
}

/// How many rows there are, and what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Tally {
    /// Whether all of them are taken down.
    pub is_collected: bool,
    pub total: u64,
    pub done: u64,
    pub refused: u64,
    pub skipped: u64,
}

impl Tally {
    /// Rows whose turn has been.
    #[must_use]
    pub const fn acted(&self) -> u64 {
        self.done.saturating_add(self.refused).saturating_add(self.skipped)
    }

    /// Rows with an outcome.
    #[must_use]
    pub const fn of(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Done => self.done,
            Outcome::Refused => self.refused,
            Outcome::Skipped => self.skipped,
        }
    }
}
