//! The built program at the desk: it can be killed, and its database can go away.

use std::{
    process::Stdio,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use testkit::{App, Database, DatabaseKind, FakePac};

use super::desk::{PROVIDER, Pac, sale};
use crate::lifecycle::{
    program::{Server, Site},
    wire::{Answer, Wire},
};

/// What the account has at first.
pub(super) const CREDITS: i64 = 100_000;
/// The key that secrets are sealed with in these tests, 32 times 7.
const MASTER_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
/// Longer than a claim, a pause and a call.
const PATIENCE: Duration = Duration::from_secs(60);

/// A database with an account that invoices, and its provider.
pub(super) struct Office {
    site: Site,
    pub(super) database: Arc<Database>,
    pub(super) pac: FakePac,
    key: String,
    pub(super) drafts: Vec<String>,
    pub(super) stamped: Vec<String>,
    kills: AtomicUsize,
}

/// The program while it runs.
pub(super) struct Program {
    server: Mutex<Server>,
    addr: std::net::SocketAddr,
    key: String,
}

impl Office {
    /// An office with so many drafts and stamped invoices.
    pub(super) fn open(kind: DatabaseKind, which: Pac, drafts: usize, stamped: usize) -> Self {
        let pac = FakePac::start();
        let app = App::with(kind).pac(&pac).start();
        let account = app.account();
        app.can_invoice(account);
        app.grant(account, CREDITS);
        let (key, _) = app.key(account, "*");
        let client = app.anonymous().with_key(&key);
        let _ = client.send("PUT", PROVIDER, &which.choice()).expect(200);
        let draft =
            || client.post("/invoices", &sale()).expect(201)["id"].as_str().unwrap().to_owned();
        let drafts = (0..drafts).map(|_| draft()).collect();
        let stamped = (0..stamped).map(|_| {
            let id = draft();
            let _ = client.act(&format!("/invoices/{id}/timbrar")).expect(200);
            id
        });
        let stamped = stamped.collect();
        let database = Arc::clone(&app.database);
        app.stop();
        let kills = AtomicUsize::new(0);
        Self { site: Site::bare(), database, pac, key, drafts, stamped, kills }
    }

    /// Starts the program.
    pub(super) fn start(&self) -> Program {
        self.start_on(&self.database.url)
    }

    /// Starts it on its database by another address.
    pub(super) fn start_on(&self, database_url: &str) -> Program {
        let unlimited = "1000000000";
        let mut command = self.site.command(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
            "--ip-rate-per-minute",
            unlimited,
            "--key-rate-per-hour",
            unlimited,
        ]);
        let url = self.pac.url();
        for (name, value) in [
            ("DATABASE_URL", database_url),
            ("MASTER_KEY", MASTER_KEY),
            ("SW_URL", &url),
            ("FINKOK_URL", &url),
            ("SAT_STATUS_URL", &url),
            ("PROVIDER_TIMEOUT_SECONDS", "1"),
            // As in the test kit: what a test holds is waited for.
            ("DATABASE_LOCK_TIMEOUT_SECONDS", "3600"),
        ] {
            command.env(format!("TRASTIENDA_{name}"), value);
        }
        let server = Server::start({
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        });
        let addr = server.addr;
        Program { server: Mutex::new(server), addr, key: self.key.clone() }
    }

    pub(super) fn count_kill(&self) {
        self.kills.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn kills(&self) -> usize {
        self.kills.load(Ordering::Relaxed)
    }

    /// Waits until nothing is under way; no client asks for anything.
    #[track_caller]
    pub(super) fn settle(&self) {
        let end = Instant::now() + PATIENCE;
        loop {
            let tasks = self.database.lines(
                "SELECT subject || ' ' || kind || ' ' || attempts AS line FROM tasks WHERE due_at IS NOT NULL",
            );
            if tasks.is_empty() {
                return;
            }
            assert!(Instant::now() < end, "still under way: {tasks:?}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// How often an invoice was charged.
    pub(super) fn commits(&self, id: &str) -> usize {
        self.database
            .lines(&format!(
                "SELECT id AS line FROM credit_entries WHERE kind = 'commit' AND invoice_id = '{id}'"
            ))
            .len()
    }
}

impl Program {
    /// Kills it, as a crash does.
    pub(super) fn kill(&self) {
        self.server.lock().unwrap().kill();
    }

    /// The answer to a POST; nothing when the program dies meanwhile.
    pub(super) fn post(
        &self,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let mut wire = Wire::connect(self.addr, &self.key).ok()?;
        let headers: Vec<_> = key.map(|key| ("Idempotency-Key", key)).into_iter().collect();
        wire.send("POST", &format!("/api/v1{path}"), &headers, body).ok()
    }

    /// The JSON of a GET.
    #[track_caller]
    pub(super) fn get(&self, path: &str) -> Value {
        let mut wire = Wire::connect(self.addr, &self.key).expect("the program listens");
        let answer = wire.send("GET", &format!("/api/v1{path}"), &[], None);
        let answer = answer.expect("the program answers");
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }
}
