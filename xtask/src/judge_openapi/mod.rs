//! `cargo xtask judge-openapi`: the OpenAPI document, as Redocly and Spectral (both from npm) see it.
//!
//! They know what readers of such documents stumble over that its schema allows. What they are told not to mind is listed, with
//! its reason, in `redocly.yaml` and `spectral.yaml`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::{program, quiet, root, run as run_command, target_dir};
use crate::{node, openapi};

const PACKAGES: &[&str] = &["@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3"];

/// Judges the document that the API draws now.
pub(crate) fn run() -> Result<()> {
    let folder = target_dir()?.join("judge-openapi");
    let packages = folder.join("node");
    if let Err(error) = node::provide(&packages, PACKAGES) {
        eprintln!("SKIPPED: the OpenAPI document was not judged: {error:#}");
        return Ok(());
    }
    let file = folder.join("openapi.json");
    fs::write(&file, openapi::document()?).with_context(|| file.display().to_string())?;
    let programs = packages.join("node_modules/.bin");
    let sources = root().join("xtask/src/judge_openapi");
    let mut redocly = program(&programs.join("redocly").to_string_lossy());
    redocly
        .arg("lint")
        .arg(&file)
        .arg("--config")
        .arg(sources.join("redocly.yaml"))
        // It tells nobody that it runs.
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    let mut spectral = program(&programs.join("spectral").to_string_lossy());
    spectral
        .arg("lint")
        .arg(&file)
        .arg("--ruleset")
        .arg(sources.join("spectral.yaml"))
        .args(["--fail-severity", "warn"]);
    // Both are heard.
    let outcomes = [run_command(&mut redocly), run_command(&mut spectral)];
    outcomes.into_iter().collect::<Result<()>>()?;
    judges_are_awake(&packages)
}

/// A judge who finds nothing wrong with anything is none.
fn judges_are_awake(packages: &Path) -> Result<()> {
    let programs = packages.join("node_modules/.bin");
    let sources = root().join("xtask/src/judge_openapi");
    let wrong = packages.join("wrong.json");
    let document =
        r#"{"openapi":"3.1.0","info":{"title":"Wrong","version":"1"},"paths":{"/a/":{"get":{}}}}"#;
    fs::write(&wrong, document).with_context(|| wrong.display().to_string())?;
    for (judge, option, rules) in
        [("redocly", "--config", "redocly.yaml"), ("spectral", "--ruleset", "spectral.yaml")]
    {
        let mut command = program(&programs.join(judge).to_string_lossy());
        command.arg("lint").arg(&wrong).arg(option).arg(sources.join(rules));
        command.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        ensure!(quiet(&mut command).is_err(), "{judge} finds nothing wrong with anything");
    }
    Ok(())
}
