//! Starting and ending the server's process.

use std::fs::{File, OpenOptions};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::readiness::{free_address, wait_for};

/// How long a start may take before the run is given up.
const START_PATIENCE: Duration = Duration::from_secs(60);
const STOP_PATIENCE: Duration = Duration::from_secs(15);
/// The limiter stays in the path of every request; only its numbers are out of reach.
const UNREACHABLE_LIMIT: &str = "1000000000";

/// What a server is started with.
#[derive(Clone, Debug)]
pub(crate) struct ServiceOptions {
    pub(crate) binary: PathBuf,
    pub(crate) database_url: String,
    pub(crate) data_folder: PathBuf,
    /// Gets all that the server writes, start after start.
    pub(crate) log: PathBuf,
    /// Settings beyond those that every server here is given.
    pub(crate) environment: Vec<(&'static str, String)>,
}

impl ServiceOptions {
    /// The server of this binary on this database, its files in `folder`.
    pub(crate) fn new(binary: &Path, database_url: String, folder: &Path) -> anyhow::Result<Self> {
        let data_folder = folder.join("data");
        std::fs::create_dir_all(&data_folder)?;
        Ok(Self {
            binary: binary.to_owned(),
            database_url,
            data_folder,
            log: folder.join("server.log"),
            environment: Vec::new(),
        })
    }

    /// The same with one more setting.
    pub(crate) fn with(&self, name: &'static str, value: &str) -> Self {
        let mut options = self.clone();
        options.environment.push((name, value.to_owned()));
        options
    }

    /// The binary with the environment of its settings.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        command
    }

    /// Starts one of the binary's commands that run until they are ended.
    pub(super) fn spawn(&self, arguments: &[&str]) -> anyhow::Result<Child> {
        let log = append_to(&self.log)?;
        self.command()
            .args(arguments)
            .args(["--database-url", &self.database_url])
            .arg("--data-dir")
            .arg(&self.data_folder)
            .args(["--ip-rate-per-minute", UNREACHABLE_LIMIT])
            .args(["--key-rate-per-hour", UNREACHABLE_LIMIT])
            .args(["--log-format", "json", "--log", "warn"])
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("starting {}", self.binary.display()))
    }
}

/// A running server. It is killed when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Service {
    child: Child,
    address: SocketAddr,
    ready_after: Duration,
}

impl Service {
    /// Starts a server on a free port and waits until it is ready.
    pub(crate) fn start(options: &ServiceOptions) -> anyhow::Result<Self> {
        Self::start_at(options, free_address()?)
    }

    /// The same at an address that others know.
    pub(crate) fn start_at(options: &ServiceOptions, address: SocketAddr) -> anyhow::Result<Self> {
        let began = Instant::now();
        let child = options.spawn(&["serve", "--listen", &address.to_string()])?;
        let mut service = Self { child, address, ready_after: Duration::ZERO };
        wait_for(&mut service.child, address, "/readyz", START_PATIENCE).with_context(|| {
            format!("starting the server; its log is {}", options.log.display())
        })?;
        service.ready_after = began.elapsed();
        Ok(service)
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server is ready, which it may not be while its database is not.
    pub(crate) fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        wait_for(&mut self.child, self.address, "/readyz", START_PATIENCE)?;
        Ok(())
    }

    /// The time from the start of the process to its first readiness.
    pub(crate) const fn ready_after(&self) -> Duration {
        self.ready_after
    }

    /// Whether the process still runs; it must not have ended by itself.
    pub(crate) fn is_running(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// `kill -9`: the server gets no chance to finish anything.
    pub(crate) fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Sends a signal to the server, which has not ended; `-STOP` and `-CONT` pause it and let it go on.
    pub(crate) fn signal(&self, name: &str) -> anyhow::Result<()> {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &pid]).status().context("running kill")?;
        anyhow::ensure!(sent.success(), "kill {name} {pid}: {sent}");
        Ok(())
    }

    /// Asks the server to stop, and waits until it has.
    pub(crate) fn stop(&mut self) -> anyhow::Result<()> {
        if self.is_running()? {
            self.signal("-TERM")?;
        }
        let began = Instant::now();
        while self.child.try_wait()?.is_none() {
            anyhow::ensure!(began.elapsed() < STOP_PATIENCE, "the server does not stop");
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Already ended is what we want; nothing else can be done here.
        let _ = self.kill();
    }
}

fn append_to(path: &Path) -> anyhow::Result<File> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.with_context(|| format!("opening {}", path.display()))
}
