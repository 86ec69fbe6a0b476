//! The sockets of this process that lead to the database.
//!
//! libpq opens them, and neither it nor diesel hands them out, so they are found among the open files by whom they lead
//! to.

use std::{
    collections::BTreeSet,
    fs,
    net::{SocketAddr, ToSocketAddrs},
    os::fd::RawFd,
};

use nix::sys::socket::{Shutdown, SockaddrStorage, getpeername, shutdown};

/// Where PostgreSQL listens unless it is told otherwise.
const PORT: &str = "5432";

/// Shuts down the sockets that lead to one of these, and says how many there were. Whoever waits at one reads its end.
pub(super) fn cut(peers: &BTreeSet<SocketAddr>) -> usize {
    let leads_there = |file: &RawFd| peer(*file).is_some_and(|peer| peers.contains(&peer));
    // A number that changes hands between the two calls has been done with the database: its new holder connects again.
    open_files()
        .into_iter()
        .filter(leads_there)
        .filter(|file| shutdown(*file, Shutdown::Both).is_ok())
        .count()
}

fn open_files() -> Vec<RawFd> {
    let Ok(entries) = fs::read_dir("/dev/fd") else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn peer(file: RawFd) -> Option<SocketAddr> {
    let peer: SockaddrStorage = getpeername(file).ok()?;
    match (peer.as_sockaddr_in(), peer.as_sockaddr_in6()) {
        (Some(v4), _) => Some((*v4).into()),
        (_, Some(v6)) => Some((*v6).into()),
        _ => None,
    }
}

/// The addresses of the servers that a URL of PostgreSQL names, as far as they are reached by TCP.
pub(super) fn addresses(url: &str) -> Vec<SocketAddr> {
    let addresses = hosts(url).into_iter().filter_map(|host| host.to_socket_addrs().ok());
    addresses.flatten().collect()
}

/// The hosts in a URL, each with its port.
fn hosts(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    // The first @ before the database ends a password, whatever it contains.
    let user = rest.split_once('@').filter(|(user, _)| !user.contains('/'));
    let rest = user.map_or(rest, |(_, rest)| rest);
    let hosts = rest.split(['/', '?']).next().unwrap_or_default();
    let with_port = |host: &str| {
        let name = host.rsplit_once(']').map_or(host, |(_, port)| port);
        if name.contains(':') { host.to_owned() } else { format!("{host}:{PORT}") }
    };
    hosts.split(',').filter(|host| !host.is_empty()).map(with_port).collect()
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read,
        net::{Ipv4Addr, TcpListener, TcpStream},
        thread,
    };

    use super::*;

    #[test]
    fn a_url_names_its_hosts() {
        for (url, named) in [
            ("postgres://h/d", vec!["h:5432"]),
            ("postgres://u:p@h:6432/d?x=y", vec!["h:6432"]),
            ("postgres://u:p%40@[::1]/d", vec!["[::1]:5432"]),
            ("postgres://u:p?x@h/d?e=a@b", vec!["h:5432"]),
            ("postgres://h/d?e=a@b", vec!["h:5432"]),
            ("postgres://u@[::1]:7/d", vec!["[::1]:7"]),
            ("postgres://u@a,b:1/d", vec!["a:5432", "b:1"]),
            ("postgres://u@a?connect_timeout=3", vec!["a:5432"]),
            ("postgres:///d", vec![]),
        ] {
            assert_eq!(hosts(url), named, "{url}");
        }
        assert_eq!(addresses("postgres://127.0.0.1:9/d"), [(Ipv4Addr::LOCALHOST, 9).into()]);
        assert_eq!(addresses("postgres://%2Fvar%2Frun/d"), []);
    }

    #[test]
    fn who_waits_at_a_socket_that_is_cut_reads_its_end() {
        let listen = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let (silent, other) = (listen(), listen());
        let connect = |to: &TcpListener| TcpStream::connect(to.local_addr().unwrap()).unwrap();
        let (mut waits, stays) = (connect(&silent), connect(&other));
        let waiting = thread::spawn(move || waits.read(&mut [0]));
        assert_eq!(cut(&BTreeSet::from([silent.local_addr().unwrap()])), 1);
        assert_eq!(waiting.join().unwrap().unwrap(), 0);
        assert_eq!(cut(&BTreeSet::from([other.local_addr().unwrap()])), 1);
        drop(stays);
    }
}
