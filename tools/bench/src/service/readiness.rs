//! Waiting for a process of ours to answer.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;

/// Short enough to time a start of a few milliseconds.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Ports that systems give to no outgoing connection.
const LASTING_PORTS: Range<u16> = 20_000..32_000;

/// How many lasting addresses were looked for.
static LOOKS: AtomicU32 = AtomicU32::new(0);

/// An address of this machine that nobody listens on at this moment.
pub(crate) fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

/// The same for a process that ends and comes back: its port is none that a client's connection could take meanwhile.
pub(crate) fn lasting_address() -> io::Result<SocketAddr> {
    let count = LASTING_PORTS.end - LASTING_PORTS.start;
    for _ in LASTING_PORTS {
        let look = LOOKS.fetch_add(1, Ordering::Relaxed).wrapping_add(std::process::id());
        let offset = u16::try_from(look % u32::from(count)).unwrap_or_default();
        if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, LASTING_PORTS.start + offset))
        {
            return listener.local_addr();
        }
    }
    Err(io::Error::other("no port is free"))
}

/// Polls `path` until it answers 200; the time that took, or an error when the process ended.
pub(crate) fn wait_for(
    child: &mut Child,
    address: SocketAddr,
    path: &str,
    timeout: Duration,
) -> anyhow::Result<Duration> {
    let began = Instant::now();
    while !answers(address, path) {
        if let Some(status) = child.try_wait()? {
            bail!("the process ended before it was ready: {status}");
        }
        if began.elapsed() > timeout {
            bail!("{path} did not answer 200 within {timeout:?}");
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(began.elapsed())
}

fn answers(address: SocketAddr, path: &str) -> bool {
    ask(address, path).is_ok_and(|first| first.starts_with(b"HTTP/1.1 200"))
}

fn ask(address: SocketAddr, path: &str) -> io::Result<[u8; 12]> {
    let mut stream = TcpStream::connect_timeout(&address, ANSWER_TIMEOUT)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")?;
    let mut first = [0; 12];
    stream.read_exact(&mut first)?;
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lasting_addresses_differ_and_are_no_clients_ports() {
        let [one, other] = [lasting_address().unwrap(), lasting_address().unwrap()];
        assert_ne!(one, other);
        assert!(LASTING_PORTS.contains(&one.port()) && LASTING_PORTS.contains(&other.port()));
    }
}
