//! A task and what may become of it.

use kernel::{AccountId, Timestamp};

use crate::claiming::{CLAIM_SECONDS_MAX, CLOCK_SKEW_SECONDS, Claim};

kernel::ids! {
    /// A task's identifier.
    TaskId = "tsk";
    /// A claim's identifier: fences off a worker that was given up for dead.
    ClaimId = "tcl";
}

/// Whether a task has ended, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// It is to be done.
    Open,
    /// It was done.
    Succeeded,
    /// It will not be done.
    Failed,
    /// Somebody decided against it.
    Cancelled,
}

impl TaskState {
    /// Every state.
    pub const EVERY: &'static [Self] =
        &[Self::Open, Self::Succeeded, Self::Failed, Self::Cancelled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What a task shows of itself at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It waits for its time, or for a worker.
    Queued,
    /// A worker is at it.
    Running,
    /// It has ended so.
    Ended(TaskState),
}

impl Status {
    /// Every status.
    pub const EVERY: &'static [Self] = &[
        Self::Queued,
        Self::Running,
        Self::Ended(TaskState::Succeeded),
        Self::Ended(TaskState::Failed),
        Self::Ended(TaskState::Cancelled),
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Ended(state) => state.name(),
        }
    }
}

/// What a worker needs to know, as its kind writes it down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The version of its form.
    pub version: u32,
    /// JSON.
    pub text: String,
}

impl Payload {
    /// Of work whose subject says everything.
    #[must_use]
    pub fn none() -> Self {
        Self { version: 1, text: "{}".to_owned() }
    }
}

/// How far a task has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Parts that are done.
    pub done: u64,
    /// Parts in all, once that is known.
    pub total: Option<u64>,
    /// What is being done, for people.
    pub message: Option<String>,
}

/// Work to be done.
#[derive(Clone, Debug)]
pub struct NewTask {
    /// The name of its kind.
    pub kind: &'static str,
    /// The identifier of what it is about.
    pub subject: String,
    /// Of open tasks with the same key an account has one at most.
    pub exclusive_key: Option<String>,
    /// What its worker needs to know.
    pub payload: Payload,
    /// When it is to be done.
    pub due_at: Timestamp,
    /// Who begins with it at once, if anybody does.
    pub claim: Option<Claim>,
}

/// Durable work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Whose.
    pub account: AccountId,
    /// Its identifier.
    pub id: TaskId,
    /// The name of its kind.
    pub kind: String,
    /// The identifier of what it is about.
    pub subject: String,
    /// Of open tasks with the same key an account has one at most.
    pub exclusive_key: Option<String>,
    /// What its worker needs to know.
    pub payload: Payload,
    /// Whether it has ended, and how.
    pub state: TaskState,
    /// When it is to be done; `None` once it has ended.
    pub due_at: Option<Timestamp>,
    /// Attempts that have ended.
    pub attempts: u32,
    /// Whether one of them may have had an effect that is not on record.
    pub is_doubtful: bool,
    /// Who is at it.
    pub claim: Option<Claim>,
    /// Whether its account wants it to stop.
    pub is_cancel_requested: bool,
    /// How far it has come.
    pub progress: Progress,
    /// What came of it: JSON once it has succeeded, otherwise a sentence about the last attempt.
    pub outcome: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// How an attempt is followed by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// After so many seconds.
    pub seconds: i64,
    /// Whether the attempt may have had an effect that is not on record.
    pub is_doubtful: bool,
    /// Why, for operators.
    pub reason: String,
}

/// How a task ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this result, JSON.
    Succeeded(String),
    /// For this reason.
    Failed(String),
    /// Because its account or an operator wanted it.
    Cancelled(String),
}

/// Why a task cannot be dealt with as somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskError {
    /// It has ended.
    HasEnded(TaskState),
    /// A worker is at it.
    IsRunning,
    /// Its kind can only be finished.
    NotCancellable,
    /// What it asked for may have been received outside, and cannot be taken back.
    MustBeFinished,
}

impl Task {
    /// Work asked for at `now`.
    #[must_use]
    pub fn open(account: AccountId, id: TaskId, new: NewTask, now: Timestamp) -> Self {
        Self {
            account,
            id,
            kind: new.kind.to_owned(),
            subject: new.subject,
            exclusive_key: new.exclusive_key,
            payload: new.payload,
            state: TaskState::Open,
            due_at: Some(new.due_at),
            attempts: 0,
            is_doubtful: false,
            claim: new.claim,
            is_cancel_requested: false,
            progress: Progress::default(),
            outcome: None,
            created_at: now,
            updated_at: now,
            ended_at: None,
        }
    }

