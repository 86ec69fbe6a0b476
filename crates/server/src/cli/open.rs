//! The store as the commands open it; letting go of it commits what they wrote.

use std::sync::Arc;

use anyhow::Context;
use store::Store;

use crate::{data_dir, service, settings::Settings};

/// Opens the database as it is.
pub(super) fn existing(settings: &Settings) -> anyhow::Result<Arc<Store>> {
    Store::open(&settings.store()).context("cannot open the database")
}

/// Makes the database or brings it up to date, and opens it.
pub(super) fn migrated(settings: &Settings) -> anyhow::Result<Arc<Store>> {
    data_dir::create_for_database(settings)?;
    service::migrate(&settings.store())?;
    existing(settings)
}
