//! Files that tasks make, kept in pieces: for whoever asked for them to fetch, from whichever process.

use kernel::{AccountId, Fault, Pending, Timestamp, Written};

use crate::{Progress, Standing, Task, TaskId};

/// Bytes of every piece but the last.
pub const PIECE_BYTES: usize = 256 * 1024;
/// How long a file is kept from the request for it, in seconds: a week.
pub const FILE_SECONDS: i64 = 7 * 24 * 60 * 60;
/// Files of an account that are kept or being made at once.
pub const FILES_MAX: i64 = 30;

/// Part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its place among the pieces, from 0.
    pub position: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Keeps files of tasks.
pub trait JobFiles: Send + Sync {
    /// Keeps a piece of the file that a task makes, over the one that an earlier attempt has left in its place; records
    /// how far the task has come, and holds the claim until `until`. Nothing is kept once the claim is
    /// [lost](Standing::Lost).
    fn append(
        &self,
        task: &Task,
        piece: Piece,
        progress: Progress,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>>;

    /// The bytes of a piece; `None` when it is kept no longer.
    fn piece(
        &self,
        account: AccountId,
        id: TaskId,
        position: u32,
    ) -> Pending<Result<Option<Vec<u8>>, Fault>>;
}
