//! Valkey or Redis, which the tests of limits over several nodes start by themselves.

use std::process::Command;

use crate::command::quiet;
use crate::packages;

/// Installs one if neither is there and that needs no question; warns where it cannot.
pub(crate) fn install_if_missing() {
    let is_there = |program: &str| quiet(Command::new(program).arg("--version")).is_ok();
    if ["valkey-server", "redis-server"].into_iter().any(is_there) {
        return;
    }
    if let Err(error) = packages::install("redis-server") {
        eprintln!(
            "warning: TESTS OF LIMITS OVER SEVERAL NODES ARE SKIPPED: neither valkey-server nor redis-server is \
             installed (Debian: apt-get install redis-server): {error:#}"
        );
    }
}
