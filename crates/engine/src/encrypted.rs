//! Encrypted connections to PostgreSQL.
//!
//! The bundled libpq speaks no TLS, and the one library that it could speak it with is not wanted beside rustls. So where the
//! URL asks for TLS, libpq connects to a socket of this process, and a thread carries what it says through rustls to the
//! server. The socket has a name of this process and no file, and takes nobody of another user.

mod greeting;
mod route;
mod trust;

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    pin::pin,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    thread,
    time::Duration,
};

use kernel::id::IdSource;
use rustix::process::geteuid;
use rustls::{ClientConfig, pki_types::ServerName};
use socket2::{SockRef, TcpKeepalive};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, split},
    net::{
        TcpStream, UnixListener, UnixStream, lookup_host,
        unix::{ReadHalf, WriteHalf},
    },
    runtime::{self, Handle},
    time::{Instant, timeout, timeout_at},
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use route::Server;
pub(crate) use route::{Route, plain_host};

/// As libpq is told of its own connections.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVE_RETRIES: u32 = 2;
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(8);
/// So long a server may take to end what its client has ended.
const FAREWELL: Duration = Duration::from_secs(5);
/// The port that stands in the name of a socket.
pub(super) const PORT: u16 = 5432;

/// The sockets that lead to servers. They stay for as long as the process does: a connection may outlive whoever opened it.
static SOCKETS: LazyLock<Mutex<HashMap<Server, String>>> = LazyLock::new(Mutex::default);
/// Where connections are carried through.
static RUNTIME: OnceLock<Handle> = OnceLock::new();

/// The name of the socket that leads to a server.
fn socket_to(server: &Server) -> Result<String, String> {
    let mut sockets = SOCKETS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = sockets.get(server) {
        return Ok(name.clone());
    }
    let config = trust::config(&server.trust)?;
    // Which nobody else can have taken.
    let name = format!("trastienda-{:x}", IdSource::default().next());
    let told = |error: io::Error| format!("cannot carry connections to PostgreSQL: {error}");
    let runtime = runtime().map_err(told)?;
    let listener = {
        let _entered = runtime.enter();
        listen(&name).map_err(told)?
    };
    runtime.spawn(accept(listener, server.clone(), config));
    sockets.insert(server.clone(), name.clone());
    Ok(name)
}

fn runtime() -> io::Result<Handle> {
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime.clone());
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let carry = move || runtime.block_on(std::future::pending::<()>());
    thread::Builder::new().name("postgres-tls".to_owned()).spawn(carry)?;
    Ok(RUNTIME.get_or_init(|| handle).clone())
}

/// A socket without a file: its name ends with the process.
#[cfg(target_os = "linux")]
fn listen(name: &str) -> io::Result<UnixListener> {
    use std::os::{linux::net::SocketAddrExt, unix::net};

    let address = net::SocketAddr::from_abstract_name(format!("{name}/.s.PGSQL.{PORT}"))?;
    let listener = net::UnixListener::bind_addr(&address)?;
    listener.set_nonblocking(true)?;
    UnixListener::from_std(listener)
}

#[cfg(not(target_os = "linux"))]
fn listen(_: &str) -> io::Result<UnixListener> {
    Err(io::Error::other("TLS to PostgreSQL is for Linux alone"))
}

