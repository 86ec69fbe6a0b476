//! How the providers serve: they read a request, have the work done, and reply.

use std::{
    collections::{HashMap, VecDeque},
    io::{Read, Write},
    net::TcpStream,
    thread,
};

use doubles::server::{End, Served, Shared};

use super::{Behaviour, Call, Received, Reply, books::Books, finkok, script::Script, sw};

/// A documented answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) body: String,
}

/// What the providers know.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) received: Vec<Received>,
    pub(super) books: Books,
    scripts: HashMap<Call, Script>,
}

impl Desk {
    pub(super) fn script(&mut self, call: Call, first: VecDeque<Behaviour>, then: Behaviour) {
        self.scripts.insert(call, Script { first, then: Some(then) });
    }
}

impl Served for Desk {
    type Turn = ();

    fn turn(&mut self) {}

    fn serve(shared: &Shared<Self>, connection: &TcpStream, (): ()) -> End {
        while let Some(request) = read(connection) {
            let (reply, answer) = take_in(shared, request);
            if reply == Reply::Reset {
                // The last byte of the request is still unread, so closing resets.
                return End::Reset;
            }
            let mut last = [0];
            let mut stream = connection;
            if stream.read_exact(&mut last).is_err() || !respond(shared, connection, reply, &answer)
            {
                return End::Close;
            }
        }
        End::Close
    }
}

/// Keeps a request and has its work done: how to reply, and the documented answer.
fn take_in(shared: &Shared<Desk>, request: Received) -> (Reply, Answer) {
    let mut state = shared.state();
    let Behaviour { works, reply } = state.scripts.entry(request.call).or_default().next();
    let documented = if request.path.starts_with("/servicios/") || request.path.ends_with(".svc") {
        finkok::answer(&mut state.books, &request, works, &reply)
    } else {
        sw::answer(&mut state.books, &request, works, &reply)
    };
    state.received.push(request);
    drop(state);
    shared.tell();
    (reply, documented)
}

/// Whether the connection can be used again.
fn respond(shared: &Shared<Desk>, connection: &TcpStream, reply: Reply, answer: &Answer) -> bool {
    let whole = head(answer.status, answer.content_type, answer.body.len()) + &answer.body;
    let half = whole.len() - answer.body.len() / 2;
    match reply {
        Reply::Hang => shared.hang(),
        Reply::Close | Reply::Reset => {}
        Reply::Half | Reply::Stall => {
            let wrote = write(connection, whole.as_bytes().get(..half).unwrap_or_default());
            if wrote && reply == Reply::Stall {
                shared.hang();
            }
        }
        Reply::Http(status, body) => {
            let head = head(status, "text/html", body.len());
            return write(connection, (head + &body).as_bytes());
        }
        Reply::Header(status, name, value) => {
            let head = head(status, "text/html", 0).replace("\r\n\r\n", "\r\n");
            return write(connection, format!("{head}{name}: {value}\r\n\r\n").as_bytes());
        }
        Reply::Padded(bytes) => {
            let head = head(answer.status, answer.content_type, bytes + answer.body.len());
            return write(connection, head.as_bytes())
                && write(connection, " ".repeat(bytes).as_bytes())
                && write(connection, answer.body.as_bytes());
        }
        Reply::Slow(time) => {
            thread::sleep(time);
            return write(connection, whole.as_bytes());
        }
        Reply::Documented | Reply::Hidden | Reply::Foreign | Reply::Alone | Reply::Refuse(..) => {
            return write(connection, whole.as_bytes());
        }
    }
    false
}

fn head(status: u16, content_type: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 {status} \r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n"
    )
}

fn write(mut connection: &TcpStream, bytes: &[u8]) -> bool {
    connection.write_all(bytes).is_ok()
}

/// Reads a request but for its last byte, which stays in the socket; nothing when there is no other or it is
/// none of ours.
fn read(mut connection: &TcpStream) -> Option<Received> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        connection.read_exact(&mut byte).ok()?;
        head.extend(byte);
    }
    let head = String::from_utf8(head).ok()?;
    let (line, rest) = head.split_once("\r\n")?;
    let path = line.split(' ').nth(1)?.to_owned();
    let headers = rest.lines().filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    let headers: Vec<_> = headers.collect();
    let length = headers.iter().find(|(name, _)| name == "content-length")?;
    let mut body = vec![0; length.1.parse::<usize>().ok()?.checked_sub(1)?];
    connection.read_exact(&mut body).ok()?;
    (connection.peek(&mut byte).ok()? == 1).then(|| body.extend(byte))?;
    let body = String::from_utf8(body).ok()?;
    let call = call(&path, &body);
    Some(Received { call, path, headers, body })
}

fn call(path: &str, body: &str) -> Call {
    match path {
        "/v2/security/authenticate" => Call::SignIn,
        "/cfdi33/cancel/xml" | "/retencion/cancel/xml" => Call::Cancel,
        "/ConsultaCFDIService.svc" => Call::Status,
        _ if body.contains(":cancel_signature>") => Call::Cancel,
        _ if body.contains(":stamped>") => Call::Stamped,
        _ => Call::Stamp,
    }
}
