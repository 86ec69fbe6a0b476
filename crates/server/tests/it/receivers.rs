//! The receivers of the guide, each taking deliveries of the real service.

#[path = "../../../webhooks/examples/receiver.rs"]
#[expect(dead_code, reason = "the example's `main`, which only reads its settings")]
mod example;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind};
use webhooks::{Secret, signing::signature_256};

testkit::on_both!(
    the_rust_receiver_takes_each_event_once,
    the_node_receiver_takes_each_event_once,
    the_python_receiver_takes_each_event_once,
    the_php_receiver_takes_each_event_once,
    the_rust_receiver_takes_a_rotated_secret,
    the_node_receiver_takes_a_rotated_secret,
    the_python_receiver_takes_a_rotated_secret,
    the_php_receiver_takes_a_rotated_secret,
);

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/receivers");
/// Longer than anything here takes; a test that hangs says what it waited for.
const PATIENCE: Duration = Duration::from_secs(30);
const SIGNATURE: &str = "x-service-signature-256";

fn the_rust_receiver_takes_each_event_once(kind: DatabaseKind) {
    takes_each_event_once(kind, Language::Rust);
}

fn the_node_receiver_takes_each_event_once(kind: DatabaseKind) {
    takes_each_event_once(kind, Language::Node);
}

fn the_python_receiver_takes_each_event_once(kind: DatabaseKind) {
    takes_each_event_once(kind, Language::Python);
}

fn the_php_receiver_takes_each_event_once(kind: DatabaseKind) {
    takes_each_event_once(kind, Language::Php);
}

fn the_rust_receiver_takes_a_rotated_secret(kind: DatabaseKind) {
    takes_a_rotated_secret(kind, Language::Rust);
}

fn the_node_receiver_takes_a_rotated_secret(kind: DatabaseKind) {
    takes_a_rotated_secret(kind, Language::Node);
}

fn the_python_receiver_takes_a_rotated_secret(kind: DatabaseKind) {
    takes_a_rotated_secret(kind, Language::Python);
}

fn the_php_receiver_takes_a_rotated_secret(kind: DatabaseKind) {
    takes_a_rotated_secret(kind, Language::Php);
}

