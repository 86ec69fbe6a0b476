//! The database goes away while the provider stamps, and comes back: one stamp, one charge.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    thread,
    time::Duration,
};

use testkit::{
    DatabaseKind,
    pac::{Behaviour, Call, Reply},
};

use super::{
    desk::Pac,
    effort,
    program::{CREDITS, Office},
    tell,
};

/// What becomes of the bytes between the program and its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Line {
    /// They pass.
    Open,
    /// They do not, and nobody says so: the database's machine is stopped.
    Silent,
    /// Connections are cut and none is made: the database is down.
    Cut,
}

impl Line {
    fn of(state: &AtomicU8) -> Self {
        match state.load(Ordering::Relaxed) {
            0 => Self::Open,
            1 => Self::Silent,
            _ => Self::Cut,
        }
    }
}

#[test]
fn a_database_that_falls_silent_costs_no_second_stamp() {
    blackout(Line::Silent);
}

#[test]
fn a_database_that_is_down_costs_no_second_stamp() {
    blackout(Line::Cut);
}

fn blackout(fault: Line) {
    let office = Office::open(DatabaseKind::Postgres, Pac::Sw, 3, 0);
    let (server, rest) = split(&office.database.url);
    let state = Arc::new(AtomicU8::new(Line::Open as u8));
    let addr = forward(server, Arc::clone(&state));
    let program = office.start_on(&rest.replace("{}", &addr.to_string()));
    let slow = Behaviour::then(Reply::Slow(Duration::from_millis(400)));
    office.pac.script(
        Call::Stamp,
        [slow.clone(), Behaviour::then(Reply::Close), slow],
        Behaviour::documented(),
    );
    let seconds = (4 * effort()).min(40);
    thread::scope(|scope| {
        for id in &office.drafts {
            let program = &program;
            scope.spawn(move || program.post(&format!("/invoices/{id}/timbrar"), Some(id), None));
        }
        drop(office.pac.wait_for(Call::Stamp, office.drafts.len()));
        state.store(fault as u8, Ordering::Relaxed);
        thread::sleep(Duration::from_secs(seconds));
        state.store(Line::Open as u8, Ordering::Relaxed);
    });
    office.settle();
    for id in &office.drafts {
        let invoice = program.get(&format!("/invoices/{id}"));
        assert_eq!(invoice["status"], "stamped", "{invoice}");
        let stamps = office.pac.stamps();
        let uuid = invoice["uuid"].as_str().unwrap();
        let own = stamps.iter().filter(|stamp| stamp.uuid.eq_ignore_ascii_case(uuid));
        assert_eq!(own.count(), 1, "the stamp that is shown was made");
        assert_eq!(office.commits(id), 1, "one charge");
    }
    assert_eq!(office.pac.stamps().len(), office.drafts.len(), "one stamp for each invoice");
    let credits = program.get("/credits");
    assert_eq!(credits["available"], CREDITS - 10 * i64::try_from(office.drafts.len()).unwrap());
    program.kill();
    assert_eq!(office.database.violations(), [""; 0]);
    tell(&[
        ("blackouts", 1),
        ("invoices", office.drafts.len()),
        ("stamps", office.pac.stamps().len()),
    ]);
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

/// Listens on a port of its own and passes everything on, as the state of the line has it.
fn forward(server: String, state: Arc<AtomicU8>) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let addr = listener.local_addr().unwrap();
    thread::spawn(move || {
        for inner in listener.incoming().map_while(Result::ok) {
            if Line::of(&state) == Line::Cut {
                continue;
            }
            let Ok(outer) = TcpStream::connect(&server) else { continue };
            for (from, to) in [(&inner, &outer), (&outer, &inner)] {
                let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                let state = Arc::clone(&state);
                thread::spawn(move || pass(from, to, &state));
            }
        }
    });
    addr
}

fn pass(mut from: TcpStream, mut to: TcpStream, state: &AtomicU8) {
    let tick = Duration::from_millis(10);
    from.set_read_timeout(Some(tick)).unwrap();
    let mut bytes = [0; 16 << 10];
    loop {
        match Line::of(state) {
            Line::Cut => break,
            Line::Silent => {
                thread::sleep(tick);
                continue;
            }
            Line::Open => {}
        }
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(length) => {
                if to.write_all(&bytes[..length]).is_err() {
                    break;
                }
            }
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) => {}
            Err(_) => break,
        }
    }
    drop(from.shutdown(Shutdown::Both));
    drop(to.shutdown(Shutdown::Both));
}
