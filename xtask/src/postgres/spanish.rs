//! Messages in Spanish, as a Mexican server has them, so that tests find what is decided by a message's text.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::user::User;
use crate::command::quiet;
use crate::packages;

/// The locale, as PostgreSQL's `lc_messages` takes it.
pub(super) const LOCALE: &str = "es_MX.UTF-8";

/// Where the C library finds the locale.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Locale {
    /// Where it finds all others.
    OfTheSystem,
    /// In this folder, to be named in `LOCPATH`.
    Private(PathBuf),
    /// Nowhere.
    Missing,
}

impl Locale {
    /// Finds the locale or makes it in a folder of the cluster; the package that it is made from is installed
    /// first if it is missing and that can be done without asking.
    pub(super) fn find_or_make(user: &User, cluster: &Path) -> Self {
        if quiet(Command::new("locale").arg("-a")).is_ok_and(|known| is_among(&known)) {
            return Self::OfTheSystem;
        }
        let folder = cluster.join("locales");
        let made = make(user, &folder)
            .or_else(|_| packages::install("locales").and_then(|()| make(user, &folder)));
        match made {
            Ok(()) => Self::Private(folder),
            Err(_) => Self::Missing,
        }
    }
}

fn is_among(known: &str) -> bool {
    known.lines().any(|name| matches!(name, "es_MX.utf8" | "es_MX.UTF-8"))
}

fn make(user: &User, folder: &Path) -> Result<()> {
    quiet(user.command(Path::new("mkdir")).arg("-p").arg(folder))?;
    let mut localedef = user.command(Path::new("localedef"));
    localedef.args(["--no-archive", "-i", "es_MX", "-f", "UTF-8"]).arg(folder.join(LOCALE));
    quiet(&mut localedef).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_is_known_by_either_spelling() {
        assert!(is_among("C\nes_MX.utf8\nPOSIX") && is_among("es_MX.UTF-8"));
        assert!(!is_among("C\nes_ES.utf8\nes_MX"));
    }
}