#[test]
fn the_rust_receiver_refuses_what_is_no_post() {
    let receiver = Receiver::rust("whsec_any");
    for (request, status) in [
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("POST / SPDY/3\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nno header\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 401),
    ] {
        assert_eq!(receiver.send_raw(request.as_bytes()), status, "{request}");
    }
    assert_eq!(receiver.send_raw(&[b'x'; 20_000]), 400, "a head without an end");
}

/// From creating the webhook to a delivery that has arrived, and what the receiver does with others.
fn takes_each_event_once(kind: DatabaseKind, language: Language) {
    if language.is_missing() {
        return;
    }
    let desk = Desk::open(kind);
    let mut receiver = desk.receiver(language);
    let (event, body) = desk.deliver_a_contact();
    receiver.wait_for(&format!("processed contact.created {event}"));

    let secret = Secret::parse(&desk.secret).unwrap();
    let genuine = signature_256(&secret, body.as_bytes());
    let last = if genuine.ends_with('0') { "1" } else { "0" };
    let broken = format!("{}{last}", &genuine[..genuine.len() - 1]);
    for wrong in [broken.as_str(), "", "x", &genuine[..32], &genuine.to_uppercase()] {
        assert_eq!(receiver.send(&[(SIGNATURE, wrong)], &body), 401, "signed {wrong:?}");
    }
    assert_eq!(receiver.send(&[], &body), 401, "not signed");
    assert_eq!(receiver.send(&[(SIGNATURE, &genuine)], &format!("{body} ")), 401, "another body");

    for _ in 0..2 {
        assert_eq!(receiver.send(&[(SIGNATURE, &genuine)], &body), 200, "a repeat");
    }
    let other = body.replace(&event, "evt_00000000000000000000000001");
    let signature = signature_256(&secret, other.as_bytes());
    assert_eq!(receiver.send(&[(SIGNATURE, &signature)], &other), 200, "another event");
    receiver.wait_for("processed contact.created evt_00000000000000000000000001");
    let told = |what: &str| receiver.told.iter().filter(|line| line.starts_with(what)).count();
    assert_eq!((told("processed"), told("repeated")), (2, 2), "{:?}", receiver.told);
}

/// A receiver that still has the old secret goes on receiving, and so does one that has the new one.
fn takes_a_rotated_secret(kind: DatabaseKind, language: Language) {
    if language.is_missing() {
        return;
    }
    let mut desk = Desk::open(kind);
    let mut old = desk.receiver(language);
    let rotated =
        desk.client.post(&format!("/webhooks/{}/rotate-secret", desk.webhook), &json!({}));
    desk.secret = rotated.expect(200)["secret"].as_str().unwrap().to_owned();
    let (event, _) = desk.deliver_a_contact();
    old.wait_for(&format!("processed contact.created {event}"));
    let mut new = desk.receiver(language);
    let (event, _) = desk.deliver_a_contact();
    new.wait_for(&format!("processed contact.created {event}"));
}

/// An account with a webhook.
struct Desk {
    client: Client,
    webhook: String,
    secret: String,
    _app: App,
}

impl Desk {
    fn open(kind: DatabaseKind) -> Self {
        let app = App::with(kind).delivering().start();
        let client = app.client();
        let wanted = json!({"url": "http://127.0.0.1:9/", "events": ["*"]});
        let made = client.post("/webhooks", &wanted).expect(201);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        Self { client, webhook: text("id"), secret: text("secret"), _app: app }
    }

    /// A receiver with the webhook's secret, which gets its deliveries from now on.
    fn receiver(&self, language: Language) -> Receiver {
        let receiver = Receiver::start(language, &self.secret);
        let moved = json!({"url": format!("http://{}/webhooks", receiver.address)});
        let moved = self.client.patch(&format!("/webhooks/{}", self.webhook), &moved);
        assert_eq!(moved.status, 200, "{}", moved.text);
        receiver
    }

    /// Makes something happen and waits until it is delivered: gives the event's id and its body.
    fn deliver_a_contact(&self) -> (String, String) {
        let made = self.client.post("/customers", &json!({"name": "Ana Núñez"})).expect(201);
        let list = format!("/webhooks/{}/deliveries?event=contact.created", self.webhook);
        let end = Instant::now() + PATIENCE;
        loop {
            let newest = self.client.get(&list).expect(200)["data"][0].take();
            if newest["state"] == "delivered" {
                let place = format!("/webhooks/deliveries/{}", newest["id"].as_str().unwrap());
                let detail = self.client.get(&place).expect(200);
                assert_eq!(detail["attemptLog"][0]["status"], 200, "{detail}");
                let body = detail["body"].as_str().unwrap().to_owned();
                let sent: Value = serde_json::from_str(&body).unwrap();
                assert_eq!(sent["data"]["id"], made["id"]);
                return (newest["eventId"].as_str().unwrap().to_owned(), body);
            }
            assert!(Instant::now() < end, "not delivered: {newest}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Language {
    Rust,
    Node,
    Python,
    Php,
}

impl Language {
    /// Its program, with what starts the receiver on a free port.
    fn command(self) -> Option<(&'static str, Vec<String>)> {
        let (address, file) = ("127.0.0.1:0".to_owned(), |name: &str| format!("{FOLDER}/{name}"));
        match self {
            Self::Rust => None,
            Self::Node => Some(("node", vec![file("node.mjs"), address])),
            Self::Python => Some(("python3", vec![file("receiver.py"), address])),
            Self::Php => Some(("php", vec!["-S".to_owned(), address, file("receiver.php")])),
        }
    }

    /// Whether its program is not there, which is told.
    fn is_missing(self) -> bool {
        let Some((program, _)) = self.command() else { return false };
        let missing = Command::new(program).arg("--version").output().is_err();
        if missing {
            eprintln!(
                "SKIPPED: the receiver for {self:?} was not tried, there is no `{program}` here"
            );
        }
        missing
    }
}

/// A receiver at work.
struct Receiver {
    /// IP address and port.
    address: String,
    lines: mpsc::Receiver<String>,
    /// The lines that it printed, as far as they were waited for.
    told: Vec<String>,
    _process: Option<Process>,
}

/// A program that ends with its test, and the folder of what it keeps.
struct Process(Child, #[expect(dead_code, reason = "removed when dropped")] tempfile::TempDir);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Receiver {
    fn start(language: Language, secret: &str) -> Self {
        match language.command() {
            None => Self::rust(secret),
            Some((program, arguments)) => Self::script(program, &arguments, secret),
        }
    }

    /// The example, on a thread instead of in a process of its own.
    fn rust(secret: &str) -> Self {
        let (tell, lines) = mpsc::channel();
        let secret = secret.to_owned();
        thread::spawn(move || {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            example::run(&listener, &secret, &|line| drop(tell.send(line.to_owned())))
        });
        Self::listening(lines, None)
    }

    fn script(program: &str, arguments: &[String], secret: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(program)
            .args(arguments)
            .env("TRASTIENDA_WEBHOOK_SECRET", secret)
            .env("TRASTIENDA_SEEN_FILE", folder.path().join("seen.txt"))
            .env_remove("PHP_CLI_SERVER_WORKERS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (tell, lines) = mpsc::channel();
        follow(child.stdout.take().unwrap(), tell.clone());
        follow(child.stderr.take().unwrap(), tell);
        Self::listening(lines, Some(Process(child, folder)))
    }

    /// The receiver, once it has said where it listens.
    fn listening(lines: mpsc::Receiver<String>, process: Option<Process>) -> Self {
        let mut receiver =
            Self { address: String::new(), lines, told: Vec::new(), _process: process };
        let line = receiver.wait_for("http://127.0.0.1:");
        let (_, rest) = line.split_once("http://").unwrap();
        receiver.address = rest.split(')').next().unwrap().to_owned();
        receiver
    }

    /// Waits for a line that contains `text`.
    fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|error| panic!("no {text:?}, {error}: {:?}", self.told));
            self.told.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Posts a body; gives the status of the answer.
    fn send(&self, headers: &[(&str, &str)], body: &str) -> u16 {
        let lines = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let request = format!(
            "POST /webhooks HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n{}\r\n{body}",
            self.address,
            body.len(),
            lines.collect::<String>()
        );
        self.send_raw(request.as_bytes())
    }

    fn send_raw(&self, request: &[u8]) -> u16 {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        let status = str::from_utf8(&head[9..]).unwrap();
        status.parse().unwrap()
    }
}

/// Hands on every line.
fn follow(from: impl Read + Send + 'static, tell: mpsc::Sender<String>) {
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let _ = tell.send(line);
        }
    });
}
