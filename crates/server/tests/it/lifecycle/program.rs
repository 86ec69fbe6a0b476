//! The built program beside a database and a folder of its own.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Database, DatabaseKind};

use super::wire::{Answer, Wire};

/// Longer than the program may take for anything asked of it here.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the program runs: a folder of its own, and a database unless it shall make one.
pub(crate) struct Site {
    pub(crate) folder: TempDir,
    pub(crate) database: Option<Database>,
}

/// What a command that has ended said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Site {
    /// A folder and a migrated database.
    pub(crate) fn new(kind: DatabaseKind) -> Self {
        Self { database: Some(Database::fresh(kind)), ..Self::bare() }
    }

    /// A folder alone.
    pub(crate) fn bare() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), database: None }
    }

    /// The program in this place, with nothing of the caller's settings.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.settled(env!("CARGO_BIN_EXE_trastienda"));
        command.args(args).env("TRASTIENDA_DATABASE_WRITERS", "2");
        command.env("TRASTIENDA_DATABASE_READERS", "2");
        command
    }

    /// A shell in this place, for commands as people type them.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut shell = self.settled("bash");
        shell.args(["-c", script]);
        shell
    }

    fn settled(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TRASTIENDA_")) {
            command.env_remove(name);
        }
        if let Some(database) = &self.database {
            command.env("TRASTIENDA_DATABASE_URL", &database.url);
        }
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        Said::by(self.command(args))
    }

    /// What a command that succeeds prints, without the last line's end.
    #[track_caller]
    pub(crate) fn say(&self, args: &[&str]) -> String {
        let said = self.run(args);
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.err);
        said.out.trim_end().to_owned()
    }

    /// An account and a key of it, made on the command line.
    #[track_caller]
    pub(crate) fn account_and_key(&self) -> (String, String) {
        let account = self.say(&["account", "create", "Lupita"]);
        let account = account.split(' ').next().unwrap().to_owned();
        let new = ["key", "create", "--name", "Web", "--scopes", "*", "--account", &account];
        let key = self.say(&new);
        (account, key)
    }

    /// A key of the account's test account.
    #[track_caller]
    pub(crate) fn test_key(&self, account: &str) -> String {
        let new =
            ["key", "create", "--name", "Web", "--scopes", "*", "--test", "--account", account];
        self.say(&new)
    }

    /// Starts the service on a free port without limits, logging JSON, and waits until it is ready.
    #[track_caller]
    pub(crate) fn serve(&self, args: &[&str]) -> Server {
        let mut command =
            self.command(&["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]);
        let unlimited = "1000000000";
        command.args(["--ip-rate-per-minute", unlimited, "--key-rate-per-hour", unlimited]);
        command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        Server::start(command)
    }
}

impl Said {
    /// What a command says until it ends.
    pub(crate) fn by(mut command: Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The program serving; killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) addr: SocketAddr,
    pub(crate) out: Lines,
    pub(crate) log: Lines,
}

impl Server {
    #[track_caller]
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let out = Lines::of(child.stdout.take().unwrap());
        let log = Lines::of(child.stderr.take().unwrap());
        let mut server = Self { child, addr: SocketAddr::from(([0; 4], 0)), out, log };
        server.addr = server.logged("ready")["address"].as_str().unwrap().parse().unwrap();
        server
    }

    /// The first record of the log with this message, which may be still to come.
    #[track_caller]
    pub(crate) fn logged(&self, message: &str) -> Value {
        let found = self.log.find(|line| {
            serde_json::from_str::<Value>(line).is_ok_and(|record| record["message"] == message)
        });
        serde_json::from_str(&found).unwrap()
    }

    /// A connection to it.
    pub(crate) fn wire(&self, key: &str) -> Wire {
        Wire::connect(self.addr, key).expect("the program listens")
    }

    /// One request on a connection of its own.
    #[track_caller]
    pub(crate) fn ask(&self, key: &str, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let path = format!("/api/v1{path}");
        self.wire(key).send(method, &path, &[], body).expect("the program answers")
    }

    /// Kills it, as a crash does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Asks it to read its files again.
    pub(crate) fn hang_up(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Lines as they come.
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn of(source: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&lines);
        thread::spawn(move || {
            for line in BufReader::new(source).lines().map_while(Result::ok) {
                known.lock().unwrap().push(line);
            }
        });
        Self(lines)
    }

    /// All lines so far.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    /// The first line that is wanted, once it is there.
    #[track_caller]
    pub(crate) fn find(&self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.all().into_iter().find(|line| wanted(line));
            if let Some(line) = found {
                return line;
            }
            assert!(Instant::now() < deadline, "not said: {:#?}", self.all());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Stocks a shop over its API: the body of an order of one piece, and the product.
#[track_caller]
pub(crate) fn stocked(server: &Server, key: &str, inventory: i64) -> (Value, String) {
    let make = |path: &str, body: &Value| {
        let answer = server.ask(key, "POST", path, Some(body));
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["id"].as_str().unwrap().to_owned()
    };
    let customer = make("/customers", &json!({"name": "Ana"}));
    let product = json!({"name": "Taza", "sku": "TAZA", "price": 19.99, "inventory": inventory});
    let product = make("/products", &product);
    let items = json!([{"productId": product, "quantity": 1}]);
    (json!({"customerId": customer, "items": items}), product)
}
