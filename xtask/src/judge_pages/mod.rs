//! `cargo xtask judge-pages`: every page that people see, in a browser, looked at by axe-core (from npm).
//!
//! The script `judge.mjs` brings a service with the demo shop into every state that it has a page for (`states.mjs`). A page fails
//! that breaks a rule of WCAG 2.2 AA, scrolls sideways on a narrow screen, asks another host for something, needs script, is in the
//! wrong language, or has more than 100 KiB. Those of the reference must be readable within a second where the processor is four
//! times slower, too; there the main pages of the account panel must be painted within a second, without a shift, and run script
//! for 50 ms at most (`panel.mjs`).

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, program, root, run as run_command, target_dir};
use crate::node;
use crate::service::Service;

const PACKAGES: &[&str] = &["axe-core@4.14.1", "puppeteer-core@24.43.1"];
/// Where the browser is, if not among the programs.
const BROWSER: &str = "TRASTIENDA_CHROMIUM";
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Judges the pages of a service that it builds.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let screenshots = parse(args)?;
    let browser = browser()?;
    let folder = target_dir()?.join("judge-pages");
    let packages = folder.join("node");
    node::provide(&packages, PACKAGES)?;
    run_command(cargo().args(["build", "-p", "trastienda"]))?;
    let data = folder.join("service");
    if data.exists() {
        fs::remove_dir_all(&data).with_context(|| data.display().to_string())?;
    }
    // Each page is asked for from an address of its own, so that none waits for the limits of another.
    let service = Service::start(&data, &["--trusted-proxies", "127.0.0.1"])?;
    let mut judge = program("node");
    judge
        .arg(root().join("xtask/src/judge_pages/judge.mjs"))
        .args([&service.base_url, &service.api_key, &service.panel_link])
        .arg(browser)
        .args(screenshots)
        // It finds the packages where it runs.
        .current_dir(packages);
    let outcome = run_command(&mut judge);
    service.stop()?;
    outcome.with_context(|| format!("the service's log is in {}", data.display()))
}

fn parse(args: &[String]) -> Result<Option<PathBuf>> {
    match args {
        [] => Ok(None),
        [name, folder] if name == "--screenshots" => Ok(Some(env::current_dir()?.join(folder))),
        _ => bail!("`{}` is unknown: give --screenshots FOLDER, or nothing", args.join(" ")),
    }
}

fn browser() -> Result<PathBuf> {
    if let Some(browser) = env::var_os(BROWSER) {
        return Ok(browser.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let known = env::split_paths(&path)
        .flat_map(|folder| BROWSERS.iter().map(move |name| folder.join(name)))
        .find(|browser| browser.is_file());
    known.with_context(|| {
        format!("none of {} is installed: {BROWSER} may say where it is", BROWSERS.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let parsed =
            |line: &str| parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parsed("").unwrap(), None);
        assert!(parsed("--screenshots shots").unwrap().unwrap().ends_with("shots"));
        for wrong in ["--screenshots", "shots", "--fast 1"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
