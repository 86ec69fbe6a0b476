//! Every secret in the database: whether the given keys open them, and how they are sealed anew when the newest
//! key changes.

use diesel::{QueryResult, result::Error as DieselError};

use crate::{db::Db, invoices, vault::Vault, webhooks::subscriptions};

/// How a sealed secret is replaced by the same sealed anew, unless it was changed meanwhile; says how many rows
/// that were.
pub(crate) type Replace = Box<dyn FnOnce(&mut Db, &str, &str) -> QueryResult<usize>>;

/// A sealed secret.
pub(crate) struct Secret {
    /// Where it is kept, as its seal has it.
    pub(crate) place: String,
    /// What is there.
    pub(crate) sealed: String,
    /// How it is replaced.
    pub(crate) replace: Replace,
}

/// Why secrets could not be compared with the keys.
pub(crate) enum Mismatch {
    /// So many secrets are opened by no given key.
    LockedOut(usize),
    /// The database refused.
    Database(DieselError),
}

impl From<DieselError> for Mismatch {
    fn from(error: DieselError) -> Self {
        Self::Database(error)
    }
}

/// Whether there is any. Where a table is not there yet, it holds none.
pub(crate) fn any(db: &mut Db) -> bool {
    let sources = [subscriptions::secrets, invoices::sealed::secrets];
    sources.into_iter().any(|source| source(db).is_ok_and(|secrets| !secrets.is_empty()))
}

/// Every secret there is.
fn all(db: &mut Db) -> QueryResult<Vec<Secret>> {
    let mut secrets = subscriptions::secrets(db)?;
    secrets.extend(invoices::sealed::secrets(db)?);
    Ok(secrets)
}

/// Seals anew what is sealed with an older key, so that this can be given up; says how many secrets that were.
/// Where one cannot be opened nothing is changed.
pub(crate) fn seal_anew(db: &mut Db, vault: &Vault) -> Result<usize, Mismatch> {
    let secrets = all(db)?;
    let locked_out = secrets.iter().filter(|secret| !vault.knows(&secret.sealed)).count();
    if locked_out > 0 {
        return Err(Mismatch::LockedOut(locked_out));
    }
    let mut count = 0;
    for secret in secrets.into_iter().filter(|secret| !vault.is_current(&secret.sealed)) {
        let text = vault.open(&secret.place, &secret.sealed)?;
        let again = vault.seal(&secret.place, &text)?;
        count += (secret.replace)(db, &secret.sealed, &again)?;
    }
    Ok(count)
}
