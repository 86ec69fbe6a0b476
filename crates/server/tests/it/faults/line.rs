//! The line between the program and its PostgreSQL, which can be disturbed.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// What becomes of the bytes on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Condition {
    /// They pass.
    Open,
    /// They do not, and nobody says so: the database's machine is stopped.
    Silent,
    /// They are taken and thrown away: whoever is in between is alive and has forgotten the rest.
    Swallowing,
    /// Connections are cut and none is made: the database is down.
    Cut,
    /// What is asked passes, and what is answered is thrown away.
    Deaf,
}

/// A line to a database.
pub(super) struct Line {
    /// Where it begins, in place of the database's own URL.
    pub(super) url: String,
    condition: Shared,
}

#[derive(Clone, Default)]
struct Shared(Arc<State>);

#[derive(Default)]
struct State {
    condition: AtomicU8,
    /// How often all connections were hung up.
    hung_up: AtomicUsize,
}

impl Shared {
    fn get(&self) -> Condition {
        match self.0.condition.load(Ordering::Relaxed) {
            0 => Condition::Open,
            1 => Condition::Silent,
            2 => Condition::Swallowing,
            3 => Condition::Cut,
            _ => Condition::Deaf,
        }
    }

    fn hung_up(&self) -> usize {
        self.0.hung_up.load(Ordering::Relaxed)
    }
}

/// A way along a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Asking,
    Answering,
}

impl Line {
    /// An open line to the database at a URL.
    pub(super) fn to(url: &str) -> Self {
        let (server, rest) = split(url);
        let condition = Shared::default();
        let addr = forward(server, condition.clone());
        Self { url: rest.replace("{}", &addr.to_string()), condition }
    }

    /// Disturbs it, or mends it.
    pub(super) fn set(&self, condition: Condition) {
        self.condition.0.condition.store(condition as u8, Ordering::Relaxed);
    }

    /// Ends the connections that there are. New ones can be made.
    pub(super) fn hang_up(&self) {
        self.condition.0.hung_up.fetch_add(1, Ordering::Relaxed);
    }
}

/// The address of a server in a URL, and the URL with `{}` in its place.
fn split(url: &str) -> (String, String) {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (authority, path) = rest.split_once('/').unwrap();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:5432") };
    let user = if user.is_empty() { String::new() } else { format!("{user}@") };
    (host, format!("{scheme}://{user}{{}}/{path}"))
}

/// Listens on a port of its own and passes everything on, as the condition of the line has it.
fn forward(server: String, condition: Shared) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let addr = listener.local_addr().unwrap();
    thread::spawn(move || {
        for inner in listener.incoming().map_while(Result::ok) {
            if condition.get() == Condition::Cut {
                continue;
            }
            let Ok(outer) = TcpStream::connect(&server) else { continue };
            let ways = [(&inner, &outer, Way::Asking), (&outer, &inner, Way::Answering)];
            for (from, to, way) in ways {
                let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                let condition = condition.clone();
                thread::spawn(move || pass(from, to, way, &condition));
            }
        }
    });
    addr
}

/// Whether bytes that come are thrown away.
fn is_swallowed(condition: Condition, way: Way) -> bool {
    match condition {
        Condition::Swallowing => true,
        Condition::Deaf => way == Way::Answering,
        Condition::Open | Condition::Silent | Condition::Cut => false,
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, way: Way, condition: &Shared) {
    let hung_up = condition.hung_up();
    let tick = Duration::from_millis(10);
    from.set_read_timeout(Some(tick)).unwrap();
    let mut bytes = [0; 16 << 10];
    while condition.hung_up() == hung_up {
        match condition.get() {
            Condition::Cut => break,
            Condition::Silent => {
                thread::sleep(tick);
                continue;
            }
            Condition::Open | Condition::Swallowing | Condition::Deaf => {}
        }
        match from.read(&mut bytes) {
            Ok(0) => break,
            // As the line is when they come, whatever it was when they were first waited for.
            Ok(_) if is_swallowed(condition.get(), way) => {}
            Ok(length) => {
                if to.write_all(&bytes[..length]).is_err() {
                    break;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    drop(from.shutdown(Shutdown::Both));
    drop(to.shutdown(Shutdown::Both));
}