async fn accept(listener: UnixListener, server: Server, config: Arc<ClientConfig>) {
    let server = Arc::new(server);
    loop {
        match listener.accept().await {
            Ok((client, _)) if is_ours(&client) => {
                let (server, config) = (Arc::clone(&server), Arc::clone(&config));
                tokio::spawn(async move {
                    if let Err(error) = carry(client, &server, config).await {
                        tracing::debug!(%error, host = server.host, "a connection has ended");
                    }
                });
            }
            Ok(_) => {}
            // As long as there are too many open files.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

fn is_ours(client: &UnixStream) -> bool {
    client.peer_cred().is_ok_and(|peer| peer.uid() == geteuid().as_raw())
}

/// Carries what a client says to the server and back, until one of them ends it.
async fn carry(
    mut client: UnixStream,
    server: &Server,
    config: Arc<ClientConfig>,
) -> io::Result<()> {
    let until = Instant::now() + server.patience;
    let (mut from_client, mut to_client) = client.split();
    let startup = timeout_at(until, greeting::startup(&mut from_client)).await??;
    let greeted = async {
        let mut connected = connect(server, config, until).await?;
        connected.write_all(&startup).await?;
        connected.flush().await?;
        greeting::pass_authentication(&mut connected, &mut to_client).await?;
        Ok::<_, io::Error>(connected)
    };
    let greeted = tokio::select! {
        greeted = timeout_at(until, greeted) => greeted.unwrap_or_else(|late| Err(late.into())),
        () = has_gone(&from_client) => return Ok(()),
    };
    match greeted {
        Ok(connected) => pass(from_client, to_client, connected).await,
        Err(error) => {
            let why = format!("cannot connect to {} by TLS: {error}", server.host);
            to_client.write_all(&greeting::refusal(&why)).await
        }
    }
}

/// Waits for the end of a client, which has nothing to say before it is answered.
async fn has_gone(client: &ReadHalf<'_>) {
    while client.readable().await.is_ok() {
        match client.try_read(&mut [0]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            _ => return,
        }
    }
}

/// Passes on what both say. A server whose client has gone is given some time to end it, too.
async fn pass(
    mut from_client: ReadHalf<'_>,
    mut to_client: WriteHalf<'_>,
    connected: TlsStream<TcpStream>,
) -> io::Result<()> {
    let (mut from_server, mut to_server) = split(connected);
    let asked = async {
        copy(&mut from_client, &mut to_server).await?;
        to_server.shutdown().await
    };
    let answered = async { copy(&mut from_server, &mut to_client).await.map(drop) };
    let mut asked = pin!(asked);
    let mut answered = pin!(answered);
    tokio::select! {
        ended = &mut answered => return ended,
        ended = &mut asked => ended?,
    }
    timeout(FAREWELL, answered).await.unwrap_or(Ok(()))
}

/// Connects to the first address of a server that speaks TLS, each of which is given its share of the time.
async fn connect(
    server: &Server,
    config: Arc<ClientConfig>,
    until: Instant,
) -> io::Result<TlsStream<TcpStream>> {
    let name = ServerName::try_from(server.host.clone()).map_err(io::Error::other)?;
    let addresses: Vec<SocketAddr> =
        lookup_host((server.host.as_str(), server.port)).await?.collect();
    let mut left = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for address in addresses {
        let share = until.saturating_duration_since(Instant::now()) / left.max(1);
        left = left.saturating_sub(1);
        let connecting = connect_to(address, name.clone(), Arc::clone(&config));
        match timeout(share, connecting).await.unwrap_or_else(|late| Err(late.into())) {
            Ok(connected) => return Ok(connected),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

async fn connect_to(
    address: SocketAddr,
    name: ServerName<'static>,
    config: Arc<ClientConfig>,
) -> io::Result<TlsStream<TcpStream>> {
    let mut tcp = TcpStream::connect(address).await?;
    watch(&tcp)?;
    tcp.write_all(&greeting::TLS_WANTED).await?;
    // Nothing behind this byte may be taken for what was said under TLS: it is read alone.
    let answer = tcp.read_u8().await?;
    if answer != greeting::TLS_GIVEN {
        return Err(io::Error::other("it speaks none"));
    }
    TlsConnector::from(config).connect(name, tcp).await
}

/// A peer that is gone is noticed within seconds.
fn watch(tcp: &TcpStream) -> io::Result<()> {
    tcp.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(KEEPALIVE_IDLE)
        .with_interval(KEEPALIVE_INTERVAL)
        .with_retries(KEEPALIVE_RETRIES);
    let socket = SockRef::from(tcp);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::{route::Trust, *};

    /// The first message of a client, in which it tells nothing.
    const STARTUP: [u8; 8] = [0, 0, 0, 8, 0, 3, 0, 0];

    #[test]
    fn a_silent_server_keeps_nobody() {
        let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = silent.local_addr().unwrap().port();
        let host = Ipv4Addr::LOCALHOST.to_string();
        let (short, long) = (Duration::from_millis(50), Duration::from_secs(3_600));
        let server =
            |patience| Server { host: host.clone(), port, trust: Trust::Anybody, patience };
        let config = trust::config(&Trust::Anybody).unwrap();
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, carried) = UnixStream::pair().unwrap();
            client.write_all(&STARTUP).await.unwrap();
            carry(carried, &server(short), Arc::clone(&config)).await.unwrap();
            let mut told = Vec::new();
            client.read_to_end(&mut told).await.unwrap();
            assert_eq!(told.first(), Some(&b'E'), "its client is told");

            let (mut client, carried) = UnixStream::pair().unwrap();
            client.write_all(&STARTUP).await.unwrap();
            drop(client);
            carry(carried, &server(long), Arc::clone(&config)).await.unwrap();

            let (_mute, carried) = UnixStream::pair().unwrap();
            let refused = carry(carried, &server(short), config).await.unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
        });
    }
}
