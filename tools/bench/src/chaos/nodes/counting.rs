//! The server that counts requests for all nodes: Valkey or Redis, whichever is installed.

use std::fs::File;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::service::readiness::lasting_address;

const PROGRAMS: [&str; 2] = ["valkey-server", "redis-server"];
const START_PATIENCE: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The running server; killed when it goes out of scope.
#[derive(Debug)]
pub(super) struct Counting {
    program: &'static str,
    folder: PathBuf,
    address: SocketAddr,
    child: Child,
}

impl Counting {
    /// Starts it, if it is installed.
    pub(super) fn start(folder: &Path) -> anyhow::Result<Option<Self>> {
        let Some(program) = PROGRAMS.into_iter().find(|program| is_installed(program)) else {
            return Ok(None);
        };
        let address = lasting_address()?;
        let child = spawn(program, folder, address)?;
        let mut counting = Self { program, folder: folder.to_owned(), address, child };
        counting.wait()?;
        Ok(Some(counting))
    }

    /// The value of `limits_url`.
    pub(super) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// `kill -9`.
    pub(super) fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Starts it where it was; it has forgotten everything.
    pub(super) fn start_again(&mut self) -> anyhow::Result<()> {
        self.child = spawn(self.program, &self.folder, self.address)?;
        self.wait()
    }

    fn wait(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            let ended = self.child.try_wait()?;
            ensure!(ended.is_none(), "{} ended: {ended:?}", self.program);
            ensure!(began.elapsed() < START_PATIENCE, "{} does not listen", self.program);
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        // Already ended is what we want; nothing else can be done here.
        let _ = self.kill();
    }
}

fn is_installed(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

fn spawn(program: &str, folder: &Path, address: SocketAddr) -> anyhow::Result<Child> {
    let log = File::create(folder.join(format!("{program}.log")))?;
    Command::new(program)
        .args(["--bind", &address.ip().to_string(), "--port", &address.port().to_string()])
        .args(["--save", "", "--appendonly", "no", "--dir"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .with_context(|| format!("starting {program}"))
}
