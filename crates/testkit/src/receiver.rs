//! An endpoint on this machine: does with deliveries what a test says, and keeps what it was sent.

use std::{
    collections::{HashMap, VecDeque},
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use doubles::server::{End, Served, Server, Shared};
use serde_json::Value;

/// Longer than anything may take that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two bytes of an answer that drips.
const DRIP_INTERVAL: Duration = Duration::from_millis(20);

/// What an endpoint does with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Answers with this status and body.
    Answer(u16, String),
    /// Answers that it has moved there.
    Redirect(String),
    /// Answers nothing until its path is told something else, and then does that.
    Hang,
    /// Answers with 200 and a long body, byte by byte.
    Drip,
    /// Closes the connection without an answer.
    Close,
}

/// A request as it came.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Request {
    pub method: String,
    /// Its path with its query.
    pub path: String,
    /// Its headers, the names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// A server of HTTP/1.1 on a port of its own; gone when it is dropped.
pub struct Receiver(Server<Inbox>);

/// What an endpoint was sent, and what it is to do.
#[derive(Default)]
struct Inbox {
    requests: Vec<Request>,
    scripts: HashMap<String, Script>,
}

/// What is done with the requests to one path.
#[derive(Default)]
struct Script {
    first: VecDeque<Reaction>,
    then: Option<Reaction>,
    /// Counts how often it was changed.
    version: u64,
}

impl Reaction {
    /// Answers with this status and no body.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::Answer(status, String::new())
    }
}

impl Request {
    /// A header, by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }
}

impl Default for Receiver {
    fn default() -> Self {
        Self::start()
    }
}

impl Receiver {
    /// An endpoint that answers everything with 200.
    #[must_use]
    pub fn start() -> Self {
        Self(Server::start(Inbox::default()))
    }

    /// The URL of a path, which starts with `/`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.0.addr())
    }

    /// From now on requests to `path` meet this.
    pub fn always(&self, path: &str, reaction: Reaction) {
        self.script(path, [], reaction);
    }

    /// The next requests to `path` meet one after the other of `first`, all behind them `then`.
    pub fn script(&self, path: &str, first: impl IntoIterator<Item = Reaction>, then: Reaction) {
        let mut state = self.0.state();
        let script = state.scripts.entry(path.to_owned()).or_default();
        script.first = first.into_iter().collect();
        script.then = Some(then);
        script.version += 1;
        drop(state);
        self.0.tell();
    }

    /// All requests so far, in the order of their arrival.
    #[must_use]
    pub fn received(&self) -> Vec<Request> {
        self.0.state().requests.clone()
    }

    /// The requests to one path so far.
    #[must_use]
    pub fn received_at(&self, path: &str) -> Vec<Request> {
        let requests = self.received().into_iter();
        requests.filter(|request| request.path == path).collect()
    }

    /// All requests, once there are so many.
    ///
    /// # Panics
    /// When they do not come.
    #[track_caller]
    pub fn wait_for(&self, count: usize) -> Vec<Request> {
        self.wait_until(|requests| requests.len() >= count);
        self.received()
    }

    /// The requests to one path, once there are so many.
    ///
    /// # Panics
    /// When they do not come.
    #[track_caller]
    pub fn wait_at(&self, path: &str, count: usize) -> Vec<Request> {
        self.wait_until(|requests| {
            requests.iter().filter(|request| request.path == path).count() >= count
        });
        self.received_at(path)
    }

    /// Waits until the requests are as wanted.
    ///
    /// # Panics
    /// When they never are.
    #[track_caller]
    pub fn wait_until(&self, wanted: impl Fn(&[Request]) -> bool) {
        if !self.0.wait_until(PATIENCE, |inbox| wanted(&inbox.requests)) {
            let paths: Vec<_> = self.received().into_iter().map(|one| one.path).collect();
            panic!("what should have come did not; {} came: {paths:?}", paths.len());
        }
    }
}

impl Inbox {
    fn version(&self, path: &str) -> u64 {
        self.scripts.get(path).map_or(0, |script| script.version)
    }

    fn next(&mut self, path: &str) -> (u64, Reaction) {
        let known = self.scripts.get_mut(path).map(|script| {
            let reaction = script.first.pop_front().or_else(|| script.then.clone());
            (script.version, reaction)
        });
        let (version, reaction) = known.unwrap_or_default();
        (version, reaction.unwrap_or(Reaction::status(200)))
    }
}

impl Served for Inbox {
    type Turn = ();

    fn turn(&mut self) {}

    fn serve(shared: &Shared<Self>, mut connection: &TcpStream, (): ()) -> End {
        let mut reader = BufReader::new(connection);
        while let Some(request) = read(&mut reader) {
            let answer = match take_in(shared, request) {
                None | Some(Reaction::Close | Reaction::Hang) => return End::Close,
                Some(Reaction::Drip) => {
                    drip(shared, connection);
                    return End::Close;
                }
                Some(Reaction::Answer(status, body)) => {
                    let length = format!("content-length: {}\r\n", body.len());
                    let length = if status == 204 { String::new() } else { length };
                    format!("HTTP/1.1 {status} \r\n{length}\r\n{body}")
                }
                Some(Reaction::Redirect(place)) => {
                    format!("HTTP/1.1 302 \r\nlocation: {place}\r\ncontent-length: 0\r\n\r\n")
                }
            };
            if connection.write_all(answer.as_bytes()).is_err() {
                return End::Close;
            }
        }
        End::Close
    }
}

/// Keeps a request; what to do with it, nothing when the server closes.
fn take_in(shared: &Shared<Inbox>, request: Request) -> Option<Reaction> {
    let path = request.path.clone();
    let mut state = shared.state();
    state.requests.push(request);
    shared.tell();
    loop {
        let (version, reaction) = state.next(&path);
        if reaction != Reaction::Hang {
            return Some(reaction).filter(|_| !state.is_closing());
        }
        while !state.is_closing() && state.version(&path) == version {
            state = shared.wait(state, PATIENCE);
        }
        if state.is_closing() {
            return None;
        }
    }
}

/// Reads a request; nothing when there is no other or it is none.
fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let mut head = head.into_iter();
    let line = head.next()?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let headers = head.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_lowercase(), value.trim().to_owned()))
    });
    let mut request = Request { method, path, headers: headers.collect(), body: String::new() };
    let length = request.header("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

/// Answers byte by byte until nobody listens any more.
fn drip(shared: &Shared<Inbox>, mut connection: &TcpStream) {
    let head = b"HTTP/1.1 200 \r\ncontent-length: 1000000\r\n\r\n";
    let mut wrote = connection.write_all(head).is_ok();
    while wrote && !shared.state().is_closing() {
        thread::sleep(DRIP_INTERVAL);
        wrote = connection.write_all(b".").is_ok();
    }
}
