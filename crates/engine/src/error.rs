//! What can go wrong between the engine and a database.

use std::path::PathBuf;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use kernel::{Fault, FieldFault, Refusal, Refused};

/// Why a store could not be opened or migrated.
#[derive(Debug)]
pub enum StoreError {
    /// The URL is not one of a database that this program knows.
    Url(String),
    /// There is no database file where the URL points.
    Missing(PathBuf),
    /// A restoration of the database file was interrupted while there was none under its name.
    Unfinished(PathBuf),
    /// The database refused or could not be reached.
    Database(String),
    /// The master key does not fit.
    MasterKey(String),
    /// A newer program has taken away what this one uses; names the migration that it does not know.
    TooNew(String),
    /// A migration is missing, and this program is not to apply any; names the first.
    Behind(String),
    /// A copy of the database cannot be made or is not sound.
    Backup(String),
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
            Self::Unfinished(path) => {
                let path = path.display();
                write!(
                    f,
                    "a restoration of {path} was interrupted, and nothing is in its place: run \
                     `trastienda restore FILE` again; a database that was there before is kept as \
                     {path}.replaced (the highest number, if there are several); to start with an \
                     empty database instead, delete {path}.draft"
                )
            }
            Self::Backup(why) => f.write_str(why),
            Self::Database(why) => write!(f, "the database said: {why}"),
            Self::MasterKey(why) => write!(f, "master_key {why}"),
            Self::Behind(migration) => write!(
                f,
                "the database lacks migration {migration}, and this program was told to apply none: \
                 run `trastienda migrate` first"
            ),
            Self::TooNew(migration) => write!(
                f,
                "a newer release has migrated the database, which this one can no longer use: it \
                 does not know migration {migration}; start that release again, or restore a \
                 backup of before"
            ),
        }
    }
}

impl std::error::Error for StoreError {}

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure<E> {
    /// The rules refuse it; its neighbours in the batch are not concerned.
    Refused(Refused<E>),
    /// The database refuses; nothing of the batch may be committed.
    Database(DieselError),
}

impl<E> From<DieselError> for Failure<E> {
    fn from(error: DieselError) -> Self {
        Self::Database(error)
    }
}

impl<E> From<Refusal<E>> for Failure<E> {
    fn from(refusal: Refusal<E>) -> Self {
        Self::Refused(refusal.into())
    }
}

impl<E> From<Refused<E>> for Failure<E> {
    fn from(refused: Refused<E>) -> Self {
        Self::Refused(refused)
    }
}

/// Refuses to overwrite another version than the caller has seen, if it names one.
///
/// # Errors
/// [`Refused::Stale`].
pub fn refuse_stale<E>(seen: Option<i64>, version: i64) -> Result<(), Failure<E>> {
    match seen {
        Some(seen) if seen != version => Err(Refused::Stale.into()),
        _ => Ok(()),
    }
}

/// What came of a step that was taken although something was found wrong before it: these faults are named with its own,
/// and before what a rule has against it.
///
/// # Errors
/// [`Refused::Invalid`] if there are any.
pub fn with_faults<T, E>(
    faults: Vec<FieldFault>,
    outcome: Result<T, Failure<E>>,
) -> Result<T, Failure<E>> {
    if faults.is_empty() {
        return outcome;
    }
    match outcome {
        Ok(_) | Err(Failure::Refused(Refused::Rule(_))) => Err(Refused::Invalid(faults).into()),
        Err(Failure::Refused(Refused::Invalid(more))) => {
            Err(Refused::Invalid(faults.into_iter().chain(more).collect()).into())
        }
        Err(failure) => Err(failure),
    }
}

/// What a database error asks for.
///
/// Told by the driver's kinds alone, which follow from SQLSTATE and from SQLite's result codes: messages come in
/// the language of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The connection is gone: open another and try again.
    Lost,
    /// The server takes no writes on this connection, as one that was the primary before: nothing was done, and another
    /// connection may lead to the one that does.
    ReadOnly,
    /// Somebody else was faster: try again.
    Conflict,
    /// A unique key was there already. Somebody else may have been faster; twice in a row it is a defect.
    Duplicate,
    /// The driver has no kind for it (a deadlock, a time-out, a full disk, no room for connections): nothing was
    /// done, and it may pass.
    Trouble,
    /// What this program asked for can never succeed.
    Defect,
}

impl ErrorClass {
    /// The class of an error.
    #[must_use]
    pub const fn of(error: &DieselError) -> Self {
        match error {
            DieselError::BrokenTransactionManager => Self::Lost,
            DieselError::DatabaseError(kind, _) => Self::of_kind(kind),
            _ => Self::Defect,
        }
    }

    const fn of_kind(kind: &DatabaseErrorKind) -> Self {
        match kind {
            DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand => {
                Self::Lost
            }
            DatabaseErrorKind::ReadOnlyTransaction => Self::ReadOnly,
            DatabaseErrorKind::SerializationFailure => Self::Conflict,
            DatabaseErrorKind::UniqueViolation => Self::Duplicate,
            DatabaseErrorKind::ForeignKeyViolation
            | DatabaseErrorKind::NotNullViolation
            | DatabaseErrorKind::CheckViolation
            | DatabaseErrorKind::RestrictViolation
            | DatabaseErrorKind::ExclusionViolation => Self::Defect,
            // Kinds that a later driver adds are no defect of ours either.
            _ => Self::Trouble,
        }
    }
}

/// The fault that a caller sees for a database error.
#[must_use]
pub fn fault(error: &DieselError) -> Fault {
    match ErrorClass::of(error) {
        ErrorClass::Lost | ErrorClass::ReadOnly | ErrorClass::Conflict | ErrorClass::Trouble => {
            Fault::Unavailable(error.to_string())
        }
        ErrorClass::Duplicate | ErrorClass::Defect => Fault::Internal(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_only_server_is_away_and_no_defect() {
        let refused = DieselError::DatabaseError(
            DatabaseErrorKind::ReadOnlyTransaction,
            Box::new("cannot execute INSERT in a read-only transaction".to_owned()),
        );
        assert_eq!(ErrorClass::of(&refused), ErrorClass::ReadOnly);
        assert!(matches!(fault(&refused), Fault::Unavailable(_)));
    }
}
