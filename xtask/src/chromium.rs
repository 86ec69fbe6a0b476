//! The browser in which tests look at pages, with what drives it.

use anyhow::Result;

use crate::command::{program, quiet};
use crate::packages;

/// Debian's packages, each with the program that it is for.
const NEEDED: [(&str, &str); 2] = [("chromium", "chromium"), ("chromium-driver", "chromedriver")];

/// Installs what is missing of them where that needs no question; warns where it cannot.
pub(crate) fn install_if_missing() {
    let installed: Result<()> = NEEDED
        .into_iter()
        .filter(|(_, name)| quiet(program(name).arg("--version")).is_err())
        .try_for_each(|(package, _)| packages::install(package));
    if let Err(error) = installed {
        eprintln!(
            "warning: TESTS IN A BROWSER ARE SKIPPED: chromium and chromedriver are not installed \
             (Debian: apt-get install chromium chromium-driver): {error:#}"
        );
    }
}
