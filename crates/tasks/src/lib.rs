//! Durable work: what outlives a request, and what became of it.
//!
//! A [`Task`] is on record from the transaction that asks for it to the one that ends it. A worker claims it, works
//! under the claim, and records what follows: it is ended, or due again after a pause. When a claim runs out (a
//! crash, a lost machine) another worker takes the task over and knows that it is in doubt: what it is about to do
//! may have been done.
//!
//! The rules are plain functions of a task and the time; [`TaskQueue`] is what keeps tasks for workers, [`Jobs`] shows
//! them to their account, [`TaskOffice`] to operators.

mod claiming;
mod files;
pub mod kind;
mod operator;
mod service;
mod task;
pub mod why;

pub use claiming::{CLAIM_SECONDS_MAX, CLOCK_SKEW_SECONDS, Claim, Want, fair};
pub use files::{FILE_SECONDS, FILES_MAX, JobFiles, PIECE_BYTES, Piece};
pub use kind::{KINDS, TaskKind};
pub use operator::{AuditEntry, AuditEntryId, OpenTasks, TaskOffice};
pub use service::{JobQuery, Jobs, Standing, TaskQueue, Watcher};
pub use task::{
    ClaimId, End, NewTask, Pause, Payload, Progress, Status, Task, TaskError, TaskId, TaskState,
};
pub use why::Why;
