//! The store as the commands open it; letting go of it commits what they wrote.

use std::sync::Arc;

use anyhow::Context;
use store::Store;

use crate::{data_dir, master_key, output, service, settings::Settings};

/// Opens the database as it is.
pub(super) fn existing(settings: &Settings) -> anyhow::Result<Arc<Store>> {
    Store::open(&settings.store()).context("cannot open the database")
}

/// The same for a command that reads secrets, with the key of the service.
pub(super) fn unsealing(settings: &Settings) -> anyhow::Result<Arc<Store>> {
    let master_keys = master_key::existing(settings)?;
    let unsealing = store::Settings { master_keys, ..settings.store() };
    Store::open(&unsealing).context("cannot open the database")
}

/// Makes the database or brings it up to date, and opens it.
pub(super) fn migrated(settings: &Settings) -> anyhow::Result<Arc<Store>> {
    data_dir::create_for_database(settings)?;
    service::migrate(&settings.store())?;
    existing(settings)
}

/// The same for a command that seals secrets, with the key of the service; it is made if there is none yet.
pub(super) fn sealing(settings: &Settings) -> anyhow::Result<Arc<Store>> {
    data_dir::create_for_database(settings)?;
    service::migrate(&settings.store())?;
    let is_new = master_key::existing(settings)?.is_empty();
    let sealing = master_key::store_settings(settings)?;
    let store = Store::open(&sealing).context("cannot open the database")?;
    if is_new {
        output::note(format!(
            "Created a master key in {}: the service must be started with the same data_dir, or with the key in \
             TRASTIENDA_MASTER_KEY.",
            settings.data_dir.display()
        ));
    }
    Ok(store)
}
