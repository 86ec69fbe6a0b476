//! The key that secrets are sealed with: given, or made once and kept in a file.

use std::{fs, io};

use anyhow::{Context, anyhow, bail};
use base64::{Engine, prelude::BASE64_STANDARD};
use ring::rand::{SecureRandom, SystemRandom};
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

fn keys(settings: &Settings) -> anyhow::Result<Vec<MasterKey>> {
    if !settings.master_key.0.is_empty() {
        return Ok(settings.master_key.0.clone());
    }
    let path = settings.data_dir.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => match master_key(text.trim()) {
            Some(key) => Ok(vec![key]),
            None => bail!("the file {} holds no master key; restore it", path.display()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            data_dir::create(&settings.data_dir)?;
            let mut key = [0; MASTER_KEY_BYTES];
            SystemRandom::new()
                .fill(&mut key)
                .map_err(|_| anyhow!("the operating system gives no random numbers"))?;
            data_dir::write_private(&path, &format!("{}\n", BASE64_STANDARD.encode(key)))?;
            tracing::info!(
                file = %path.display(),
                "a master key was made; back it up with the database, which is of little use without it"
            );
            Ok(vec![MasterKey::new(key)])
        }
        Err(error) => {
            Err(error).with_context(|| format!("the file {} cannot be read", path.display()))
        }
    }
}
