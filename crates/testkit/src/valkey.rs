//! Valkey or Redis, for tests of what several nodes count together.

use std::{
    env,
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Of either; what is installed is taken.
const PROGRAMS: [&str; 2] = ["valkey-server", "redis-server"];
/// Another process may take the port between our finding it free and the server's start.
const ATTEMPTS_MAX: usize = 5;
const PATIENCE: Duration = Duration::from_secs(10);

/// A server of a test, on a port of its own. It keeps nothing on disk and ends with its owner.
pub struct Valkey {
    process: Child,
    port: u16,
    password: Option<String>,
}

impl Valkey {
    /// Starts one. `None`, and a warning, where neither program is installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::launch(None)
    }

    /// Starts one that asks for a password.
    #[must_use]
    pub fn with_password(password: &str) -> Option<Self> {
        Self::launch(Some(password))
    }

    fn launch(password: Option<&str>) -> Option<Self> {
        let Some(program) = program() else {
            eprintln!(
                "warning: A TEST IS SKIPPED: neither valkey-server nor redis-server is installed \
                 (Debian: apt-get install redis-server)"
            );
            return None;
        };
        for _ in 0..ATTEMPTS_MAX {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
            let port = listener.local_addr().expect("an address").port();
            drop(listener);
            let mut command = Command::new(&program);
            command.args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
            command.args(["--save", "", "--appendonly", "no", "--dir", "/tmp"]);
            if let Some(password) = password {
                command.args(["--requirepass", password]);
            }
            command.stdin(Stdio::null()).stdout(Stdio::null());
            let process = command.spawn().expect("the server starts");
            let mut valkey = Self { process, port, password: password.map(str::to_owned) };
            if valkey.answers() {
                return Some(valkey);
            }
        }
        panic!("{} does not start", program.display());
    }

    /// Its address, as `limits_url` takes it.
    #[must_use]
    pub fn url(&self) -> String {
        let password = self.password.as_ref().map(|password| format!(":{password}@"));
        format!("redis://{}127.0.0.1:{}", password.unwrap_or_default(), self.port)
    }

    /// Lets it stand still, its connections open.
    pub fn pause(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.signal("-CONT");
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.process.kill().expect("the server is ended");
        self.process.wait().expect("the server is gone");
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.process.id().to_string()]).status();
        assert!(sent.expect("kill is a program").success());
    }

    /// Whether it answers, with whatever, before it ends by itself.
    fn answers(&mut self) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if self.process.try_wait().expect("the server is a child").is_some() {
                return false;
            }
            if ping(self.port).is_ok() {
                return true;
            }
            thread::sleep(Duration::from_millis(5));
        }
        false
    }
}

impl Drop for Valkey {
    fn drop(&mut self) {
        // It may be gone already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let found = |name: &&str| folders.iter().map(|dir| dir.join(name)).find(|file| file.is_file());
    PROGRAMS.iter().find_map(found)
}

fn ping(port: u16) -> std::io::Result<()> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.write_all(b"PING\r\n")?;
    stream.read_exact(&mut [0])
}
