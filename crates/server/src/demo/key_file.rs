//! The file that keeps the demo's key, so that every start prints the same one.

use std::path::Path;

use kernel::AccountId;

use super::shop::Shop;
use crate::data_dir;

/// What an earlier start kept.
pub(super) struct Kept {
    pub(super) key: String,
    pub(super) account: AccountId,
}

/// What the file says; nothing when it is lost or somebody wrote something else there.
pub(super) fn read(path: &Path) -> Option<Kept> {
    let table: toml::Table = std::fs::read_to_string(path).ok()?.parse().ok()?;
    let text = |name: &str| table.get(name).and_then(toml::Value::as_str);
    Some(Kept { key: text("key")?.to_owned(), account: AccountId::parse(text("account")?)? })
}

/// Keeps the key and the ids that go with it, for its owner's eyes alone.
pub(super) fn write(path: &Path, shop: &Shop) -> anyhow::Result<()> {
    data_dir::write_private(path, &text_of(shop))
}

fn text_of(shop: &Shop) -> String {
    let Shop { key, account, customer, product, .. } = shop;
    format!(
        "# The demo shop of `trastienda serve --demo`. Delete this file to get a new key.\nkey = \
         \"{key}\"\naccount = \"{account}\"\ncustomer = \"{customer}\"\nproduct = \"{product}\"\n"
    )
}
