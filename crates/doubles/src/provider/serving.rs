//! How a provider serves: it reads a request, has the work done, and replies.

use std::{
    collections::{HashMap, VecDeque},
    io::{Read, Write},
    net::TcpStream,
};

use super::{Answer, Behaviour, Books, Reply, Request};
use crate::server::{End, Served, Shared};

/// What a provider knows.
#[derive(Default)]
pub(super) struct Ledger<B> {
    pub(super) received: Vec<Request>,
    pub(super) books: B,
    pub(super) scripts: HashMap<&'static str, VecDeque<Behaviour>>,
}

/// What is sent.
enum Sent {
    Whole(Answer),
    Half(Answer),
    Nothing { is_reset: bool },
}

impl<B: Books> Served for Ledger<B> {
    type Turn = ();

    fn turn(&mut self) {}

    fn serve(shared: &Shared<Self>, connection: &TcpStream, (): ()) -> End {
        while let Some((request, has_rest)) = read(connection) {
            let (sent, is_held) = take_in(shared, request);
            if let Sent::Nothing { is_reset: true } = sent {
                // The last byte of a body is still unread, so closing resets; without a body it is a mere end.
                return End::Reset;
            }
            let (mut last, mut stream) = ([0], connection);
            if has_rest && stream.read_exact(&mut last).is_err() {
                return End::Close;
            }
            let is_usable = match &sent {
                Sent::Whole(answer) => stream.write_all(text(answer).as_bytes()).is_ok(),
                Sent::Half(answer) => {
                    let whole = text(answer);
                    let half = whole.len() - answer.body.len() / 2;
                    drop(stream.write_all(whole.as_bytes().get(..half).unwrap_or_default()));
                    false
                }
                Sent::Nothing { .. } => false,
            };
            if is_held {
                shared.hang();
            }
            if !is_usable {
                return End::Close;
            }
        }
        End::Close
    }
}

/// Keeps a request and has its work done: what is to be sent, and whether the line is held then.
fn take_in<B: Books>(shared: &Shared<Ledger<B>>, request: Request) -> (Sent, bool) {
    let mut state = shared.state();
    let script = state.scripts.get_mut(B::call(&request));
    let behaviour = script.and_then(VecDeque::pop_front).unwrap_or(Behaviour::Documented);
    let documented = match &behaviour {
        Behaviour::Instead(_) => Answer { status: 200, headers: Vec::new(), body: String::new() },
        Behaviour::Documented | Behaviour::Then(_) => state.books.answer(&request),
    };
    let sent = match behaviour {
        Behaviour::Documented => (Sent::Whole(documented), false),
        Behaviour::Then(reply) | Behaviour::Instead(reply) => match reply {
            Reply::Http(status, headers, body) => {
                let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
                let answer = Answer { status, headers: headers.collect(), body };
                state.books.failed(&request, &answer);
                (Sent::Whole(answer), false)
            }
            Reply::Hang => (Sent::Nothing { is_reset: false }, true),
            Reply::Reset => (Sent::Nothing { is_reset: true }, false),
            Reply::Half => (Sent::Half(documented), false),
        },
    };
    state.received.push(request);
    drop(state);
    shared.tell();
    sent
}

fn text(Answer { status, headers, body }: &Answer) -> String {
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    format!(
        "HTTP/1.1 {status} \r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
}

/// Reads a request but for the last byte of its body, which stays in the socket; nothing when there is no other or it is
/// none of ours.
fn read(mut connection: &TcpStream) -> Option<(Request, bool)> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        connection.read_exact(&mut byte).ok()?;
        head.extend(byte);
    }
    let head = String::from_utf8(head).ok()?;
    let (line, rest) = head.split_once("\r\n")?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = rest.lines().filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    let headers: Vec<_> = headers.collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(Some(0), |(_, length)| length.parse::<usize>().ok())?;
    let mut body = vec![0; length.saturating_sub(1)];
    connection.read_exact(&mut body).ok()?;
    if length > 0 {
        (connection.peek(&mut byte).ok()? == 1).then(|| body.extend(byte))?;
    }
    let (path, query) = (path.to_owned(), query.to_owned());
    let body = String::from_utf8(body).ok()?;
    Some((Request { method, path, query, headers, body }, length > 0))
}
