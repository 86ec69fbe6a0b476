//! The store as the commands use it: opened, asked, closed.

use std::sync::Arc;

use anyhow::Context;
use store::Store;

use crate::{data_dir, service, settings::Settings};

/// An open store that is closed when it goes out of scope.
pub(super) struct OpenStore(Arc<Store>);

impl OpenStore {
    /// Opens the database as it is.
    pub(super) fn existing(settings: &Settings) -> anyhow::Result<Self> {
        let store = Store::open(&settings.store()).context("the database cannot be opened")?;
        Ok(Self(store))
    }

    /// Makes the database or brings it up to date, and opens it.
    pub(super) fn migrated(settings: &Settings) -> anyhow::Result<Self> {
        data_dir::create_for_database(settings)?;
        service::migrate(&settings.store())?;
        Self::existing(settings)
    }
}

impl std::ops::Deref for OpenStore {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.0
    }
}

impl Drop for OpenStore {
    fn drop(&mut self) {
        self.0.close();
    }
}
