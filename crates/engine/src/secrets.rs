//! Every secret in the database: whether the given keys open them, and how they are sealed anew when the newest
//! key changes.

use diesel::{prelude::*, result::Error as DieselError};

use crate::{
    StoreError,
    db::{Db, on},
    schema::master_key_canary as table,
    vault::Vault,
};

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

/// Finds every secret of one kind; it may leave out what begins as said, which the present key has sealed.
pub type SecretSource = fn(&mut Db, Option<&str>) -> QueryResult<Vec<Secret>>;

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
    let canary: SecretSource = canary;
    let mut sources = std::iter::once(&canary).chain(sources);
    sources.any(|source| source(db, None).is_ok_and(|secrets| !secrets.is_empty()))
}

/// How many secrets no key of the vault opens.
///
/// # Errors
/// Those of the database.
pub fn locked_out(db: &mut Db, vault: &Vault, sources: &[SecretSource]) -> QueryResult<usize> {
    Ok(unopened(&all(db, vault, sources)?, vault))
}

fn unopened(secrets: &[Secret], vault: &Vault) -> usize {
    secrets.iter().filter(|secret| !vault.knows(&secret.sealed)).count()
}

/// Every secret that may be sealed with another key than the present one, the canary with them.
fn all(db: &mut Db, vault: &Vault, sources: &[SecretSource]) -> QueryResult<Vec<Secret>> {
    let current = vault.current_start();
    let mut secrets = canary(db, None)?;
    for source in sources {
        secrets.extend(source(db, current.as_deref())?);
    }
    Ok(secrets)
}

/// Where the canary is kept, as its seal has it.
const CANARY: &str = "master key canary";

/// Seals a text with the key of whoever comes first, so that whoever has another is refused before it seals anything.
fn set_canary(db: &mut Db, vault: &Vault) -> QueryResult<()> {
    let row = (table::id.eq("canary"), table::secret.eq(vault.seal(CANARY, CANARY)?));
    on!(db, |conn| diesel::insert_into(table::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(conn))
    .map(drop)
}

fn canary(db: &mut Db, _: Option<&str>) -> QueryResult<Vec<Secret>> {
    let sealed: Option<String> = table::table.select(table::secret).first(db).optional()?;
    let secret = |sealed| Secret {
        place: CANARY.to_owned(),
        sealed,
        replace: Box::new(|db, before, after| {
            let own = table::table.filter(table::secret.eq(before));
            diesel::update(own).set(table::secret.eq(after)).execute(db)
        }),
    };
    Ok(sealed.map(secret).into_iter().collect())
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
    let told = |error: DieselError| StoreError::Database(error.to_string());
    // A database that takes no writes at the moment has its canary.
    if canary(db, None).map_err(told)?.is_empty() {
        set_canary(db, vault).map_err(told)?;
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
    let secrets = all(db, vault, sources)?;
    let locked_out = unopened(&secrets, vault);
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
