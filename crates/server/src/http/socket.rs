//! The listening socket, whose options every accepted connection inherits.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use socket2::{Domain, Protocol, Socket, TcpKeepalive, Type};

/// Connections that the system queues while all workers are busy.
const BACKLOG: i32 = 2_048;
/// An idle connection is asked after so long whether its peer is still there, and again each time.
const PROBE_INTERVAL: Duration = Duration::from_secs(15);
/// Bytes of an answer that the system takes before they can be sent. Without a limit it takes megabytes, and a slow
/// client looks for a long time as if it took nothing.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 131_072;

/// Listens at an address. The system ends a connection whose peer acknowledges nothing for `peer_timeout`.
pub(super) fn listen(addr: SocketAddr, peer_timeout: Duration) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(addr), Type::STREAM, Some(Protocol::TCP))?;
    #[cfg(not(windows))]
    socket.set_reuse_address(true)?;
    let probes = TcpKeepalive::new().with_time(PROBE_INTERVAL).with_interval(PROBE_INTERVAL);
    socket.set_tcp_keepalive(&probes)?;
    expect_progress(&socket, peer_timeout)?;
    socket.bind(&addr.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

#[cfg(target_os = "linux")]
fn expect_progress(socket: &Socket, peer_timeout: Duration) -> io::Result<()> {
    socket.set_tcp_user_timeout(Some(peer_timeout))?;
    socket.set_tcp_notsent_lowat(UNSENT_BYTES_MAX)
}

/// Other systems end such a connection in their own time.
#[cfg(not(target_os = "linux"))]
fn expect_progress(_: &Socket, _: Duration) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpStream};

    use socket2::SockRef;

    use super::*;

    #[test]
    fn what_is_accepted_inherits_the_options() {
        let peer_timeout = Duration::from_secs(7);
        let listener = listen((Ipv4Addr::LOCALHOST, 0).into(), peer_timeout).unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        let accepted = SockRef::from(&accepted);
        assert!(accepted.keepalive().unwrap());
        #[cfg(target_os = "linux")]
        {
            assert_eq!(accepted.tcp_user_timeout().unwrap(), Some(peer_timeout));
            assert_eq!(accepted.tcp_notsent_lowat().unwrap(), UNSENT_BYTES_MAX);
        }
    }
}
