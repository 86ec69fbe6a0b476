//! An endpoint on this machine: does with deliveries what a test says, and keeps what it was sent.

use std::{
    collections::{HashMap, VecDeque},
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

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
pub struct Receiver {
    addr: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    requests: Vec<Request>,
    scripts: HashMap<String, Script>,
    connections: HashMap<u64, TcpStream>,
    connected: u64,
    closing: bool,
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
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let addr = listener.local_addr().expect("the port is known");
        let shared = Arc::new(Shared::default());
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || listen(&listener, &shared)
        });
        Self { addr, shared, thread: Some(thread) }
    }

    /// The URL of a path, which starts with `/`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// From now on requests to `path` meet this.
    pub fn always(&self, path: &str, reaction: Reaction) {
        self.script(path, [], reaction);
    }

    /// The next requests to `path` meet one after the other of `first`, all behind them `then`.
    pub fn script(&self, path: &str, first: impl IntoIterator<Item = Reaction>, then: Reaction) {
        let mut state = self.shared.state();
        let script = state.scripts.entry(path.to_owned()).or_default();
        script.first = first.into_iter().collect();
        script.then = Some(then);
        script.version += 1;
        drop(state);
        self.shared.changed.notify_all();
    }

    /// All requests so far, in the order of their arrival.
    #[must_use]
    pub fn received(&self) -> Vec<Request> {
        self.shared.state().requests.clone()
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
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.state();
        while !wanted(&state.requests) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let paths: Vec<_> = state.requests.iter().map(|one| one.path.clone()).collect();
                drop(state);
                panic!("what should have come did not; {} came: {paths:?}", paths.len());
            }
            state = self.shared.wait(state, left);
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.shared.state().closing = true;
        self.shared.changed.notify_all();
        // Wakes the listener.
        drop(TcpStream::connect(self.addr));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
        for connection in self.shared.state().connections.values() {
            drop(connection.shutdown(Shutdown::Both));
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A test that panics while it looks has nothing to do with the server.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, longest: Duration) -> MutexGuard<'a, State> {
        let woken = self.changed.wait_timeout(state, longest);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Keeps a request; what to do with it, nothing when the server closes.
    fn take_in(&self, request: Request) -> Option<Reaction> {
        let path = request.path.clone();
        let mut state = self.state();
        state.requests.push(request);
        self.changed.notify_all();
        loop {
            let (version, reaction) = state.next(&path);
            if reaction != Reaction::Hang {
                return Some(reaction).filter(|_| !state.closing);
            }
            while !state.closing && state.version(&path) == version {
                state = self.wait(state, PATIENCE);
            }
            if state.closing {
                return None;
            }
        }
    }
}

impl State {
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

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for connection in listener.incoming().map_while(Result::ok) {
        let mut state = shared.state();
        if state.closing {
            return;
        }
        state.connected += 1;
        let (number, kept) = (state.connected, connection.try_clone());
        state.connections.extend(kept.ok().map(|kept| (number, kept)));
        drop(state);
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            serve(&shared, &connection);
            drop(connection.shutdown(Shutdown::Both));
            shared.state().connections.remove(&number);
        });
    }
}

/// Answers requests until the connection is to be closed.
fn serve(shared: &Shared, mut connection: &TcpStream) {
    drop(connection.set_nodelay(true));
    let mut reader = BufReader::new(connection);
    while let Some(request) = read(&mut reader) {
        let answer = match shared.take_in(request) {
            None | Some(Reaction::Close | Reaction::Hang) => return,
            Some(Reaction::Drip) => return drip(shared, connection),
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
            return;
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
fn drip(shared: &Shared, mut connection: &TcpStream) {
    let head = b"HTTP/1.1 200 \r\ncontent-length: 1000000\r\n\r\n";
    let mut wrote = connection.write_all(head).is_ok();
    while wrote && !shared.state().closing {
        thread::sleep(DRIP_INTERVAL);
        wrote = connection.write_all(b".").is_ok();
    }
}
