//! A private PostgreSQL: a cluster of its own in a temporary folder, on a free port of this
//! machine, gone when its owner is.

mod binaries;
mod settings;
mod spanish;
mod tls;
mod user;

use std::fmt;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Error, Result};

use crate::command::{quiet, root};
pub(crate) use settings::Durability;
use settings::configuration;
use spanish::Locale;
use user::User;

/// The variable that names the server the tests use.
pub(crate) const TEST_URL: &str = "TRASTIENDA_TEST_POSTGRES_URL";

/// Another process may take the port between our finding it free and the server's start.
const START_ATTEMPTS_MAX: usize = 3;

/// The last word of a cluster's life: waits until its input ends, which happens when we drop the
/// other end and also when we are killed, then stops the server and removes the folder.
const WATCHER: &str = r#"
trap '' INT TERM HUP
cat >/dev/null
"$2/pg_ctl" -D "$1/data" -m immediate stop >/dev/null 2>&1
rm -rf "$1"
"#;

/// A running server. Dropping it stops the server and removes its data.
pub(crate) struct Cluster {
    binaries: PathBuf,
    dir: PathBuf,
    port: u16,
    user: User,
    locale: Locale,
    watcher: Child,
}

impl Cluster {
    /// Makes and starts a cluster; PostgreSQL is installed first if it is missing and that can be
    /// done without asking.
    pub(crate) fn start(durability: Durability) -> Result<Cluster> {
        let binaries = binaries::find_or_install()?;
        let user = User::allowed_to_run_postgres()?;
        let dir = user.make_dir(durability.base_dir())?;
        let watcher = watch(&user, &dir, &binaries)?;
        // Measurements and chaos run without it.
        let locale = match durability {
            Durability::None => Locale::find_or_make(&user, &dir),
            Durability::Full => Locale::OfTheSystem,
        };
        let mut cluster = Cluster { binaries, dir, port: 0, user, locale, watcher };
        cluster.initialise(durability)?;
        let mut attempt = 1;
        while let Err(error) = cluster.launch() {
            if attempt == START_ATTEMPTS_MAX {
                return Err(cluster.explain(error));
            }
            attempt += 1;
        }
        Ok(cluster)
    }

    /// How a client connects.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The folder of `pg_ctl` and its siblings.
    pub(crate) fn binaries(&self) -> &Path {
        &self.binaries
    }

    /// Warns where the server cannot answer in Spanish.
    pub(crate) fn warn_without_spanish(&self) {
        if self.locale == Locale::Missing {
            eprintln!(
                "warning: TESTS WITH MESSAGES IN SPANISH ARE SKIPPED: the locale {} cannot be made here \
                 (Debian: apt-get install locales)",
                spanish::LOCALE
            );
        }
    }

    /// The data directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    fn log(&self) -> PathBuf {
        self.dir.join("log")
    }

    fn tool(&self, name: &str) -> Command {
        self.user.command(&self.binaries.join(name))
    }

    fn initialise(&self, durability: Durability) -> Result<()> {
        let mut initdb = self.tool("initdb");
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
        quiet(initdb.args(["--no-sync", "--pgdata"]).arg(self.data()))?;
        // Measurements and chaos run without it.
        let speaks_tls = durability == Durability::None && tls::make(&self.user, &self.data())?;
        let settings = configuration(durability, &self.dir);
        let settings = if speaks_tls { settings + tls::SETTINGS } else { settings };
        let path = self.data().join("postgresql.auto.conf");
        fs::write(&path, settings).with_context(|| format!("cannot write {}", path.display()))
    }

    fn launch(&mut self) -> Result<()> {
        self.port = free_port()?;
        let mut start = self.tool("pg_ctl");
        start.args(["start", "--wait", "--timeout=60", "--silent", "--pgdata"]).arg(self.data());
        if let Locale::Private(folder) = &self.locale {
            start.env("LOCPATH", folder);
        }
        start.arg("--log").arg(self.log()).arg("--options").arg(format!("-p {}", self.port));
        quiet(&mut start)?;
        quiet(self.tool("pg_isready").args(["-h", "127.0.0.1", "-p", &self.port.to_string()]))?;
        TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        Ok(())
    }

    /// Adds the server's own words, which vanish with the folder, and keeps a copy of them.
    fn explain(&self, error: Error) -> Error {
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        let kept = root().join("target/postgres-start.log");
        let place = match fs::write(&kept, &log) {
            Ok(()) => format!("the whole log is in {}", kept.display()),
            Err(failure) => format!("the log could not be kept: {failure}"),
        };
        let lines: Vec<&str> = log.lines().collect();
        let tail = lines.iter().rev().take(20).rev().copied().collect::<Vec<_>>().join("\n");
        error.context(format!("PostgreSQL does not start; {place}\n{tail}\n"))
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a private PostgreSQL of {} at {}", self.binaries.display(), self.url())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        if let Err(error) = self.watcher.wait() {
            eprintln!("warning: {} may remain: {error}", self.dir.display());
        }
    }
}

fn watch(user: &User, dir: &Path, binaries: &Path) -> Result<Child> {
    let mut command = user.command(Path::new("sh"));
    command.args(["-c", WATCHER, "sh"]).arg(dir).arg(binaries);
    // In our own process group, Ctrl-C in the terminal would reach it too.
    command.process_group(0).stdin(Stdio::piped());
    command.spawn().context("cannot start the shell that stops PostgreSQL at the end")
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
    Ok(listener.local_addr()?.port())
}
