//! Waiting for a process of ours to answer.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;

/// Short enough to time a start of a few milliseconds.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// An address of this machine that nobody listens on at this moment.
pub(crate) fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
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

fn ask(address: SocketAddr, path: &str) -> std::io::Result<[u8; 12]> {
    let mut stream = TcpStream::connect_timeout(&address, ANSWER_TIMEOUT)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")?;
    let mut first = [0; 12];
    stream.read_exact(&mut first)?;
    Ok(first)
}
