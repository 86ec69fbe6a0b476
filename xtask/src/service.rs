//! A service with the demo shop, for the time of a run.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{program, target_dir};

/// A running service.
pub(crate) struct Service {
    child: Child,
    log: PathBuf,
    pub(crate) base_url: String,
    pub(crate) api_key: String,
    /// Lets one browser into the account panel.
    pub(crate) panel_link: String,
}

impl Service {
    /// Starts one whose files are in `folder`, with `options` besides. Nothing that it is told to send leaves the machine.
    pub(crate) fn start(folder: &Path, options: &[&str]) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let log = folder.join("service.log");
        let mut command = program(&target_dir()?.join("debug/trastienda").to_string_lossy());
        command
            .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(folder.join("data"))
            .args(["--ip-rate-per-minute", "100000000", "--key-rate-per-hour", "100000000"])
            // Mails are accepted, and wait for a server that is not there.
            .args(["--deliver", "false", "--smtp-url", "smtp://127.0.0.1:9"])
            .args(["--mail-from", "shop@example.com"])
            .args(options);
        let mut child = command.stdout(Stdio::piped()).stderr(File::create(&log)?).spawn()?;
        let stdout = child.stdout.take().context("the service has no output")?;
        let (base_url, api_key, panel_link) = (String::new(), String::new(), String::new());
        let mut service = Self { child, log, base_url, api_key, panel_link };
        let mut lines = BufReader::new(stdout).lines();
        while service.panel_link.is_empty() {
            let Some(line) = lines.next() else {
                bail!("the service ended: see {}", service.log.display());
            };
            let line = line?;
            if let Some(url) = line.strip_prefix("Base URL:") {
                service.base_url = url.trim().to_owned();
            } else if let Some(key) = line.strip_prefix("API key:") {
                service.api_key = key.trim().to_owned();
            } else if let Some(told) = line.strip_prefix("Panel:") {
                let link = told.split_whitespace().next().unwrap_or_default();
                service.panel_link = link.to_owned();
            }
        }
        thread::spawn(move || lines.for_each(drop));
        Ok(service)
    }

    /// Stops it as a service manager does; it must end well, without a panic in its log.
    pub(crate) fn stop(mut self) -> Result<()> {
        let pid = self.child.id().to_string();
        crate::command::quiet(program("kill").args(["-TERM", &pid]))?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the service ended with {status}: see {}", self.log.display());
        let log = fs::read(&self.log)?;
        let log = String::from_utf8_lossy(&log);
        ensure!(!log.contains("panicked"), "a panic is in {}", self.log.display());
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Stopped already, or else not wanted any more.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
