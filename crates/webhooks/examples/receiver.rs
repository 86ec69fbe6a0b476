//! Receives events: `TRASTIENDA_WEBHOOK_SECRET=whsec_… cargo run -p webhooks --example receiver -- 127.0.0.1:9000`.
//!
//! It reads the raw body, verifies its signature, answers, and works afterwards, each event once. It speaks
//! just enough HTTP/1.1 for that; a receiver in production stands behind a server that speaks TLS.

#![allow(clippy::print_stdout, reason = "an example that shows what it receives")]

use std::{
    collections::HashSet,
    env,
    error::Error,
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use webhooks::signing::verify_256;

/// The signature headers. The second is there while a rotated secret is still valid: a receiver that tries
/// both misses nothing, whichever of the two secrets it has. `service` is the service's setting `brand`.
const SIGNATURES: [&str; 2] = ["x-service-signature-256", "x-service-signature-256-previous"];
const HEAD_BYTES_MAX: usize = 16 * 1_024;
const BODY_BYTES_MAX: usize = 1_024 * 1_024;
/// Whoever sends more slowly is not the service, which waits 5 seconds for the answer.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// Requests that are read at once.
const READERS: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let secret = env::var("TRASTIENDA_WEBHOOK_SECRET").ok().filter(|secret| !secret.is_empty());
    let secret = secret.ok_or("TRASTIENDA_WEBHOOK_SECRET must be the secret of the webhook")?;
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9000".to_owned());
    run(&TcpListener::bind(address)?, &secret, &|line| println!("{line}"))?;
    Ok(())
}

/// Receives events for as long as the process lives, and tells what it does.
pub(crate) fn run(
    listener: &TcpListener,
    secret: &str,
    tell: &(dyn Fn(&str) + Sync),
) -> io::Result<()> {
    tell(&format!("listening on http://{}", listener.local_addr()?));
    let (inbox, events) = mpsc::channel();
    let receiver = Receiver { secret, seen: Mutex::default(), inbox, tell };
    thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                loop {
                    // A connection that breaks is the peer's affair: the service sends the event again.
                    let _ = listener.accept().and_then(|(stream, _)| receiver.serve(stream));
                }
            });
        }
        for Event { id, name } in events {
            // The work: an e-mail, an entry in the books, a label for the parcel.
            tell(&format!("processed {name} {id}"));
        }
    });
    Ok(())
}

struct Event {
    id: String,
    name: String,
}

struct Receiver<'a> {
    secret: &'a str,
    /// The events that came before. A real receiver keeps them in its database, where they outlive a restart:
    /// one table whose primary key is the event's id, which is its inbox as well.
    seen: Mutex<HashSet<String>>,
    /// What is to be worked on. A real receiver has committed it to that table before it answers.
    inbox: mpsc::Sender<Event>,
    tell: &'a (dyn Fn(&str) + Sync),
}

impl Receiver<'_> {
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let status = match Request::read(&mut stream)? {
            Ok(request) => self.receive(&request),
            Err(refusal) => refusal,
        };
        stream.set_write_timeout(Some(REQUEST_TIME))?;
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    /// The status of the answer.
    fn receive(&self, request: &Request) -> &'static str {
        let mut signatures = SIGNATURES.iter().filter_map(|name| request.header(name));
        if !signatures.any(|signature| verify_256(self.secret, &request.body, signature)) {
            return "401 Unauthorized";
        }
        // Only from here on is the body to be trusted. The headers never are: they are not signed.
        let Some(event) = Event::parse(&request.body) else { return "400 Bad Request" };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.insert(event.id.clone()) {
            (self.tell)(&format!("repeated {} {}", event.name, event.id));
            return "200 OK";
        }
        match self.inbox.send(event) {
            Ok(()) => "200 OK",
            Err(_) => "500 Internal Server Error",
        }
    }
}

impl Event {
    /// Reads the beginning of the envelope, `{"id":"…","event":"…",`. A real receiver reads it all with a JSON
    /// library.
    fn parse(body: &[u8]) -> Option<Self> {
        let rest = str::from_utf8(body).ok()?.strip_prefix(r#"{"id":""#)?;
        let (id, rest) = rest.split_once('"')?;
        let (name, _) = rest.strip_prefix(r#","event":""#)?.split_once('"')?;
        Some(Self { id: id.to_owned(), name: name.to_owned() })
    }
}

/// A POST.
struct Request {
    /// Its headers, with names in lower case.
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// Reads a request, or gives the status that refuses it.
    fn read(stream: &mut TcpStream) -> io::Result<Result<Self, &'static str>> {
        let end = Instant::now() + REQUEST_TIME;
        let mut bytes = Vec::new();
        let head_end = loop {
            if let Some(place) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break place;
            }
            if bytes.len() > HEAD_BYTES_MAX || !read_more(stream, &mut bytes, end)? {
                return Ok(Err("400 Bad Request"));
            }
        };
        let mut body = bytes.split_off(head_end + 4);
        let Some(headers) = post_headers(&bytes) else { return Ok(Err("400 Bad Request")) };
        let request = Self { headers, body: Vec::new() };
        let length = request.header("content-length").and_then(|text| text.parse::<usize>().ok());
        match length {
            None => return Ok(Err("411 Length Required")),
            Some(length) if length > BODY_BYTES_MAX => return Ok(Err("413 Content Too Large")),
            Some(length) => {
                while body.len() < length {
                    if !read_more(stream, &mut body, end)? {
                        return Ok(Err("400 Bad Request"));
                    }
                }
                body.truncate(length);
            }
        }
        Ok(Ok(Self { body, ..request }))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reads what has come, waiting until `end` at most; whether anything did before the stream ended.
fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>, end: Instant) -> io::Result<bool> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut chunk = [0; 8_192];
    let count = stream.read(&mut chunk)?;
    bytes.extend(chunk.iter().take(count));
    Ok(count > 0)
}

/// The headers of a head that begins with `POST … HTTP/1.x`.
fn post_headers(head: &[u8]) -> Option<Vec<(String, String)>> {
    let mut lines = str::from_utf8(head).ok()?.trim_end().split("\r\n");
    let mut request_line = lines.next()?.split(' ');
    let (method, _path, version) =
        (request_line.next()?, request_line.next()?, request_line.next()?);
    if method != "POST" || !version.starts_with("HTTP/1.") || request_line.next().is_some() {
        return None;
    }
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    lines.map(header).collect()
}
