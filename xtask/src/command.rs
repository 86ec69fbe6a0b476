//! Running other programs from the root of the workspace.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The folder of the workspace's Cargo.toml.
pub(crate) fn root() -> PathBuf {
    // Set by `cargo run`; the compile-time value is for whoever starts the binary by hand.
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let manifest = PathBuf::from(manifest);
    manifest.parent().map_or(manifest.clone(), Path::to_path_buf)
}

/// `program`, to be run from the root.
pub(crate) fn program(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    let mut command = program(&env::var("CARGO").unwrap_or("cargo".into()));
    // `cargo run` describes xtask in these. Build scripts that watch them (ring's did) would run
    // again each time the project is built by turns with cargo and with xtask.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Whether `cargo NAME` exists.
pub(crate) fn has_cargo_subcommand(name: &str) -> bool {
    quiet(cargo().args([name, "--version"])).is_ok()
}

/// Runs to the end, output on the terminal; an error when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    ensure!(status.success(), "`{line}` failed: {status}");
    Ok(())
}

/// Runs to the end and gives what it printed; an error, with the output in it, when it fails.
pub(crate) fn quiet(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{line}`"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed: {}\n{stdout}{stderr}", output.status);
    }
    Ok(stdout.trim().to_owned())
}

/// Whether this process may do everything.
pub(crate) fn is_root() -> bool {
    quiet(Command::new("id").arg("-u")).is_ok_and(|id| id == "0")
}

/// Where cargo builds, and where tasks keep what can be made again.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let text = quiet(cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let dir = metadata.get("target_directory").and_then(Value::as_str);
    Ok(dir.context("cargo metadata names no target directory")?.into())
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("rust-toolchain.toml").exists());
    }

    #[test]
    fn a_failure_tells_the_command_and_its_output() {
        let error = quiet(program("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("sh -c") && error.contains("why") && error.contains('3'), "{error}");
    }
}