    /// Whether a worker is at it. A claim that ends later than any may was made before the clock was set back, and
    /// holds nothing.
    #[must_use]
    pub fn is_held(&self, now: Timestamp) -> bool {
        let longest = now.plus_seconds(CLAIM_SECONDS_MAX);
        self.claim.is_some_and(|claim| claim.until > now && claim.until <= longest)
    }

    /// Whether it is to be done now. What was put off before the clock was set back is due: nobody knows for how long
    /// it would wait.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        let is_set_back = self.updated_at > now.plus_seconds(CLOCK_SKEW_SECONDS);
        self.due_at.is_some_and(|due| due <= now || is_set_back) && !self.is_held(now)
    }

    /// What it shows of itself.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> Status {
        match self.state {
            TaskState::Open if self.is_held(now) => Status::Running,
            TaskState::Open => Status::Queued,
            ended => Status::Ended(ended),
        }
    }

    /// Taken by a worker. Whoever held it before may have done the work.
    #[must_use]
    pub fn claimed(mut self, claim: Claim) -> Self {
        self.is_doubtful |= self.claim.is_some();
        self.claim = Some(claim);
        self
    }

    /// Given back, due again after a pause.
    #[must_use]
    pub fn postponed(mut self, pause: &Pause, now: Timestamp) -> Self {
        self.attempts = self.attempts.saturating_add(1);
        self.due_at = Some(now.plus_seconds(pause.seconds.max(0)));
        self.is_doubtful |= pause.is_doubtful;
        self.claim = None;
        self.outcome = Some(pause.reason.clone());
        self.updated_at = now;
        self
    }

    /// Given back without an attempt, because it is not its turn: due again after a pause.
    #[must_use]
    pub fn put_off(self, pause: &Pause, now: Timestamp) -> Self {
        let attempts = self.attempts;
        Self { attempts, ..self.postponed(pause, now) }
    }

    /// Turned into the step that follows, under the same claim.
    #[must_use]
    pub fn continued(mut self, kind: &'static str, now: Timestamp) -> Self {
        kind.clone_into(&mut self.kind);
        self.attempts = 0;
        self.is_doubtful = false;
        self.updated_at = now;
        self
    }

    /// Come so far.
    #[must_use]
    pub fn progressed(mut self, progress: Progress, now: Timestamp) -> Self {
        self.progress = progress;
        self.updated_at = now;
        self
    }

    /// Ended.
    #[must_use]
    pub fn ended(mut self, end: End, now: Timestamp) -> Self {
        let (state, outcome) = match end {
            End::Succeeded(result) => (TaskState::Succeeded, result),
            End::Failed(reason) => (TaskState::Failed, reason),
            End::Cancelled(reason) => (TaskState::Cancelled, reason),
        };
        self.attempts = self.attempts.saturating_add(1);
        self.state = state;
        self.outcome = Some(outcome);
        self.due_at = None;
        self.claim = None;
        self.exclusive_key = None;
        self.updated_at = now;
        self.ended_at = Some(now);
        self
    }

    /// As its account wants it: ended at once while nobody is at it, otherwise at the worker's next step.
    ///
    /// # Errors
    /// When it has ended otherwise, or its kind can only be finished.
    pub fn cancelled(mut self, is_cancellable: bool, now: Timestamp) -> Result<Self, TaskError> {
        match self.state {
            TaskState::Cancelled => Ok(self),
            TaskState::Open if !is_cancellable => Err(TaskError::NotCancellable),
            TaskState::Open if self.is_held(now) => {
                self.is_cancel_requested = true;
                self.updated_at = now;
                Ok(self)
            }
            TaskState::Open => {
                Ok(self.ended(End::Cancelled("cancelled before it began".to_owned()), now))
            }
            ended => Err(TaskError::HasEnded(ended)),
        }
    }

    /// Due now, as an operator wants it.
    ///
    /// # Errors
    /// When it has ended, or a worker is at it.
    pub fn retried(mut self, now: Timestamp) -> Result<Self, TaskError> {
        self.refuse_unless_waiting(now)?;
        self.due_at = Some(now);
        self.updated_at = now;
        Ok(self)
    }

    /// Given up, as an operator wants it.
    ///
    /// # Errors
    /// When it has ended, or a worker is at it.
    pub fn abandoned(self, reason: String, now: Timestamp) -> Result<Self, TaskError> {
        self.refuse_unless_waiting(now)?;
        Ok(self.ended(End::Cancelled(reason), now))
    }

    /// Refuses what can be done only while nobody is at it.
    ///
    /// # Errors
    /// When it has ended, or a worker is at it.
    pub fn refuse_unless_waiting(&self, now: Timestamp) -> Result<(), TaskError> {
        match self.status(now) {
            Status::Queued => Ok(()),
            Status::Running => Err(TaskError::IsRunning),
            Status::Ended(state) => Err(TaskError::HasEnded(state)),
        }
    }
}

#[cfg(test)]
mod tests;
