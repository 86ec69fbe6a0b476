//! The key that secrets are sealed with: given, or made once and kept in a file.

use std::{fs, io, path::Path};

use anyhow::{Context, anyhow, bail};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use base64::{Engine, prelude::BASE64_STANDARD};
use store::{MASTER_KEY_BYTES, MasterKey};

use crate::{
    data_dir,
    settings::{Settings, webhooks_values::master_key},
};

const FILE: &str = "master.key";

/// How the store is opened by a process that seals secrets.
///
/// # Errors
/// When the key's file cannot be read or made, or holds no key.
pub fn store_settings(settings: &Settings) -> anyhow::Result<store::Settings> {
    Ok(store::Settings { master_keys: keys(settings)?, ..settings.store() })
}

/// The keys that there are, without making one.
///
/// # Errors
/// When the key's file cannot be read, or holds no key.
pub(crate) fn existing(settings: &Settings) -> anyhow::Result<Vec<MasterKey>> {
    let path = settings.data_dir.join(FILE);
    if settings.master_key.0.is_empty() && !path.exists() {
        return Ok(Vec::new());
    }
    keys(settings)
}

fn keys(settings: &Settings) -> anyhow::Result<Vec<MasterKey>> {
    if !settings.master_key.0.is_empty() {
        return Ok(settings.master_key.0.clone());
    }
    let path = settings.data_dir.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => match master_key(text.trim()) {
            Some(key) => Ok(vec![key]),
            None => bail!("the file {} does not contain a master key; restore it", path.display()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if store::holds_secrets(&settings.store())? {
                bail!(
                    "the file {} is missing, and this database contains secrets that only its key \
                     can decrypt; restore it from your copy, or set the key in \
                     TRASTIENDA_MASTER_KEY",
                    path.display()
                );
            }
            Ok(vec![make(&settings.data_dir, &path)?])
        }
        Err(error) => {
            Err(error).with_context(|| format!("cannot read the file {}", path.display()))
        }
    }
}

/// Makes a key and keeps it in the file, unless another process is quicker: then its key counts.
fn make(folder: &Path, path: &Path) -> anyhow::Result<MasterKey> {
    data_dir::create(folder)?;
    let mut key = [0; MASTER_KEY_BYTES];
    SystemRandom::new()
        .fill(&mut key)
        .map_err(|_| anyhow!("the operating system provides no random numbers"))?;
    if data_dir::create_private(path, &format!("{}\n", BASE64_STANDARD.encode(key)))? {
        tracing::info!(
            file = %path.display(),
            "created a master key; keep a copy of it, separate from the database backup"
        );
    }
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read the file {}", path.display()))?;
    let held = master_key(text.trim());
    held.ok_or_else(|| anyhow!("the file {} does not contain a master key", path.display()))
}

#[cfg(test)]
mod tests {
    use accounts::Accounts;
    use kernel::{Ctx, Timestamp};
    use store::Store;
    use webhooks::{NewSubscription, Topics, Webhooks};

    use super::*;
    use crate::settings::{DatabaseUrl, Sources};

    fn settings(folder: &Path) -> Settings {
        let (mut settings, _) = Settings::read(&Sources::default()).unwrap();
        settings.data_dir = folder.to_owned();
        settings.database_url = DatabaseUrl::in_folder(folder);
        settings
    }

    fn subscribe(store: &Store) {
        let now = Timestamp::from_micros(0);
        let account = store.create_account("Lupita".to_owned(), 5, now).wait().unwrap().unwrap();
        let ctx = Ctx::system(account.value.id, now);
        let command = NewSubscription {
            url: "https://example.com/hooks".to_owned(),
            events: Topics::all(),
            description: None,
        };
        store.create(ctx, command).wait().unwrap().unwrap();
    }

    #[test]
    fn a_key_is_made_once_and_never_in_place_of_a_lost_one() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        let opened = store_settings(&settings).unwrap();
        assert_eq!(store_settings(&settings).unwrap().master_keys, opened.master_keys);
        store::migrate(&opened).unwrap();

        // Without a secret in the database nothing is lost with the key.
        let file = folder.path().join(FILE);
        fs::remove_file(&file).unwrap();
        let opened = store_settings(&settings).unwrap();
        subscribe(&Store::open(&opened).unwrap());
        fs::remove_file(&file).unwrap();
        let lost = store_settings(&settings).unwrap_err().to_string();
        assert!(lost.contains("restore it from your copy"), "{lost}");
        assert!(!file.exists());
        fs::write(&file, "garbage").unwrap();
        let garbled = store_settings(&settings).unwrap_err().to_string();
        assert!(garbled.contains("does not contain a master key"), "{garbled}");
    }

    #[test]
    fn of_two_that_make_a_key_at_once_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let first = make(folder.path(), &path).unwrap();
        assert!(make(folder.path(), &path).unwrap() == first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }
}
