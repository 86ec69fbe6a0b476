//! What can go wrong between this crate and a database.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use kernel::{Fault, Refused};

/// Why a store could not be opened or migrated.
#[derive(Debug)]
pub enum StoreError {
    /// The URL is not one of a database that this program knows.
    Url(String),
    /// There is no database file where the URL points.
    Missing(std::path::PathBuf),
    /// The database refused or could not be reached.
    Database(String),
    /// The master key does not fit.
    MasterKey(String),
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Url(why) => write!(f, "database-url {why}"),
            Self::Missing(path) => {
                write!(
                    f,
                    "there is no database at {}; make one with `trastienda migrate`",
                    path.display()
                )
            }
            Self::Database(why) => write!(f, "the database said: {why}"),
            Self::MasterKey(why) => write!(f, "master_key {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// Why the work of a command ended early.
#[derive(Debug)]
pub(crate) enum Stop<E> {
    /// The rules refuse it; its neighbours in the batch are not concerned.
    Refused(Refused<E>),
    /// The database refuses; nothing of the batch may be committed.
    Database(DieselError),
}

impl<E> From<DieselError> for Stop<E> {
    fn from(error: DieselError) -> Self {
        Self::Database(error)
    }
}

impl<E> From<Refused<E>> for Stop<E> {
    fn from(refused: Refused<E>) -> Self {
        Self::Refused(refused)
    }
}

/// What a database error asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The connection is gone: open another and try again.
    Lost,
    /// Somebody else was faster: try again.
    Conflict,
    /// The database is too busy or full: tell the caller to try later.
    Busy,
    /// A defect.
    Other,
}

pub(crate) fn kind_of(error: &DieselError) -> Kind {
    let DieselError::DatabaseError(kind, information) = error else {
        return match error {
            DieselError::BrokenTransactionManager => Kind::Lost,
            _ => Kind::Other,
        };
    };
    let message = information.message();
    let says = |texts: &[&str]| texts.iter().any(|text| message.contains(text));
    match kind {
        DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand => Kind::Lost,
        DatabaseErrorKind::SerializationFailure | DatabaseErrorKind::UniqueViolation => {
            Kind::Conflict
        }
        _ if says(LOST) => Kind::Lost,
        _ if says(CONFLICT) => Kind::Conflict,
        _ if says(BUSY) => Kind::Busy,
        _ => Kind::Other,
    }
}

/// Words by which libpq tells that the server or the way to it is gone.
const LOST: &[&str] = &[
    "server closed the connection",
    "terminating connection",
    "no connection to the server",
    "connection not open",
    "could not receive data",
    "could not send data",
    "the database system is",
    "SSL connection has been closed",
    "Connection timed out",
    "Connection reset",
];
/// A deadlock, or the guard of a batched write that found its premises changed.
const CONFLICT: &[&str] = &["deadlock detected", "division by zero"];
const BUSY: &[&str] = &[
    "database is locked",
    "database or disk is full",
    "disk I/O error",
    "No space left on device",
    "canceling statement due to",
    "too many connections",
    "remaining connection slots",
];

/// The fault that a caller sees for a database error.
pub(crate) fn fault(error: &DieselError) -> Fault {
    match kind_of(error) {
        Kind::Lost | Kind::Conflict | Kind::Busy => Fault::Unavailable(error.to_string()),
        Kind::Other => Fault::Internal(error.to_string()),
    }
}
