//! Every secret in the database: whether the given keys open them, and how they are sealed anew when the newest
//! key changes.

use diesel::{QueryResult, result::Error as DieselError};

use crate::{StoreError, db::Db, vault::Vault};

/// How a sealed secret is replaced by the same sealed anew, unless it was changed meanwhile; says how many rows
/// that were.
pub type Replace = Box<dyn FnOnce(&mut Db, &str, &str) -> QueryResult<usize>>;

/// A sealed secret.
pub struct Secret {
    /// Where it is kept, as its seal has it.
    pub place: String,
    /// What is there.
    pub sealed: String,
    /// How it is replaced.
    pub replace: Replace,
}

/// Finds every secret of one kind.
pub type SecretSource = fn(&mut Db) -> QueryResult<Vec<Secret>>;

/// Why secrets could not be compared with the keys.
enum Mismatch {
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
pub fn any(db: &mut Db, sources: &[SecretSource]) -> bool {
    sources.iter().any(|source| source(db).is_ok_and(|secrets| !secrets.is_empty()))
}

/// Refuses to work on secrets that cannot be opened, and seals with the newest key what older ones sealed.
pub(crate) fn compare_keys(
    db: &mut Db,
    vault: &Vault,
    sources: &[SecretSource],
) -> Result<(), StoreError> {
    if vault.is_empty() {
        return Ok(());
    }
    let sealed = seal_anew(db, vault, sources).map_err(|mismatch| match mismatch {
        Mismatch::Database(error) => StoreError::Database(error.to_string()),
        Mismatch::LockedOut(count) => StoreError::MasterKey(format!(
            "does not open {count} secrets in this database: they were sealed with \
             another one; give every process the same key, and after a change the old one behind the new"
        )),
    })?;
    if sealed > 0 {
        tracing::info!(sealed, "secrets were sealed anew with the newest master key");
    }
    Ok(())
}

/// Seals anew what is sealed with an older key, so that this can be given up; says how many secrets that were.
/// Where one cannot be opened nothing is changed.
fn seal_anew(db: &mut Db, vault: &Vault, sources: &[SecretSource]) -> Result<usize, Mismatch> {
    let mut secrets = Vec::new();
    for source in sources {
        secrets.extend(source(db)?);
    }
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
